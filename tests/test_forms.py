"""Output of every command: help with an example that runs, JSON of a published shape, quiet, verbose, in colour."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import jsonschema
import pytest

import autograd_conformance
from autograd_conformance.cli import cli
from autograd_conformance.commands.adapter import adapter
from conformance.collection import CHAPTERS, load_all
from conformance.mutants import killed_by
from tests.support import ROOT, ZOO, Call, conform, from_here, run_zoo
from tests.systems import posix
from workshop.schemas import SHAPES

SCHEMA_FILE = Path(autograd_conformance.__file__).with_name("output.schema.json")
HEALTHY = "tests.zoo.adapters:Healthy"
# Every command by the words that call it, those of groups included.
LEAVES = {
    " ".join(filter(None, [group, name])): command
    for group, commands in {"": cli.commands, "adapter": adapter.commands}.items()
    for name, command in commands.items()
    if not isinstance(command, click.Group)
}


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as the examples have it: a report, its results, and an older matrix."""
    folder = tmp_path_factory.mktemp("here")
    call = run_zoo("Healthy", folder / "conformance-report")
    shutil.copytree(call.output / "results", folder / "results")
    (folder / "old").mkdir()
    shutil.copyfile(call.output / "matrix.json", folder / "old" / "matrix.json")
    shutil.copyfile(next((call.output / "results").glob("*.jsonl")), folder / "old" / "healthy.jsonl")
    return folder


def example(command: click.Command) -> list[str]:
    """The words of the example in a command's help."""
    example = re.search(r"Example: autograd-conformance (.+)", command.help or "")
    assert example, command.name
    return shlex.split(example[1])


def test_the_list_of_commands_has_a_whole_sentence_for_each() -> None:
    """On a terminal of eighty columns, too."""
    shown = conform("--help", output=ROOT).out
    lines = [line for line in shown.splitlines() if line.split()[:1] and line.split()[0] in cli.commands]
    assert [line for line in lines if not line.endswith(".") or line.endswith("...")] == []
    assert len(lines) == len(cli.commands)


def test_there_are_at_most_twelve_commands() -> None:
    """More would have to be looked for; those for maintainers have another heading."""
    assert len(set(cli.commands) - set(cli.later)) <= 12
    shown = conform("--help", output=ROOT).out.partition("Commands for maintainers of an engine:")
    assert [name for name in cli.later if f"\n  {name} " not in shown[2]] == []
    assert f"\n  {cli.later[0]} " not in shown[0]


@pytest.mark.parametrize("name", LEAVES)
def test_the_help_of_every_command_ends_with_an_example_of_it(name: str) -> None:
    """One that calls the command itself, and that its own parser takes."""
    words, count = example(LEAVES[name]), len(name.split())
    assert words[:count] == name.split()
    # Not with `resilient_parsing`, by which click takes any word.
    LEAVES[name].make_context(name, words[count:])
    shown = conform(*name.split(), "--help", output=ROOT).out
    assert f"Example: autograd-conformance {' '.join(words)}" in " ".join(shown.replace("'", "").split())


