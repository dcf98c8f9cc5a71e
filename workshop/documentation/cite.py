"""`python -m workshop cite BEHAVIOUR PAGE KIND SENTENCE`: record the sentence of a page that carries a citation."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

import click
import msgspec

from conformance import evidence
from conformance.behaviour import Behaviour
from conformance.evidence import KINDS, Evidence
from workshop.chapter_files import write_files
from workshop.documentation import behaviours_and_laws
from workshop.documentation.levels import evidence_from, level_of

RECORD = Path(evidence.__file__).parent

Table = Mapping[str, list[Evidence]]


def cited_only(table: Table, declared: Iterable[Behaviour]) -> Table:
    """The evidence of the citations that there still are."""
    keys = {behaviour.id: {evidence.key_of(citation) for citation in behaviour.citations} for behaviour in declared}
    kept = {name: [sentence for sentence in its if sentence.cites in keys.get(name, ())] for name, its in table.items()}
    return {name: its for name, its in kept.items() if its}


def with_sentence(table: Table, behaviour: str, sentence: Evidence) -> Table:
    """The table with another sentence; the same sentence is replaced."""
    others = [
        other for other in table.get(behaviour, ()) if (other.cites, other.digest) != (sentence.cites, sentence.digest)
    ]
    return {**table, behaviour: [*others, sentence]}


def texts(table: Table) -> dict[str, str]:
    """The files by name: one line per sentence, sorted, so that a difference shows what changed."""
    chapters: dict[str, list[str]] = {}
    for behaviour in sorted(table):
        chapter, _, name = behaviour.partition(".")
        lines = [
            msgspec.json.encode(sentence).decode()
            for sentence in sorted(table[behaviour], key=lambda sentence: sentence.cites)
        ]
        chapters.setdefault(chapter, []).append(f"{json.dumps(name)}: [\n  " + ",\n  ".join(lines) + "\n]")
    return {f"{chapter}.json": "{\n" + ",\n".join(lines) + "\n}\n" for chapter, lines in chapters.items()}


def write(table: Table) -> list[str]:
    """Write the files that change. Returns their paths."""
    changed = write_files(RECORD, texts(table))
    # The same process reads the files again.
    evidence.recorded.cache_clear()
    return changed


@click.command()
@click.argument("behaviour")
@click.argument("page")
@click.argument("kind", type=click.Choice(list(KINDS)))
@click.argument("sentence")
@click.option("--section", default="", help="The section that is cited, where a page is cited twice.")
@click.option("--version", default="", help="The version of the page; of a docstring, that is the library's.")
def cite(behaviour: str, page: str, kind: str, sentence: str, section: str, version: str) -> None:
    """Record that SENTENCE of PAGE carries the claim of BEHAVIOUR. The sentence itself is not stored.

    PAGE is as it is cited; KIND is the kind of sentence, and SENTENCE is as the docstring has it: a role such as
    `:py:func:` counts as words. `python -m workshop sources` then looks for it in the installed library. See
    docs/adding-a-behaviour.md for the kinds, and the level that each carries.
    """
    every = behaviours_and_laws()
    declared = next((candidate for candidate in every if candidate.id == behaviour), None)
    if declared is None:
        raise click.UsageError(f"no behaviour is called {behaviour!r}; see: autograd-conformance list")
    cited = [
        citation
        for citation in declared.citations
        if citation.page == page and (not section or citation.section == section)
    ]
    # A page may be cited twice, for two sections.
    if len({evidence.key_of(citation) for citation in cited}) != 1:
        pages = ", ".join(evidence.key_of(citation) for citation in declared.citations)
        problem = f"{page!r} does not name a single citation of {behaviour}, which cites {pages}"
        raise click.UsageError(f"{problem}; --section distinguishes citations of the same page")
    try:
        carrying = evidence_from(sentence, evidence.key_of(cited[0]), kind, version)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    table = with_sentence(cited_only(evidence.recorded(), every), behaviour, carrying)
    click.echo("\n".join(write(table)))
    click.echo(f"{behaviour} is {declared.level.value}; its evidence carries {level_of(declared).value}")
