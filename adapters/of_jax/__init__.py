"""The verbs of JAX by concern, for the adapters of its columns."""

from adapters.of_jax.arrays import ArrayVerbs
from adapters.of_jax.rules import RuleVerbs
from adapters.of_jax.tracing import TracingVerbs
from adapters.of_jax.transforms import TransformVerbs

__all__ = ["ArrayVerbs", "JaxVerbs", "RuleVerbs", "TracingVerbs", "TransformVerbs"]


class JaxVerbs(ArrayVerbs, TransformVerbs, RuleVerbs, TracingVerbs):
    """All verbs of JAX; an adapter adds name, version and sources."""
