"""Engines that transform functions: values carry no history, and a derivative is asked of a program, not of a value.

The features of the tape that such an engine lacks are the same for all of them; so are the programs that show it. One
whose values are a tape's own tensors lacks less.
"""

from adapters.transform_like.absences import TAPE_FEATURES
from adapters.transform_like.on_numpy import UNSTAGED_FEATURES, UNTAPED_FEATURES
from adapters.transform_like.without_tape import TENSOR_FEATURES

__all__ = ["TAPE_FEATURES", "TENSOR_FEATURES", "UNSTAGED_FEATURES", "UNTAPED_FEATURES"]
