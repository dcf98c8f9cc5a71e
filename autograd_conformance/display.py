"""Behaviours and engines on the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.syntax import Syntax
from rich.table import Table

from autograd_conformance.records import EngineRecord, ShownRecord
from autograd_conformance.shared import Talk
from autograd_conformance.terminal import text
from conformance.behaviour import Behaviour
from conformance.results import CitationRecord

__all__ = ["behaviour", "behaviours", "engines"]

# So many mutants tell enough of what a check notices, unless all are asked for.
MUTANTS = 5


def behaviours(console: Console, declared: Sequence[Behaviour], talk: Talk) -> None:
    """A line per behaviour; quietly its id alone, else level and statement, and who promises it if asked for more."""
    if talk is Talk.QUIET:
        for one in declared:
            console.print(text(one.id), soft_wrap=True)
        return
    table = Table(box=box.SIMPLE_HEAD)
    verbose = talk is Talk.VERBOSE
    for heading in ("behaviour", "level", "statement", *(["promised by", "cells"] if verbose else [])):
        table.add_column(heading, overflow="fold")
    for one in declared:
        sources = ", ".join(dict.fromkeys(citation.source for citation in one.citations))
        more = [text(sources), text(str(len(one.ids())))] if verbose else []
        table.add_row(text(one.id), one.level.value, text(one.statement), *more)
    console.print(table)
    console.print(f"{len(declared)} behaviours, {sum(len(one.ids()) for one in declared)} cells per engine")


def behaviour(console: Console, shown: ShownRecord, talk: Talk) -> None:
    """Everything about one behaviour; quietly, its statement alone."""
    its = shown.behaviour
    console.print(text(its.id, style="bold"), f"({its.level})", soft_wrap=True)
    console.print(text(its.statement), soft_wrap=True)
    if talk is Talk.QUIET:
        return
    for citation in its.citations:
        console.print(text(_cited(citation, talk)), soft_wrap=True)
    _mutants(console, shown.mutants, talk)
    console.print()
    # Not a panel of code: that would be padded to the width of the console.
    console.print(Syntax("", "python", background_color="default").highlight(its.check.rstrip()), soft_wrap=True)


def _mutants(console: Console, noticed: Sequence[str], talk: Talk) -> None:
    named = noticed if talk is Talk.VERBOSE else noticed[:MUTANTS]
    if named:
        more = f" ({len(named)} of {len(noticed)}; all with -v)" if len(named) < len(noticed) else ""
        console.print(
            f"Fails, as it must, on engines that are wrong in one way{more}:", highlight=False, soft_wrap=True
        )
    for mutant in named:
        console.print(text(f"  {mutant}"), soft_wrap=True)


def _cited(citation: CitationRecord, talk: Talk) -> str:
    convention = f" [{citation.convention}]" if citation.convention else ""
    place = f"{citation.title}, {citation.section}" if citation.section else citation.title
    bounds = {"since": citation.since, "until": citation.until, "raises": citation.raises, "warns": citation.warns}
    more = "".join(f" {name} {value}" for name, value in bounds.items() if value) if talk is Talk.VERBOSE else ""
    return f"  {citation.source}{convention}: {place} <{citation.address}>{more}"


def engines(console: Console, found: Sequence[EngineRecord], talk: Talk) -> None:
    """The registered adapters; quietly, the names of those that can be run."""
    if talk is Talk.QUIET:
        for one in found:
            if not one.missing:
                console.print(text(one.name), soft_wrap=True)
        return
    verbose = talk is Talk.VERBOSE
    table = Table("engine", "adapter", "can be run", *(["source"] if verbose else []), box=box.SIMPLE_HEAD)
    for one in found:
        runs = f"no: {', '.join(one.missing)} missing" if one.missing else "yes"
        table.add_row(text(one.name), text(one.adapter), text(runs), *([text(one.source)] if verbose else []))
    console.print(table)
