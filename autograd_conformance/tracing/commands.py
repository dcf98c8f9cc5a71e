"""What the commands of upkeep do. Imported only when one of them runs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from autograd_conformance.options import OutputForm
from autograd_conformance.selection import SelectionError, behaviours_of, suite
from autograd_conformance.terminal import console, json_text, print_json
from autograd_conformance.tracing import coverage as covering
from autograd_conformance.tracing import display, drift, index, scope
from autograd_conformance.tracing.asking import ask
from autograd_conformance.tracing.records import NameRecord, PageRecord, drift_record, library_record, page_record
from conformance.behaviour import Behaviour
from conformance.describe import behaviour_record
from conformance.results import BehaviourRecord
from reports.files import write_or_print

__all__ = ["citations", "coverage", "coverage_page", "trace"]

Traced = index.Page | Behaviour | NameRecord


def trace(words: Sequence[str], chapters: Path | None, form: OutputForm) -> None:
    """Print, for each word, the pages that it means with what cites them, or the behaviours with what they cite."""
    declared = suite(chapters)
    pages = index.cited(declared)
    answers = [one for word in words for one in _traced(word, pages, declared, chapters)]
    if form.as_json:
        print_json([_record(one) for one in answers])
        return
    for one in answers:
        display.traced(console(), one, form.verbosity)


def _record(one: Traced) -> PageRecord | BehaviourRecord | NameRecord:
    if isinstance(one, index.Page):
        return page_record(one)
    return behaviour_record(one, one.ids()) if isinstance(one, Behaviour) else one


def _traced(
    word: str, pages: Sequence[index.Page], declared: Sequence[Behaviour], chapters: Path | None
) -> Sequence[Traced]:
    if found := index.pages_of(word, pages):
        return found
    try:
        return behaviours_of([word], chapters)
    except SelectionError:
        return [_uncited(word, pages, declared)]


def _uncited(word: str, pages: Sequence[index.Page], declared: Sequence[Behaviour]) -> NameRecord:
    """A public name that nothing cites. Raises SelectionError for any other word, with what comes close."""
    if names := index.other_names(word):
        return NameRecord(names)
    near = index.nearest(word, pages, declared)
    hint = (
        f"did you mean {' or '.join(map(repr, near))}?" if near else "`autograd-conformance list` shows the behaviours"
    )
    raise SelectionError(f"nothing is called {word!r}, neither page, public name nor behaviour; {hint}")


def coverage(output: Path | None, refresh: str | None, as_json: bool) -> None:
    """Print or write the page, the names of one library being read anew if asked for."""
    if refresh:
        told = ask(scope.library(refresh))
        scope.save_found(refresh, scope.Found(told.version, told.public))
    write_or_print(output, json_text([library_record(*table) for table in _tables()]) if as_json else coverage_page())


def coverage_page() -> str:
    """The page as it should be now."""
    return covering.markdown(_tables())


def _tables() -> list[covering.Table]:
    pages = index.cited(suite(None))
    found = [(one, scope.found(name)) for name, one in scope.libraries().items()]
    return [(one, its, covering.rows(one, its, pages)) for one, its in found]


def citations(library: str, record: bool, accept: Sequence[str], form: OutputForm) -> int:
    """Compare, note what is asked for, and print. Returns the exit status."""
    its, pages = scope.library(library), index.cited(suite(None))
    names, read = drift.checked_names(its, pages), scope.readings(library)
    answer = ask(its, names)
    if accept:
        read = drift.accepted(accept, answer, read)
    if record:
        read = drift.recorded(drift.compare(its, pages, answer, read, scope.found(library)), answer, read, names)
    if accept or record:
        scope.save_readings(library, read)
    outcome = drift.compare(its, pages, answer, read, scope.found(library))
    if form.as_json:
        print_json(drift_record(library, outcome))
    else:
        display.drift(console(), library, outcome, names, form.verbosity)
    return int(bool(outcome.faults))
