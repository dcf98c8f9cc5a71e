"""The recorder: turns the reports of a pytest session into lines of the results file.

It runs in pytest's main process, which outlives the workers. Cells in which a worker died are tried again at the end,
by `crashes`.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from conformance import collecting, describe, known_failures
from conformance.protocol.adapter import Adapter
from conformance.results import Footer, Record, ResultRecord, Start, WorkerDeath, append
from conformance.running import crashes, limits, resuming
from conformance.running.header import header
from conformance.verdicts import Outcome, Verdict

__all__ = ["Recorder"]

# xdist replaces a worker that dies; one that dies while it starts would be replaced for ever.
MOST_FAILED_STARTS = 3


class Recorder:
    """A pytest plugin that writes the results file, line by line."""

    def __init__(self, config: pytest.Config, adapter: Adapter, known: list[known_failures.KnownFailure]) -> None:
        self.config, self.adapter, self.known = config, adapter, known
        self.limits = limits.Limits(config.getoption("limit"), config.getoption("memory"))
        self.began = time.perf_counter()
        self.cells: dict[str, str] = {}  # by node id
        self.selected: set[str] = set()
        self.complete = False
        self.outcomes: dict[str, Outcome] = {}
        self.deaths: list[WorkerDeath] = []
        self.last_on: dict[str, str] = {}  # worker to the cell that it finished last
        self.failed_starts = 0
        self.markers = Path(tempfile.mkdtemp(prefix="autograd-conformance-"))
        self.guard = limits.Guard(self.markers, self.limits)
        path: Path = config.getoption("results")
        self.stream = resuming.open_for_writing(path)
        if config.getoption("resume") and (before := resuming.earlier(path)):
            self._resume(path, before)

    def _resume(self, path: Path, before: resuming.Earlier) -> None:
        resuming.check_same_run(path, before.header, header(self.config, self.adapter, 0, complete=False))
        self.selected, self.complete = set(before.cells), before.header.complete
        self.outcomes = {row.id: row.outcome for row in before.results.values()}

    def pytest_sessionstart(self) -> None:
        self.guard.start()

    def pytest_configure_node(self, node: Any) -> None:
        node.workerinput |= {"markers": str(self.markers), "parent": os.getpid()}
        # xdist ships no types, so its nodes and schedulers are Any here.
        node.sendcommand = _unless_dead(node.sendcommand)

    def pytest_testnodedown(self, node: Any, error: Any) -> None:
        """Exit if workers die again and again before their first behaviour."""
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
        # pytest's name of an item is the cell's id without the chapter.
        names = {
            f"{file}::{cell.partition('.')[2]}": cell for file in files for one in declared[file] for cell in one.ids()
        }
        self.cells = {nodeid: names[nodeid] for nodeid in nodeids if nodeid in names}
        if self.selected:
            return  # resumed: header and behaviours are in the file
        self.selected = set(self.cells.values())
        self.complete = self.selected == {cell for one in collecting.load_all() for cell in one.ids()}
        self._write(header(self.config, self.adapter, len(self.selected), self.complete))
        for behaviour in (behaviour for file in files for behaviour in declared[file]):
            record = describe.behaviour_record(behaviour, self.selected)
            if record.cells:
                self._write(record)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.failed_starts = -1  # a worker that dies in this cell did start
        if nodeid in self.cells:
            self._write(Start(self.cells[nodeid]))

    def pytest_handlecrashitem(self, crashitem: str, report: pytest.TestReport, sched: Any) -> None:
        if crashitem not in self.cells:
            return
        worker = report.node.gateway.id
        why = limits.ended_by(self.markers / f"{worker}.marker")
        if why == limits.RETIRED:  # the worker left before this cell began: it is simply next
            sched.mark_test_pending(crashitem)
        else:
            self._die(self.cells[crashitem], worker, crashes.death(why, self.limits, "died"))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        cell = dict(report.user_properties).get("cell") if report.when == "call" else None
        worker = getattr(getattr(report, "node", None), "gateway", None)
        name = worker.id if worker else ""
        if isinstance(cell, dict):
            self._take(name, msgspec.convert(cell, ResultRecord))
        elif report.failed and report.when in ("setup", "call") and report.nodeid in self.cells:
            message = f"pytest: {report.longreprtext.splitlines()[-1]}"
            self._take(name, ResultRecord(self.cells[report.nodeid], Verdict.ERROR, None, message, 0.0))

    def _take(self, worker: str, row: ResultRecord) -> None:
        # Like a death: another cell's leftover thread may have taken the time. It is tried alone at the end.
        if row.verdict is Verdict.TIMEOUT and not self.config.getoption("lone"):
            self._die(row.id, worker, row.outcome)
            return
        self.last_on[worker] = row.id
        self.settle(row)

    def _die(self, cell: str, worker: str, outcome: Outcome) -> None:
        death = WorkerDeath(cell, worker, outcome.verdict, outcome.message, self.last_on.get(worker, ""))
        self.deaths.append(death)
        self._write(death)

    def settle(self, row: ResultRecord) -> None:
        """Write the row of a cell, with its known failure; it replaces an earlier row."""
        known = known_failures.find(self.known, row.id, row.outcome)
        replaces = row.id in self.outcomes
        self.outcomes[row.id] = row.outcome
        self._write(msgspec.structs.replace(row, known=known, replaces=replaces))

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        finished = exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)
        if finished and not self.config.getoption("lone"):
            crashes.confirm(self)
        # Without a footer the file counts as cut short, and can be resumed.
        if finished and self.selected and not self.selected - set(self.outcomes):
            stale = known_failures.stale(self.known, self.outcomes, self.complete)
            self._write(Footer(round(time.perf_counter() - self.began, 3), stale))
        with contextlib.suppress(OSError):  # _write has reported it
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
    """Sending to a worker that has died does nothing: xdist reports its death separately."""

    def quietly(*args: Any, **kwargs: Any) -> None:
        with contextlib.suppress(OSError):
            send(*args, **kwargs)

    return quietly
