"""The level that a sentence carries, by its kind: the level of a behaviour follows from its evidence."""

from __future__ import annotations

from collections.abc import Iterable

from conformance.behaviour import MAY, MUST, SHOULD, Behaviour, Citation, Level
from conformance.evidence import KINDS, WORD, Evidence, digest_of, evidence_of, words_of

# From the weakest to the strongest.
LEVELS = (MAY, SHOULD, MUST)
# So many words of a sentence are stored: enough to find its place on the page, and too few to copy it.
FIRST = 5


def evidence_from(sentence: str, cites: str, kind: str, version: str = "") -> Evidence:
    """The evidence that a sentence is. Raises ValueError for an unknown kind, or fewer than three words."""
    words = words_of(sentence)
    if kind not in KINDS:
        raise ValueError(f"unknown kind of sentence {kind!r}: use one of {', '.join(KINDS)}")
    if len(words) < 3:
        raise ValueError(f"the sentence {sentence!r} is too short to be found again: give at least three words")
    return Evidence(cites, kind, " ".join(WORD.findall(sentence)[:FIRST]), len(words), digest_of(words), version)


def carries(citation: Citation, its: Iterable[Evidence]) -> Level:
    """The level that a citation carries by its evidence."""
    # An article binds no engine, and a rule that promises no error is not enough for a check that expects an error.
    promised = [MAY] if citation.source == "document" else [_level(citation, evidence) for evidence in its]
    return max(promised, key=LEVELS.index, default=MAY)


def _level(citation: Citation, evidence: Evidence) -> Level:
    return SHOULD if evidence.kind == "rule" and (citation.raises or citation.warns) else KINDS[evidence.kind]


def level_of(behaviour: Behaviour) -> Level:
    """The level that the evidence of a behaviour carries: the strongest of its citations."""
    return max(
        (carries(citation, evidence_of(behaviour, citation)) for citation in behaviour.citations), key=LEVELS.index
    )
