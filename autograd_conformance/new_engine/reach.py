"""How many behaviours an adapter can be asked already, and which verb would bring most of the others within reach."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from autograd_conformance.new_engine.records import Reach
from conformance.behaviour import Behaviour
from conformance.features import features_of
from conformance.protocol import vocabulary

__all__ = ["reach"]

SHOWN = 3


def reach(
    engine: str, version: str, written: Collection[str], absent: Collection[str], behaviours: Collection[Behaviour]
) -> Reach:
    """How many cells are within reach, and which verb would bring most of the others."""
    cells = [(one.check, values) for one in behaviours for values in one.cases.values() or [()]]
    missing = [features_of(check, *values).difference(written, absent) for check, values in cells]
    within = sum(not verbs for verbs in missing)
    counts = len(written), len(absent), len(vocabulary())
    return Reach(engine, version, *counts, within, len(missing), _following(missing))


def _following(missing: list[frozenset[str]]) -> dict[str, int]:
    """The verbs that bring most cells within reach by themselves, and among equals those that most cells touch."""
    alone = Counter(next(iter(verbs)) for verbs in missing if len(verbs) == 1)
    touching = Counter(verb for verbs in missing for verb in verbs)
    ranked = sorted(touching, key=lambda verb: (-alone[verb], -touching[verb], verb))
    return {verb: alone[verb] for verb in ranked[:SHOWN]}
