"""Completion by Tab: what is offered, and from where it is read."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import click

from autograd_conformance import completion
from autograd_conformance.cli import COMPLETE_VARIABLE, PROGRAM, cli
from conformance.collection import CHAPTERS, load_all
from tests.support import ROOT, from_here
from tests.systems import posix


def completed(*words: str) -> list[str]:
    """The completions that Tab offers after these words, the last being incomplete."""
    # As bash sets them: word 0 is the program, and the number is that of the word to complete.
    variables = {"COMP_WORDS": " ".join([PROGRAM, *words]), "COMP_CWORD": str(len(words))}
    environment = from_here(**variables, **{COMPLETE_VARIABLE: "bash_complete"})
    command = [sys.executable, "-m", "autograd_conformance"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    return [line.partition(",")[2] for line in done.stdout.splitlines() if line]


def test_tab_completes_commands_options_engines_chapters_and_behaviours() -> None:
    """All that begins with the incomplete word, and nothing else."""
    assert completed("di") == ["diff"]
    assert completed("adapter", "ch") == ["check"]
    assert "--json-only" in completed("report", "--j")
    assert completed("run", "-e", "torch") == ["torch", "torch_func"]
    assert completed("list", "kin")[0] == "kinks"
    assert completed("show", "kinks.a_diff") == ["kinks.a_differentiable_point_has_its_derivative"]
    assert completed("show", "no_such") == []


def test_tab_knows_every_behaviour_without_importing_one() -> None:
    """The ids that are read from the text are those of the loader."""
    context = click.Context(cli.commands["list"])
    parameter = cli.commands["list"].params[0]
    chapters = {behaviour.chapter for behaviour in load_all(CHAPTERS)}
    completed_ids = [item.value for name in chapters for item in completion.behaviours(context, parameter, f"{name}.")]
    assert sorted(completed_ids) == sorted(behaviour.id for behaviour in load_all(CHAPTERS))
    assert {item.value for item in completion.behaviours(context, parameter, "")} == chapters
    code = (
        "import sys, click\nfrom autograd_conformance import cli, completion\n"
        "assert completion.behaviours(click.Context(cli.cli), None, 'kinks.')\n"
        # Each would cost a part of a second, at every Tab.
        "assert not {'numpy', 'pytest', 'rich', 'msgspec', 'conformance'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


@posix
def test_the_documented_line_sets_completion_up_in_bash(tmp_path: Path) -> None:
    """A real bash runs the line, and then completes a behaviour."""
    program = tmp_path / PROGRAM
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m autograd_conformance "$@"\n')
    program.chmod(0o755)
    line = f'eval "$({COMPLETE_VARIABLE}=bash_source {PROGRAM})"'
    assert line in (ROOT / "docs" / "commands.md").read_text("utf-8")
    script = (
        f"{line}\n"
        "COMP_WORDS=(autograd-conformance show kinks.a_di); COMP_CWORD=2\n"
        '_autograd_conformance_completion autograd-conformance; echo "${COMPREPLY[@]}"\n'
    )
    environment = from_here() | {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    bash = ["bash", "-c", script]
    done = subprocess.run(bash, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines()[-1] == "kinks.a_differentiable_point_has_its_derivative", done.stderr
