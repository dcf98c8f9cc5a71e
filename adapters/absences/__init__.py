"""What engines lack by design: features, a reason with its page, and a probe that shows what the engine does instead.

`shared` has the absences that several engines have in common, without page and probe; `probes` all programs; the other
modules the lists that adapters declare. Probes speak through the adapter and its arrays only, so that each can also be
run on an engine that has the feature, where it must not hold.
"""

from adapters.absences.hips_autograd import UNSTAGED_FEATURES, UNTAPED_FEATURES
from adapters.absences.jax import TAPE_FEATURES
from adapters.absences.torch import NUMPY_FEATURES, RECORDED_FEATURES, TENSOR_FEATURES, TRACED_FEATURES

__all__ = [
    "NUMPY_FEATURES",
    "RECORDED_FEATURES",
    "TAPE_FEATURES",
    "TENSOR_FEATURES",
    "TRACED_FEATURES",
    "UNSTAGED_FEATURES",
    "UNTAPED_FEATURES",
]
