"""Runs of engines into a folder: how the folder is locked, and what becomes of a run that has ended."""

from __future__ import annotations

import contextlib
import errno
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from autograd_conformance.options import BadInput
from conformance.results import ResultsError
from conformance.results_file import read
from conformance.running import resumption
from conformance.running.engine_run import EngineRun

# Bytes that a run must be able to write when it ends; a footer is smaller.
ROOM = 2**18
# Another folder would not help.
SCARCE = (errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM)


class EngineRunError(BadInput):
    """An engine's run has no result; the message says why."""


@contextmanager
def occupied(output: Path) -> Iterator[None]:
    """Make the folder, and lock it against other runs within this block. Raises EngineRunError or ResultsError."""
    with contextlib.ExitStack() as stack:
        try:
            (output / "results").mkdir(parents=True, exist_ok=True)
            # A folder can be made where no file can be written.
            with tempfile.TemporaryFile(dir=output / "results") as probe:
                probe.write(b"1")
            stack.enter_context(resumption.alone_in(output))
        except OSError as error:
            raise unwritable(output, error) from None
        yield


def unwritable(folder: Path, error: OSError) -> EngineRunError:
    """The error for a folder in which nothing can be written, or for a system that starts no more processes."""
    if error.errno in SCARCE:
        return EngineRunError(f"no process or file can be opened: {error.strerror}; raise the limit (see `ulimit -a`)")
    return EngineRunError(f"{folder}: cannot be written: {error.strerror or error}; give another --output")


def finish(run: EngineRun) -> Path:
    """The complete results file of a run that has ended. Raises EngineRunError if there is none."""
    try:
        if run.failure:
            # By the clause below, which first looks whether the disk is full.
            raise ResultsError(run.failure)
        # Reading what a check put in its place, such as a named pipe, might not end.
        if not run.recorder.partial.is_file():
            raise EngineRunError(
                f"{run.recorder.partial.parent}: was removed during the run of {run.spec!r}; run it again"
            )
        _check_engine(run)
        # Only now: a file without `.partial` in its name is always a whole run.
        run.recorder.partial.replace(run.recorder.results)
    except ResultsError as error:
        _check_room(run)
        reason = str(error)
        raise EngineRunError(reason if repr(run.spec) in reason else f"engine {run.spec!r}: {reason}") from None
    except OSError as error:
        raise unwritable(run.recorder.results, error) from None
    # Kept after a failure, as its error names the log.
    run.recorder.log.unlink(missing_ok=True)
    return run.recorder.results


def _check_engine(run: EngineRun) -> None:
    """Raise ResultsError unless the file is complete, and of this engine."""
    engine = read(run.recorder.partial).header.engine.spec
    if engine != run.spec:
        raise ResultsError(
            f"{run.recorder.partial}: has results of engine {engine!r}; run {run.spec!r} into another --output"
        )


def _check_room(run: EngineRun) -> None:
    """Raise EngineRunError if the disk is full: other errors of the run then only follow from that."""
    for folder in (run.recorder.partial.parent, Path(tempfile.gettempdir())):
        try:
            with tempfile.TemporaryFile(dir=folder) as probe:
                probe.write(bytes(ROOM))
        except FileNotFoundError:
            raise EngineRunError(f"{folder}: was removed during the run of {run.spec!r}; run it again") from None
        except OSError as error:
            remedy = "make room, and run again with --resume"
            raise EngineRunError(
                f"{folder}: no room for the results of {run.spec!r}: {error.strerror}; {remedy}"
            ) from None
