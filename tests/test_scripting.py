"""Scripts of an adapter whose code does harm: the cell loses its script, and nothing else is lost or hangs."""

from __future__ import annotations

import os
from pathlib import Path

import psutil
import pytest

from autograd_conformance import derived
from autograd_conformance.derived import derive_scripts, show_script
from autograd_conformance.options import BadInput
from reports.beside import Scripts, beside, read_beside
from tests.support import ROOT, conform

TOYS = ROOT / "tests" / "scripting" / "chapters"
ENGINE = "tests.scripting.misbehaving:Misbehaving"
# what it does: the reason in the place of the script
HARMS = {
    "hangs": "it took longer than 2 s",
    "crashes": "the process was ended by SIGABRT",
    "exits": "the process exited with status 0",
    "raises": "KeyboardInterrupt: of an engine",
}


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of all toys."""
    output = tmp_path_factory.mktemp("toys")
    conform("run", "--engine", ENGINE, "--chapters", TOYS, "--output", output, output=output)
    return next((output / "results").glob("*.jsonl"))


@pytest.fixture
def scripts(results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where its scripts will be; the adapter knows where it may do harm once."""
    monkeypatch.setenv("FLAG", str(tmp_path / "flag"))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return beside(results, Scripts)


def ended(folder: Path) -> bool:
    """Whether the process that the adapter started has ended."""
    process = int((folder / "flag.pid").read_text())
    return not psutil.pid_exists(process) or psutil.Process(process).status() == psutil.STATUS_ZOMBIE


@pytest.mark.parametrize("harm", HARMS)
def test_a_cell_costs_its_own_script(
    harm: str, results: Path, scripts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All others are the same as without harm, and the children of the process end with it."""
    assert derive_scripts(results, TOYS) == ""
    clean = read_beside(scripts, Scripts)
    monkeypatch.setenv("MISBEHAVE", harm)
    assert derive_scripts(results, TOYS, limit=2.0) == ""
    harmed = read_beside(scripts, Scripts)
    (lost,) = clean.cells.keys() - harmed.cells.keys()
    assert clean.cells == {**harmed.cells, lost: clean.cells[lost]}
    assert harmed.problems == {**clean.problems, lost: HARMS[harm]}
    assert ended(tmp_path)


def test_an_engine_that_always_ends_its_process_is_given_up(
    results: Path, scripts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After some cells in succession; what was derived before is kept."""
    monkeypatch.setenv("MISBEHAVE", "exits always")
    # Not three, as each costs a process.
    monkeypatch.setattr(derived, "PATIENCE", 1)
    assert derive_scripts(results, TOYS) == "the process exited with status 0"
    kept = read_beside(scripts, Scripts).cells
    assert kept
    monkeypatch.delenv("MISBEHAVE")
    assert derive_scripts(results, TOYS) == ""
    assert kept.keys() < read_beside(scripts, Scripts).cells.keys()


MODULE = """
import os, time
from tests.scripting.adapter import NumpyAdapter
{}
class Hangs(NumpyAdapter):
    def array(self, value, dtype=None):
        time.sleep(300)
class Dies(NumpyAdapter):
    def array(self, value, dtype=None):
        os.abort()
"""


def test_show_ends_where_the_engine_does_not_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cell that hangs or dies is shown without running it; a hang at import ends, too."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), str(tmp_path)]))
    (tmp_path / "unanswering.py").write_text(MODULE.format(""))
    (tmp_path / "unimportable.py").write_text(MODULE.format("time.sleep(300)"))
    for engine, seen in (("unanswering:Hangs", "seen: timeout"), ("unanswering:Dies", "seen: crash")):
        assert seen in show_script("toys.an_expression", engine, TOYS, limit=2.0)
    with pytest.raises(BadInput, match="no script: it made no progress for 5 s when it was loaded"):
        show_script("toys.an_expression", "unimportable:Hangs", TOYS, limit=0.2)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("random_numbers.grad_of_a_random_key_raises", "--engine", "reference", "--script"), "no script: absent: "),
        (("toys.a_verb_without_source", "--engine", "tests.scripting.adapter:NumpyAdapter", "--script"), "no script"),
    ],
)
def test_show_has_a_reason_where_there_is_no_script(words: tuple[str, ...], reason: str, tmp_path: Path) -> None:
    """An absence, and a verb without source."""
    chapters = ("--chapters", str(TOYS)) if words[0].startswith("toys") else ()
    call = conform("show", *words, *chapters, output=tmp_path)
    assert (call.status, call.out, call.err.count("\n")) == (2, "", 1)
    assert reason in call.err
