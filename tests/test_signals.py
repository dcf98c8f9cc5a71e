"""A run may be interrupted at any moment: it ends soon, with its status, and keeps what it computed."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from reports.matrix import load
from tests.kills import STEPS, Kind, Run, rows
from tests.matrices import canonical
from tests.support import ROOT, alternating

PATIENCE_S = 15.0
# What a shell reports.
STATUS = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGHUP: 129}


@pytest.fixture(scope="module")
def undisturbed(slow: Kind, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, float]:
    """The canonical matrix of a run without interruption, and how long it took."""
    output, began = tmp_path_factory.mktemp("undisturbed"), time.monotonic()
    assert slow.run(output).status == 0
    return canonical(load(output / "matrix.json")), time.monotonic() - began


def at_some_time(run: Run, takes_s: float, drawn: random.Random) -> None:
    """Anywhere: the start of the interpreter and the imports are a large part of a short run."""
    time.sleep(drawn.uniform(0.0, takes_s))


def at_the_start(run: Run, takes_s: float, drawn: random.Random) -> None:
    """While the worker starts: it imports the engine, or collects."""
    run.wait_until(lambda: run.kind.partial(run.output).exists())
    time.sleep(drawn.uniform(0.0, 0.3 * takes_s))


def among_the_cells(run: Run, takes_s: float, drawn: random.Random) -> None:
    """In a cell, or between two."""
    run.wait_for(drawn.randint(0, STEPS))
    time.sleep(drawn.uniform(0.0, 0.2))


def at_the_report(run: Run, takes_s: float, drawn: random.Random) -> None:
    """When all cells are done: while the report is made, or written, or when the interpreter ends."""
    run.wait_until(run.kind.results(run.output).exists)
    time.sleep(drawn.uniform(0.0, 0.3))


MOMENTS: tuple[Callable[[Run, float, random.Random], None], ...] = (
    at_some_time,
    at_the_start,
    among_the_cells,
    at_the_report,
)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_run_interrupted_at_a_random_moment_ends_and_is_resumed(
    number: signal.Signals, interruption_seed: int, slow: Kind, undisturbed: tuple[str, float], tmp_path: Path
) -> None:
    """With the promised status, in bounded time, without a traceback, a process or a file left behind."""
    matrix, takes_s = undisturbed
    drawn = random.Random(interruption_seed)
    moment = MOMENTS[interruption_seed % len(MOMENTS)]
    run = Run(slow, tmp_path / "out")
    moment(run, takes_s, drawn)
    how = f"seed {interruption_seed}: {moment.__name__}, after {time.monotonic() - run.began:.3f} s"
    print(how := f"{how}, with {run.results()} results")
    run.process.send_signal(number)
    check_the_end(run, number, how)
    check_the_rest(run, matrix, how)


def check_the_end(run: Run, number: signal.Signals, how: str = "") -> None:
    """The run ends soon after a signal, as promised."""
    assert run.ended(PATIENCE_S) == [], how
    status, errors = run.process.returncode, run.errors
    # Interrupted before a line of ours runs, the interpreter prints a traceback, which no code here can prevent.
    if str(ROOT) in errors or "autograd_conformance" in errors:
        assert "Traceback" not in errors, f"{how}: {errors}"
    # A run that was over ends as it would have. While the interpreter starts or ends, the system ends it.
    complete = (run.output / "matrix.json").exists()
    assert status in {STATUS[number], -number, *([0] if complete else [])}, f"{how}: {status}, {errors}"
    # No status 130 without its line: a status alone would look like a crash of the command.
    assert status != STATUS[signal.SIGINT] or "interrupted" in errors, how
    # So it was not in the middle of a run.
    assert list(run.temporary.iterdir()) == [], how
    assert [str(path) for path in run.output.rglob("*.tmp")] == [], how


def check_the_rest(run: Run, matrix: str, how: str = "") -> None:
    """Results are kept, and the rest is computed."""
    kept = next((path for path in (run.kind.partial(run.output), run.kind.results(run.output)) if path.exists()), None)
    before = rows(kept) if kept else []
    call = run.kind.run(run.output, "--resume")
    assert call.status == 0, f"{how}: {call.err}"
    assert canonical(load(run.output / "matrix.json")) == matrix, how
    after = rows(run.kind.results(run.output))
    assert after[: len(before)] == before, how
    assert len(after) == len(set(after)) == STEPS, how


@pytest.mark.parametrize("number", STATUS)
def test_a_second_signal_does_not_stop_the_cleanup(
    number: signal.Signals, slow: Kind, undisturbed: tuple[str, float], tmp_path: Path
) -> None:
    """An impatient user, or a closed terminal: still no process and no file is left, and the status is the same."""
    run = Run(slow, tmp_path / "out")
    run.wait_for(3)
    # Over 80 ms, so that they meet the cleanup at several steps.
    for _ in range(20):
        if run.process.poll() is None:
            run.process.send_signal(number)
            time.sleep(0.004)
    check_the_end(run, number)
    check_the_rest(run, undisturbed[0])


def test_what_nohup_has_turned_off_stays_off(slow: Kind, tmp_path: Path) -> None:
    """A run in the background outlives its terminal, where the user asked for that."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # inherited by the run
    try:
        run = Run(slow, tmp_path / "out")
    finally:
        signal.signal(signal.SIGHUP, before)
    run.wait_for(3)
    run.process.send_signal(signal.SIGHUP)
    assert (run.ended(), run.process.returncode) == ([], 0)


def test_a_stopped_command_line_goes_on(tmp_path: Path) -> None:
    """Ctrl-Z, and `fg` after longer than the limit: no cell is a timeout, as workers did not stop."""
    kind = Kind("tests.zoo.adapters:Slow", alternating(tmp_path, STEPS))
    run = Run(kind, tmp_path / "out", "--limit", 1)
    run.wait_for(2)
    os.kill(run.process.pid, signal.SIGSTOP)
    time.sleep(3)
    os.kill(run.process.pid, signal.SIGCONT)
    assert run.ended() == []
    assert {cell.verdict for cell in load(tmp_path / "out" / "matrix.json").cells} == {"pass"}
    assert run.process.returncode == 0


@pytest.mark.parametrize("name", ["SIGINT", "SIGHUP"])
def test_tests_in_the_background_start_processes_that_take_signals(name: str) -> None:
    """`nohup` and `&` have signals ignored; the suite's tests restore them for what they start."""
    shows = f"import signal; print(signal.getsignal(signal.{name}) is signal.SIG_IGN)"
    here = f"import subprocess, sys, tests.conftest; subprocess.run([sys.executable, '-c', {shows!r}])"
    # Without the import it stays ignored: otherwise this would prove nothing.
    for imported, ignored in ((here, "False"), (here.replace(", tests.conftest", ""), "True")):
        command = ["bash", "-c", f"trap '' {name[3:]}; exec \"$@\"", "bash", sys.executable, "-c", imported]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        assert done.stdout.strip() == ignored
