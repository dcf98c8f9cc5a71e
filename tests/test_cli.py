"""The command line as a user meets it: what it prints, what it writes, and its errors for bad input."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path

import pytest

from autograd_conformance.search import best
from conformance.collection import load_all
from tests.phrases import FINDS
from tests.support import ZOO, Call, conform, run_zoo
from tests.systems import posix

HEALTHY = "tests.zoo.adapters:Healthy"


@pytest.fixture(scope="module")
def healthy(tmp_path_factory: pytest.TempPathFactory) -> Call:
    """A run on which nothing is wrong."""
    return run_zoo("Healthy", tmp_path_factory.mktemp("healthy"))


def results_of(call: Call) -> Path:
    return next((call.output / "results").glob("*.jsonl"))


def test_a_run_writes_every_report(healthy: Call) -> None:
    """Matrix, page, summary, JUnit and the results themselves; no log and nothing half-written stays."""
    assert healthy.status == 0, healthy.err
    assert {path.name for path in healthy.output.iterdir()} == {
        *("matrix.json", "report.html", "summary.md", "junit.xml", "cells.csv", "badges", "results", ".lock")
    }
    assert [path.suffix for path in (healthy.output / "results").iterdir()] == [".jsonl"]
    assert "report.html" in healthy.out


def test_a_report_of_a_run_keeps_its_scripts(tmp_path: Path) -> None:
    """The page of the folder is that of the run; matrix.json has no scripts."""
    run = run_zoo("Healthy", tmp_path / "run", "--scripts")
    assert list((run.output / "scripts").iterdir())
    assert conform("report", run.output, "-o", tmp_path / "joined", output=tmp_path).status == 0
    pages = [(folder / "report.html").read_bytes() for folder in (run.output, tmp_path / "joined")]
    assert pages[0] == pages[1]


def test_results_are_a_stream_with_header_and_footer(healthy: Call) -> None:
    """Header first, footer last, a result per cell in between."""
    lines = [json.loads(line)["kind"] for line in results_of(healthy).read_text().splitlines()]
    assert (lines[0], lines[-1]) == ("header", "footer")
    assert {kind: lines.count(kind) for kind in ("behaviour", "result")} == {
        "behaviour": 5,
        "result": 5,
    }


def test_a_selection_runs_nothing_else(tmp_path: Path) -> None:
    """Words choose chapters, behaviours or cases."""
    out = tmp_path / "out"
    call = conform("run", "errands.leaves_are_leaves", "-e", HEALTHY, "--chapters", ZOO, "-o", out, output=out)
    assert call.verdicts == {"leaves_are_leaves": "pass"}


def test_report_makes_the_same_matrix_again(healthy: Call, tmp_path: Path) -> None:
    """A results file is all that a report needs."""
    out = tmp_path / "out"
    call = conform("report", results_of(healthy), "-o", out, output=out)
    assert (call.status, call.matrix) == (0, healthy.matrix)


def test_list_and_show_print_behaviours(tmp_path: Path) -> None:
    """`list` has a line per behaviour, `show` statement, source and check."""
    listed = conform("list", "--chapters", ZOO, output=tmp_path)
    assert [len(line.split("\t")) for line in listed.out.splitlines()] == [3] * 5
    shown = conform("show", "errands.leaves_are_leaves", "--chapters", ZOO, output=tmp_path)
    assert "A leaf says that it is one." in shown.out
    assert "docs.pytorch.org" in shown.out
    assert "equal(ad.is_leaf(ad.leaf([1.0])), True)" in shown.out
    mutants = conform("show", "accumulation.a_second_backward_adds_to_the_first", output=tmp_path).out.splitlines()
    heading = next(line for line in mutants if line.startswith("Mutants that the check kills"))
    assert mutants[mutants.index(heading) + 1].startswith("  reference: ")


def test_engines_are_listed_by_name(tmp_path: Path) -> None:
    """The engines of the suite register themselves."""
    assert {"torch", "torch_func", "jax", "reference"} <= set(conform("engines", output=tmp_path).out.split())


RUN = ("run", "--chapters", ZOO)
# The arguments of a bad call, and phrases of its line.
BAD_CALLS: dict[str, tuple[tuple[object, ...], tuple[str, ...]]] = {
    # As a path it would be the working directory.
    "an argument that is empty": (("report", ""), ("argument 2 is empty", "variable of the shell")),
    "unknown_engine": ((*RUN, "-e", "torhc"), ("unknown engine 'torhc'", "did you mean 'torch'?")),
    "adapter_path": ((*RUN, "-e", "no.such.module:Adapter"), ("No module named 'no'", "check the path")),
    "adapter_class": ((*RUN, "-e", "tests.zoo.adapters:Lion"), ("has no class 'Lion'",)),
    "adapter_nameless": ((*RUN, "-e", "tests.zoo.adapters:Nameless"), ("has no name", "`name`")),
    "parameters": ((*RUN, "-e", f"{HEALTHY}:device=cpu"), ("takes no parameters, got: device",)),
    "unknown_behaviour": ((*RUN, "-e", HEALTHY, "errands.leafs"), ("'errands.leafs'", "did you mean")),
    "unknown_option": (("run", "--engin", "torch"), ("--engin", "--engine")),
    "no_engine": (("run",), ("--engine",)),
    "no_chapters": (("run", "-e", HEALTHY, "--chapters", "adapters"), ("has no behaviours",)),
    "unknown_command": (("ran",), ("ran", "run", "See: autograd-conformance --help")),
    "bad_number": ((*RUN, "-e", HEALTHY, "--limit", "soon"), ("'soon'", "float")),
    "show_unknown": (("show", "nothing.at.all"), ("unknown behaviour 'nothing.at.all'",)),
    "show_a_name_alone": (
        ("show", "a_second_backward_adds_to_the_first"),
        ("did you mean 'accumulation.a_second_backward_adds_to_the_first'?",),
    ),
    "show_script_alone": (("show", "kinks", "--script"), ("--script and --engine go together",)),
    "show_script_of_many": (("show", "kinks", "--script", "-e", "reference"), ("'kinks' names ", "give one of kinks.")),
    "quiet_and_verbose": (("list", "-q", "-v"), ("--quiet and --verbose exclude each other",)),
    "known_nothing": (("known",), ("RESULTS", "See: autograd-conformance known --help")),
    "known_missing": (("known", "missing.jsonl"), ("missing.jsonl", "No such file")),
    "known_foreign": (("known", "README.md"), ("README.md", "line 1 is not a record")),
    "known_folder": (("known", "docs"), ("docs", "Is a directory")),
    "adapter_alone": (("adapter", "old"), ("'old'", "See: autograd-conformance adapter --help")),
    "adapter_new_name": (("adapter", "new", "My-Engine"), ("'My-Engine'", "lower-case letters")),
    "adapter_check_unknown": (("adapter", "check", "torhc"), ("did you mean 'torch'?",)),
    "adapter_check_class": (("adapter", "check", "tests.zoo.wrong:Lion"), ("has no class 'Lion'",)),
    "adapter_check_module": (("adapter", "check", "no.such:Adapter"), ("No module named 'no'",)),
    "adapter_check_parameters": (
        ("adapter", "check", "tests.zoo.wrong:Right:size=1"),
        ("takes no parameters, got: size",),
    ),
    "operations_unknown": (
        ("operations", "-e", "reference", "tahn"),
        ("unknown operation 'tahn'; did you mean 'tan'?",),
    ),
    "operations_law": (
        ("operations", "-e", "reference", "--law", "kinkz", "tanh"),
        ("unknown law 'kinkz'; did you mean 'kinks'?",),
    ),
    "operations_none": (
        ("operations", "-e", "reference", "--law", "kinks", "exp"),
        ("no law of these concerns exp",),
    ),
    "program_name": (("program", "writes", "-e", "reference"), ("write KIND:SEED, such as writes:17.",)),
    "program_kind": (
        ("program", "walks:1", "-e", "reference"),
        ("no programs of kind 'walks': the kinds are function, writes",),
    ),
    "program_script": (
        ("program", "writes:3", "-e", "reference", "--script"),
        ("nothing to write: no oracle finds anything",),
    ),
    "diff_missing": (("diff", "missing.json", "README.md"), ("missing.json", "No such file")),
    # Columns of a report, for which the line has an option.
    "diff_columns": (("diff", "torch", "jax"), ("torch: No such file", "--in")),
    "diff_foreign": (("diff", "README.md", "README.md"), ("README.md", "line 1 is not a record")),
    "diff_no_matrix": (("diff", "pyproject.toml", "x"), ("pyproject.toml", "is not a record")),
    "diff_folder": (("diff", ".github", "x"), (".github", "neither matrix.json nor results")),
    "diff_in_missing": (("diff", "torch", "jax", "--in", "missing"), ("missing", "No such file")),
    "diff_two_forms": (("diff", "a", "b", "--json", "--format", "markdown"), ("--json and --format exclude",)),
    "diff_alone": (("diff", "a"), ("NEW", "See: autograd-conformance diff --help")),
    "report_nothing": (("report",), ("RESULTS",)),
    "report_json_file": (("report", "x", "--json-only", "-o", "m.json"), ("--output m.json", "is a folder")),
    "report_unwritable": (("report", "missing.jsonl", "-o", "README.md"), ("'README.md' is a file",)),
    "long_name": (("report", "x" * 300), ("File name too long", "give a results file")),
    "missing_file": (("report", "missing.jsonl"), ("missing.jsonl", "No such file")),
    "a_folder": (("report", ".github"), (".github", "Is a directory with neither matrix.json nor results")),
}


@pytest.mark.parametrize("name", BAD_CALLS)
def test_bad_input_is_one_clear_line(name: str, tmp_path: Path) -> None:
    """Exit status 2, a line on standard error that names the culprit, no traceback, nothing written."""
    arguments, phrases = BAD_CALLS[name]
    where = ("-o", tmp_path / "out") if arguments[0] in ("run", "report") and "-o" not in arguments else ()
    call = conform(*arguments, *where, output=tmp_path)
    assert (call.status, call.err.count("autograd-conformance: error: "), call.out) == (2, 1, ""), call.err
    assert [phrase for phrase in phrases if phrase not in call.err.splitlines()[-1]] == []
    # An empty report would look like a run in which nothing failed.
    assert not (tmp_path / "out" / "matrix.json").exists()


def test_a_search_has_the_behaviour_among_the_first_three(tmp_path: Path) -> None:
    """By what people type: words, an error message, a phrase in quotation marks."""
    declared = load_all()
    first = {phrase: [behaviour.id for behaviour in best(phrase, declared)[:3]] for phrase in FINDS}
    assert {phrase for phrase, id in FINDS.items() if id not in first[phrase]} == set()
    listed = conform("list", "--search", '"gradient accumulation"', "-q", output=tmp_path).out.splitlines()
    assert listed[0] == FINDS["gradient accumulation"]
    nothing = conform("list", "--search", "xyzzy", output=tmp_path)
    assert (nothing.status, nothing.out) == (2, "")
    assert "no behaviour fits 'xyzzy'" in nothing.err


def test_show_takes_laws_and_operations(tmp_path: Path) -> None:
    """An operation with its special points and the laws on it; a law with its check."""
    shown = conform("show", "det", output=tmp_path).out
    assert shown.startswith("det(x)\nDeterminant.\nSpecial points, smooth: ")
    law = "transforms.vmap_of_a_gradient_is_the_loop"
    assert f"\n  {law}: " in shown
    for name in ("torch.linalg.det", "jnp.linalg.det"):
        assert conform("show", name, output=tmp_path).out == shown
    assert json.loads(conform("show", "det", "--json", output=tmp_path).out)["laws"].count(law) == 1
    assert "def vmap_of_a_gradient_is_the_loop(ad, operation):" in conform("show", law, output=tmp_path).out


def test_a_python_without_docstrings_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And not a behaviour that would lack its docstring."""
    monkeypatch.setenv("PYTHONOPTIMIZE", "2")
    call = conform("list", output=tmp_path)
    assert (call.status, call.err.count("\n")) == (2, 1)
    assert "Python was started with -OO or PYTHONOPTIMIZE=2" in call.err
    assert "accumulation" not in call.err


