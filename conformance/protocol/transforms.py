"""The verbs that take a program of its leaves, which both models can run: derivatives, batching, staging.

A program takes arrays, or containers of them, and returns such. With `has_aux` it returns a pair, of which only
the first part is differentiated; the second is returned beside the result.
"""

from __future__ import annotations

from typing import Any, Protocol

from conformance.protocol.types import Argnums, Array, Arrays, Axes, DType, Parameters, Program, Shape, Tree

__all__ = ["Checking", "LinearMaps", "Staging", "Transforms"]


class Transforms(Protocol):
    """Derivatives of a program: a function goes in, a function or arrays come out."""

    def grad(
        self,
        program: Program,
        argnums: Argnums = 0,
        has_aux: bool = False,
        holomorphic: bool = False,
        allow_int: bool = False,
    ) -> Program:
        """The function that computes the gradient of a scalar-valued program, in the shape of the chosen arguments."""

    # The order of the pair differs between engines, and is documented by each.
    def value_and_grad(
        self,
        program: Program,
        argnums: Argnums = 0,
        has_aux: bool = False,
        holomorphic: bool = False,
        allow_int: bool = False,
    ) -> Program:
        """The function that computes value (with `has_aux`: value and rest) and gradient, in the engine's own order."""

    def vjp(
        self, program: Program, *primals: Array, has_aux: bool = False, in_nzs: tuple[bool, ...] | None = None
    ) -> Any:
        """The output and the pullback, which maps cotangents of the output to a tuple of cotangents of `primals`.

        `in_nzs`: which of the primals are differentiated.
        """

    def jvp(
        self,
        program: Program,
        primals: Arrays,
        tangents: Arrays,
        has_aux: bool = False,
        strict: bool = False,
    ) -> Any:
        """The output and its tangent; with `strict`, an output that does not depend on the primals raises an error."""

    # Tangents of integers have no numbers, but a transform may require them.
    def empty_cotangent(self, shape: Shape) -> Array:
        """The cotangent or tangent of integers of that shape: an array without numbers."""

    def jacobian(
        self,
        program: Program,
        argnums: Argnums = 0,
        has_aux: bool = False,
        holomorphic: bool = False,
        allow_int: bool = False,
        chunk_size: int | None = None,
        alias: bool = False,
    ) -> Program:
        """The function that computes the Jacobian, of shape output then input, by reverse mode.

        `alias`: by the engine's second name of the same transform.
        """

    def jacfwd(
        self, program: Program, argnums: Argnums = 0, has_aux: bool = False, holomorphic: bool = False
    ) -> Program:
        """The function that computes the Jacobian, of shape output then input, by forward mode."""

    def hessian(
        self, program: Program, argnums: Argnums = 0, has_aux: bool = False, holomorphic: bool = False
    ) -> Program:
        """The function that computes the matrix of second derivatives of a scalar-valued program."""

    def jet(self, program: Program, primals: Arrays, series: Tree, factorial_scaled: bool = True) -> Any:
        """Taylor mode: the output, and its series for the series of each primal, as higher derivatives.

        Without `factorial_scaled`, the terms of both series are coefficients of Taylor polynomials.
        """

    def vmap(
        self,
        program: Program,
        in_axes: Axes = 0,
        out_axes: Axes = 0,
        randomness: str = "error",
        chunk_size: int | None = None,
    ) -> Program:
        """The program mapped over an axis of its arguments and results. None as an axis: the argument is shared."""

    def functionalize(self, program: Program) -> Program:
        """The program with its in-place writes replaced by out-of-place operations."""


class LinearMaps(Protocol):
    """Derivatives as linear functions."""

    def linearize(
        self, program: Program, *primals: Array, has_aux: bool = False, in_nzs: tuple[bool, ...] | None = None
    ) -> Any:
        """The program's output, and the function from tangents of `primals` to the tangent of the output.

        `in_nzs`: which of the primals are differentiated.
        """

    def linear_transpose(self, program: Program, *primals: Array) -> Program:
        """The transpose of a linear program: cotangents of its output to a tuple of cotangents of its arguments."""

    def linear_call(self, program: Program, transpose: Program, residuals: Tree, x: Tree) -> Any:
        """`program(residuals, x)`, linear in `x`; `transpose(residuals, cotangent)` is its transpose."""

    def forward_and_backward(
        self, program: Program, argnums: Argnums | None = None, has_aux: bool = False
    ) -> tuple[Program, Program]:
        """Two functions: arguments to output and residuals; residuals and cotangent to cotangents of the arguments."""


class Checking(Protocol):
    """Derivatives compared with finite differences."""

    # Engines have different checkers with different options; what is common is here, the rest in `gradcheck`.
    def check_gradients(
        self, program: Program, *primals: Array, order: int = 1, modes: tuple[str, ...] | None = None
    ) -> bool:
        """Compare the program's first or second derivatives with finite differences; raises where they disagree.

        `modes`: "fwd", "rev" or both.
        """

    def check_jvp(self, program: Program, jvp: Program, *primals: Array) -> None:
        """Compare the JVP that `jvp(primals, tangents)` returns, after the output, with finite differences."""

    def check_vjp(self, program: Program, vjp: Program, *primals: Array) -> None:
        """Compare the pullback that `vjp(*primals)` returns, after the output, with finite differences."""

    def gradcheck(
        self,
        program: Program,
        inputs: Tree,
        forward: bool | None = None,
        reverse: bool | None = None,
        raises: bool = True,
        batched: bool | None = None,
        batched_forward: bool | None = None,
        nondet_tol: float | None = None,
        undefined: bool | None = None,
        fast: bool | None = None,
    ) -> bool:
        """The tape's `gradcheck` of the modes asked for, on leaves; a disagreement raises an error, or is False.

        `batched` and `batched_forward` check several gradients at once under vmap, in reverse and forward mode;
        `nondet_tol` is how far two runs of backward may differ; `undefined` checks outputs without a gradient; `fast`
        compares a single random direction. What is None is left to the engine's own default.
        """

    def gradgradcheck(self, program: Program, inputs: Tree, gradients: Tree = None, raises: bool = True) -> bool:
        """The tape's `gradgradcheck` on leaves, for these gradients of the outputs; None: random ones."""


class Staging(Protocol):
    """Compilation, and what a traced program may be given."""

    def jit(self, program: Program, static_argnums: tuple[int, ...] = ()) -> Program:
        """The program, traced and compiled once per shape and dtype of its arguments, and value of static ones."""

    def compile_operation(self, operation: Program, order: int = 1) -> Program:
        """An operation that laws call, compiled such that the derivatives up to that order are, too."""

    def shape_only(self, shape: Shape, dtype: DType) -> Any:
        """A shape and a dtype in the place of an array."""

    def structure(self, fields: Parameters, registered: bool = True, metadata: tuple[str, ...] = ()) -> Any:
        """An object of a user's class with these fields; `registered`: the engine knows the class as a container.

        The fields named in `metadata` are no arrays, and are static.
        """

    def fields_of(self, structure: Any) -> Arrays:
        """The values of its fields, in order; TypeError for an object of another class."""
