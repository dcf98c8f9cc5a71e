"""Completion by Tab: what is offered, from where it is read, and the scripts of the shells."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

from autograd_conformance import completion
from autograd_conformance.cli import cli
from conformance.collecting import CHAPTERS, load_all
from tests.support import ROOT, conform, from_here


def completed(*words: str) -> list[str]:
    """What Tab offers after these words, the last being incomplete."""
    variables = {"COMP_WORDS": " ".join([completion.PROGRAM, *words]), "COMP_CWORD": str(len(words))}
    environment = from_here(**variables, **{completion.VARIABLE: "bash_complete"})
    command = [sys.executable, "-m", "autograd_conformance"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    return [line.partition(",")[2] for line in done.stdout.splitlines() if line]


def test_tab_completes_commands_options_engines_chapters_and_behaviours() -> None:
    """What begins so, and nothing else."""
    assert completed("di") == ["diff"]
    assert "--slowest" in completed("report", "--s")
    assert completed("run", "-e", "torch") == ["torch", "torch_func"]
    assert completed("list", "kin")[0] == "kinks"
    assert completed("show", "kinks.a_smooth") == ["kinks.a_smooth_point_has_its_derivative"]
    assert completed("show", "no_such") == []


def test_tab_knows_every_behaviour_without_importing_one() -> None:
    """The ids that are read off the text are those of the loader."""
    context = click.Context(cli.commands["list"])
    parameter = cli.commands["list"].params[0]
    chapters = {one.chapter for one in load_all(CHAPTERS)}
    found = [item.value for name in chapters for item in completion.behaviours(context, parameter, f"{name}.")]
    assert sorted(found) == sorted(one.id for one in load_all(CHAPTERS))
    assert {item.value for item in completion.behaviours(context, parameter, "")} == chapters
    code = (
        "import sys, click\nfrom autograd_conformance import cli, completion\n"
        "assert completion.behaviours(click.Context(cli.cli), None, 'kinks.')\n"
        "assert not {'numpy', 'pytest', 'rich', 'msgspec', 'conformance'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


def test_bash_takes_the_script(tmp_path: Path) -> None:
    """Sourced by a real bash, it completes."""
    program = tmp_path / "autograd-conformance"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m autograd_conformance "$@"\n')
    program.chmod(0o755)
    script = (
        'eval "$(autograd-conformance completion bash)"\n'
        "complete -p autograd-conformance\n"
        "COMP_WORDS=(autograd-conformance show kinks.a_sm); COMP_CWORD=2\n"
        '_autograd_conformance_completion autograd-conformance; echo "${COMPREPLY[@]}"\n'
    )
    environment = from_here() | {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "-c", script], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout.splitlines()[-1] == "kinks.a_smooth_point_has_its_derivative", done.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_shell_has_its_script(shell: str, tmp_path: Path) -> None:
    """One that names program and variable."""
    script = conform("completion", shell, output=tmp_path).out
    assert completion.VARIABLE in script
    assert completion.PROGRAM in script
    assert f"{shell}_complete" in script
