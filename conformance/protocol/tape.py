"""The verbs of the tape: values that carry their history, and everything that can be done to it.

These verbs take values, where a transform takes a program. A trailing underscore marks a verb that changes its first
argument.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

__all__ = [
    "Aliasing",
    "ForwardMode",
    "Graph",
    "Hooks",
    "InPlace",
    "LegacyNames",
    "Modes",
    "Overrides",
    "SavedTensors",
    "Tape",
]

Array = Any
Handle = Any


class Tape(Protocol):
    """Leaves, their gradients, and the reverse pass from a value."""

    def leaf(self, value: Any, dtype: str | None = None) -> Array:
        """An array that requires grad, by the engine's own constructor. Floats are float64 unless `dtype` names one."""

    def parameter(self, x: Array) -> Array:
        """`x` wrapped as a module's parameter."""

    def requires_grad(self, x: Array) -> bool:
        """The flag that says whether operations on `x` are recorded."""

    def require_grad_(self, x: Array, flag: bool = True) -> Array:
        """Set that flag in place and return `x`."""

    def is_leaf(self, x: Array) -> bool:
        """Whether `x` was made by the user, and not by a recorded operation."""

    def backward(
        self,
        output: Array,
        gradient: Array | None = None,
        retain_graph: bool | None = None,
        create_graph: bool = False,
        inputs: Sequence[Array] | None = None,
    ) -> None:
        """The output's own method: accumulate its gradient into the leaves, weighted by `gradient`."""

    def backward_of(
        self,
        outputs: Sequence[Array],
        gradients: Sequence[Array | None] | None = None,
        grad_variables: Sequence[Array | None] | None = None,
    ) -> None:
        """The function over several outputs: accumulate the sum of their gradients. `grad_variables` is an old name."""

    def grad_of(
        self,
        outputs: Array | Sequence[Array],
        inputs: Array | Sequence[Array],
        gradients: Any = None,
        retain_graph: bool | None = None,
        create_graph: bool = False,
        only_inputs: bool = True,
        allow_unused: bool | None = None,
        is_grads_batched: bool = False,
    ) -> tuple[Array | None, ...]:
        """The gradients of `outputs` with respect to `inputs`, returned and not accumulated."""

    def gradient_of(self, x: Array) -> Array | None:
        """What has been accumulated in `x`."""

    def clear_gradient_(self, x: Array) -> None:
        """Forget what has been accumulated in `x`."""

    def zero_gradient_(self, x: Array) -> None:
        """Set what has been accumulated in `x` to zero, in place."""

    def retain_gradient_(self, x: Array) -> None:
        """Ask that the gradient of `x`, computed by an operation, be kept too."""


class Graph(Protocol):
    """Looking at what was recorded."""

    def creator_name(self, x: Array) -> str | None:
        """The name of the operation that made `x`, or None for a leaf."""

    def creators_behind(self, x: Array) -> tuple[str, ...]:
        """The names of the graph's nodes one step behind the operation that made `x`."""

    def survives(self, make: Callable[[], Array]) -> bool:
        """Whether the array that `make` returns is still alive after the last reference to it is dropped."""


class Hooks(Protocol):
    """Functions called while a backward pass runs."""

    def register_hook(self, x: Array, hook: Callable[[Array], Any]) -> Handle:
        """Call `hook` with the gradient of `x`; what it returns, if anything, replaces that gradient."""

    def remove_hook(self, handle: Handle) -> None:
        """Undo a registration."""


class Modes(Protocol):
    """Switches of recording."""

    def no_grad(self) -> AbstractContextManager[Any]:
        """A scope in which nothing is recorded."""

    def enable_grad(self) -> AbstractContextManager[Any]:
        """A scope in which operations are recorded, within one in which they are not."""

    def set_grad_enabled(self, flag: bool) -> AbstractContextManager[Any]:
        """A scope in which recording is on or off by a flag."""

    def inference_mode(self) -> AbstractContextManager[Any]:
        """A scope whose results may never take part in a recorded computation."""

    def detect_anomaly(self) -> AbstractContextManager[Any]:
        """A scope in which a backward pass that produces NaN is refused."""

    def set_detect_anomaly(self, flag: bool) -> AbstractContextManager[Any]:
        """The same, by a flag."""


class InPlace(Protocol):
    """Writing into an array."""

    def add_(self, x: Array, y: Any) -> Array:
        """`x += y`."""

    def sub_(self, x: Array, y: Any) -> Array:
        """`x -= y`."""

    def mul_(self, x: Array, y: Any) -> Array:
        """`x *= y`."""

    def sigmoid_(self, x: Array) -> Array:
        """Replace each element by its logistic function."""

    def copy_(self, x: Array, y: Array) -> Array:
        """Overwrite `x` with the values of `y`."""

    def set_item_(self, x: Array, index: Any, value: Any) -> None:
        """`x[index] = value`."""


class Aliasing(Protocol):
    """Arrays that share memory, and arrays that do not."""

    def view(self, x: Array, shape: tuple[int, ...]) -> Array:
        """The same memory under another shape."""

    def clone(self, x: Array) -> Array:
        """A copy in memory of its own, recorded as an operation."""

    def detach_(self, x: Array) -> Array:
        """Cut `x` itself off from how it was computed."""

    def data_of(self, x: Array) -> Array:
        """The old way to detach: the same memory, unwatched."""


class SavedTensors(Protocol):
    """What an operation keeps for its backward."""

    def saved_tensors_hooks(
        self, pack: Callable[[Array], Any], unpack: Callable[[Any], Array]
    ) -> AbstractContextManager[Any]:
        """A scope in which `pack` is called with each value saved and `unpack` when it is needed again."""


class ForwardMode(Protocol):
    """Dual numbers, level by level."""

    def dual_level(self) -> AbstractContextManager[Any]:
        """A scope in which dual arrays live."""

    def make_dual(self, primal: Array, tangent: Array) -> Array:
        """A dual array."""

    def tangent_of(self, x: Array) -> Array | None:
        """The tangent of a dual array."""


class LegacyNames(Protocol):
    """Names that were once how it was done."""

    def variable(self, x: Array) -> Array:
        """`x` wrapped as a Variable."""

    def is_plain_array(self, x: Array) -> bool:
        """Whether the type of `x` is the engine's one array type itself."""

    def volatile_of(self, x: Array) -> Any:
        """Read the flag `volatile`."""

    def set_volatile_(self, x: Array, flag: bool) -> None:
        """Set the flag `volatile`."""

    def variable_factory(self, value: Any) -> Array:
        """The lower-case function `variable` that once made tensors."""


class Overrides(Protocol):
    """Objects that stand in for arrays."""

    def array_like(self, handler: Callable[[str], Any]) -> Any:
        """An object that takes over every function of the engine given it, by `handler` of the function's name."""
