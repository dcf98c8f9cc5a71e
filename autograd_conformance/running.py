"""One pytest per engine: how it is started, followed through the file that it writes, and how its end is understood."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import conformance
from conformance import resuming
from conformance.collecting import CHAPTERS
from conformance.results import Header, Record, ResultRecord, ResultsError, parse_line, read

__all__ = ["EngineRun", "Failure", "Options", "finish", "follow"]

# pytest-xdist gives up after four deaths per worker unless it is told a number.
UNLIMITED = "1000000"
POLL_S = 0.05


class Failure(Exception):
    """An engine's run came to no result; the message says why."""


@dataclass(frozen=True)
class Options:
    """What `run` was asked for, beside the engines."""

    output: Path
    cells: Sequence[str]
    workers: int = 1
    limit: float = 30.0
    seed: int | None = None
    resume: bool = False
    chapters: Path = CHAPTERS


@dataclass
class EngineRun:
    """A running engine: its process, its files, and how far it has come."""

    spec: str
    partial: Path
    log: Path
    only: Path
    process: subprocess.Popen[bytes] = field(init=False)
    selected: int = 0
    done: set[str] = field(default_factory=set)
    _read: int = 0

    @property
    def results(self) -> Path:
        """Where the results lie once they are complete."""
        return self.partial.with_suffix("")

    def news(self) -> Iterator[Record]:
        """The records written since the last call. A line that is still being written waits for the next."""
        if not self.partial.exists():
            return
        with self.partial.open("rb") as stream:
            stream.seek(self._read)
            for line in stream:
                if not line.endswith(b"\n"):
                    return
                self._read += len(line)
                yield parse_line(line)

    def advance(self) -> None:
        """Take note of the news."""
        for record in self.news():
            if isinstance(record, Header):
                self.selected = record.selected
            elif isinstance(record, ResultRecord):
                self.done.add(record.id)


def start(spec: str, options: Options) -> EngineRun:
    """Start an engine's pytest in the background. What it prints goes to a log beside the results."""
    name = re.sub(r"[^\w.=,-]+", "_", spec)
    partial = options.output / "results" / f"{name}.jsonl.partial"
    try:
        partial.parent.mkdir(parents=True, exist_ok=True)
        return _started(spec, partial, options)
    except OSError as error:
        raise Failure(f"{partial.parent}: cannot be written: {error.strerror}; give another --output") from None


def _started(spec: str, partial: Path, options: Options) -> EngineRun:
    if partial.exists():
        resuming.open_for_writing(partial).close()  # refused while another run holds it
    only = partial.with_suffix(".cells")
    only.write_text("\n".join(_cells(partial, options)))
    run = EngineRun(spec, partial=partial, log=partial.with_suffix(".log"), only=only)
    with run.log.open("wb") as log:
        command = _command(run, options)
        run.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, env=_environment()
        )
    return run


def _cells(partial: Path, options: Options) -> list[str]:
    """The cells to run: all, or what an interrupted run left open. What it left is dropped where it is not resumed."""
    if not options.resume:
        partial.unlink(missing_ok=True)
        return list(options.cells)
    if not partial.exists() and partial.with_suffix("").exists():
        # This engine had come to its end when the others were interrupted.
        shutil.copyfile(partial.with_suffix(""), partial)
    return resuming.pending(resuming.earlier(partial), options.cells)


def _command(run: EngineRun, options: Options) -> list[str]:
    package = Path(conformance.__file__).parent
    inside = options.chapters.is_relative_to(package)
    root = package.parent if inside else options.chapters.parent
    resume = ["--resume"] if options.resume else []
    shuffle = ["--shuffle", str(options.seed)] if options.seed is not None else []
    return [
        *(sys.executable, "-m", "pytest", "-p", "conformance.plugin", "-q"),
        *("-c", str(package / "isolated.ini"), "--rootdir", str(root)),
        *("-n", str(options.workers), "--max-worker-restart", UNLIMITED, "--dist", "load"),
        *("--engine", run.spec, "--results", str(run.partial), "--limit", str(options.limit)),
        *("--only", str(run.only), "--parent", str(os.getpid())),
        *resume,
        *shuffle,
        str(options.chapters),
    ]


def _environment() -> dict[str, str]:
    """The user's own pytest options have no place here; a library's threads would only get into each other's way."""
    dropped = ("PYTEST_ADDOPTS", "PYTEST_PLUGINS")
    kept = {name: value for name, value in os.environ.items() if name not in dropped}
    return {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"} | kept


def follow(specs: Sequence[str], options: Options, tell: Callable[[EngineRun], None]) -> list[EngineRun]:
    """Run the engines, as many at a time as there are cores, telling of each step. Ctrl-C ends them; files stay."""
    waiting = list(specs)
    runs: list[EngineRun] = []
    try:
        while waiting or any(run.process.poll() is None for run in runs):
            if waiting and sum(run.process.poll() is None for run in runs) < (os.cpu_count() or 1):
                runs.append(start(waiting.pop(0), options))
            for run in runs:
                run.advance()
                tell(run)
            time.sleep(POLL_S)
    except BaseException:
        for run in runs:
            run.process.terminate()
        raise
    for run in runs:
        run.advance()
        tell(run)
    return runs


def finish(run: EngineRun) -> Path:
    """The complete results file of a run that has ended. Raises Failure if there is none."""
    if run.process.returncode not in (0, 1):
        reason = _reason(run)
        raise Failure(reason if repr(run.spec) in reason else f"engine {run.spec!r}: {reason}")
    try:
        read(run.partial)
    except ResultsError as error:
        raise Failure(f"engine {run.spec!r}: {error}; see {run.log}") from None
    run.partial.replace(run.results)
    for helper in (run.log, run.only):
        helper.unlink(missing_ok=True)
    return run.results


def _reason(run: EngineRun) -> str:
    """What pytest said when it did not come to an end: a usage error in its own words, else where to look."""
    text = run.log.read_text(errors="replace") if run.log.exists() else ""
    said = [line.removeprefix("ERROR: ").strip() for line in text.splitlines() if line.startswith("ERROR: ")]
    return said[0] if said else f"pytest ended with status {run.process.returncode}; see {run.log}"
