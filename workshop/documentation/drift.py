"""`python -m workshop drift LIBRARY`: the cited docstrings and names, compared with the library that is installed.

A changed docstring is drift: read it, and accept it or mend the behaviours that cite it. It is no
fault, since a documentation may say the same in other words. A cited name that does not exist is a fault, and so is a
docstring that was never compared.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import click

from conformance.collecting import load_all
from workshop.documentation import scope
from workshop.documentation.index import Page, cited
from workshop.documentation.library import LibraryAnswer, ask
from workshop.documentation.scope import CitedLibrary, Found, Reading, ScopeError

__all__ = ["Drift", "accepted", "checked_names", "compare", "drift", "recorded"]


@dataclass
class Drift:
    """What a comparison came to, each list by name. `changed` has the reading that the docstring no longer equals."""

    version: str
    same: list[str] = field(default_factory=list)
    changed: dict[str, Reading] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)
    not_compared: list[str] = field(default_factory=list)
    undocumented: list[str] = field(default_factory=list)
    of_other_versions: list[str] = field(default_factory=list)
    unchecked_pages: list[str] = field(default_factory=list)
    new_names: list[str] = field(default_factory=list)
    gone_names: list[str] = field(default_factory=list)

    @property
    def faults(self) -> list[str]:
        """What makes the exit status 1."""
        return [*self.missing, *self.not_compared]


def checked_names(library: CitedLibrary, pages: Iterable[Page]) -> dict[str, list[Page]]:
    """The cited pages that are docstrings, by the name of their object; two sources may have a page of one name."""
    names: dict[str, list[Page]] = {}
    for page in pages:
        if page.cited and library.is_docstring(page.source, page.name):
            names.setdefault(page.name, []).append(page)
    return names


def compare(
    library: CitedLibrary, pages: Collection[Page], answer: LibraryAnswer, read: Mapping[str, Reading], found: Found
) -> Drift:
    """The installed library's answer, beside what was read of it and the public names that were found."""
    drift = Drift(answer.version)
    for name, its in checked_names(library, pages).items():
        _sort_in(drift, name, answer, read.get(name), _is_cited_for(its, answer.version))
    drift.unchecked_pages = [
        page.name
        for page in pages
        if page.cited and page.source in library.sources and not library.is_docstring(page.source, page.name)
    ]
    drift.new_names = _only_in(answer.public, found.names)
    drift.gone_names = _only_in(found.names, answer.public)
    return drift


def _only_in(names: Mapping[str, list[str]], elsewhere: Mapping[str, list[str]]) -> list[str]:
    """The names of objects that go by none of their names elsewhere."""
    known = {name for first, others in elsewhere.items() for name in (first, *others)}
    return [first for first, others in names.items() if not {first, *others} & known]


def _is_cited_for(pages: Iterable[Page], version: str) -> bool:
    """Whether any citation is about this version."""
    return any(one.citation.covers(version) for page in pages for one in page.cited)


def _sort_in(drift: Drift, name: str, answer: LibraryAnswer, reading: Reading | None, is_cited: bool) -> None:
    digest = answer.digests[name]
    if digest is None:
        (drift.missing if is_cited else drift.of_other_versions).append(name)
    elif reading is None:
        drift.not_compared.append(name)
    elif reading.sha256 != digest:
        drift.changed[name] = reading
    else:
        (drift.same if digest else drift.undocumented).append(name)


def recorded(
    drift: Drift, answer: LibraryAnswer, read: Mapping[str, Reading], names: Collection[str]
) -> dict[str, Reading]:
    """The readings with those that are lacking, and without those of names that nothing cites any more."""
    kept = {name: reading for name, reading in read.items() if name in names}
    return kept | {name: _reading(name, answer) for name in drift.not_compared}


def accepted(names: Iterable[str], answer: LibraryAnswer, read: Mapping[str, Reading]) -> dict[str, Reading]:
    """The readings with these names as they are in the installed version. Raises ScopeError for any other name."""
    for name in names:
        if answer.digests.get(name) is None:
            raise ScopeError(f"cannot accept {name!r}: it is not a cited docstring of the installed version")
    return {**read, **{name: _reading(name, answer) for name in names}}


def _reading(name: str, answer: LibraryAnswer) -> Reading:
    return Reading(answer.version, answer.digests[name] or "")


@click.command()
@click.argument("library")
@click.option("--record", is_flag=True, help="Note docstrings never compared; drop those that nothing cites any more.")
@click.option("--accept", multiple=True, metavar="NAME", help="Note a changed docstring as read. Repeatable.")
@click.option("--names", "renew_names", is_flag=True, help="Store the public names of the installed version.")
def drift(library: str, record: bool, accept: Sequence[str], renew_names: bool) -> None:
    """Compare what is cited of LIBRARY (torch or jax) with the one installed here.

    Exit status 1 if a cited name does not exist, or was never compared. A changed docstring is no failure.
    """
    its, pages = scope.library(library), cited(load_all())
    names, read = checked_names(its, pages), scope.readings(library)
    told = ask(its, names)
    if renew_names:
        scope.save_found(library, Found(told.version, told.public))
    if accept:
        read = accepted(accept, told, read)
    if record:
        read = recorded(compare(its, pages, told, read, scope.found(library)), told, read, names)
    if accept or record:
        scope.save_readings(library, read)
    outcome = compare(its, pages, told, read, scope.found(library))
    click.echo("\n".join(_report(library, outcome, names)))
    if outcome.faults:
        raise click.exceptions.Exit(1)


def _report(library: str, outcome: Drift, names: Mapping[str, Sequence[Page]]) -> Iterator[str]:
    """Faults first, then drift, then what was not looked at."""
    yield f"{library} {outcome.version}: {len(outcome.same)} of {len(names)} cited docstrings as recorded"
    for name in outcome.missing:
        yield f"no such name: {name}; mend the citation, or bound it by `until`" + _citing(names[name])
    for name in outcome.not_compared:
        yield f"never compared: {name}; read it, then --record" + _citing(names[name])
    for name, reading in outcome.changed.items():
        problem = f"drift: {name} is not what it was in {reading.version}; read it, then --accept {name}"
        yield problem + _citing(names[name])
    rest = {
        "cited for other versions only, and not in this one": outcome.of_other_versions,
        "without a docstring, not checked": outcome.undocumented,
        "pages, not checked": outcome.unchecked_pages,
        "public names that the stored list does not have (--names)": outcome.new_names,
        "public names that are no longer there": outcome.gone_names,
    }
    yield from (f"{title}: {len(which)}: {', '.join(which)}" for title, which in rest.items() if which)


def _citing(pages: Sequence[Page]) -> str:
    return f"\n  cited by {', '.join(sorted({behaviour.id for page in pages for behaviour in page.behaviours}))}"
