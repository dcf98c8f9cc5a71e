"""The process of the command line imports no engine and no adapter: their code may crash, hang or be slow."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.reports.making import six_files, written
from tests.support import ROOT, from_here

ENGINES = {"adapters", "autograd", "jax", "reference_engine", "torch", "toy_engine"}
# The console command, then the modules that it leaves behind.
PROGRAM = """
import sys
from autograd_conformance.__main__ import main
try:
    main()
finally:
    print("modules:", *sys.modules, file=sys.stderr)
"""
BEHAVIOUR = "accumulation.a_second_backward_adds_to_the_first"
COMMANDS = {
    "help": ("--help",),
    "engines": ("engines",),
    "list": ("list",),
    "show": ("show", BEHAVIOUR),
    "script": ("show", BEHAVIOUR, "--engine", "reference", "--script"),
    "report": ("report", "results.jsonl", "-o", "out"),
    "diff": ("diff", "results.jsonl", "results.jsonl"),
    "known": ("known", "results.jsonl"),
    "adapter check": ("adapter", "check", "reference"),
    "run": ("run", "-e", "reference", BEHAVIOUR, "-o", "run"),
    "run with scripts": ("run", "-e", "reference", BEHAVIOUR, "--scripts", "-o", "scripted"),
}
# A package that is registered as an adapter: its parent module imports the engine, as many do.
REGISTERED = {
    "toy_adapter/__init__.py": "import toy_engine\n",
    "toy_adapter/adapter.py": "import toy_engine\n",
    "toy_engine.py": "",
    "toy_adapter-1.dist-info/METADATA": "Metadata-Version: 2.1\nName: toy-adapter\nVersion: 1\n",
    "toy_adapter-1.dist-info/entry_points.txt": "[autograd_conformance.adapters]\ntoy = toy_adapter.adapter:Toy\n",
}


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with results, and an adapter that is registered."""
    folder = tmp_path_factory.mktemp("here")
    for name, text in REGISTERED.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    (folder / "results.jsonl").write_bytes(written(six_files()[0]))
    return folder


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_imports_no_engine(name: str, here: Path) -> None:
    """Nor the package of an adapter, not even to say whether it is there."""
    command = [sys.executable, "-c", PROGRAM, *COMMANDS[name]]
    path = os.pathsep.join([str(here), str(ROOT)])
    done = subprocess.run(
        command, cwd=here, env=from_here(PYTHONPATH=path), capture_output=True, text=True, check=False
    )
    errors, _, modules = done.stderr.rpartition("modules: ")
    assert (done.returncode in (0, 1), errors) == (True, "")
    assert ENGINES.isdisjoint(modules.split())
    # The test would prove nothing if the command had not found the adapter.
    assert name != "engines" or "toy_adapter.adapter" in done.stdout
