"""`python -m workshop trace WORD...`: from a page or name to the behaviours that cite it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

from conformance.collection import load_all
from workshop.documentation import index


@click.command()
@click.argument("words", nargs=-1, required=True)
def trace(words: Sequence[str]) -> None:
    """Print the behaviours that cite a page or name; `autograd-conformance show` prints what a behaviour cites.

    WORDS are pages (notes/autograd, 000), sections, or names (torch.Tensor.backward, or its beginning).
    """
    pages = index.cited(load_all())
    click.echo("\n".join(line for word in words for line in _traced(word, pages)))


def _traced(word: str, pages: Sequence[index.Page]) -> Iterator[str]:
    matching = index.pages_of(word, pages)
    for page in matching:
        yield f"{page.source} {page.name} <{page.address}>: {len(page.behaviours)} behaviours"
        for entry in page.cited:
            section = f" ({entry.citation.section})" if entry.citation.section else ""
            yield f"  {entry.behaviour.id}{section}"
    if not matching:
        # A gap is an answer, too: here a behaviour may be wanted.
        names = index.other_names(word)
        if not names:
            raise click.UsageError(f"{word!r} is neither a page, a section nor a public name: nothing cites it yet")
        yield f"{' = '.join(names)}: a public name that no behaviour cites"
