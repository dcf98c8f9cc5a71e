"""How pytest runs behaviours: loaded by `-p conformance.running.plugin`, and so never part of other people's pytest.

Every case of a behaviour is one item with pytest's own node id, so that `-k`, `-x`, `-n`, `--lf` and `--pdb` work as
they always do. A pass passes; fail, crash, timeout and error fail; absent and unsupported are skipped; a known
failure and a `differs` are xfailed.
"""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Iterable
from pathlib import Path
from types import FrameType
from typing import Any

import msgspec
import pytest

from conformance import collecting, known_failures, trial
from conformance.behaviour import Behaviour, RegistrationError
from conformance.engines import EngineError, load, parse
from conformance.protocol.adapter import Adapter
from conformance.results import ResultRecord, ResultsError
from conformance.running import limits, resuming
from conformance.running.recording import Recorder
from conformance.verdicts import Outcome, Verdict

ADAPTER = pytest.StashKey[Adapter]()
KNOWN = pytest.StashKey[list[known_failures.KnownFailure]]()
MARKER = pytest.StashKey[Path | None]()
TAINTED = pytest.StashKey[bool]()
STATUS = pytest.StashKey[int]()


class UserInterrupt(KeyboardInterrupt):
    """The user pressed Ctrl-C. A KeyboardInterrupt that a check raises is a verdict instead."""


class CellFailed(Exception):
    """A cell whose verdict is a failure to pytest."""


class ChapterFile(pytest.File):
    """A file of behaviours."""

    def collect(self) -> Iterable[BehaviourItem]:
        try:
            declared = collecting.load(self.path)
        except RegistrationError as error:
            raise self.CollectError(str(error)) from None
        for behaviour in declared:
            for case in behaviour.cases or (None,):
                name = behaviour.name if case is None else f"{behaviour.name}[{case}]"
                yield BehaviourItem.from_parent(self, name=name, behaviour=behaviour, case=case)


