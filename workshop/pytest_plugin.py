"""Behaviours as pytest's items: loaded by `-p workshop.pytest_plugin`, and so never part of other people's pytest.

Every case of a behaviour is an item with pytest's own node id, so that `-k`, `-x`, `-n`, `--lf` and `--pdb` work as
they always do. A pass passes; fail, crash, timeout and error fail; absent and unsupported are skipped; a known
failure and a `differs` are xfailed. Nothing is recorded or isolated here: that is what `autograd-conformance run` does.
"""

from __future__ import annotations

import random
import signal
from collections.abc import Iterable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from conformance import collection, compiled_trials, known_failures
from conformance.behaviour import Behaviour, RegistrationError
from conformance.declaration import Declaration
from conformance.engines import EngineError, load_declared, parse
from conformance.known_causes import KnownFailure
from conformance.protocol.adapter import Adapter
from conformance.running.options import DEFAULT_LIMIT
from conformance.verdicts import Outcome, Verdict

ADAPTER = pytest.StashKey[tuple[Adapter, Declaration]]()
KNOWN = pytest.StashKey[list[KnownFailure]]()


class UserInterrupt(KeyboardInterrupt):
    """The user pressed Ctrl-C. A KeyboardInterrupt that a check raises is a verdict instead."""


class CellFailed(Exception):
    """A cell whose verdict is a failure to pytest."""


class ChapterFile(pytest.File):
    """A file of behaviours."""

    def collect(self) -> Iterable[BehaviourItem]:
        try:
            declared = collection.load(self.path)
        except RegistrationError as error:
            raise self.CollectError(str(error)) from None
        for behaviour in declared:
            for case in behaviour.cases or (None,):
                name = behaviour.name if case is None else f"{behaviour.name}[{case}]"
                yield BehaviourItem.from_parent(self, name=name, behaviour=behaviour, case=case)


class BehaviourItem(pytest.Item):
    """A case of a behaviour, on the engine of this session."""

    def __init__(self, *, behaviour: Behaviour, case: str | None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.behaviour = behaviour
        self.case = case
        self.cell = behaviour.id if case is None else f"{behaviour.id}[{case}]"
        self.extra_keyword_matches.add(behaviour.chapter)  # `-k hooks` selects a chapter

    def runtest(self) -> None:
        adapter, declaration = self.config.stash[ADAPTER]
        # Raised inside the check by pytest-timeout, and by Ctrl-C: not what the engine does.
        let_out = (pytest.fail.Exception, UserInterrupt)
        self._report(compiled_trials.run(self.behaviour, adapter, self.case, let_out, declaration))

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
        if excinfo.errisinstance(pytest.xfail.Exception):
            return str(excinfo.value)  # pytest would format a traceback, which takes long and is not shown
        if excinfo.errisinstance(CellFailed):
            return f"{self.behaviour.statement}\n{excinfo.value}"
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self.behaviour.check.__code__.co_firstlineno - 1, self.name


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("autograd-conformance")
    group.addoption("--engine", metavar="NAME", help="the engine that behaviours are tried on: a name, or module:Class")
    group.addoption("--shuffle", type=int, metavar="SEED", help="run in an order drawn from this seed")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    if not config.getoption("engine"):
        return
    try:
        adapter, declaration = load_declared(parse(config.getoption("engine")))
        path = known_failures.file_for(declaration.name, declaration.known_failures)
        config.stash[KNOWN] = known_failures.load(path, declaration.name, declaration.version)
    except (EngineError, known_failures.KnownFailureError) as error:
        raise pytest.UsageError(str(error)) from error
    config.stash[ADAPTER] = adapter, declaration
    if config.pluginmanager.hasplugin("timeout") and config.getoption("timeout", None) is None:
        config.option.timeout = DEFAULT_LIMIT


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    return ChapterFile.from_parent(parent, path=file_path) if collection.is_chapter(file_path) else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    cells = [item for item in items if isinstance(item, BehaviourItem)]
    if cells and not config.getoption("engine") and not config.getoption("collectonly"):
        raise pytest.UsageError("behaviours need an engine: add --engine NAME, for example --engine reference")
    # Every worker collects for itself: with the same seed they agree on the order, as xdist demands.
    if config.getoption("shuffle") is not None:
        random.Random(config.getoption("shuffle")).shuffle(items)


def pytest_sessionstart(session: pytest.Session) -> None:
    def interrupt(number: int, frame: FrameType | None) -> None:
        raise UserInterrupt

    # Only where nothing else handles Ctrl-C: a worker or a debugger may.
    if session.config.getoption("engine") and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, interrupt)
