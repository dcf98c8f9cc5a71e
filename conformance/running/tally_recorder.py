"""The results file of an engine in a run of generated programs: tallies, and a row for each finding."""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
from collections.abc import Iterator

from conformance.results import DeathRecord, Footer, KnownRecord, Record, ResultRecord, ResultsError, TallyRecord
from conformance.results_file import append
from conformance.running.crashes import Settled
from conformance.running.exchange import Ready
from conformance.running.header import header
from conformance.running.options import Options
from conformance.running.recorder import Recorder
from conformance.tallies import SeedRange, findings_of_tally, join_tallies, joined_records, missing_ranges

# Seconds of programs that are written together. A kill loses no more.
WRITE_S = 1.5


class TallyRecorder(Recorder):
    """Tallies of neighbouring programs. `new` has signatures that no known failure lists, `signatures` the others."""

    def __init__(self, spec: str, options: Options) -> None:
        super().__init__(spec, options)
        before = self._before
        self._tallies: list[TallyRecord] = before.tallies if before else []
        self._findings: dict[str, ResultRecord] = before.results if before else {}
        self._deaths: list[DeathRecord] = before.deaths if before else []
        self._wanted: list[SeedRange] = []
        self._unwritten: Settled = []
        self._written = time.monotonic()
        self.new: set[str] = set()

    def pending(self) -> tuple[int, Iterator[str]]:
        """Number of the programs that are still to be run, and these in their order."""
        ranges = missing_ranges(self._tallies, self._wanted)
        programs = (f"{seeds.kind}:{seed}" for seeds in ranges for seed in range(seeds.first, seeds.last))
        return sum(seeds.size for seeds in ranges), programs

    def begin(self, ready: Ready) -> None:
        """Write the header, or compare it with what an interrupted run wrote.

        Raises KnownFailureError, or ResultsError if that run was another, or the engine lacks the verbs for a kind.
        """
        # Before the header: a campaign that cannot be is not recorded.
        self._wanted = [SeedRange(kind, *self._options.seeds) for kind in self._kinds(ready)]
        self._load_known(ready)
        # Not the findings so far: which of two signatures explains a program would then depend on the order.
        self.signatures = tuple(sorted({known.cell for known in self._known}))
        # What is known is not made smaller, and explains other programs: outcomes depend on it.
        listed = hashlib.sha256("\0".join(self.signatures).encode()).hexdigest()[:12]
        head = header(self.spec, ready, self._options, 0, listed)
        self._header = head if self._head(head) or self._before is None else self._before.header
        # There is no list of cells to count: of millions of programs, there are ranges.
        self.selected = sum(seeds.size for seeds in self._wanted)
        self.finished = self.selected - self.pending()[0]
        self._learn(self._tallies)

    def _kinds(self, ready: Ready) -> list[str]:
        if not ready.kinds:
            raise ResultsError(f"engine {self.spec!r} lacks the verbs for programs of any kind")
        for kind in self._options.chosen:
            if kind not in ready.kinds:
                kinds = ", ".join(ready.kinds)
                raise ResultsError(f"engine {self.spec!r} has no programs of kind {kind!r}; it has {kinds}")
        return list(self._options.chosen or ready.kinds)

    def _learn(self, tallies: list[TallyRecord]) -> None:
        self.new |= {name for tally in tallies for name in tally.seen if self._known_of(name) is None}

    def _known_of(self, signature: str) -> KnownRecord | None:
        """The published part of the known failure that lists a signature."""
        return next((known.record() for known in self._known if known.concerns(signature)), None)

    def settle(self, records: Settled) -> None:
        """Take findings and tallies, and write them if it is time."""
        self._unwritten += records
        if time.monotonic() - self._written > WRITE_S:
            self._write_settled()

    def _write_settled(self) -> None:
        """Write joined tallies, each after its findings: what comes before a missing tally counts for nothing."""
        for record in joined_records(self._unwritten):
            self.fresh.append(record)
            self._write(record)
            if isinstance(record, TallyRecord):
                self._tallies.append(record)
                self.finished += record.last - record.first
                self._learn([record])
            else:
                self._findings[record.id] = record
        self._unwritten.clear()
        self._written = time.monotonic()

    def note(self, death: DeathRecord) -> None:
        """Write that a process ended in a program."""
        self._deaths.append(death)
        super().note(death)

    def finish(self) -> None:
        """Write the file anew: sorted, with neighbouring ranges joined, so that it depends on the seeds alone."""
        self._write_settled()
        tallies = join_tallies(self._tallies)
        known = {name: self._known_of(name) for tally in tallies for name in tally.seen}
        listed = {name: record for name, record in sorted(known.items()) if record is not None}
        findings = [row for tally in tallies for row in findings_of_tally(tally, self._findings.values())]
        footer = Footer(round(time.monotonic() - self._began, 3), [], listed)
        super().close()
        # Not in place: a kill in the middle would lose what was recorded.
        whole = self.partial.with_suffix(".whole")
        try:
            with whole.open("w", encoding="utf-8") as stream:
                lines: list[Record] = [self._header, *tallies, *findings, *self._deaths, footer]
                for record in lines:
                    append(stream, record)
                os.fsync(stream.fileno())
            whole.replace(self.partial)
        except OSError as error:
            raise self._unwritable(error) from None

    def close(self) -> None:
        """Write what is not written yet, and close the file."""
        # What cannot be written has been reported, or is run again by --resume.
        with contextlib.suppress(ResultsError):
            self._write_settled()
        super().close()
