"""Engines with PyTorch's public names: values that carry their history, and a reverse pass that starts from a value.

`self.torch` is the engine's top module. Everything is spelt as a user of PyTorch would spell it.
"""

from adapters.tape_like.functions import TapeFunctions
from adapters.tape_like.lowering import Lowering
from adapters.tape_like.memory import MemoryVerbs
from adapters.tape_like.surroundings import SurroundingVerbs
from adapters.tape_like.tape import TapeVerbs

__all__ = ["TapeLike"]


class TapeLike(TapeVerbs, MemoryVerbs, SurroundingVerbs, Lowering):
    """All verbs of the family; an adapter adds the engine's module, its name, version and promisers."""

    @property
    def np(self) -> TapeFunctions:
        """The functions on arrays."""
        return TapeFunctions(self.torch)
