"""Derivatives of programs, batching, checking, and programs as data."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import jax
import jax.custom_derivatives
import jax.experimental.jet
import jax.test_util
import numpy as np

from conformance.protocol.types import Argnums, Array, Arrays, Axes, DType, Parameters, Program, Shape, Tree


class JaxTransformVerbs:
    """The groups Transforms, LinearMaps, Checking and Staging of the protocol."""

    def grad(
        self,
        program: Program,
        argnums: Argnums = 0,
        has_aux: bool = False,
        holomorphic: bool = False,
        allow_int: bool = False,
    ) -> Program:
        return jax.grad(program, argnums, has_aux, holomorphic, allow_int)

    def value_and_grad(
        self,
        program: Program,
        argnums: Argnums = 0,
        has_aux: bool = False,
        holomorphic: bool = False,
        allow_int: bool = False,
    ) -> Program:
        return jax.value_and_grad(program, argnums, has_aux, holomorphic, allow_int)

    def vjp(
        self, program: Program, *primals: Array, has_aux: bool = False, in_nzs: tuple[bool, ...] | None = None
    ) -> Any:
        # Passed only where asked for, as older versions of JAX lack the argument.
        given: dict[str, Any] = {} if in_nzs is None else {"in_nzs": in_nzs}
        return jax.vjp(program, *primals, has_aux=has_aux, **given)

    def jvp(self, program: Program, primals: Arrays, tangents: Arrays, has_aux: bool = False) -> Any:
        return jax.jvp(program, primals, tangents, has_aux)

    def empty_cotangent(self, shape: Shape) -> Array:
        # NumPy's array: JAX itself cannot hold float0.
        return np.zeros(shape, jax.dtypes.float0)

    def jacobian(
        self,
        program: Program,
        argnums: Argnums = 0,
        has_aux: bool = False,
        holomorphic: bool = False,
        allow_int: bool = False,
        alias: bool = False,
    ) -> Program:
        # Two names of one function: behaviours about either are to call it by its own.
        transform = jax.jacobian if alias else jax.jacrev
        return transform(program, argnums, has_aux, holomorphic, allow_int)

    def jacfwd(
        self, program: Program, argnums: Argnums = 0, has_aux: bool = False, holomorphic: bool = False
    ) -> Program:
        return jax.jacfwd(program, argnums, has_aux, holomorphic)

    def hessian(
        self, program: Program, argnums: Argnums = 0, has_aux: bool = False, holomorphic: bool = False
    ) -> Program:
        return jax.hessian(program, argnums, has_aux, holomorphic)

    def jet(self, program: Program, primals: Arrays, series: Tree, factorial_scaled: bool = True) -> Any:
        return jax.experimental.jet.jet(program, primals, series, factorial_scaled)

    def vmap(self, program: Program, in_axes: Axes = 0, out_axes: Axes = 0) -> Program:
        return jax.vmap(program, in_axes, out_axes)

    def linearize(
        self, program: Program, *primals: Array, has_aux: bool = False, in_nzs: tuple[bool, ...] | None = None
    ) -> Any:
        given: dict[str, Any] = {} if in_nzs is None else {"in_nzs": in_nzs}
        return jax.linearize(program, *primals, has_aux=has_aux, **given)

    def linear_transpose(self, program: Program, *primals: Array) -> Program:
        return jax.linear_transpose(program, *primals)

    def linear_call(self, program: Program, transpose: Program, residuals: Tree, x: Tree) -> Any:
        return jax.custom_derivatives.linear_call(program, transpose, residuals, x)

    def forward_and_backward(
        self, program: Program, argnums: Argnums | None = None, has_aux: bool = False
    ) -> tuple[Program, Program]:
        given: dict[str, Any] = {} if argnums is None else {"argnums": argnums}
        return jax.fwd_and_bwd(program, has_aux=has_aux, **given)

    def check_gradients(
        self, program: Program, *primals: Array, order: int = 1, modes: tuple[str, ...] | None = None
    ) -> bool:
        # By default reverse mode only, as a rule given by custom_vjp has no other.
        jax.test_util.check_grads(program, primals, order=order, modes=list(modes or ["rev"]))
        return True

    def check_jvp(self, program: Program, jvp: Program, *primals: Array) -> None:
        jax.test_util.check_jvp(program, jvp, primals)

    def check_vjp(self, program: Program, vjp: Program, *primals: Array) -> None:
        jax.test_util.check_vjp(program, vjp, primals)

    def jit(self, program: Program, static_argnums: tuple[int, ...] = ()) -> Program:
        return jax.jit(program, static_argnums=static_argnums)

    def shape_only(self, shape: Shape, dtype: DType) -> Any:
        return jax.ShapeDtypeStruct(shape, dtype)

    def structure(self, fields: Parameters, registered: bool = True, metadata: tuple[str, ...] = ()) -> Any:
        kind = type("Structure", (SimpleNamespace,), {"names": tuple(fields)})
        # Unregistered, the class is a leaf to JAX, which raises an error for it.
        if registered:
            arrays = [name for name in fields if name not in metadata]
            jax.tree_util.register_dataclass(kind, arrays, metadata)
        return kind(**fields)

    def fields_of(self, structure: Any) -> Arrays:
        held = vars(structure)
        return tuple(held[name] for name in structure.names)
