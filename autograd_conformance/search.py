"""Search of behaviours by words, as the report's page ranks them (`reports/templates/search.js`)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import log

from conformance.behaviour import Behaviour

# How much a word counts in aliases; in statement and id; in citations; as a part of a word half of that.
TELLING = (6, 4, 2)
# The share of the words, weighted by rarity, that a behaviour needs.
ENOUGH = 0.6


def best(query: str, behaviours: Sequence[Behaviour]) -> list[Behaviour]:
    """The behaviours that fit, the best first: rare words count more, and a phrase that people type counts most."""
    words = [plain(part.replace('"', "")) for part in re.findall(r'"[^"]*"?|[^\s"]+', query)]
    texts = {behaviour.id: _fields(behaviour) for behaviour in behaviours}
    every = [" ".join(fields) for fields in texts.values()]
    rarity = [log(1 + len(every) / (1 + sum(word in text for text in every))) for word in words]
    ranked = []
    for behaviour in behaviours:
        score, share = _score(texts[behaviour.id], words, rarity)
        typed = _typed(plain(query.strip()), [plain(alias) for alias in behaviour.aliases])
        if words and (typed or share >= ENOUGH * sum(rarity)):
            ranked.append((score + 50 * typed, behaviour))
    # Sorting keeps the order of the suite among equals.
    return [behaviour for _, behaviour in sorted(ranked, key=lambda item: -item[0])]


def plain(text: str) -> str:
    """The text in lower case, in which "in-place", "in place" and "inplace" are the same."""
    return re.sub("[-_]", " ", text.lower()).replace("in place", "inplace")


def _fields(behaviour: Behaviour) -> list[str]:
    """The texts of a behaviour, the most telling first; a word begins after a blank."""
    cited = [f"{it.source} {it.page} {it.section} {it.says}" for it in behaviour.citations]
    parts = ("\n".join(behaviour.aliases), f"{behaviour.statement}\n{behaviour.id}", "\n".join(cited))
    return [" " + plain(part).replace("\n", " \n ") for part in parts]


def _score(fields: Sequence[str], words: Sequence[str], rarity: Sequence[float]) -> tuple[float, float]:
    """The score of fields, and the share of the words that they have."""
    score = share = 0.0
    for word, rare in zip(words, rarity, strict=True):
        place = next((at for at, text in enumerate(fields) if word in text), None)
        if place is not None:
            share += rare
            score += rare * TELLING[place] * (1 if f" {word}" in fields[place] else 0.5)
    return score, share


def _typed(whole: str, aliases: Sequence[str]) -> int:
    """2 for an alias that is what was typed, 1 for a part of it or a whole with it."""
    if whole in aliases:
        return 2
    return int(any(alias in whole or (len(whole) > 3 and whole in alias) for alias in aliases))
