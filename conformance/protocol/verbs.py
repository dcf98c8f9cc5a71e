"""The verbs, typed, documented, grouped by concern and composed into one flat `Ad`.

Transforms own the short names (`grad`, `vjp`, `jvp`): a program of its leaves goes in, both models can run it. The
tape's verbs, which take values, stand in `tape`. `x` is always an array of the engine; a tuple or list of arrays is a
container. A trailing underscore marks a verb that changes its first argument. Where a verb does not say otherwise,
arrays keep the engine's own type, and whatever the engine raises stands.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from conformance.protocol.functions import Functions
from conformance.protocol.tape import (
    Aliasing,
    ForwardMode,
    Graph,
    Hooks,
    InPlace,
    LegacyNames,
    Modes,
    Overrides,
    SavedTensors,
    Tape,
)

__all__ = ["Ad"]

Array = Any
Program = Callable[..., Any]


class Arrays(Protocol):
    """Making and reading arrays."""

    def array(self, value: Any, dtype: str | None = None) -> Array:
        """An array outside any graph, by the engine's own constructor. Floats are float64 unless `dtype` names one."""

    def dtype_of(self, x: Array) -> str:
        """The name of the dtype of `x`, such as `float64`."""

    def to_numpy(self, x: Array) -> Any:
        """A NumPy array with the numbers of `x`."""

    @property
    def np(self) -> Functions:
        """Functions on arrays, under the names of the array API standard."""


class Transforms(Protocol):
    """Derivatives of a program of its leaves: a function goes in, a function or numbers come out."""

    def grad(self, program: Program, argnums: int | tuple[int, ...] = 0) -> Program:
        """The function that computes the gradient of a scalar-valued program, in the shape of the chosen arguments."""

    def vjp(self, program: Program, *primals: Array) -> tuple[Any, Program]:
        """The program's output and its pullback: cotangents of the output to a tuple of cotangents of `primals`."""

    def jvp(self, program: Program, primals: tuple[Array, ...], tangents: tuple[Array, ...]) -> tuple[Any, Any]:
        """The program's output and the tangent of the output (forward mode)."""

    def jacobian(self, program: Program) -> Program:
        """The function that computes the Jacobian, of shape output then input, by reverse mode."""

    def hessian(self, program: Program) -> Program:
        """The function that computes the matrix of second derivatives of a scalar-valued program."""

    def vmap(self, program: Program) -> Program:
        """The program over a new leading axis of its arguments and results."""

    def check_gradients(self, program: Program, *primals: Array) -> Any:
        """Compare the program's derivatives with finite differences; raises where they disagree."""

    def check_second_gradients(self, program: Program, *primals: Array) -> Any:
        """The same for second derivatives."""


class Detaching(Protocol):
    """Values cut off from how they were computed."""

    def detach(self, x: Array) -> Array:
        """The same value, through which no derivative flows."""


class CustomRules(Protocol):
    """Derivatives given by hand."""

    def custom_vjp(self, forward: Program, backward: Program) -> Program:
        """A function with its own reverse rule.

        `forward(*args)` returns the output and a tuple of residuals; `backward(residuals, cotangent)` returns one
        cotangent per argument.
        """


class Checkpointing(Protocol):
    """Memory traded for recomputation."""

    def checkpoint(self, program: Program, use_reentrant: bool | None = None) -> Program:
        """The same program, whose intermediate values are computed again in the backward pass."""


class TapeFunctional(Protocol):
    """Derivatives of a function at a point, as the tape's functional interface spells them."""

    def jacobian(self, program: Program, inputs: Array) -> Array:
        """The Jacobian of `program` at `inputs`."""

    def hessian(self, program: Program, inputs: Array) -> Array:
        """The Hessian of a scalar-valued `program` at `inputs`."""

    def vjp(self, program: Program, inputs: Array, v: Array) -> tuple[Array, Array]:
        """The output, and `v` times the Jacobian."""


class FunctionalInterface(Protocol):
    """The namespace of the tape's functional interface."""

    @property
    def functional(self) -> TapeFunctional:
        """Its functions."""


class Ad(
    Arrays,
    Transforms,
    Detaching,
    CustomRules,
    Checkpointing,
    Tape,
    Graph,
    Hooks,
    Modes,
    InPlace,
    Aliasing,
    SavedTensors,
    ForwardMode,
    LegacyNames,
    Overrides,
    FunctionalInterface,
    Protocol,
):
    """The engine as a behaviour sees it: every verb, flat."""
