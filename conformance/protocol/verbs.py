"""The verbs, typed, documented, grouped by concern in the modules beside this one, and composed into one flat `Ad`.

Transforms have the short names (`grad`, `vjp`, `jvp`): they take a program of its leaves, which both models can run.
The tape's verbs, which take values, are in `tape`. `x` is an array of the engine. A trailing underscore marks a verb
that changes its first argument. Unless a verb documents otherwise, arrays keep the engine's type, and an error that the
engine raises is not caught.
"""

from __future__ import annotations

from typing import Any, Protocol

from conformance.protocol.functional import FunctionalInterface, LegacyNames, Overrides, Threads
from conformance.protocol.hooks import Hooks, SavedTensors
from conformance.protocol.memory import Aliasing, Detaching, InPlace, Interchange, Sparse, Updates
from conformance.protocol.modules import Modules, Optimizers
from conformance.protocol.rules import Checkpointing, CustomFunctions, CustomRules, Solvers
from conformance.protocol.spellings import Namespace
from conformance.protocol.tape import ForwardMode, GradModes, Graph, Tape
from conformance.protocol.tracing import Callbacks, ControlFlow, Draws, Keys, References
from conformance.protocol.transforms import Checking, LinearMaps, Staging, Transforms
from conformance.protocol.types import Array, DType, Mode, Numbers, Shape

__all__ = ["Ad"]


class Arrays(Protocol):
    """Making and reading arrays."""

    def array(self, value: Numbers, dtype: DType | None = None) -> Array:
        """An array outside any graph, by the engine's own constructor. Floats are float64 unless `dtype` names one."""

    def bfloat16(self, value: Numbers) -> Array:
        """The same in bfloat16."""

    def sparse_array(self, indices: Numbers, values: Array, shape: Shape) -> Array:
        """A sparse array in coordinate format: `values[i]` is the element at `indices[:, i]`, all others are zero.

        With fewer rows of indices than axes, each value is an array along the remaining axes.
        """

    def dtype_of(self, x: Array) -> str:
        """The name of the dtype of `x`, such as `float64`."""

    # Also without a check's asking: comparisons convert by it.
    def to_numpy(self, x: Array) -> Any:
        """A NumPy array with the numbers of `x`."""

    def double_precision(self, flag: bool) -> Mode:
        """A scope in which 64-bit dtypes are enabled or not."""

    @property
    def np(self) -> Namespace:
        """The mathematical operations, by the table `conformance.operations.TABLE`."""


class Ad(
    Arrays,
    Transforms,
    LinearMaps,
    Checking,
    Staging,
    Checkpointing,
    CustomFunctions,
    CustomRules,
    Solvers,
    ForwardMode,
    Graph,
    GradModes,
    Tape,
    Hooks,
    SavedTensors,
    Aliasing,
    Detaching,
    InPlace,
    Updates,
    Interchange,
    Sparse,
    Modules,
    Optimizers,
    FunctionalInterface,
    LegacyNames,
    Overrides,
    Threads,
    Callbacks,
    ControlFlow,
    Draws,
    Keys,
    References,
    Protocol,
):
    """The engine as a behaviour sees it: every verb, flat."""