# Not these, which need an engine or its results, and are tested elsewhere.
@pytest.mark.parametrize("name", sorted(set(LEAVES) - {"run", "known", "check", "guide"}))
def test_the_examples_run(name: str, here: Path, tmp_path: Path) -> None:
    """As written, in a folder where the files that they name are."""
    folder = tmp_path / "here"
    shutil.copytree(here, folder)
    command = shlex.join([sys.executable, "-m", "autograd_conformance"])
    # A star is the shell's, as for a reader who types the example.
    words = " ".join(word if "*" in word else shlex.quote(word) for word in example(LEAVES[name]))
    done = subprocess.run(
        ["bash", "-c", f"{command} {words}"], cwd=folder, env=from_here(), capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout or "--output" in words


def test_every_command_prints_json_and_has_a_shape() -> None:
    """And is quiet or verbose, but for `known` and `guide`, which print the lines of a file."""
    assert set(SHAPES) == set(LEAVES)
    for name, command in LEAVES.items():
        options = {option for parameter in command.params for option in parameter.opts}
        assert "--json" in options, name
        assert ({"-q", "--quiet", "-v", "--verbose"} <= options) == (name not in ("known", "guide")), name


ASKED: dict[str, tuple[object, ...]] = {
    "run": ("-e", HEALTHY, "--chapters", ZOO, "errands.leaves_are_leaves", "-o", "out"),
    "operations": ("-e", "reference", "exp", "--law", "cotangents", "-o", "out"),
    "list": ("kinks",),
    "show": ("kinks.a_differentiable_point_has_its_derivative",),
    "engines": (),
    "report": ("results", "-o", "out"),
    "guide": (HEALTHY, HEALTHY, "results"),
    "diff": ("old/matrix.json", "conformance-report"),
    "adapter new": ("toy", "-o", "out"),
    "adapter check": ("reference",),
    "known": ("old/healthy.jsonl",),
}


def asked(name: str, here: Path, tmp_path: Path) -> Call:
    """A command with what it needs, relative names being those of the folder; output goes elsewhere."""
    words = [tmp_path / word if word == "out" else word for word in ASKED[name]]
    known = [here / word if isinstance(word, str) and (here / word).exists() else word for word in words]
    return conform(*name.split(), *known, "--json", output=tmp_path)


@pytest.mark.parametrize("name", ASKED)
def test_json_has_the_published_shape(name: str, here: Path, tmp_path: Path) -> None:
    """The whole of standard output is a single value, which is not empty."""
    call = asked(name, here, tmp_path)
    assert call.status == 0, call.err
    answer: Any = json.loads(call.out)
    jsonschema.Draft202012Validator(json.loads(SCHEMA_FILE.read_text())).validate({name: answer})
    assert answer


def test_quiet_and_verbose_differ_from_the_usual(here: Path, tmp_path: Path) -> None:
    """Names alone; the usual; more than that."""
    # -v of `show` lists every mutant that is caught, where the usual stops after a few: so a behaviour with many.
    most = max(load_all(CHAPTERS), key=lambda behaviour: len(killed_by(behaviour.ids())))
    for words in (("list", "kinks"), ("show", most.id), ("engines",)):
        sizes = [len(conform(*words, *flag, output=tmp_path).out) for flag in (["-q"], [], ["-v"])]
        assert sizes[0] < sizes[1] < sizes[2], (words, sizes)
    listed = conform("list", "kinks", "-q", output=tmp_path).out.split()
    assert listed == [behaviour.id for behaviour in load_all(CHAPTERS) if behaviour.chapter == "kinks"]
    assert conform("report", here / "results", "--json-only", "-q", "-o", tmp_path / "m", output=tmp_path).out == ""


def test_a_run_prints_its_progress_on_standard_error(tmp_path: Path) -> None:
    """In a log of a short run only where it is asked for: a line for each cell."""
    lines = run_zoo("Healthy", tmp_path / "verbose", "-v").err.splitlines()
    assert lines.count(f"{HEALTHY} pass errands.leaves_are_leaves") == 1
    assert len(lines) == 5
    assert run_zoo("Healthy", tmp_path / "usual").err == ""


@posix
def test_a_run_shows_a_bar_per_engine_on_a_terminal(tmp_path: Path) -> None:
    """One that counts cells; quietly none."""
    command = [sys.executable, "-m", "autograd_conformance", "run", "-e", HEALTHY, "--chapters", str(ZOO)]
    for words, bar in (([], True), (["-q"], False)):
        output = on_a_terminal([*command, "-o", str(tmp_path / "out"), *words])
        assert (b"5/5" in output and HEALTHY.encode() in output) is bar


def on_a_terminal(command: list[str], **variables: str) -> bytes:
    """Run a command on a real terminal of the operating system, and return its output."""
    mine, theirs = os.openpty()
    environment = from_here(**({"TERM": "xterm-256color"} | variables))
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=theirs, stderr=theirs)
    # Else reading would never end: this process would hold the terminal open.
    os.close(theirs)
    output = b""
    # The terminal ends with the process, which Linux reports as an error.
    with contextlib.suppress(OSError):
        while part := os.read(mine, 65536):
            output += part
    os.close(mine)
    assert process.wait() == 0, output
    return output


@pytest.mark.parametrize(
    ("variables", "coloured"),
    [
        ({}, False),
        ({"FORCE_COLOR": "1"}, True),
        ({"CLICOLOR_FORCE": "1"}, True),
        ({"FORCE_COLOR": "0", "CLICOLOR_FORCE": "0"}, False),
        # See no-color.org: it wins when present, with any value that is not empty.
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
    ],
)
def test_a_pipe_has_colours_only_on_request(variables: dict[str, str], coloured: bool) -> None:
    """NO_COLOR wins; what is 0 asks for nothing."""
    command = [sys.executable, "-m", "autograd_conformance", "engines"]
    done = subprocess.run(command, cwd=ROOT, env=from_here(**variables), capture_output=True, check=True)
    assert (b"\x1b[" in done.stdout) is coloured


@posix
@pytest.mark.parametrize(("variables", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)])
def test_a_terminal_has_colours_unless_they_are_turned_off(variables: dict[str, str], coloured: bool) -> None:
    """As NO_COLOR and a terminal without colours do."""
    output = on_a_terminal([sys.executable, "-m", "autograd_conformance", "engines"], **variables)
    assert b"reference" in output
    assert (b"\x1b[" in output) is coloured


def test_a_line_in_a_pipe_is_never_broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that grep finds it, with any COLUMNS."""
    monkeypatch.setenv("COLUMNS", "60")
    # The statement most likely to be broken at sixty columns.
    longest = max(load_all(CHAPTERS), key=lambda behaviour: len(behaviour.statement))
    call = conform("list", longest.id, output=tmp_path)
    assert [longest.id in line and longest.statement in line for line in call.out.splitlines()].count(True) == 1
