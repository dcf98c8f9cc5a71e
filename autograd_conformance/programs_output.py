"""The outcome of campaigns of programs, as it is printed: what was tried, and the signatures that are new."""

from __future__ import annotations

from rich.console import Console
from rich.padding import Padding

from autograd_conformance.options import Verbosity
from autograd_conformance.records import KnownSignatureRecord, ProgramsRecord
from autograd_conformance.terminal import console, print_line, table, text
from reports.programs import new_signatures
from reports.programs_model import CampaignRow, Programs
from reports.programs_text import seeds_of
from reports.text import clean, clip

__all__ = ["print_message", "print_programs", "programs_record"]


def programs_record(found: Programs) -> ProgramsRecord:
    """The outcome as it is printed with --json."""
    known = [KnownSignatureRecord(one.engine, one.signature, one.count) for one in found.signatures if one.known]
    return ProgramsRecord(found.campaigns, new_signatures(found), known)


def print_programs(found: Programs, verbosity: Verbosity) -> None:
    """What was tried on each engine, then the signatures that are new; with -v also those of known failures."""
    shown = console()
    if verbosity is not Verbosity.QUIET:
        rows = table("programs of", "kind", "seeds", "programs", "judged", "unsupported", "known", "new")
        for row in found.campaigns:
            counts = [f"{count:,}" for count in (row.programs, row.judged, row.unsupported, *_signatures(found, row))]
            rows.add_row(text(row.engine), text(row.kind), seeds_of(row.ranges), *counts)
        shown.print(rows)
    new = new_signatures(found)
    if new:
        print_line(shown, f"new signatures: {len(new)}", style="bold")
    for one in [*new, *(row for row in found.signatures if row.known and verbosity is Verbosity.VERBOSE)]:
        how = "known" if one.known else one.oracle
        seed = f", seed {one.seed} of {one.kind}" if one.seed is not None else ""
        print_line(shown, text(f"  {how} ", "dim" if one.known else "red"), f"{one.engine} {one.signature}")
        if verbosity is not Verbosity.QUIET:
            print_message(shown, one.message, verbosity)
            print_line(shown, f"      {one.count:,} programs{seed}")


def _signatures(found: Programs, row: CampaignRow) -> tuple[int, int]:
    """How many signatures programs of a kind have: of known failures, and new ones."""
    its = [one for one in found.signatures if one.engine == row.engine and row.kind in one.counts]
    return sum(one.known is not None for one in its), sum(one.known is None for one in its)


def print_message(shown: Console, message: str, verbosity: Verbosity, title: str = "") -> None:
    """Print what was observed, indented below the cell's name: clipped, or in full."""
    content = clean(message) if verbosity is Verbosity.VERBOSE else clip(message)
    if content:
        # As a block: a message may have several lines, and all are indented.
        shown.print(Padding(text(title + content), (0, 0, 0, 6), expand=False))
