"""Answers of `trace` and `citations` on the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.text import Text

from autograd_conformance.options import Verbosity
from autograd_conformance.tracing.drift import Drift
from autograd_conformance.tracing.index import Page
from autograd_conformance.tracing.records import NameRecord
from conformance.behaviour import Behaviour
from conformance.describe import behaviour_record

__all__ = ["drift", "traced"]


def traced(console: Console, one: Page | Behaviour | NameRecord, verbosity: Verbosity) -> None:
    """A page with what cites it, a behaviour with what it cites, or a name that nothing cites.

    Quietly, the ids alone; verbosely, with every statement.
    """
    if verbosity is Verbosity.QUIET:
        _line(console, *_ids(one))
    elif isinstance(one, Page):
        _page(console, one, verbosity)
    elif isinstance(one, Behaviour):
        _behaviour(console, one)
    else:
        _line(console, Text(f"{' = '.join(one.names)}: a public name that no behaviour cites"))


def _line(console: Console, *lines: Text) -> None:
    for line in lines:
        console.print(line, soft_wrap=True)


def _ids(one: Page | Behaviour | NameRecord) -> list[Text]:
    behaviours = one.behaviours if isinstance(one, Page) else [one] if isinstance(one, Behaviour) else []
    return [Text(behaviour.id) for behaviour in behaviours]


def _page(console: Console, page: Page, verbosity: Verbosity) -> None:
    count = len(page.behaviours)
    head = Text(f"{page.source} {page.name}", style="bold")
    _line(console, head.append(f" <{page.address}>: {count} behaviours", style="not bold"))
    for one in page.cited:
        section = f" ({one.citation.section})" if one.citation.section else ""
        statement = f": {one.behaviour.statement}" if verbosity is Verbosity.VERBOSE else ""
        _line(console, Text(f"  {one.behaviour.id}{section}{statement}"))


def _behaviour(console: Console, behaviour: Behaviour) -> None:
    _line(console, Text(behaviour.id, style="bold").append(f": {behaviour.statement}", style="not bold"))
    for one in behaviour_record(behaviour).citations:
        section = f" ({one.section})" if one.section else ""
        _line(console, Text(f"  {one.source} {one.page}{section} <{one.address}>"))


def drift(
    console: Console, library: str, outcome: Drift, names: Mapping[str, Sequence[Page]], verbosity: Verbosity
) -> None:
    """What the comparison came to: faults first, then drift, then what was not looked at. Quietly, only those two."""
    if verbosity is not Verbosity.QUIET:
        same = f"{len(outcome.same)} of {len(names)} cited docstrings as recorded"
        _line(console, Text(f"{library} {outcome.version}: {same}"))
    for name in outcome.missing:
        _told(console, f"no such name: {name}; mend the citation, or bound it by `until`", names[name])
    for name in outcome.not_compared:
        _told(console, f"never compared: {name}; read it, then --record", names[name])
    for name, reading in outcome.changed.items():
        problem = f"drift: {name} is not what it was in {reading.version}; read it, then --accept {name}"
        _told(console, problem, names[name])
    for title, which in (_rest(outcome) if verbosity is not Verbosity.QUIET else {}).items():
        if which:
            _line(console, Text(f"{title}: {len(which)}: {', '.join(which)}"))
    if verbosity is Verbosity.VERBOSE:
        _line(console, Text(f"as recorded: {', '.join(outcome.same)}"))


def _told(console: Console, problem: str, pages: Sequence[Page]) -> None:
    citing = sorted({behaviour.id for page in pages for behaviour in page.behaviours})
    _line(console, Text(problem, style="bold"), Text(f"  cited by {', '.join(citing)}"))


def _rest(outcome: Drift) -> dict[str, list[str]]:
    return {
        "cited for other versions only, and not in this one": outcome.of_other_versions,
        "without a docstring, not checked": outcome.undocumented,
        "pages, not checked": outcome.unchecked_pages,
        "public names that the stored list does not have (coverage --refresh)": outcome.new_names,
        "public names that are no longer there": outcome.gone_names,
    }