def test_a_folder_whose_name_is_no_text(healthy: Call, tmp_path: Path) -> None:
    """Names of files are bytes: chapters are read from any, a report is written into any, and JSON gives it back."""
    odd = tmp_path / os.fsdecode(b"\xff")
    shutil.copytree(ZOO, odd / "chapters")
    assert conform("list", "--chapters", odd / "chapters", output=tmp_path).status == 0
    call = conform("report", results_of(healthy), "-o", odd, "--json", output=odd)
    assert (call.status, call.err) == (0, "")
    assert str(odd / "report.html") in json.loads(call.out)["files"]
    assert call.matrix == healthy.matrix


def test_bad_results_are_named_and_nothing_is_overwritten(healthy: Call, tmp_path: Path) -> None:
    """Truncated, torn, foreign, of another schema: each has its own message, and the report that is there stays."""
    text = results_of(healthy).read_text()
    lines = text.splitlines(keepends=True)
    bad = {
        "truncated": ("".join(lines[:-1]), "has no footer"),
        # Cut within the last line, as by a kill or a full disk.
        "torn": ("".join(lines[:-1]) + lines[-1][:10], "the run was cut short"),
        "foreign": ("hello\n", "line 1 is not a record"),
        "text": ("hello\n", "or by hand?"),
        "empty": ("", "does not begin with a header"),
        "schema": (text.replace("results/2", "results/9", 1), "has schema 'autograd-conformance/results/9'"),
        "not a number": (re.sub(r'"duration_s":[^,}]+', '"duration_s":NaN', text, count=1), "is not a record"),
        "binary": ("\x00\x01", "line 1 is not a record"),
        "field": (text.replace('"verdict":"pass"', '"verdict":"great"', 1), "Invalid enum value 'great'"),
    }
    # Written into the folder of a good report, which must survive each of them.
    before = (healthy.output / "matrix.json").read_bytes()
    for name, (content, phrase) in bad.items():
        path = tmp_path / f"{name}.jsonl"
        path.write_text(content)
        call = conform("report", path, "-o", healthy.output, output=healthy.output)
        assert (call.status, call.err.count("\n")) == (2, 1), call.err
        assert str(path) in call.err
        assert phrase in call.err
    assert (healthy.output / "matrix.json").read_bytes() == before


def test_one_bad_engine_does_not_lose_the_other(tmp_path: Path) -> None:
    """Results are reported even if another engine of the same call could not be used."""
    out = tmp_path / "out"
    call = conform(*RUN, "-e", HEALTHY, "-e", "tests.zoo.adapters:Nameless", "-o", out, output=out)
    assert call.status == 2
    assert set(call.verdicts.values()) == {"pass"}


@posix
def test_a_run_without_file_descriptors_names_the_limit(tmp_path: Path) -> None:
    """Not the folder: another one would not help."""
    import subprocess
    import sys

    run = [sys.executable, "-m", "autograd_conformance", "run", "-e", HEALTHY, "--chapters", ZOO, "-o", tmp_path]
    # Enough to import the command line, and too few to start a worker.
    limited = ["/bin/sh", "-c", 'ulimit -n 10; exec "$@"', "sh", *map(str, run)]
    ended = subprocess.run(limited, capture_output=True, text=True, check=False, timeout=60)
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1), ended.stderr
    assert "Too many open files; raise the limit" in ended.stderr
