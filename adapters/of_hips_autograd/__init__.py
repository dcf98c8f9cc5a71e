"""HIPS autograd's verbs by concern, each a short function over its public names."""

from adapters.of_hips_autograd.arrays import HipsArrayVerbs
from adapters.of_hips_autograd.rules import HipsRuleVerbs
from adapters.of_hips_autograd.transforms import HipsTransformVerbs

__all__ = ["HipsArrayVerbs", "HipsRuleVerbs", "HipsTransformVerbs"]
