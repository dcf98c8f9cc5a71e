"""The recorder: the side of a pytest session that sees every report, and writes the stream of results.

It lives in the process that the user started; with workers that is the one which outlives them. What a worker's death
leaves open is tried again at the end, by `crashes`.
"""

from __future__ import annotations

import contextlib
import os
import platform
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

import conformance
from conformance import collecting, describe, engines, known_failures
from conformance.behaviour import Behaviour
from conformance.protocol.adapter import Adapter
from conformance.results import (
    SCHEMA,
    EngineRecord,
    Footer,
    Header,
    Record,
    ResultRecord,
    Start,
    SuiteRecord,
    WorkerDeath,
    append,
)
from conformance.running import crashes, limits, resuming
from conformance.verdicts import Outcome, Verdict

__all__ = ["Recorder"]

MOST_FAILED_STARTS = 3


class Recorder:
    """A pytest plugin that turns reports into lines."""

    def __init__(self, config: pytest.Config, adapter: Adapter, known: list[known_failures.KnownFailure]) -> None:
        self.config, self.adapter, self.known = config, adapter, known
        self.limits = limits.Limits(config.getoption("limit"), config.getoption("memory"))
        self.began = time.perf_counter()
        self.cells: dict[str, str] = {}  # by node id
        self.selected: set[str] = set()
        self.complete = False
        self.outcomes: dict[str, Outcome] = {}
        self.deaths: list[WorkerDeath] = []
        self.last_on: dict[str, str] = {}  # the cell that each worker finished last
        self.failed_starts = 0
        self.markers = Path(tempfile.mkdtemp(prefix="autograd-conformance-"))
        self.guard = limits.Guard(self.markers, self.limits)
        path: Path = config.getoption("results")
        self.stream = resuming.open_for_writing(path)
        if config.getoption("resume") and (before := resuming.earlier(path)):
            self._resume(path, before)

    def _resume(self, path: Path, before: resuming.Earlier) -> None:
        resuming.refuse_other(path, before.header, self._header())
        self.selected, self.complete = set(before.cells), before.header.complete
        self.outcomes = {row.id: Outcome(row.verdict, row.convention, row.message) for row in before.results.values()}

    # The beginning: which cells, on what.

    def pytest_sessionstart(self) -> None:
        self.guard.start()

    def pytest_configure_node(self, node: Any) -> None:
        node.workerinput |= {"markers": str(self.markers), "parent": os.getpid()}
        node.sendcommand = _unless_dead(node.sendcommand)

    def pytest_testnodedown(self, node: Any, error: Any) -> None:
        """Workers that die before they begin, each replaced by the next, would do so for ever."""
        self.failed_starts += error is not None
        if self.failed_starts > MOST_FAILED_STARTS:
            pytest.exit(
                f"{self.failed_starts} workers died before they began on a behaviour", pytest.ExitCode.USAGE_ERROR
            )

    def pytest_xdist_node_collection_finished(self, node: Any, ids: Sequence[str]) -> None:
        if not self.cells:
            self._begin([nodeid for nodeid in ids if "::" in nodeid])

    @pytest.hookimpl(trylast=True)
    def pytest_collection_finish(self, session: pytest.Session) -> None:
        if session.items:  # with workers, this process collects nothing
            self._begin([item.nodeid for item in session.items])

    def _begin(self, nodeids: list[str]) -> None:
        files = dict.fromkeys(nodeid.partition("::")[0] for nodeid in nodeids)
        declared = {file: collecting.load(self.config.rootpath / file) for file in files}
        by_name = {f"{file}::{name}": cell for file in files for name, cell in _names(declared[file])}
        self.cells = {nodeid: by_name[nodeid] for nodeid in nodeids if nodeid in by_name}
        if self.selected:
            return  # a resumed run has said all this before
        self.selected = set(self.cells.values())
        self.complete = self.selected == {cell for one in collecting.load_all() for cell in one.ids()}
        self._write(self._header())
        for behaviour in (behaviour for file in files for behaviour in declared[file]):
            record = describe.behaviour_record(behaviour, self.selected)
            if record.cells:
                self._write(record)

    def _header(self) -> Header:
        return Header(
            schema=SCHEMA,
            suite=SuiteRecord(conformance.__version__, collecting.revision(self._chapters())),
            engine=self._engine(),
            command=[Path(sys.argv[0]).name, *sys.argv[1:]],
            seed=self.config.getoption("shuffle") or 0,
            selected=len(self.selected),
            complete=self.complete,
            started=datetime.now(timezone.utc).isoformat(timespec="seconds"),
            adapter=engines.digest(self.adapter),
            limit_s=self.limits.seconds,
            memory_gib=self.limits.memory,
            known_failures=str(self.adapter.known_failures or ""),
        )

    def _chapters(self) -> tuple[Path, ...]:
        """The files of the behaviours, as this session was asked for them."""
        folders = (Path(argument) for argument in self.config.args)
        return tuple(path for folder in folders if folder.is_dir() for path in collecting.chapter_files(folder))

    def _engine(self) -> EngineRecord:
        return EngineRecord(
            spec=self.config.getoption("engine"),
            name=self.adapter.name,
            version=self.adapter.version,
            parameters=self.adapter.parameters,
            sources=dict(self.adapter.held_to),
            platform=platform.platform(),
            python=platform.python_version(),
        )

    # The middle: starts, results, deaths.

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.failed_starts = -1  # the worker may die in this one, and then has begun
        if nodeid in self.cells:
            self._write(Start(self.cells[nodeid]))

    def pytest_handlecrashitem(self, crashitem: str, report: pytest.TestReport, sched: Any) -> None:
        if crashitem not in self.cells:
            return
        worker = report.node.gateway.id
        why = limits.ended_by(self.markers / f"{worker}.marker")
        if why == limits.RETIRED:
            sched.mark_test_pending(crashitem)
        else:
            self._die(crashitem, worker, crashes.death(why, self.limits, "died"))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        cell = dict(report.user_properties).get("cell") if report.when == "call" else None
        worker = getattr(getattr(report, "node", None), "gateway", None)
        name = worker.id if worker else ""
        if isinstance(cell, dict):
            self._take(report.nodeid, name, cell)
        elif report.failed and report.when in ("setup", "call") and report.nodeid in self.cells:
            broken = {
                "verdict": "error",
                "convention": None,
                "message": f"pytest: {report.longreprtext.splitlines()[-1]}",
            }
            self._take(report.nodeid, name, {"id": self.cells[report.nodeid], "duration_s": 0.0} | broken)

    def _take(self, nodeid: str, worker: str, cell: dict[str, Any]) -> None:
        outcome = Outcome(Verdict(cell["verdict"]), cell["convention"], cell["message"])
        if outcome.verdict is Verdict.TIMEOUT and not self.config.getoption("lone"):
            self._die(nodeid, worker, outcome)
            return
        self.last_on[worker] = cell["id"]
        self.settle(cell["id"], outcome, cell["duration_s"])

    def _die(self, nodeid: str, worker: str, outcome: Outcome) -> None:
        death = WorkerDeath(self.cells[nodeid], worker, outcome.verdict, outcome.message, self.last_on.get(worker, ""))
        self.deaths.append(death)
        self._write(death)

    def settle(self, cell: str, outcome: Outcome, duration_s: float) -> None:
        """Write the row of a cell; one that is there already is replaced."""
        known = known_failures.find(self.known, cell, outcome)
        replaces = cell in self.outcomes
        self.outcomes[cell] = outcome
        row = ResultRecord(cell, outcome.verdict, outcome.convention, outcome.message, duration_s, known, replaces)
        self._write(row)

    # The end.

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        finished = exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)
        if finished and not self.config.getoption("lone"):
            crashes.confirm(self)
        if finished and self.selected and not self.selected - set(self.outcomes):
            stale = known_failures.stale(self.known, self.outcomes, self.complete)
            self._write(Footer(round(time.perf_counter() - self.began, 3), stale))
        with contextlib.suppress(OSError):  # what could not be written has been said
            self.stream.close()
        self.guard.stop()
        shutil.rmtree(self.markers, ignore_errors=True)

    def nodeid_of(self, cell: str) -> str:
        """The node id of a cell."""
        return next(nodeid for nodeid, name in self.cells.items() if name == cell)

    def _write(self, record: Record) -> None:
        try:
            append(self.stream, record)
        except OSError as error:
            problem = f"{self.stream.name}: cannot be written: {error.strerror}"
            pytest.exit(f"{problem}; make room and run again with --resume", pytest.ExitCode.USAGE_ERROR)


def _unless_dead(send: Callable[..., None]) -> Callable[..., None]:
    """What is sent to a worker, given that it may die at any moment; its death is told by another way."""

    def quietly(*args: Any, **kwargs: Any) -> None:
        with contextlib.suppress(OSError):
            send(*args, **kwargs)

    return quietly


def _names(declared: list[Behaviour]) -> list[tuple[str, str]]:
    """pytest's name of each cell, and the suite's id of it."""
    return [(cell.partition(".")[2], cell) for behaviour in declared for cell in behaviour.ids()]
