"""The reach of an adapter: the cells whose verbs it has, and the verbs that would add most cells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from autograd_conformance.new_engine.records import Reach
from conformance.behaviour import Behaviour
from conformance.features import features_of
from conformance.protocol import vocabulary

SHOWN = 3


def reach(
    engine: str, version: str, written: Collection[str], absent: Collection[str], behaviours: Collection[Behaviour]
) -> Reach:
    """Count the cells within reach, and rank the missing verbs."""
    cells = [(behaviour.check, values) for behaviour in behaviours for values in behaviour.cases.values() or [()]]
    missing = [features_of(check, *values).difference(written, absent) for check, values in cells]
    within = sum(not verbs for verbs in missing)
    counts = len(written), len(absent), len(vocabulary())
    return Reach(engine, version, *counts, within, len(missing), _following(missing))


def _following(missing: list[frozenset[str]]) -> dict[str, int]:
    """The verbs that bring most cells within reach by themselves, and among equals those that most cells touch."""
    alone = Counter(next(iter(verbs)) for verbs in missing if len(verbs) == 1)
    touching = Counter(verb for verbs in missing for verb in verbs)
    # By name at last, so that the advice does not depend on the order of sets.
    ranked = sorted(touching, key=lambda verb: (-alone[verb], -touching[verb], verb))
    return {verb: alone[verb] for verb in ranked[:SHOWN]}
