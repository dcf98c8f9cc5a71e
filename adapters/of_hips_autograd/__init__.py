"""HIPS autograd's verbs by concern, each a short function over its public names."""

from adapters.of_hips_autograd.arrays import ArrayVerbs
from adapters.of_hips_autograd.rules import RuleVerbs
from adapters.of_hips_autograd.transforms import TransformVerbs

__all__ = ["ArrayVerbs", "RuleVerbs", "TransformVerbs"]
