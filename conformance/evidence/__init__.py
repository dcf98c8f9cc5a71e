"""Which sentence of a page carries a citation, and of which kind it is: the level of a behaviour follows from it.

No sentence of others is stored: only its first words, how many words it has, and a digest of them, by which
`python -m workshop sources` finds it again. A small file per chapter; `python -m workshop cite` writes them.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files

import msgspec

from conformance.behaviour import MAY, MUST, SHOULD, Behaviour, Citation, Level

__all__ = [
    "KINDS",
    "Evidence",
    "carries",
    "evidence_from",
    "evidence_of",
    "is_in",
    "key_of",
    "level_of",
    "recorded",
    "sentence_in",
    "words_of",
]

# What a sentence is, and the level that it carries.
KINDS = {
    "rule": MUST,  # a fact or rule
    "error": MUST,  # an error is raised, or it is not allowed, supported or possible
    "precondition": SHOULD,  # what the caller must see to, and no promised error
    "example": MAY,
    "observation": MAY,
    "permission": MAY,
}
# From the weakest to the strongest.
LEVELS = (MAY, SHOULD, MUST)
# So many words of a sentence are stored: enough to find its place on the page, and too few to copy it.
FIRST = 5
_WORD = re.compile(r"[^\W_]+")


class Evidence(msgspec.Struct, frozen=True, omit_defaults=True):
    """A sentence: its kind, its first words, how many it has, a digest of all, and the version of the page.

    The version is empty where the page is a docstring: that is read in the installed library.
    """

    cites: str
    kind: str
    words: str
    count: int
    digest: str
    version: str = ""


def words_of(text: str) -> list[str]:
    """The words of a text: letters and digits, without case, markup and line breaks."""
    return _WORD.findall(text.casefold())


def evidence_from(sentence: str, cites: str, kind: str, version: str = "") -> Evidence:
    """The evidence that a sentence is. Raises ValueError for an unknown kind, or fewer than three words."""
    words = words_of(sentence)
    if kind not in KINDS:
        raise ValueError(f"unknown kind of sentence {kind!r}: use one of {', '.join(KINDS)}")
    if len(words) < 3:
        raise ValueError(f"the sentence {sentence!r} is too short to be found again: give at least three words")
    return Evidence(cites, kind, " ".join(_WORD.findall(sentence)[:FIRST]), len(words), _digest(words), version)


def is_in(evidence: Evidence, words: list[str]) -> bool:
    """Whether a text, given as its words, has the sentence."""
    return _place(evidence, words) is not None


def sentence_in(evidence: Evidence, text: str) -> str:
    """The sentence as a text has it, on one line; empty if it is not there."""
    words = list(_WORD.finditer(text))
    at = _place(evidence, [word.group().casefold() for word in words])
    return "" if at is None else " ".join(text[words[at].start() : words[at + evidence.count - 1].end()].split())


def _place(evidence: Evidence, words: list[str]) -> int | None:
    """The number of the first word of the sentence."""
    first = words_of(evidence.words)
    last = len(words) - evidence.count
    starts = (at for at in range(last + 1) if words[at : at + len(first)] == first)
    return next((at for at in starts if _digest(words[at : at + evidence.count]) == evidence.digest), None)


def _digest(words: list[str]) -> str:
    # Sixteen digits: enough to distinguish the sentences of a page; it is no signature.
    return hashlib.sha256(" ".join(words).encode()).hexdigest()[:16]


@cache
def recorded() -> Mapping[str, list[Evidence]]:
    """All files as one table, from behaviour to the sentences of its citations."""
    sentences: dict[str, list[Evidence]] = {}
    for file in sorted(files(__name__).iterdir(), key=lambda file: file.name):
        if file.name.endswith(".json"):
            chapter = msgspec.json.decode(file.read_bytes(), type=dict[str, list[Evidence]])
            sentences |= {f"{file.name[: -len('.json')]}.{name}": its for name, its in chapter.items()}
    return sentences


def key_of(citation: Citation) -> str:
    """The name of a citation in the files: source, page and section."""
    return " ".join(filter(None, (citation.source, citation.page, citation.section)))


def evidence_of(behaviour: Behaviour, citation: Citation) -> list[Evidence]:
    """The sentences that carry a citation of a behaviour."""
    return [evidence for evidence in recorded().get(behaviour.id, ()) if evidence.cites == key_of(citation)]


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
