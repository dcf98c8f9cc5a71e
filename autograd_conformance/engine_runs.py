"""One pytest per engine: how it is started, how it is followed through the file that it writes, how it ended."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import conformance
from autograd_conformance.options import BadInput
from conformance.collecting import CHAPTERS
from conformance.messages import printable
from conformance.results import Header, Record, ResultRecord, ResultsError, parse_line, read
from conformance.running import resuming

__all__ = ["EngineRun", "EngineRunError", "RunOptions", "finish", "follow", "occupied"]

# pytest-xdist gives up after four crashes per worker unless it is given a number.
UNLIMITED = "1000000"
POLL_S = 0.05
# Bytes that a run must be able to write when it ends; a footer is smaller.
ROOM = 2**18


class EngineRunError(BadInput):
    """An engine's run has no result; the message says why."""


@dataclass(frozen=True)
class RunOptions:
    """The options of `run`, and the cells to run."""

    output: Path
    cells: Sequence[str]
    workers: int = 1
    limit: float = 30.0
    memory: float = 4.0
    seed: int | None = None
    resume: bool = False
    chapters: Path = CHAPTERS


@dataclass
class EngineRun:
    """A running engine: its process, its files, how far it has come; `fresh` holds the results not yet shown."""

    spec: str
    partial: Path
    log: Path
    only: Path
    process: subprocess.Popen[bytes] = field(init=False)
    selected: int = 0
    done: set[str] = field(default_factory=set)
    fresh: list[ResultRecord] = field(default_factory=list)
    _read: int = 0

    @property
    def results(self) -> Path:
        """Where the results are once they are complete."""
        return self.partial.with_suffix("")

    def news(self) -> Iterator[Record]:
        """The records written since the last call. A line that is still being written is left for the next."""
        if not self.partial.exists():
            return
        with self.partial.open("rb") as stream:
            stream.seek(self._read)
            for line in stream:
                if not line.endswith(b"\n"):  # its rest is not on the disk yet
                    return
                self._read += len(line)
                yield parse_line(line)

    def advance(self) -> None:
        """Read what was written since the last call."""
        for record in self.news():
            if isinstance(record, Header):
                self.selected = record.selected
            elif isinstance(record, ResultRecord):
                self.done.add(record.id)
                self.fresh.append(record)


@contextmanager
def occupied(output: Path) -> Iterator[None]:
    """Make the folder, and lock it against other runs within this block. Raises EngineRunError or ResultsError."""
    results = output / "results"
    with contextlib.ExitStack() as stack:
        try:
            results.mkdir(parents=True, exist_ok=True)
            stack.enter_context(resuming.alone_in(results))
        except OSError as error:
            raise unwritable(results, error) from None
        yield


def unwritable(folder: Path, error: OSError) -> EngineRunError:
    """The error for a folder in which nothing can be written."""
    return EngineRunError(f"{folder}: cannot be written: {error.strerror}; give another --output")


def start(spec: str, options: RunOptions) -> EngineRun:
    """Start an engine's pytest in the background. What it prints goes to a log beside the results."""
    # `jax:jit` and `module:Class` are names of engines, and cannot be names of files everywhere.
    name = re.sub(r"[^\w.=,-]+", "_", spec)
    partial = options.output / "results" / f"{name}.jsonl.partial"
    try:
        return _started(spec, partial, options)
    except OSError as error:
        raise unwritable(partial.parent, error) from None


def _started(spec: str, partial: Path, options: RunOptions) -> EngineRun:
    if partial.exists():
        resuming.open_for_writing(partial).close()  # raises while another run holds its lock
    # In a file, as a thousand ids are long for a command line.
    only = partial.with_suffix(".cells")
    only.write_text("\n".join(_cells(partial, options)))
    run = EngineRun(spec, partial=partial, log=partial.with_suffix(".log"), only=only)
    with run.log.open("wb") as log:
        command = _command(run, options)
        run.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, env=_environment()
        )
    return run


def _cells(partial: Path, options: RunOptions) -> list[str]:
    """The cells to run: all, or with --resume those that an interrupted run left open."""
    if not options.resume:
        partial.unlink(missing_ok=True)
        return list(options.cells)
    if not partial.exists() and partial.with_suffix("").exists():
        # This engine had finished when the others were interrupted.
        shutil.copyfile(partial.with_suffix(""), partial)
    return resuming.pending(resuming.earlier(partial), options.cells)


