"""`python -m workshop coverage`: the public names that behaviours cite, from the chapters and the stored names."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

import click

from conformance.behaviour import Behaviour
from conformance.collection import load_all
from workshop import accounts
from workshop.documentation.index import Page, cited
from workshop.documentation.scope import CitedLibrary, PublicNames, libraries, public_names

HEAD = """# API coverage

The public names about differentiation of each library, in the version in which they were last read from it, and the
chapters that cite each, by any of its names. Names that need no behaviour are listed below, with the reason. What
counts as a name is defined in `workshop/documentation/scope.toml`. A behaviour may use a name that it does not cite:
this table is about promises, not about lines of code.
"""


@dataclass(frozen=True)
class CoverageRow:
    """A public name, its other names, the behaviours that cite it, and why none is wanted (empty if it is)."""

    name: str
    others: Sequence[str]
    behaviours: Sequence[Behaviour]
    why_not: str

    @property
    def kind(self) -> str:
        """cited, gap, or out of scope."""
        # A name that is cited counts as such even where none was wanted.
        return "cited" if self.behaviours else "out of scope" if self.why_not else "gap"


def rows(library: CitedLibrary, public: PublicNames, pages: Collection[Page]) -> list[CoverageRow]:
    """A row per public name, by name."""
    return [
        CoverageRow(name, others, _citing({name, *others}, library, pages), library.why_not(name))
        for name, others in sorted(public.names.items())
    ]


def _citing(names: set[str], library: CitedLibrary, pages: Collection[Page]) -> list[Behaviour]:
    """Behaviours by id that cite one of these names."""
    places = [library.documented_on[name] for name in names if name in library.documented_on]
    citing = {
        entry.behaviour.id: entry.behaviour
        for page in pages
        if page.source in library.sources
        for entry in page.cited
        if {page.name, entry.citation.section} & names
        # A place is a page, or a page and a section: of the first, every section counts.
        or any([page.name, entry.citation.section][: len(place)] == place for place in places)
    }
    return [citing[id] for id in sorted(citing)]


@click.command()
def coverage() -> None:
    """Print which chapters cite each public name about differentiation, and which names none cites."""
    click.echo(page(load_all()))


def page(declared: Iterable[Behaviour]) -> str:
    """The coverage as a page in Markdown."""
    pages = cited(declared)
    tables = (
        (library, public_names(name), rows(library, public_names(name), pages)) for name, library in libraries().items()
    )
    return "\n".join([HEAD, *(line for table in tables for line in _section(*table)), *_statements()])


def _statements() -> Iterator[str]:
    """Numbers of statements by documentation, level and carrier."""
    entries = accounts.load_all()
    yield "## Statements\n"
    yield (
        "What each documentation states, by level, and what carries it: a behaviour, else a law on\n"
        "operations, else generated programs. `workshop/accounts` lists them, with a reason where nothing does.\n"
    )
    yield "| documentation | level | statements | behaviour | law | programs | left out |"
    yield "|---|---|---|---|---|---|---|"
    # In the order of the accounts, each pair once.
    for account, level in dict.fromkeys((entry.account, entry.level) for entry in entries):
        its = [entry.carried_by for entry in entries if (entry.account, entry.level) == (account, level)]
        counts = (len(its), *(its.count(carrier) for carrier in (*accounts.CARRIERS, "")))
        yield f"| {account} | {level} | {' | '.join(map(str, counts))} |"
    yield ""


def _section(library: CitedLibrary, public: PublicNames, its: Sequence[CoverageRow]) -> Iterator[str]:
    count = {kind: sum(row.kind == kind for row in its) for kind in ("cited", "gap", "out of scope")}
    yield f"## {library.name} {public.version}\n"
    yield f"{len(its)} names: {count['cited']} cited, {count['gap']} gaps, {count['out of scope']} out of scope.\n"
    yield "| name | chapters |\n|---|---|"
    for row in its:
        if row.kind != "out of scope":
            chapters = ", ".join(sorted({behaviour.chapter for behaviour in row.behaviours}))
            yield f"| {_named(row)} | {chapters or 'none: a gap'} |"
    yield "\nOut of scope:\n"
    # By reason: a reason holds for many names.
    for why in dict.fromkeys(row.why_not for row in its if row.kind == "out of scope"):
        names = ", ".join(_named(row) for row in its if row.kind == "out of scope" and row.why_not == why)
        yield f"- {why}: {names}"
    yield ""


def _named(row: CoverageRow) -> str:
    others = ", ".join(f"`{name}`" for name in row.others)
    return f"`{row.name}`" + (f" (also {others})" if others else "")
