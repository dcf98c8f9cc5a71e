"""The results file of an engine in a run: written line by line, or continued where an interrupted run left it."""

from __future__ import annotations

import contextlib
import random
import shutil
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from conformance import behaviour_records, known_failures
from conformance.known_causes import KnownFailure
from conformance.operations.inventory import INVENTORY
from conformance.results import PROGRAMS, DeathRecord, Footer, Header, Record, ResultRecord, ResultsError
from conformance.results_file import append, file_name
from conformance.running import resumption
from conformance.running.crashes import Settled
from conformance.running.exchange import Ready
from conformance.running.header import header
from conformance.running.inventories import with_inventory
from conformance.running.options import Options
from conformance.verdicts import Outcome, Verdict


class Recording:
    """Records of a run as they come: `fresh` has those that nobody has taken yet. Here, nothing is written."""

    log = results = partial = Path()
    # Cells that are known to end their process, and signatures of programs that are known.
    deadly: Sequence[str] = ()
    signatures: tuple[str, ...] = ()
    # Numbers of cells or programs of the run, and of those that are done.
    selected = finished = 0

    def __init__(self) -> None:
        self.fresh: Settled = []

    def pending(self) -> tuple[int, Iterator[str]]:
        """Number of the cells to be run, but for deadly ones, and these in their order."""
        return 0, iter(())

    def begin(self, ready: Ready) -> None:
        """Take what an engine declares."""

    def settle(self, records: Settled) -> None:
        """Take records."""
        self.fresh += records

    def note(self, death: DeathRecord) -> None:
        """Take the death of a worker."""

    def finish(self) -> None:
        """Take note of a complete run."""

    def close(self) -> None:
        """Take note of the end."""


class Recorder(Recording):
    """The results file of an engine; `outcomes` has all of its cells.

    What engines print until they are ready goes to `log`. Methods raise ResultsError where the file cannot be written.
    """

    def __init__(self, spec: str, options: Options) -> None:
        super().__init__()
        self.spec, self._options = spec, options
        self.partial = options.output / "results" / f"{file_name(spec, options.part)}.partial"
        self.results, self.log = self.partial.with_suffix(""), self.partial.with_suffix(".log")
        self.uncovered = self.results.with_suffix(".uncovered.json")
        self.outcomes: dict[str, Outcome] = {}
        self._known: list[KnownFailure] = []
        self._began = time.monotonic()
        # A log is kept after a failure only, and is then that of this run.
        self.log.unlink(missing_ok=True)
        if not options.resume:
            self.partial.unlink(missing_ok=True)
        elif not self.partial.exists() and self.results.exists():
            # This engine had finished when the others were interrupted.
            shutil.copyfile(self.results, self.partial)
        self._before = resumption.earlier(self.partial)
        self.cells: list[str] = []
        # The cells of an inventory are known when its engine is there.
        if options.part not in (INVENTORY, PROGRAMS):
            self._select()
        # Appended to, also when new: what a kill leaves is valid up to its last whole line.
        self._stream = self.partial.open("a", encoding="utf-8")

    def pending(self) -> tuple[int, Iterator[str]]:
        """Number of the cells to be run, but for deadly ones, and these in their order."""
        return len(self.cells), iter(self.cells)

    def _select(self) -> None:
        """Note which cells are to be run. Raises ResultsError where an interrupted run was about others."""
        self.cells, self.selected = resumption.pending(self._before, self._options.cells), len(self._options.cells)
        if self._options.seed is not None:
            random.Random(self._options.seed).shuffle(self.cells)

    def begin(self, ready: Ready) -> None:
        """Write what comes before the first cell, or compare it with what an interrupted run wrote.

        Raises KnownFailureError, or ResultsError if that run was another.
        """
        if self._options.part == INVENTORY:
            self._options = with_inventory(self._options, ready, self.uncovered)
            self._select()
        self._load_known(ready)
        deadly = {cell for cell in self.cells if self._known_to_die(cell)}
        # In the order of the run, which a set has not.
        self.deadly = [cell for cell in self.cells if cell in deadly]
        self.cells = [cell for cell in self.cells if cell not in deadly]
        if self._head(header(self.spec, ready, self._options, self.selected)):
            chosen = set(self._options.cells)
            for behaviour in self._options.behaviours:
                record = behaviour_records.behaviour_record(behaviour, chosen)
                if record.cells:
                    self._write(record)

    def _load_known(self, ready: Ready) -> None:
        path = known_failures.file_for(ready.name, ready.known_failures)
        self._known = known_failures.load(path, ready.name, ready.version, self._options.part)

    def _head(self, head: Header) -> bool:
        """Write the header, or compare it with that of an interrupted run. Returns whether the file is new."""
        if self._before is None:
            self._write(head)
            return True
        resumption.check_same_run(self.partial, self._before.header, head)
        self.outcomes = {row.id: row.outcome for row in self._before.results.values()}
        self.finished = len(self.outcomes)
        return False

    def _known_to_die(self, cell: str) -> bool:
        """Whether a known failure is that the cell ends its process."""
        deadly = (Verdict.CRASH, Verdict.TIMEOUT)
        return any(known.verdict in deadly and known.concerns(cell) for known in self._known)

    def settle(self, records: Settled) -> None:
        """Write the rows of cells, each with its known failure; it replaces an earlier row."""
        for row in records:
            assert isinstance(row, ResultRecord)
            known = known_failures.find(self._known, row.id, row.outcome)
            # A cell that is blamed for the death of the next one has a row already, from the process that died.
            row = msgspec.structs.replace(row, known=known, replaces=row.id in self.outcomes)
            self.outcomes[row.id] = row.outcome
            self.finished = len(self.outcomes)
            self.fresh.append(row)
            self._write(row)

    def note(self, death: DeathRecord) -> None:
        """Write that a worker died: until a row follows, its cells are in doubt."""
        self._write(death)

    def finish(self) -> None:
        """Write the footer, by which the file counts as complete."""
        stale = known_failures.stale(self._known, self.outcomes, self._options.complete)
        self._write(Footer(round(time.monotonic() - self._began, 3), stale))

    def close(self) -> None:
        """Close the file; what was written stays, for --resume."""
        with contextlib.suppress(OSError):  # _write has reported it
            self._stream.close()

    def _write(self, record: Record) -> None:
        try:
            append(self._stream, record)
        except OSError as error:
            raise self._unwritable(error) from None

    def _unwritable(self, error: OSError) -> ResultsError:
        problem = f"{self.partial}: cannot be written: {error.strerror}"
        return ResultsError(f"{problem}; make room and run again with --resume")
