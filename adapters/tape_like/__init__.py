"""Engines with PyTorch's public names: values that carry their history, and a reverse pass that starts from a value.

`self.torch` is the engine's top module. `OnTensors` needs nothing but such values; `TapeLike` adds tape and transforms.
"""

from adapters.python import PythonVerbs
from adapters.tape_like.functional import FunctionalVerbs, OverrideVerbs
from adapters.tape_like.graph import GraphVerbs, HookVerbs
from adapters.tape_like.lowering import Lowering
from adapters.tape_like.memory import TapeArrayVerbs
from adapters.tape_like.modules import ModuleVerbs
from adapters.tape_like.rules import CheckpointVerbs, CustomFunctionVerbs, RuleVerbs
from adapters.tape_like.tape import ModeVerbs, TapeVerbs

__all__ = ["OnTensors", "TapeLike"]


class OnTensors(
    TapeArrayVerbs,
    GraphVerbs,
    HookVerbs,
    ModeVerbs,
    ModuleVerbs,
    CustomFunctionVerbs,
    CheckpointVerbs,
    OverrideVerbs,
    PythonVerbs,
):
    """The verbs of tensors on any engine: arrays, modes, memory, hooks within a program, checkpoints."""


class TapeLike(OnTensors, TapeVerbs, Lowering, RuleVerbs, FunctionalVerbs):
    """All verbs of the family; an adapter adds the engine's module, its name, version and sources."""
