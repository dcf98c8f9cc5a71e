"""The verbs, typed, documented, grouped by concern in the modules beside this one, and composed into one flat `Ad`.

Transforms own the short names (`grad`, `vjp`, `jvp`): a program of its leaves goes in, both models can run it. The
tape's verbs, which take values, stand in `tape`. `x` is always an array of the engine; a tuple or list of arrays is a
container. A trailing underscore marks a verb that changes its first argument. Where a verb does not say otherwise,
arrays keep the engine's own type, and whatever the engine raises stands.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any, Protocol

from conformance.protocol.functional import FunctionalInterface, LegacyNames, Overrides, Threads
from conformance.protocol.hooks import Hooks, SavedTensors
from conformance.protocol.memory import Aliasing, Detaching, InPlace, Interchange, Updates
from conformance.protocol.modules import Modules, Optimizers
from conformance.protocol.rules import Checkpointing, CustomFunctions, CustomRules
from conformance.protocol.spelling import Namespace
from conformance.protocol.tape import ForwardMode, Graph, Modes, Tape
from conformance.protocol.tracing import Callbacks, ControlFlow, Draws, Keys, References
from conformance.protocol.transforms import Checking, LinearMaps, Staging, Transforms

__all__ = ["Ad"]

Array = Any


class Arrays(Protocol):
    """Making and reading arrays."""

    def array(self, value: Any, dtype: str | None = None) -> Array:
        """An array outside any graph, by the engine's own constructor. Floats are float64 unless `dtype` names one."""

    def bfloat16(self, value: Any) -> Array:
        """The same in the format of 16 bits that has the exponent of single precision."""

    def sparse_array(self, indices: Any, values: Array, shape: tuple[int, ...]) -> Array:
        """An array of zeros but for `values`, whose i-th stands at the place that the i-th column of `indices` names.

        With fewer rows of indices than axes, each value is an array along the axes that are left.
        """

    def dtype_of(self, x: Array) -> str:
        """The name of the dtype of `x`, such as `float64`."""

    def to_numpy(self, x: Array) -> Any:
        """A NumPy array with the numbers of `x`."""

    def double_precision(self, flag: bool) -> AbstractContextManager[Any]:
        """A scope in which numbers of 64 bits are to be had, or are not."""

    @property
    def np(self) -> Namespace:
        """The mathematical operations, by the table `conformance.protocol.operations.OPERATIONS`."""


class Ad(
    Arrays,
    Transforms,
    LinearMaps,
    Checking,
    Staging,
    Checkpointing,
    CustomFunctions,
    CustomRules,
    ForwardMode,
    Graph,
    Modes,
    Tape,
    Hooks,
    SavedTensors,
    Aliasing,
    Detaching,
    InPlace,
    Updates,
    Interchange,
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
