"""Causes of known failures with their cells, and how an entry is matched with a cell of a run."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import msgspec
from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import Version

from conformance.results import KnownRecord
from conformance.verdicts import CauseKind, Outcome, Verdict

# Not `error`, a fault of adapter or suite; absent and unsupported have their reasons already.
LISTABLE = (Verdict.FAIL, Verdict.DIFFERS, Verdict.CRASH, Verdict.TIMEOUT)
# The lists of cells that a cause may have: a run judges a single list, so that the others are not stale in it.
PARTS = ("behaviours", "operations", "inventory", "programs", "mutated")
LAWS = ("operations", "inventory")  # in which a cell is that of a law on an operation


class CellLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A line below a cause: a cell, or a pattern of cells, and where it differs from the cause.

    Of programs, `cell` is a signature, and `example` the kind and seed of a program that shows it: writes:17.
    """

    cell: str
    columns: tuple[str, ...] | None = None
    verdict: Verdict | None = None
    message: str | None = None
    versions: str | None = None
    reason: str | None = None
    example: str = ""


Lines = tuple[str | CellLine, ...]


class Cause(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A fault, limit or convention of an engine, and the cells in which it shows.

    `live_in` are the versions in which the cause was seen, `fixed_in` the first version without it. `versions` (PEP
    440 specifiers, empty: all) and `columns` (none: all that use the file) are those to which its entries apply. Runs
    later than `review_after` ask for a review.
    """

    title: str
    kind: CauseKind
    reason: str
    issues: tuple[str, ...] = ()
    live_in: tuple[str, ...] = ()
    fixed_in: str = ""
    versions: str = ""
    review_after: datetime.date | None = None
    columns: tuple[str, ...] = ()
    verdict: Verdict = Verdict.FAIL
    message: str = ""
    behaviours: Lines = ()
    operations: Lines = ()
    inventory: Lines = ()
    programs: Lines = ()
    mutated: Lines = ()
    # The key of the table, filled in by the reader.
    name: str = ""

    def entries(self) -> Iterator[KnownFailure]:
        """The cells below the cause, part by part. Raises ValueError, which names the cell that is wrong."""
        fixed = f" Fixed in {self.fixed_in}." if self.fixed_in else ""
        defaults = {
            "verdict": self.verdict,
            "message": self.message,
            "reason": self.reason + fixed,
            "versions": self.versions,
            "columns": self.columns,
        }
        for part in PARTS:
            for line in getattr(self, part):
                # Left out is None: `versions = ""` in a line is its own, and means all versions.
                own = {"cell": line} if isinstance(line, str) else msgspec.structs.asdict(line)
                fields = defaults | {key: value for key, value in own.items() if value is not None}
                entry = KnownFailure(**fields, part=part, cause=self)
                entry.check()
                yield entry


@dataclass(frozen=True)
class KnownFailure:
    """One entry: a listed cell, or several. A `*` in `cell` matches any letters.

    `message` is a regular expression, searched for in the cell's message.
    """

    cell: str
    verdict: Verdict
    message: str
    cause: Cause
    reason: str
    versions: str = ""
    columns: tuple[str, ...] = ()
    part: str = "behaviours"
    example: str = ""

    def check(self) -> None:
        """Raise ValueError, which names the cell, for what cannot be used."""
        # Programs have their message in the signature; a process that died left none.
        patterned = self.message or self.part == "programs" or self.verdict in (Verdict.CRASH, Verdict.TIMEOUT)
        needs = {
            "an id or a pattern of ids": self.cell.strip(),
            f"another verdict than {self.verdict.value}, which is to be repaired": self.verdict in LISTABLE,
            "a message, or a pattern of it": patterned,
            "a reason: a sentence on why the engine does this": self.reason.strip(),
            "an example such as writes:17": re.fullmatch(r"(\w+:\d+)?", self.example),
        }
        problems = [f"needs {need}" for need, fine in needs.items() if not fine]
        try:
            re.compile(self.message)
            SpecifierSet(self.versions)
        except (re.error, InvalidSpecifier) as error:
            problems.append(str(error))
        if problems:
            raise ValueError(f"{self.cell!r} {problems[0]}")

    def concerns(self, cell: str) -> bool:
        """Whether the entry is about this cell: by its id, or by that of the behaviour for all its cases."""
        return any(self._pattern.fullmatch(name) for name in (cell, cell.partition("[")[0]))

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        # Not fnmatch, to which the brackets of a case would be a set of letters.
        return re.compile(".*".join(map(re.escape, self.cell.split("*"))))

    def applies_to(self, version: str) -> bool:
        """Whether the entry applies to this version of the engine. Raises InvalidVersion unless it follows PEP 440."""
        return not self.versions or SpecifierSet(self.versions).contains(
            Version(version), prereleases=True
        )  # nightly builds count

    def is_of(self, column: str) -> bool:
        """Whether the entry is about this engine, by its name with parameters."""
        return not self.columns or column in self.columns

    def holds(self, outcome: Outcome) -> bool:
        """Whether the cell came out as listed."""
        return outcome.verdict is self.verdict and re.search(self.message, outcome.message) is not None

    @property
    def engine_wide(self) -> bool:
        """Whether the entry is about a law, with any operation: an operation has no part in the cause."""
        # Only a pattern that ends so; `*` alone leaves it to the message which operations are meant.
        return self.part in LAWS and self.cell.endswith("[*]")

    def record(self) -> KnownRecord:
        """The part of the entry that is published with the cell."""
        cause = self.cause
        upstream = cause.issues[0] if cause.issues else ""
        review = cause.review_after.isoformat() if cause.review_after else ""
        issues = list(cause.issues)
        return KnownRecord(self.reason, upstream, review, cause.name, cause.title, cause.kind, issues, self.engine_wide)

    def stale(self, outcomes: Mapping[str, Outcome], complete: bool) -> str:
        """Why the entry is stale, as a sentence; empty if it is not, or if a partial run cannot decide it."""
        concerned = {cell: outcome for cell, outcome in outcomes.items() if self.concerns(cell)}
        if not concerned:
            return f"{self.cell}: no such behaviour; remove the entry" if complete else ""
        # One case is enough: an entry for all cases of a behaviour is stale only when none of them is as listed.
        if any(self.holds(outcome) for outcome in concerned.values()):
            return ""
        # Of the cells that a star matches, a partial run may have left out those that are as listed.
        if "*" in self.cell and not complete:
            return ""
        cell, outcome = next(iter(concerned.items()))
        got = f"{outcome.verdict.value} ({outcome.message})" if outcome.message else outcome.verdict.value
        wanted = f"known {self.verdict.value} with a message like {self.message!r}"
        return f"{cell}: {wanted}, got {got}; correct the entry"
