"""The verbs that take a program of its leaves, which both models can run: derivatives, batching, staging.

A program takes arrays, or containers of them, and returns such. `has_aux` says that it returns a pair, of which only
the first part is differentiated; the second is returned beside the result.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

__all__ = ["Checking", "LinearMaps", "Staging", "Transforms"]

Array = Any
Program = Callable[..., Any]
Argnums = Any


class Transforms(Protocol):
    """Derivatives of a program of its leaves: a function goes in, a function or numbers come out."""

    def grad(
        self,
        program: Program,
        argnums: Argnums = 0,
        has_aux: bool = False,
        holomorphic: bool = False,
        allow_int: bool = False,
    ) -> Program:
        """The function that computes the gradient of a scalar-valued program, in the shape of the chosen arguments."""

    def value_and_grad(self, program: Program, argnums: Argnums = 0, has_aux: bool = False) -> Program:
        """The function that computes value (with `has_aux`: value and rest) and gradient, in the engine's own order."""

    def vjp(self, program: Program, *primals: Array, has_aux: bool = False) -> Any:
        """The program's output and its pullback: cotangents of the output to a tuple of cotangents of `primals`."""

    def jvp(
        self,
        program: Program,
        primals: tuple[Array, ...],
        tangents: tuple[Array, ...],
        has_aux: bool = False,
        strict: bool = False,
    ) -> Any:
        """The program's output and its tangent (forward mode); `strict` refuses an output that ignores the primals."""

    def empty_cotangent(self, shape: tuple[int, ...]) -> Array:
        """What stands for the cotangent or tangent of integers of that shape: an array without numbers."""

    def jacobian(
        self, program: Program, argnums: Argnums = 0, has_aux: bool = False, chunk_size: int | None = None
    ) -> Program:
        """The function that computes the Jacobian, of shape output then input, by reverse mode."""

    def jacfwd(self, program: Program, argnums: Argnums = 0, has_aux: bool = False) -> Program:
        """The function that computes the Jacobian, of shape output then input, by forward mode."""

    def hessian(self, program: Program, argnums: Argnums = 0) -> Program:
        """The function that computes the matrix of second derivatives of a scalar-valued program."""

    def vmap(
        self,
        program: Program,
        in_axes: Any = 0,
        out_axes: Any = 0,
        randomness: str = "error",
        chunk_size: int | None = None,
    ) -> Program:
        """The program over a new axis of its arguments and results. None as an axis: the argument is shared."""

    def functionalize(self, program: Program) -> Program:
        """The program with its writes in place replaced by operations that make new arrays, to the same effect."""


class LinearMaps(Protocol):
    """A derivative as a linear function of its own."""

    def linearize(self, program: Program, *primals: Array) -> tuple[Any, Program]:
        """The program's output, and the function from tangents of `primals` to the tangent of the output."""

    def linear_transpose(self, program: Program, *primals: Array) -> Program:
        """The transpose of a linear program: cotangents of its output to a tuple of cotangents of its arguments."""

    def forward_and_backward(self, program: Program, argnums: Argnums | None = None) -> tuple[Program, Program]:
        """Two functions: arguments to output and residuals; residuals and cotangent to the arguments' cotangents."""


class Checking(Protocol):
    """Derivatives held against finite differences."""

    def check_gradients(self, program: Program, *primals: Array) -> Any:
        """Compare the program's derivatives with finite differences; raises where they disagree."""

    def check_second_gradients(self, program: Program, *primals: Array) -> Any:
        """The same for second derivatives."""

    def gradcheck(
        self,
        program: Program,
        inputs: Any,
        forward: bool = False,
        reverse: bool = True,
        raises: bool = True,
        batched: bool = False,
        batched_forward: bool = False,
    ) -> bool:
        """The tape's own checker, on inputs as they are, of the modes asked for; a disagreement raises or is False.

        `batched` and `batched_forward` ask for the same of several gradients at once, in either mode.
        """


class Staging(Protocol):
    """A program as data: compiled, or only looked at."""

    def jit(self, program: Program) -> Program:
        """The program, traced once per kind of argument and compiled."""

    def shape_only(self, shape: tuple[int, ...], dtype: str) -> Any:
        """A stand-in for an array of that shape and dtype, without numbers."""

    def structure(self, fields: Mapping[str, Array], registered: bool = True) -> Any:
        """An object of a class of the user's own with these fields, known to the engine as a container or not."""

    def fields_of(self, structure: Any) -> Sequence[Array]:
        """The values of its fields, in order; TypeError for an object of another class."""
