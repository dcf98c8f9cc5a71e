"""How much of each library's public interface behaviours cite: one page, from the chapters and the stored names."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from autograd_conformance.tracing.index import Page
from autograd_conformance.tracing.scope import Found, Library
from conformance.behaviour import Behaviour

__all__ = ["Row", "Table", "markdown", "rows"]

HEAD = """# API coverage

<!-- Written by `autograd-conformance coverage --output docs/api-coverage.md`; a test says when it is out of date. -->

The public names about differentiation of each library, in the version in which they were last read from it, and how
many behaviours cite each, by any of its names. A name with 0 is a gap. Names that no behaviour is wanted for stand
below, with the reason. What counts as a name is said in `conformance/coverage/scope.toml`. A behaviour may well
exercise a name that it does not cite: this table is about promises, not about lines of code.
"""


@dataclass(frozen=True)
class Row:
    """A public name, its other names, the behaviours that cite it, and why none is wanted (empty: one is)."""

    name: str
    others: Sequence[str]
    behaviours: Sequence[Behaviour]
    why_not: str

    @property
    def kind(self) -> str:
        """cited, gap, or out of scope."""
        return "cited" if self.behaviours else "out of scope" if self.why_not else "gap"


Table = tuple[Library, Found, Sequence[Row]]


def rows(library: Library, found: Found, pages: Collection[Page]) -> list[Row]:
    """A row per public name, by name."""
    return [
        Row(name, others, _citing({name, *others}, library, pages), library.why_not(name))
        for name, others in sorted(found.names.items())
    ]


def _citing(names: set[str], library: Library, pages: Collection[Page]) -> list[Behaviour]:
    """Those that cite a page of one of the names, a section called so, or the page that documents it; by id."""
    places = [library.documented_on[name] for name in names if name in library.documented_on]
    citing = {
        one.behaviour.id: one.behaviour
        for page in pages
        if page.source in library.sources
        for one in page.cited
        if {page.name, one.citation.section} & names
        or any([page.name, one.citation.section][: len(place)] == place for place in places)
    }
    return [citing[id] for id in sorted(citing)]


def markdown(tables: Iterable[Table]) -> str:
    """The whole page."""
    return "\n".join([HEAD, *(line for library, found, its in tables for line in _section(library, found, its))])


def _section(library: Library, found: Found, its: Sequence[Row]) -> Iterator[str]:
    count = {kind: sum(row.kind == kind for row in its) for kind in ("cited", "gap", "out of scope")}
    yield f"## {library.name} {found.version}\n"
    yield f"{len(its)} names: {count['cited']} cited, {count['gap']} gaps, {count['out of scope']} out of scope.\n"
    yield "| name | behaviours | in chapters |\n|---|---:|---|"
    for row in its:
        if row.kind != "out of scope":
            chapters = ", ".join(sorted({behaviour.chapter for behaviour in row.behaviours}))
            yield f"| {_named(row)} | {len(row.behaviours)} | {chapters or 'none: a gap'} |"
    yield "\nOut of scope:\n"
    for why in dict.fromkeys(row.why_not for row in its if row.kind == "out of scope"):
        names = ", ".join(_named(row) for row in its if row.kind == "out of scope" and row.why_not == why)
        yield f"- {why}: {names}"
    yield ""


def _named(row: Row) -> str:
    others = ", ".join(f"`{name}`" for name in row.others)
    return f"`{row.name}`" + (f" (also {others})" if others else "")
