"""Resources that a run shares with the rest of the machine: the disk, the output folder, other runs."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from conformance.results import Footer
from conformance.results_file import records
from reports.matrix import load
from tests.kills import STEPS, Kind, Run
from tests.matrices import canonical
from tests.support import ROOT
from tests.systems import posix


@posix
def test_two_runs_do_not_write_into_one_folder(slow: Kind, tmp_path: Path) -> None:
    """A second run into the same folder is an error while the first is at work, which it does not disturb."""
    first = Run(slow, tmp_path)
    first.wait_for(1)
    first.process.send_signal(signal.SIGSTOP)  # it is still at work when both others have ended
    for more in ((), ("--resume",)):
        second = slow.run(tmp_path, *more)
        assert (second.status, second.err.count("\n")) == (2, 1), second.err
        assert "another run writes to it; wait for its end, or give another --output" in second.err
    first.process.send_signal(signal.SIGCONT)
    assert first.ended() == []
    assert first.process.returncode == 0
    assert len(load(tmp_path / "matrix.json").cells) == STEPS


def test_of_runs_that_start_at_once_one_is_taken(slow: Kind, tmp_path: Path) -> None:
    """However close they come, a single run has the folder, and its matrix is right."""
    runs = [Run(slow, tmp_path) for _ in range(3)]
    assert [run.ended() for run in runs] == [[], [], []]
    assert sorted(run.process.returncode for run in runs) == [0, 2, 2]
    assert len(load(tmp_path / "matrix.json").cells) == STEPS


def test_runs_into_different_folders_do_not_meet(slow: Kind, tmp_path: Path) -> None:
    """Two runs of a checkout at the same time give the same matrix."""
    runs = [Run(slow, tmp_path / name) for name in ("first", "second")]
    assert [run.ended() for run in runs] == [[], []]
    assert [run.process.returncode for run in runs] == [0, 0]
    first, second = (canonical(load(tmp_path / name / "matrix.json")) for name in ("first", "second"))
    assert first == second


@posix
def test_a_folder_that_cannot_be_written_is_named(slow: Kind, tmp_path: Path) -> None:
    """A line: the folder, and a remedy. Also where the folder is a file, or the system's own."""
    (tmp_path / "file").write_text("")
    reasons = {
        tmp_path / "file" / "out": "cannot be written: Not a directory; give another --output",
        tmp_path / "file": "is a file",
        Path("/proc/nothing"): "cannot be written: No such file or directory; give another --output",
        Path("/dev/full"): "cannot be written: Not a directory; give another --output",
    }
    for output, reason in reasons.items():
        call = slow.run(output)
        assert (call.status, call.err.count("\n")) == (2, 1), call.err
        assert reason in call.err
        assert str(output) in call.err


@posix
@pytest.mark.parametrize("room", [0, 2_000, 8_000, 11_000])
def test_a_full_disk_is_an_error_in_one_line(room: int, slow: Kind, tmp_path: Path) -> None:
    """A line names the file that could not be written; the rest is kept, and with room it is completed.

    No file may grow beyond a number of bytes, which is what a full disk looks like from within.
    """
    import resource

    command = [sys.executable, "-m", "autograd_conformance", "run", "-e", slow.engine, "-o", str(tmp_path)]
    done = subprocess.run(
        [*command, "--chapters", str(slow.chapters)],
        # Python ignores the signal that comes with it (SIGXFSZ), so that a write fails.
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)),
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert "File too large; make room" in done.stderr or "cannot be written: File too large" in done.stderr
    assert str(tmp_path) in done.stderr
    for partial in (tmp_path / "results").glob("*.partial"):
        whole = partial.read_bytes()
        # Up to the last whole line: the next is torn where the room ended.
        partial.write_bytes(whole[: whole.rfind(b"\n") + 1])
        assert not any(isinstance(line, Footer) for line in records(partial))
    assert slow.run(tmp_path, "--resume").status == 0
    assert len(load(tmp_path / "matrix.json").cells) == STEPS


@posix
def test_a_small_disk_is_an_error_in_one_line(slow: Kind, tmp_path: Path) -> None:
    """A file system with room for half of the results; needs the right to mount it."""
    mounted = ["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", str(tmp_path)]
    if subprocess.run(mounted, capture_output=True, check=False).returncode:
        pytest.skip("no right to mount a file system; the test before this needs none")
    try:
        call = slow.run(tmp_path)
        assert (call.status, call.err.count("\n")) == (2, 1), call.err
        assert "No space left on device; make room" in call.err
    finally:
        subprocess.run(["umount", str(tmp_path)], check=True)
