"""The tables: what is known about derivatives, one line per primitive, both modes from each (see `families`).

Conventions at kinks, ties and poles stand as comments on the rule's own line. Importing this package fills the
tables in.
"""

from . import arithmetic, batching, decompositions, elementary, linear_algebra, reductions, shaping, storing

__all__ = [
    "arithmetic", "batching", "decompositions", "elementary", "linear_algebra", "reductions", "shaping", "storing",
]  # fmt: skip