class BehaviourItem(pytest.Item):
    """One case of one behaviour, on the engine of this session."""

    def __init__(self, *, behaviour: Behaviour, case: str | None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.behaviour = behaviour
        self.case = case
        self.cell = behaviour.id if case is None else f"{behaviour.id}[{case}]"
        self.extra_keyword_matches.add(behaviour.chapter)  # `-k hooks` selects a chapter

    def runtest(self) -> None:
        began = time.perf_counter()
        outcome = self._outcome()
        self.config.stash[TAINTED] = outcome.tainted or limits.exhausted()
        duration = round(time.perf_counter() - began, 6)
        row = ResultRecord(self.cell, outcome.verdict, outcome.convention, outcome.message, duration)
        # xdist sends the properties of a report to the main process, where the recorder writes the row.
        self.user_properties.append(("cell", msgspec.to_builtins(row)))
        self._report(outcome)

    def _outcome(self) -> Outcome:
        soft = self.config.getoption("limit")
        try:
            with limits.watched(self.config.stash[MARKER], soft):
                adapter = self.config.stash[ADAPTER]
                # Raised inside the check by pytest-timeout, and by Ctrl-C: not what the engine does.
                return trial.run(self.behaviour, adapter, self.case, (pytest.fail.Exception, UserInterrupt))
        except pytest.fail.Exception as error:
            # A check may call pytest.fail itself, through an engine's testing helpers: only the text tells them apart.
            if "from pytest-timeout" not in str(error):
                return Outcome(Verdict.ERROR, message=f"pytest was made to fail from within: {error}", raised=error)
            return Outcome(Verdict.TIMEOUT, message=f"took longer than {soft:g} s", raised=error)

    def _report(self, outcome: Outcome) -> None:
        """End as pytest is to count this item: pass, skip, xfail or failure."""
        known = known_failures.find(self.config.stash[KNOWN], self.cell, outcome)
        text = f"{outcome.verdict.value}: {outcome.message}"
        if outcome.verdict in (Verdict.ABSENT, Verdict.UNSUPPORTED):
            pytest.skip(text)
        if known or outcome.verdict is Verdict.DIFFERS:
            pytest.xfail(text)
        if outcome.verdict is not Verdict.PASS:
            if self.config.getoption("usepdb") and outcome.raised is not None:
                raise outcome.raised  # the debugger opens where it happened
            raise CellFailed(text)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if excinfo.errisinstance(CellFailed):
            return f"{self.behaviour.statement}\n{excinfo.value}"
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self.behaviour.check.__code__.co_firstlineno - 1, self.name


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("autograd-conformance")
    group.addoption("--engine", metavar="NAME", help="the engine that behaviours are tried on: a name, or module:Class")
    group.addoption("--results", type=Path, metavar="FILE", help="write results as JSON lines")
    group.addoption("--shuffle", type=int, metavar="SEED", help="run in an order drawn from this seed")
    group.addoption("--only", type=Path, metavar="FILE", help="run only the cells whose ids FILE lists, one a line")
    group.addoption(
        "--limit", type=float, default=limits.DEFAULT_LIMIT, metavar="SECONDS", help="time for one behaviour"
    )
    group.addoption(
        "--memory",
        type=float,
        default=limits.DEFAULT_MEMORY,
        metavar="GIB",
        help="memory that one behaviour may add to its process",
    )
    group.addoption("--linger", type=float, default=0.0, metavar="SECONDS", help="stay alive after the last behaviour")
    group.addoption("--resume", action="store_true", help="go on with the results that are in the file")
    group.addoption("--parent", type=int, metavar="PID", help="end as soon as this process, the parent, has ended")
    group.addoption("--lone", action="store_true", help="try cells once more, without workers, each death being final")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    if not config.getoption("engine"):
        return
    # Before the engine's import, which takes long and may hang.
    if parent := _parent(config):
        resuming.end_with_parent(parent)
    try:
        with limits.importing(config.getoption("limit")):
            adapter = load(parse(config.getoption("engine")))
        config.stash[KNOWN] = known_failures.load(known_failures.file_for(adapter), adapter.version)
    except (EngineError, known_failures.KnownFailureError) as error:
        raise pytest.UsageError(str(error)) from error
    config.stash[ADAPTER] = adapter
    config.stash[MARKER] = _marker(config)
    if config.pluginmanager.hasplugin("timeout") and config.getoption("timeout", None) is None:
        config.option.timeout = config.getoption("limit")
    # Workers report to the main process, which alone writes.
    if config.getoption("results") and not hasattr(config, "workerinput"):
        _record(config, adapter)


def _record(config: pytest.Config, adapter: Adapter) -> None:
    try:
        recorder = Recorder(config, adapter, config.stash[KNOWN])
    except (ResultsError, OSError) as error:
        raise pytest.UsageError(str(error)) from error
    config.pluginmanager.register(recorder, "conformance-recorder")


def _parent(config: pytest.Config) -> int | None:
    """The process whose end also ends this one, if there is one."""
    worker: dict[str, int] = getattr(config, "workerinput", {})
    parent: int | None = worker.get("parent") if worker else config.getoption("parent")
    return parent


def _marker(config: pytest.Config) -> Path | None:
    """The marker file of this process (see `limits`); None in a session without isolation."""
    if worker := getattr(config, "workerinput", None):
        return Path(worker["markers"]) / f"{worker['workerid']}.marker" if "markers" in worker else None
    return config.getoption("results").with_suffix(".marker") if config.getoption("lone") else None


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    return ChapterFile.from_parent(parent, path=file_path) if collecting.is_chapter(file_path) else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    cells = [item for item in items if isinstance(item, BehaviourItem)]
    if cells and not config.getoption("engine") and not config.getoption("collectonly"):
        raise pytest.UsageError("behaviours need an engine: add --engine NAME, for example --engine reference")
    if config.getoption("only"):
        wanted = set(config.getoption("only").read_text().split("\n"))
        items[:] = [item for item in cells if item.cell in wanted]
    # Every worker collects for itself: with the same seed they agree on the order, as xdist demands.
    if config.getoption("shuffle") is not None:
        random.Random(config.getoption("shuffle")).shuffle(items)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> None:
    """Replace the worker by a fresh one if an earlier behaviour tainted it."""
    marker = item.config.stash.get(MARKER, None)
    if marker and item.config.stash.get(TAINTED, False):
        limits.retire(marker)


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    time.sleep(session.config.getoption("linger"))
    session.config.stash[STATUS] = int(exitstatus)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    # Without this, threads that an engine left running would keep the process alive.
    if config.stash.get(MARKER, None) and STATUS in config.stash:
        os._exit(config.stash[STATUS])


def pytest_sessionstart(session: pytest.Session) -> None:
    def interrupt(number: int, frame: FrameType | None) -> None:
        raise UserInterrupt

    # Only where nothing else handles Ctrl-C: a worker or a debugger may.
    if session.config.getoption("engine") and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, interrupt)
