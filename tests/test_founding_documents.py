"""Founding documents' programs give their literal results on PyTorch and on the reference engine.

Behaviours carry the documents entry by entry (`founding_entries.yaml`). Here is what behaviours do not reach: text that
is printed, attributes that are assigned, modules, and defaults that an adapter always passes.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from conformance import collection

PROGRAMS = Path(__file__).parent / "programs"
ROOT = PROGRAMS.parent.parent
DOCUMENTS = ("000", "001", "002", "003", "004")
NAMES = sorted(path.stem for path in PROGRAMS.glob("*.py"))
each_program = pytest.mark.parametrize("name", NAMES)

# Runs in a separate process, where PyTorch is imported once for all programs. Some of its warnings come
# once per process by default; a program run by itself would see them, so here every program must.
RUN_ALL_ON_TORCH = """
import contextlib, io, json, runpy, sys, traceback
import torch

torch.set_warn_always(True)
results = {}
for path in sys.argv[1:]:
    output, problem = io.StringIO(), ""
    with contextlib.redirect_stdout(output):
        try:
            runpy.run_path(path, run_name="__main__")
        except BaseException:
            problem = traceback.format_exc()
    results[path] = [output.getvalue(), problem]
print(json.dumps(results))
"""


def run(*arguments):
    """Run Python on the checkout with these arguments, as UTF-8 on every platform."""
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, encoding="utf-8", timeout=120, check=False
    )


def path_of(name):
    """The file of a program."""
    return PROGRAMS / f"{name}.py"


def expected_output(name):
    """The output of a program on every engine, worked out by hand."""
    return (PROGRAMS / f"{name}.expected").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def torch_results():
    """The output of each program on PyTorch, and its failure, if any; all from a single process."""
    if importlib.util.find_spec("torch") is None:
        pytest.skip("torch is not installed")
    finished = run("-c", RUN_ALL_ON_TORCH, *map(path_of, NAMES))
    assert finished.returncode == 0, finished.stderr
    return json.loads(finished.stdout)


@each_program
def test_the_reference_engine_prints_what_is_expected(name):
    """A program run by `python -m reference_engine` ends well and prints its expected text."""
    finished = run("-m", "reference_engine", path_of(name))
    assert finished.returncode == 0, finished.stderr
    assert finished.stdout == expected_output(name)


@each_program
def test_torch_prints_what_is_expected(name, torch_results):
    """A program run on PyTorch ends well and prints its expected text."""
    output, problem = torch_results[str(path_of(name))]
    assert not problem, problem
    assert output == expected_output(name)


def test_every_founding_document_has_a_program() -> None:
    """Each of the five documents, and nothing else; a program opens by naming its document and section."""
    assert {name.partition("_")[0] for name in NAMES} == set(DOCUMENTS)
    for name in NAMES:
        assert path_of(name).read_text(encoding="utf-8").startswith(f'"""Document {name[:3]}, ')


def test_programs_and_expected_texts_come_in_pairs():
    """Each program has an expected text, and each expected text its program."""
    assert sorted(path.stem for path in PROGRAMS.glob("*.expected")) == NAMES


ENTRIES: list[dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("founding_entries.yaml").read_text("utf-8"))
BEHAVIOURS = {behaviour.id: behaviour for behaviour in collection.load_all()}


def _documents(behaviour: Any) -> set[str]:
    return {citation.page for citation in behaviour.citations if citation.source == "document"}


def _title(entry: dict[str, Any]) -> str:
    return f"{entry['document']}: {entry['entry']}"


@pytest.mark.parametrize("entry", ENTRIES, ids=_title)
def test_an_entry_is_carried(entry: dict[str, Any]) -> None:
    """An entry lists behaviours that exist and cite its document, or has a reason for none."""
    assert set(entry) <= {"document", "entry", "behaviours", "reason", "note"}
    assert bool(entry.get("behaviours")) != bool(entry.get("reason"))
    for name in entry.get("behaviours", ()):
        assert name in BEHAVIOURS
        # Checked in both directions, here and below, so that the list and the chapters cannot drift apart.
        assert entry["document"] in _documents(BEHAVIOURS[name])


def test_every_citation_of_a_document_is_listed() -> None:
    """A behaviour that cites a founding document is listed at one of its entries."""
    listed = {(entry["document"], name) for entry in ENTRIES for name in entry.get("behaviours", ())}
    cited = {(page, name) for name, behaviour in BEHAVIOURS.items() for page in _documents(behaviour)}
    assert sorted(cited - listed) == []


def test_no_entry_is_listed_twice() -> None:
    """Each entry is in the list once."""
    titles = [_title(entry) for entry in ENTRIES]
    assert len(titles) == len(set(titles))


def test_all_documents_are_carried() -> None:
    """The five documents have eighty entries or more; a list cut short would pass every other test."""
    assert {entry["document"] for entry in ENTRIES} == {"000", "001", "002", "003", "004"}
    assert len(ENTRIES) >= 80
