"""`python -m workshop trace WORD...`: from a page or name to the behaviours that cite it, and back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

from conformance.behaviour import Behaviour
from conformance.behaviour_records import behaviour_record
from conformance.collection import load_all, select
from workshop.documentation import index


@click.command()
@click.argument("words", nargs=-1, required=True)
def trace(words: Sequence[str]) -> None:
    """Find the behaviours that cite a page or name, and back.

    WORDS are pages (notes/autograd, 000), names (torch.Tensor.backward, or its beginning), or behaviours.
    """
    declared = load_all()
    pages = index.cited(declared)
    click.echo("\n".join(line for word in words for line in _traced(word, pages, declared)))


def _traced(word: str, pages: Sequence[index.Page], declared: Sequence[Behaviour]) -> Iterator[str]:
    matching = index.pages_of(word, pages)
    # A case is part of its behaviour, which is what has citations.
    chosen = {cell.partition("[")[0] for cell in select(declared, word)}
    for page in matching:
        yield f"{page.source} {page.name} <{page.address}>: {len(page.behaviours)} behaviours"
        yield from (f"  {entry.behaviour.id}{_in(entry.citation.section)}" for entry in page.cited)
    # A word that is a page and a chapter means the page: `trace autograd` is about what cites it.
    for behaviour in declared if not matching else ():
        if behaviour.id in chosen:
            yield f"{behaviour.id}: {behaviour.statement}"
            for citation in behaviour_record(behaviour).citations:
                yield f"  {citation.source} {citation.page}{_in(citation.section)} <{citation.address}>"
    if not matching and not chosen:
        yield _uncited(word, pages, declared)


def _in(section: str) -> str:
    return f" ({section})" if section else ""


def _uncited(word: str, pages: Sequence[index.Page], declared: Sequence[Behaviour]) -> str:
    """A public name that nothing cites. Raises UsageError for any other word, with what comes close."""
    if names := index.other_names(word):
        return f"{' = '.join(names)}: a public name that no behaviour cites"
    near = index.nearest(word, pages, declared)
    hint = f"did you mean {' or '.join(map(repr, near))}?" if near else "see: autograd-conformance list"
    raise click.UsageError(f"nothing is called {word!r}, neither page, public name nor behaviour; {hint}")
