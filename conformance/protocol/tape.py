"""The verbs of the tape: values that carry their history, and the passes over it.

These verbs take values, where a transform takes a program. A trailing underscore marks a verb that changes its first
argument.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from conformance.protocol.types import (
    Array,
    Arrays,
    DType,
    Edge,
    Gradients,
    Mode,
    Node,
    Numbers,
    OptionalArrays,
    Program,
    Tree,
)

__all__ = ["ForwardMode", "GradModes", "Graph", "Tape"]


class Tape(Protocol):
    """Leaves, their gradients, and the reverse pass from a value."""

    def leaf(self, value: Numbers, dtype: DType | None = None) -> Array:
        """An array that requires grad, by the engine's own constructor. Floats are float64 unless `dtype` names one."""

    # The attribute and the method are separate verbs, as documentation makes promises on each.
    def set_requires_grad_(self, x: Array, flag: bool) -> None:
        """Assign the attribute `requires_grad`."""

    def requires_grad(self, x: Array) -> bool:
        """The attribute `requires_grad`: whether operations on `x` are recorded."""

    def require_grad_(self, x: Array, flag: bool = True) -> Array:
        """The method `requires_grad_`: set the flag in place and return `x`."""

    def is_leaf(self, x: Array) -> bool:
        """Whether `x` was made by the user, and not by a recorded operation."""

    def backward(
        self,
        output: Array,
        gradient: Array | None = None,
        retain_graph: bool | None = None,
        create_graph: bool = False,
        inputs: Tree = None,
    ) -> None:
        """The method `backward`: accumulate the gradient of the output, weighted by `gradient`, into the leaves."""

    # Separate from `backward`, whose receiver is a single output.
    def backward_of(
        self,
        outputs: Arrays,
        gradients: Gradients | None = None,
        grad_variables: Gradients | None = None,
        retain_graph: bool | None = None,
        create_graph: bool = False,
        inputs: Tree = None,
    ) -> None:
        """The function `backward` of several outputs. `grad_variables` is the old name of `gradients`."""

    def grad_of(
        self,
        outputs: Array | Arrays,
        inputs: Tree,
        gradients: Tree = None,
        retain_graph: bool | None = None,
        create_graph: bool = False,
        only_inputs: bool = True,
        allow_unused: bool | None = None,
        is_grads_batched: bool = False,
        materialize_grads: bool = False,
    ) -> OptionalArrays | dict[str, Array | None]:
        """The gradients of `outputs` with respect to `inputs`, returned and not accumulated."""

    def gradient_of(self, x: Array) -> Array | None:
        """The attribute `grad`: the gradient accumulated in `x`, or None."""

    def set_gradient_(self, x: Array, gradient: Array | None) -> None:
        """Assign the attribute `grad`; None clears it."""

    def delete_gradient_(self, x: Array) -> None:
        """Delete the attribute `grad`."""

    def zero_gradient_(self, x: Array) -> None:
        """Zero the accumulated gradient in place."""

    def gradient_dtype_of(self, x: Array) -> DType | None:
        """The attribute `grad_dtype`: the dtype that the gradient of `x` has; None for any."""

    def set_gradient_dtype_(self, x: Array, dtype: DType | None) -> None:
        """Assign the attribute `grad_dtype`."""

    def retain_gradient_(self, x: Array) -> None:
        """Retain the gradient of the non-leaf `x`."""

    def retains_gradient(self, x: Array) -> bool:
        """Whether the gradient of `x` is retained."""


class Graph(Protocol):
    """The recorded graph."""

    def grad_fn_name(self, x: Array) -> str | None:
        """The name of the node that computed `x`, or None for a leaf."""

    def next_names(self, x: Array) -> tuple[str, ...]:
        """The names of the next nodes behind that of `x`; inputs outside the graph are left out."""

    def survives(self, make: Callable[[], Array]) -> bool:
        """Whether the array that `make` returns is still alive after the last reference to it is dropped."""

    def same_grad_fn(self, x: Array, y: Array) -> bool:
        """Whether the same node computed both."""

    def output_nr(self, x: Array) -> int:
        """The number of `x` among the outputs of its node."""

    def next_nodes(self, x: Array) -> tuple[Node | None, ...]:
        """The next nodes behind that of `x`, with None for an input outside the graph."""

    def next_functions(self, x: Array) -> tuple[tuple[str | None, int], ...]:
        """For each input of the node of `x`: the name of the next node, or None, and the number of its output."""

    def next_leaf(self, x: Array, edge: int = 0) -> Array:
        """The leaf that an edge of the node of `x` leads to."""

    def saved_value(self, x: Array, name: str) -> Any:
        """The value that the node of `x` saved under that name, such as `self` or `result`."""

    def gradient_edge(self, x: Array) -> Edge:
        """The edge of the graph at which the gradient of `x` is computed; `grad_of` takes it in place of `x`."""


class GradModes(Protocol):
    """Grad modes and anomaly detection."""

    def no_grad(self) -> Mode:
        """A scope in which nothing is recorded."""

    def enable_grad(self) -> Mode:
        """A scope in which operations are recorded again, inside `no_grad`."""

    def set_grad_enabled(self, flag: bool) -> Mode:
        """A scope in which recording is on or off."""

    def inference_mode(self, flag: bool = True) -> Mode:
        """A scope of inference mode, whose results cannot take part in a recorded computation."""

    def autocast(self, dtype: DType) -> Mode:
        """A scope of automatic mixed precision: operations such as matmul compute in `dtype`."""

    def decorated_by(self, mode: str, function: Program) -> Program:
        """`function` decorated with the mode of that name without parentheses: `@no_grad`."""

    def detect_anomaly(self, check_nan: bool | None = None) -> Mode:
        """Anomaly detection in a scope: a NaN that a backward pass computes is an error, unless `check_nan` is off."""

    def set_detect_anomaly(self, flag: bool, check_nan: bool | None = None) -> Mode:
        """The same, by a flag."""

    def is_recording(self) -> bool:
        """Whether grad mode is enabled."""

    def is_inference_mode(self) -> bool:
        """Whether inference mode is enabled."""

    def is_inference(self, x: Array) -> bool:
        """Whether `x` is an inference tensor."""


class ForwardMode(Protocol):
    """Forward mode by dual numbers."""

    def dual_level(self) -> Mode:
        """A scope of a forward-mode level."""

    def enter_dual_level(self) -> int:
        """Open a forward-mode level without a scope, and return its number."""

    def exit_dual_level(self, level: int | None = None) -> None:
        """Close the forward-mode level of that number; None: the engine's default, the latest."""

    def make_dual(self, primal: Array, tangent: Array) -> Array:
        """A dual array of primal and tangent."""

    def primal_of(self, x: Array) -> Array:
        """The primal of a dual array."""

    def tangent_of(self, x: Array) -> Array | None:
        """The tangent of a dual array, or None."""
