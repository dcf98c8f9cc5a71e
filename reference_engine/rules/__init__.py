"""The tables: derivatives, a line per primitive, both modes from each (see `families`).

Conventions at kinks, ties and poles are comments on the rule's line. `install` gives every primitive its rule: called
once, by the package's `__init__`.
"""

from . import batching, decompositions, elementwise, linear_algebra, reductions, shaping, storage

_TABLES = (elementwise, reductions, shaping, storage, linear_algebra, decompositions)


def install() -> None:
    """Give every primitive its rule, and, where its family does not imply it, how it is batched."""
    for table in _TABLES:
        for rule in table.RULES:
            rule.primitive.rule = rule
    for primitive, batched in batching.BATCHED.items():
        primitive.batch = batched
