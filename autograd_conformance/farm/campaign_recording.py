"""The results file of one engine's campaign: written range by range, continued after an interruption, finished."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from conformance.programs.results import (
    BatchRecord,
    CampaignFooter,
    CampaignHeader,
    CampaignRecord,
    append_record,
    campaign_file_name,
    joined_batches,
    read_lines_of,
)
from conformance.results import KnownRecord, ResultsError

__all__ = ["CampaignRecording", "Seeds"]


class Seeds(msgspec.Struct, frozen=True):
    """Seeds of one kind of programs, without `last`."""

    kind: str
    first: int
    last: int


class CampaignRecording:
    """The file. `batches` are all ranges that it has. Methods raise ResultsError where it cannot be read or written."""

    def __init__(self, output: Path, spec: str, resume: bool) -> None:
        self.results = output / "results" / campaign_file_name(spec)
        self.partial = self.results.with_name(f"{self.results.name}.partial")
        self.batches: list[BatchRecord] = []
        self._before: CampaignHeader | None = None
        if not resume:
            self.partial.unlink(missing_ok=True)
        elif not self.partial.exists() and self.results.exists():
            # A finished campaign is extended by further seeds, or has nothing left to do.
            shutil.copyfile(self.results, self.partial)
        self._read()
        self._stream = self.partial.open("a", encoding="utf-8")

    def _read(self) -> None:
        """Take what an interrupted campaign left. A torn line is cut off, and a footer, as lines will follow."""
        if not self.partial.exists():
            return
        content = self.partial.read_bytes()
        whole = content[: content.rfind(b"\n") + 1]
        if not whole:
            os.truncate(self.partial, 0)
            return
        header, *lines = read_lines_of(str(self.partial), whole)
        assert isinstance(header, CampaignHeader)
        self._before = header
        try:
            self.batches = joined_batches([line for line in lines if isinstance(line, BatchRecord)])
        except ValueError as error:
            raise ResultsError(f"{self.partial}: {error}; run without --resume") from None
        if lines and isinstance(lines[-1], CampaignFooter):
            whole = b"".join(whole.splitlines(keepends=True)[:-1])
        os.truncate(self.partial, len(whole))

    def begin(self, header: CampaignHeader) -> None:
        """Write the header, or compare it with what an interrupted campaign wrote."""
        self.header = header
        if self._before is None:
            self._write(header)
            return
        for what, was, now in _differences(self._before, header):
            if was != now:
                raise ResultsError(
                    f"{self.partial}: cannot be resumed: its {what} was {was}, this campaign's is {now}; run it anew"
                )
        self.header = self._before

    def missing(self, wanted: Sequence[Seeds]) -> list[Seeds]:
        """The parts of the wanted ranges that are not there yet, in order."""
        return [part for one in wanted for part in self._missing(one)]

    def _missing(self, wanted: Seeds) -> list[Seeds]:
        parts, first = [], wanted.first
        # Joined ranges of one kind are sorted, and do not overlap.
        for batch in joined_batches(batch for batch in self.batches if batch.kind == wanted.kind):
            if first < min(batch.first, wanted.last):
                parts.append(Seeds(wanted.kind, first, min(batch.first, wanted.last)))
            first = max(first, batch.last)
        if first < wanted.last:
            parts.append(Seeds(wanted.kind, first, wanted.last))
        return parts

    def add(self, batch: BatchRecord) -> None:
        """Write a range that was tried."""
        self._write(batch)
        self.batches.append(batch)

    def finish(self, known: Mapping[str, KnownRecord], duration_s: float) -> Path:
        """Put the finished file in its place: sorted, with neighbouring ranges joined."""
        self.close()
        whole = self.partial.with_suffix(".whole")
        footer = CampaignFooter(round(duration_s, 3), dict(sorted(known.items())))
        try:
            with whole.open("w", encoding="utf-8") as stream:
                append_record(stream, self.header)
                for batch in joined_batches(self.batches):
                    append_record(stream, batch)
                append_record(stream, footer)
                os.fsync(stream.fileno())
            whole.replace(self.results)
            self.partial.unlink()
        except OSError as error:
            raise self._unwritable(error) from None
        return self.results

    def close(self) -> None:
        """Close the file; what was written stays, for --resume."""
        with contextlib.suppress(OSError):  # _write has reported it
            self._stream.close()

    def _write(self, record: CampaignRecord) -> None:
        try:
            append_record(self._stream, record)
        except OSError as error:
            raise self._unwritable(error) from None

    def _unwritable(self, error: OSError) -> ResultsError:
        problem = f"{self.partial}: cannot be written: {error.strerror}"
        return ResultsError(f"{problem}; make room and run again with --resume")


def _differences(old: CampaignHeader, new: CampaignHeader) -> list[tuple[str, object, object]]:
    """What must be the same, as outcomes depend on it: what it is, what it was, and what it is now."""
    return [
        ("suite revision", old.suite.revision, new.suite.revision),
        ("engine", f"{old.engine.spec} {old.engine.version}", f"{new.engine.spec} {new.engine.version}"),
        ("adapter", old.adapter, new.adapter),
        ("Python", old.engine.python, new.engine.python),
        ("list of known failures", old.listed, new.listed),
        ("limit", old.limit_s, new.limit_s),
    ]
