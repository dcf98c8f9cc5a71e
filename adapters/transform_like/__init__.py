"""Engines that transform functions: values carry no history, and a derivative is asked of a program, not of a value.

The notions of the tape that such an engine lacks are the same for all of them; so are the programs that show it. One
whose values are a tape's own tensors lacks less.
"""

from adapters.transform_like.absences import TAPE_NOTIONS
from adapters.transform_like.on_numpy import UNSTAGED_NOTIONS, UNTAPED_NOTIONS
from adapters.transform_like.without_tape import TENSOR_NOTIONS

__all__ = ["TAPE_NOTIONS", "TENSOR_NOTIONS", "UNSTAGED_NOTIONS", "UNTAPED_NOTIONS"]
