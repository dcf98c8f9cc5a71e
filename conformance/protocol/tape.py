"""The verbs of the tape: values that carry their history, and the passes over it.

These verbs take values, where a transform takes a program. A trailing underscore marks a verb that changes its first
argument.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

__all__ = ["ForwardMode", "Graph", "Modes", "Tape"]

Array = Any


class Tape(Protocol):
    """Leaves, their gradients, and the reverse pass from a value."""

    def leaf(self, value: Any, dtype: str | None = None) -> Array:
        """An array that requires grad, by the engine's own constructor. Floats are float64 unless `dtype` names one."""

    def set_requires_grad_(self, x: Array, flag: bool) -> None:
        """Assign that flag as an attribute."""

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
        retain_graph: bool | None = None,
        create_graph: bool = False,
        inputs: Sequence[Array] | None = None,
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
        materialize_grads: bool = False,
    ) -> tuple[Array | None, ...]:
        """The gradients of `outputs` with respect to `inputs`, returned and not accumulated."""

    def gradient_of(self, x: Array) -> Array | None:
        """What has been accumulated in `x`."""

    def set_gradient_(self, x: Array, gradient: Array | None) -> None:
        """Assign what is accumulated in `x`."""

    def delete_gradient_(self, x: Array) -> None:
        """Delete it as an attribute."""

    def clear_gradient_(self, x: Array) -> None:
        """Forget what has been accumulated in `x`."""

    def zero_gradient_(self, x: Array) -> None:
        """Set what has been accumulated in `x` to zero, in place."""

    def retain_gradient_(self, x: Array) -> None:
        """Ask that the gradient of `x`, computed by an operation, be kept too."""

    def retains_gradient(self, x: Array) -> bool:
        """Whether that was asked."""


class Graph(Protocol):
    """Looking at what was recorded."""

    def creator_name(self, x: Array) -> str | None:
        """The name of the operation that made `x`, or None for a leaf."""

    def creators_behind(self, x: Array) -> tuple[str, ...]:
        """The names of the graph's nodes one step behind the operation that made `x`."""

    def survives(self, make: Callable[[], Array]) -> bool:
        """Whether the array that `make` returns is still alive after the last reference to it is dropped."""

    def same_creator(self, x: Array, y: Array) -> bool:
        """Whether one run of one operation made both."""

    def output_number(self, x: Array) -> int:
        """Which of the outputs of its operation `x` is."""

    def nodes_behind(self, x: Array) -> tuple[Any, ...]:
        """These nodes themselves, and None behind an input outside the graph."""

    def edges_behind(self, x: Array) -> tuple[tuple[str | None, int], ...]:
        """For each input of the operation that made `x`: the node behind it, by name, and the number of its output."""

    def leaf_behind(self, x: Array, edge: int = 0) -> Array:
        """The leaf into which the edge of the operation that made `x` leads."""

    def saved_value(self, x: Array, name: str) -> Any:
        """What the operation that made `x` saved under that name, such as `self` or `result`."""


class Modes(Protocol):
    """Switches of recording."""

    def no_grad(self) -> AbstractContextManager[Any]:
        """A scope in which nothing is recorded."""

    def enable_grad(self) -> AbstractContextManager[Any]:
        """A scope in which operations are recorded, within one in which they are not."""

    def set_grad_enabled(self, flag: bool) -> AbstractContextManager[Any]:
        """A scope in which recording is on or off by a flag."""

    def inference_mode(self, flag: bool = True) -> AbstractContextManager[Any]:
        """A scope whose results may never take part in a recorded computation."""

    def decorated_by(self, mode: str, function: Callable[[], Any]) -> Callable[[], Any]:
        """`function` decorated with the mode of that name as it stands, without parentheses: `@no_grad`."""

    def detect_anomaly(self) -> AbstractContextManager[Any]:
        """A scope in which a backward pass that produces NaN is refused."""

    def set_detect_anomaly(self, flag: bool) -> AbstractContextManager[Any]:
        """The same, by a flag."""

    def is_recording(self) -> bool:
        """Whether operations on arrays that require grad are recorded, here and now."""

    def is_inference_mode(self) -> bool:
        """Whether this is a scope of inference."""

    def is_inference(self, x: Array) -> bool:
        """Whether `x` was made in one."""


class ForwardMode(Protocol):
    """Dual numbers, level by level."""

    def dual_level(self) -> AbstractContextManager[Any]:
        """A scope in which dual arrays live."""

    def make_dual(self, primal: Array, tangent: Array) -> Array:
        """A dual array."""

    def primal_of(self, x: Array) -> Array:
        """The value of a dual array, without its tangent."""

    def tangent_of(self, x: Array) -> Array | None:
        """The tangent of a dual array."""