def _command(run: EngineRun, options: RunOptions) -> list[str]:
    package = Path(conformance.__file__).parent
    # Where pytest's node ids begin: the suite's root, or the folder of the user's chapters.
    inside = options.chapters.is_relative_to(package)
    root = package.parent if inside else options.chapters.parent
    resume = ["--resume"] if options.resume else []
    shuffle = ["--shuffle", str(options.seed)] if options.seed is not None else []
    return [
        *(sys.executable, "-m", "pytest", "-p", "conformance.running.plugin", "-q"),
        *("-c", str(package / "isolated.ini"), "--rootdir", str(root)),
        # Workers of xdist even if it is one: a crash ends the worker, and pytest itself goes on.
        *("-n", str(options.workers), "--max-worker-restart", UNLIMITED, "--dist", "load"),
        *("--engine", run.spec, "--results", str(run.partial)),
        *("--limit", str(options.limit), "--memory", str(options.memory)),
        # With --parent, its processes end if this one is killed.
        *("--only", str(run.only), "--parent", str(os.getpid())),
        *resume,
        *shuffle,
        str(options.chapters),
    ]


def _environment() -> dict[str, str]:
    """Without the user's own pytest options and plugins; numerical libraries use one thread, so limits hold."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    threads = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    # In this order, a number of threads that the user has set is kept.
    return threads | kept | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}


def follow(specs: Sequence[str], options: RunOptions, show: Callable[[EngineRun], None]) -> list[EngineRun]:
    """Run the engines, at most one per core at a time, and call `show` at each step. Ctrl-C ends them; files stay."""
    waiting = list(specs)
    runs: list[EngineRun] = []
    try:
        while waiting or any(run.process.poll() is None for run in runs):
            # No two engines share a process, so the engines are what runs in parallel.
            if waiting and sum(run.process.poll() is None for run in runs) < (os.cpu_count() or 1):
                runs.append(start(waiting.pop(0), options))
            for run in runs:
                run.advance()
                show(run)
            time.sleep(POLL_S)
    except BaseException:
        # Also for Ctrl-C: no engine may run on without the command that follows it.
        for run in runs:
            run.process.terminate()
        raise
    for run in runs:
        run.advance()
        show(run)
    return runs


def finish(run: EngineRun) -> Path:
    """The complete results file of a run that has ended. Raises EngineRunError if there is none."""
    try:
        # pytest's 0 and 1: it came to the end. All others: usage error, interrupt, crash.
        if run.process.returncode not in (0, 1):
            raise ResultsError(_reason(run))
        if not run.partial.exists():
            raise ResultsError(f"its process ended, or took too long, before any behaviour began; see {run.log}")
        read(run.partial)  # raises if the footer is missing
        # Only now: a file without `.partial` in its name is always a whole run.
        run.partial.replace(run.results)
    except ResultsError as error:
        _check_room(run)
        reason = str(error)
        raise EngineRunError(reason if repr(run.spec) in reason else f"engine {run.spec!r}: {reason}") from None
    except OSError as error:
        raise unwritable(run.results, error) from None
    # Kept after a failure, as its error names the log.
    for helper in (run.log, run.only):
        helper.unlink(missing_ok=True)
    return run.results


def _check_room(run: EngineRun) -> None:
    """Raise EngineRunError if the disk is full: other errors of the run then only follow from that."""
    for folder in (run.partial.parent, Path(tempfile.gettempdir())):
        try:
            with tempfile.TemporaryFile(dir=folder) as probe:
                probe.write(bytes(ROOM))
        except OSError as error:
            remedy = "make room, and run again with --resume"
            raise EngineRunError(
                f"{folder}: no room for the results of {run.spec!r}: {error.strerror}; {remedy}"
            ) from None


def _reason(run: EngineRun) -> str:
    """Why pytest did not finish: its own error line if there is one, else where to look."""
    text = run.log.read_text(errors="replace") if run.log.exists() else ""
    found = re.search(r"^ERROR: (.+)|outcomes\.Exit: (.+?) !*$", text, re.MULTILINE)
    if found:
        return printable((found[1] or found[2]).strip())
    return f"pytest ended with status {run.process.returncode}; see {run.log}"
