"""A run may be killed at any moment: what it computed is kept, and taken up again to the same matrix."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from conformance.results import ResultRecord, records
from reports.matrix import canonical, load
from tests.support import ROOT, Call, alternating, conform

SLOW = "tests.zoo.adapters:Slow"
PARTIAL = Path("results") / "tests.zoo.adapters_Slow.jsonl.partial"
STEPS = 16


@pytest.fixture(scope="module")
def chapters(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sixteen behaviours, of which every other takes its time."""
    return alternating(tmp_path_factory.mktemp("steps"), STEPS)


@pytest.fixture(scope="module")
def undisturbed(chapters: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The canonical matrix of a run that nobody killed."""
    output = tmp_path_factory.mktemp("undisturbed")
    call = run(chapters, output)
    assert call.status == 0, call.err
    return canonical(load(output / "matrix.json"))


def run(chapters: Path, output: Path, *more: object, engine: str = SLOW) -> Call:
    return conform("run", "-e", engine, "--chapters", chapters, "-o", output, *more, output=output)


def kill_a_run(chapters: Path, output: Path, after_results: int, number: int = signal.SIGKILL) -> None:
    """Start a run, and kill its command line once so many results are there."""
    command = [sys.executable, "-m", "autograd_conformance", "run", "-e", SLOW, "--chapters", str(chapters)]
    process = subprocess.Popen([*command, "-o", str(output)], cwd=ROOT, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and results_in(output) < after_results:
        time.sleep(0.01)
    process.send_signal(number)
    process.wait(60)


def results_in(output: Path) -> int:
    """How many cells have a result so far."""
    partial = output / PARTIAL
    return partial.read_bytes().count(b'{"kind":"result"') if partial.exists() else 0


def settled(output: Path) -> None:
    """Wait until the killed run's pytest has noticed, and let go of the file."""
    from conformance.resuming import locked

    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and locked(output / PARTIAL):
        time.sleep(0.05)


@pytest.mark.parametrize("seed", range(4))
def test_a_killed_run_is_resumed_to_the_same_matrix(
    seed: int, chapters: Path, undisturbed: str, tmp_path: Path
) -> None:
    """Killed at a random moment, a run keeps its results; resumed, it does not run them again."""
    kill_a_run(chapters, tmp_path, after_results=random.Random(seed).randrange(STEPS))
    settled(tmp_path)
    kept = results_in(tmp_path)
    call = run(chapters, tmp_path, "--resume")
    assert call.status == 0, call.err
    assert canonical(load(tmp_path / "matrix.json")) == undisturbed
    rows = [line.id for line in records(next((tmp_path / "results").glob("*.jsonl"))) if isinstance(line, ResultRecord)]
    assert len(rows) == len(set(rows)) == STEPS, f"{kept} cells were there before"


def test_a_torn_last_line_is_dropped(chapters: Path, undisturbed: str, tmp_path: Path) -> None:
    """A line that was being written when the disk or the process went away counts for nothing."""
    kill_a_run(chapters, tmp_path, after_results=5)
    settled(tmp_path)
    with (tmp_path / PARTIAL).open("ab") as stream:
        stream.write(b'{"kind":"result","id":"steps.st')
    call = run(chapters, tmp_path, "--resume")
    assert call.status == 0, call.err
    assert canonical(load(tmp_path / "matrix.json")) == undisturbed


def test_a_complete_run_is_resumed_at_once(chapters: Path, undisturbed: str, tmp_path: Path) -> None:
    """Where nothing is left to do, nothing but the end is done again."""
    run(chapters, tmp_path)
    call = run(chapters, tmp_path, "--resume")
    assert call.status == 0, call.err
    assert canonical(load(tmp_path / "matrix.json")) == undisturbed


def test_what_does_not_match_is_not_resumed(chapters: Path, tmp_path: Path) -> None:
    """Another order, limit, or selection would mix two runs: refused with the reason, and the file stays as it is."""
    kill_a_run(chapters, tmp_path, after_results=3)
    settled(tmp_path)
    before = (tmp_path / PARTIAL).read_bytes()
    refusals = {
        ("--seed", 5): "its seed was 0, this run's is 5",
        ("--limit", 9): "its limit was 30.0, this run's is 9.0",
        ("steps.step_1",): f"selected {STEPS} cells, this one 1",
    }
    for options, reason in refusals.items():
        call = run(chapters, tmp_path, "--resume", *options)
        assert (call.status, call.err.count("\n")) == (2, 1), call.err
        assert reason in call.err
    assert (tmp_path / PARTIAL).read_bytes() == before


def test_two_runs_do_not_write_one_file(chapters: Path, tmp_path: Path) -> None:
    """A second run into the same folder is refused while the first is at work, which it does not disturb."""
    command = [sys.executable, "-m", "autograd_conformance", "run", "-e", SLOW, "--chapters", str(chapters)]
    first = subprocess.Popen([*command, "-o", str(tmp_path)], cwd=ROOT, stdout=subprocess.DEVNULL)
    while not results_in(tmp_path) and first.poll() is None:
        time.sleep(0.01)
    second = run(chapters, tmp_path)
    assert second.status == 2
    assert "another run writes to it" in second.err
    assert first.wait(60) == 0
    assert len(load(tmp_path / "matrix.json").cells) == STEPS


def test_a_folder_that_cannot_be_written_is_named(chapters: Path, tmp_path: Path) -> None:
    """One line: the folder, and what to do."""
    (tmp_path / "file").write_text("")
    call = run(chapters, tmp_path / "file" / "out")
    assert (call.status, call.err.count("\n")) == (2, 1), call.err
    assert "cannot be written: Not a directory; give another --output" in call.err
