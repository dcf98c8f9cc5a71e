"""Which sentence of a page carries a citation, and of which kind it is.

No sentence of others is stored: only its first words, how many words it has, and a digest of them, by which
`python -m workshop sources` finds it again. A small file per chapter; `python -m workshop cite` writes them.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from functools import cache

import msgspec

from conformance.behaviour import MAY, MUST, SHOULD, Behaviour, Citation
from conformance.contents import recorded_by_id

# What a sentence is, and the level that it carries.
KINDS = {
    "rule": MUST,  # a fact or rule
    "error": MUST,  # an error is raised, or it is not allowed, supported or possible
    "precondition": SHOULD,  # what the caller must see to, and no promised error
    "example": MAY,
    "observation": MAY,
    "permission": MAY,
}
WORD = re.compile(r"[^\W_]+")


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
    return WORD.findall(text.casefold())


def sentence_in(evidence: Evidence, text: str) -> str:
    """The sentence as a text has it, on one line; empty if it is not there."""
    words = list(WORD.finditer(text))
    at = place_of(evidence, [word.group().casefold() for word in words])
    return "" if at is None else " ".join(text[words[at].start() : words[at + evidence.count - 1].end()].split())


def place_of(evidence: Evidence, words: list[str]) -> int | None:
    """The number of the first word of the sentence."""
    first = words_of(evidence.words)
    last = len(words) - evidence.count
    starts = (at for at in range(last + 1) if words[at : at + len(first)] == first)
    return next((at for at in starts if digest_of(words[at : at + evidence.count]) == evidence.digest), None)


def digest_of(words: list[str]) -> str:
    # Sixteen digits: enough to distinguish the sentences of a page; it is no signature.
    return hashlib.sha256(" ".join(words).encode()).hexdigest()[:16]


@cache
def recorded() -> Mapping[str, list[Evidence]]:
    """All files as one table, from behaviour to the sentences of its citations."""
    return recorded_by_id(__name__, list[Evidence])


def key_of(citation: Citation) -> str:
    """The name of a citation in the files: source, page and section."""
    return " ".join(filter(None, (citation.source, citation.page, citation.section)))


def evidence_of(behaviour: Behaviour, citation: Citation) -> list[Evidence]:
    """The sentences that carry a citation of a behaviour."""
    return [evidence for evidence in recorded().get(behaviour.id, ()) if evidence.cites == key_of(citation)]
