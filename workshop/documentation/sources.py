"""`python -m workshop sources LIBRARY`: the sentences that behaviours cite, looked for in the library installed here.

A sentence that is missing has drifted: read the docstring, then cite the new wording beside the old one, or mend the
behaviour. Pages of prose are in no library; `--pages` looks for their sentences in a checkout of the documentation.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import click

from conformance import evidence
from conformance.behaviour import Behaviour, Citation
from conformance.evidence import Evidence
from workshop.documentation import behaviours_and_laws, scope
from workshop.documentation.library import LibraryAnswer, read_library
from workshop.documentation.scope import CitedLibrary, PublicNames, ScopeError

# Formats of the libraries' documentation.
SUFFIXES = (".md", ".rst", ".ipynb")


@dataclass(frozen=True)
class Claim:
    """A citation of a library's documentation by a behaviour, with its sentences."""

    behaviour: Behaviour
    citation: Citation
    evidence: tuple[Evidence, ...]

    @property
    def names(self) -> list[str]:
        """The objects whose docstrings may carry it: a page bears its name, and so may a section."""
        return [name for name in (self.citation.section, self.citation.page) if name]

    def __str__(self) -> str:
        return f"{self.behaviour.id}: {evidence.key_of(self.citation)}"


@dataclass
class Drift:
    """Claims by the outcome of a comparison, and names that came or went."""

    version: str
    present: list[Claim] = field(default_factory=list)
    missing: list[Claim] = field(default_factory=list)  # a name that does not exist
    drifted: list[Claim] = field(default_factory=list)  # a sentence that is not there
    of_other_versions: list[Claim] = field(default_factory=list)
    not_here: list[Claim] = field(default_factory=list)  # prose
    without: list[Claim] = field(default_factory=list)  # without evidence
    new_names: list[str] = field(default_factory=list)
    gone_names: list[str] = field(default_factory=list)


def claims_of(library: CitedLibrary, declared: Iterable[Behaviour]) -> list[Claim]:
    """Every citation of the library's documentation."""
    return [
        Claim(behaviour, citation, tuple(evidence.evidence_of(behaviour, citation)))
        for behaviour in declared
        for citation in behaviour.citations
        if citation.source in library.sources
    ]


def names_of(claims: Iterable[Claim]) -> list[str]:
    """The names to be looked up in the library."""
    return sorted({name for claim in claims for name in claim.names})


def compare(
    library: CitedLibrary,
    claims: Iterable[Claim],
    answer: LibraryAnswer,
    before: PublicNames,
    pages: Mapping[str, list[str]],
) -> Drift:
    """The claims, beside the library's docstrings, the prose that is at hand, and the public names known before."""
    drift = Drift(answer.version)
    for claim in claims:
        _sorted_in(drift, claim, library, answer, pages)
    drift.new_names = _only_in(answer.public, before.names)
    drift.gone_names = _only_in(before.names, answer.public)
    return drift


def _sorted_in(
    drift: Drift, claim: Claim, library: CitedLibrary, answer: LibraryAnswer, pages: Mapping[str, list[str]]
) -> None:
    cited = claim.citation
    # Words rather than text: line breaks and markup change more often than sentences.
    texts = [evidence.words_of(text) for name in claim.names if (text := answer.docstrings.get(name))]
    if cited.page in pages:
        texts.append(pages[cited.page])
    is_docstring = library.is_docstring(cited.source, cited.page)
    if not cited.covers(answer.version):
        drift.of_other_versions.append(claim)
    elif is_docstring and answer.docstrings.get(cited.page) is None:
        drift.missing.append(claim)
    elif not claim.evidence:
        drift.without.append(claim)
    elif any(evidence.place_of(sentence, words) is not None for sentence in claim.evidence for words in texts):
        drift.present.append(claim)
    else:
        (drift.drifted if is_docstring or cited.page in pages else drift.not_here).append(claim)


def _only_in(names: Mapping[str, list[str]], elsewhere: Mapping[str, list[str]]) -> list[str]:
    """The names of objects that go by none of their names elsewhere."""
    known = {name for first, others in elsewhere.items() for name in (first, *others)}
    return [first for first, others in names.items() if not {first, *others} & known]


def _prose(folders: Sequence[Path], claims: Collection[Claim]) -> dict[str, list[str]]:
    """The words of each cited page that is in a checkout, by page. Raises ScopeError where a folder has none."""
    words: dict[str, list[str]] = {}
    for page in {claim.citation.page for claim in claims}:
        files = [path for folder in folders for suffix in SUFFIXES for path in folder.glob(f"**/{page}{suffix}")]
        if files:
            words[page] = [word for path in files for word in evidence.words_of(path.read_text("utf-8"))]
    if folders and not words:
        raise ScopeError(f"{folders[0]}: has no page that is cited; give the folder `docs` of a checkout")
    return words


@click.command()
@click.argument("library")
@click.option("--names", "renew_names", is_flag=True, help="Store the public names of the installed version.")
@click.option(
    "--pages",
    multiple=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A checkout of the documentation, to look for the sentences of its prose. Repeatable.",
)
def sources(library: str, renew_names: bool, pages: Sequence[Path]) -> None:
    """Look for the cited sentences of LIBRARY (torch or jax) in the docstrings of the installed version.

    Exit status 1 if a cited name does not exist, or a sentence is missing.
    """
    scoped = scope.library(library)
    claims = claims_of(scoped, behaviours_and_laws())
    answer = read_library(scoped, names_of(claims))
    if renew_names:
        scope.save_public_names(library, PublicNames(answer.version, answer.public))
    outcome = compare(scoped, claims, answer, scope.public_names(library), _prose(pages, claims))
    click.echo("\n".join(_report(library, outcome)))
    if outcome.missing or outcome.drifted:
        raise click.exceptions.Exit(1)


def _report(library: str, outcome: Drift) -> Iterator[str]:
    """Faults first, then claims that were not compared."""
    looked_at = len(outcome.present) + len(outcome.drifted)
    yield f"{library} {outcome.version}: the sentences of {len(outcome.present)} of {looked_at} citations are there"
    for claim in outcome.missing:
        yield f"no such name: {claim}; mend the citation, or bound it by `until`"
    for claim in outcome.drifted:
        words = " / ".join(f"{sentence.words} ..." for sentence in claim.evidence)
        yield f"drifted: {claim}: no sentence {words!r}; read it, then cite its new wording with `workshop cite`"
    yield f"without a sentence, so that they promise nothing (`unstated`): {len(outcome.without)}"
    yield f"prose, not in the library: {len(outcome.not_here)}"
    yield f"cited for other versions only: {len(outcome.of_other_versions)}"
    rest = {
        "public names that the stored list does not have (--names)": outcome.new_names,
        "public names that are no longer there": outcome.gone_names,
    }
    yield from (f"{title}: {len(which)}: {', '.join(which)}" for title, which in rest.items() if which)
