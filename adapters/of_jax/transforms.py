"""Derivatives of programs, batching, checking, and programs as data."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import jax
import jax.test_util
import numpy as np

from conformance.protocol.types import Argnums, Array, Arrays, Axes, DType, Parameters, Program, Shape


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

    def value_and_grad(self, program: Program, argnums: Argnums = 0, has_aux: bool = False) -> Program:
        return jax.value_and_grad(program, argnums, has_aux)

    def vjp(
        self, program: Program, *primals: Array, has_aux: bool = False, in_nzs: tuple[bool, ...] | None = None
    ) -> Any:
        given: dict[str, Any] = {} if in_nzs is None else {"in_nzs": in_nzs}
        return jax.vjp(program, *primals, has_aux=has_aux, **given)

    def jvp(self, program: Program, primals: Arrays, tangents: Arrays, has_aux: bool = False) -> Any:
        return jax.jvp(program, primals, tangents, has_aux)

    def empty_cotangent(self, shape: Shape) -> Array:
        return np.zeros(shape, jax.dtypes.float0)

    def jacobian(self, program: Program, argnums: Argnums = 0, has_aux: bool = False) -> Program:
        return jax.jacrev(program, argnums, has_aux)

    def jacfwd(self, program: Program, argnums: Argnums = 0, has_aux: bool = False) -> Program:
        return jax.jacfwd(program, argnums, has_aux)

    def hessian(self, program: Program, argnums: Argnums = 0) -> Program:
        return jax.hessian(program, argnums)

    def vmap(self, program: Program, in_axes: Axes = 0, out_axes: Axes = 0) -> Program:
        return jax.vmap(program, in_axes, out_axes)

    def linearize(
        self, program: Program, *primals: Array, in_nzs: tuple[bool, ...] | None = None
    ) -> tuple[Any, Program]:
        given: dict[str, Any] = {} if in_nzs is None else {"in_nzs": in_nzs}
        return jax.linearize(program, *primals, **given)

    def linear_transpose(self, program: Program, *primals: Array) -> Program:
        return jax.linear_transpose(program, *primals)

    def forward_and_backward(self, program: Program, argnums: Argnums | None = None) -> tuple[Program, Program]:
        given: dict[str, Any] = {} if argnums is None else {"argnums": argnums}
        return jax.fwd_and_bwd(program, **given)

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

    def jit(self, program: Program) -> Program:
        return jax.jit(program)

    def shape_only(self, shape: Shape, dtype: DType) -> Any:
        return jax.ShapeDtypeStruct(shape, dtype)

    def structure(self, fields: Parameters, registered: bool = True) -> Any:
        kind = type("Structure", (SimpleNamespace,), {})
        if registered:
            jax.tree_util.register_pytree_node(
                kind,
                lambda made: (tuple(vars(made).values()), tuple(vars(made))),
                lambda names, values: kind(**dict(zip(names, values, strict=True))),
            )
        return kind(**fields)

    def fields_of(self, structure: Any) -> Arrays:
        return tuple(vars(structure).values())
