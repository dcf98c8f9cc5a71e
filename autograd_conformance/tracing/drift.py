"""The citations of a library held against the library that is installed: what is not there, and what has changed.

A changed docstring is drift: somebody is to read it and say that the behaviours still stand, or mend them. It is no
fault, since a documentation may say the same in other words. A cited name that does not exist is a fault, and so is a
docstring that was never compared.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from autograd_conformance.tracing.index import Page
from autograd_conformance.tracing.library import Answer
from autograd_conformance.tracing.scope import Found, Library, Reading, ScopeError

__all__ = ["Drift", "accepted", "checked_names", "compare", "recorded"]


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


def checked_names(library: Library, pages: Iterable[Page]) -> dict[str, list[Page]]:
    """The cited pages that are docstrings, by the name of their object; two sources may have a page of one name."""
    names: dict[str, list[Page]] = {}
    for page in pages:
        if page.cited and library.is_docstring(page.source, page.name):
            names.setdefault(page.name, []).append(page)
    return names


def compare(
    library: Library, pages: Collection[Page], answer: Answer, read: Mapping[str, Reading], found: Found
) -> Drift:
    """The installed library's answer, beside what was read of it and the public names that were found."""
    drift = Drift(answer.version)
    for name, its in checked_names(library, pages).items():
        _sort_in(drift, name, answer, read.get(name), _stands(its, answer.version))
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


def _stands(pages: Iterable[Page], version: str) -> bool:
    """Whether any citation is about this version."""
    return any(one.citation.covers(version) for page in pages for one in page.cited)


def _sort_in(drift: Drift, name: str, answer: Answer, reading: Reading | None, stands: bool) -> None:
    digest = answer.digests[name]
    if digest is None:
        (drift.missing if stands else drift.of_other_versions).append(name)
    elif reading is None:
        drift.not_compared.append(name)
    elif reading.sha256 != digest:
        drift.changed[name] = reading
    else:
        (drift.same if digest else drift.undocumented).append(name)


def recorded(drift: Drift, answer: Answer, read: Mapping[str, Reading], names: Collection[str]) -> dict[str, Reading]:
    """The readings with those that are lacking, and without those of names that nothing cites any more."""
    kept = {name: reading for name, reading in read.items() if name in names}
    return kept | {name: _reading(name, answer) for name in drift.not_compared}


def accepted(names: Iterable[str], answer: Answer, read: Mapping[str, Reading]) -> dict[str, Reading]:
    """The readings with these names as they are in the installed version. Raises ScopeError for any other name."""
    for name in names:
        if answer.digests.get(name) is None:
            raise ScopeError(f"cannot accept {name!r}: it is not a cited docstring of the installed version")
    return {**read, **{name: _reading(name, answer) for name in names}}


def _reading(name: str, answer: Answer) -> Reading:
    return Reading(answer.version, answer.digests[name] or "")
