"""Index of citations: from a page, a name or a section to the behaviours that cite it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from conformance import sources
from conformance.behaviour import Behaviour, Citation
from workshop.documentation.scope import libraries, public_names


@dataclass(frozen=True)
class Cited:
    """A citation, and the behaviour that makes it."""

    behaviour: Behaviour
    citation: Citation


@dataclass(frozen=True)
class Page:
    """A page with everything that cites it; nothing does where the list of sources has more than is cited."""

    source: str
    name: str
    cited: tuple[Cited, ...]

    @property
    def address(self) -> str:
        """URL of the page."""
        return sources.address(self.source, self.name)

    @property
    def behaviours(self) -> list[Behaviour]:
        """Behaviours that cite it, each once."""
        return list({entry.behaviour.id: entry.behaviour for entry in self.cited}.values())


def cited(declared: Iterable[Behaviour]) -> list[Page]:
    """Every page of sources.toml, in its order, with what cites it."""
    citing: dict[tuple[str, str], list[Cited]] = {}
    for behaviour in declared:
        for citation in behaviour.citations:
            citing.setdefault((citation.source, citation.page), []).append(Cited(behaviour, citation))
    # From sources.toml, and not from citations: pages that nothing cites are listed as well.
    listed = ((source, page) for source, table in sources.all_sources().items() for page in table["pages"])
    return [Page(source, page, tuple(citing.get((source, page), ()))) for source, page in listed]


def other_names(name: str) -> list[str]:
    """All names of the object that goes by this public name, the shortest first; none if no library has it."""
    groups = ([first, *others] for library in libraries() for first, others in public_names(library).names.items())
    return next((group for group in groups if name in group), [])


def pages_of(word: str, pages: Sequence[Page]) -> list[Page]:
    """The pages that a word means: by name or another name of the object, else by section, else by prefix."""
    # `jax.custom_jvp` is also `jax.custom_derivatives.custom_jvp`: a citation of either is meant.
    names = {word, *other_names(word)}
    return (
        [page for page in pages if page.name in names]
        or [part for page in pages if (part := _section(page, word)).cited]
        or [page for page in pages if page.name.startswith(word)]
    )


def _section(page: Page, word: str) -> Page:
    return Page(page.source, page.name, tuple(entry for entry in page.cited if entry.citation.section == word))
