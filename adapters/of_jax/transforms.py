"""Derivatives of programs, batching, checking, and programs as data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import jax
import jax.test_util
import numpy as np

__all__ = ["TransformVerbs"]

Array = Any
Argnums = Any
Program = Callable[..., Any]


class TransformVerbs:
    """The groups Transforms, LinearMaps, Checking and Staging of the protocol."""

    def grad(
        self,
        program: Program,
        argnums: Argnums = 0,
        has_aux: bool = False,
        holomorphic: bool = False,
        allow_int: bool = False,
    ) -> Program:
        gradient: Program = jax.grad(program, argnums, has_aux, holomorphic, allow_int)
        return gradient

    def value_and_grad(self, program: Program, argnums: Argnums = 0, has_aux: bool = False) -> Program:
        both: Program = jax.value_and_grad(program, argnums, has_aux)
        return both

    def vjp(self, program: Program, *primals: Array, has_aux: bool = False) -> Any:
        return jax.vjp(program, *primals, has_aux=has_aux)

    def jvp(
        self, program: Program, primals: tuple[Array, ...], tangents: tuple[Array, ...], has_aux: bool = False
    ) -> Any:
        return jax.jvp(program, primals, tangents, has_aux)

    def empty_cotangent(self, shape: tuple[int, ...]) -> Array:
        return np.zeros(shape, jax.dtypes.float0)

    def jacobian(self, program: Program, argnums: Argnums = 0, has_aux: bool = False) -> Program:
        jacobian: Program = jax.jacrev(program, argnums, has_aux)
        return jacobian

    def jacfwd(self, program: Program, argnums: Argnums = 0, has_aux: bool = False) -> Program:
        jacobian: Program = jax.jacfwd(program, argnums, has_aux)
        return jacobian

    def hessian(self, program: Program, argnums: Argnums = 0) -> Program:
        hessian: Program = jax.hessian(program, argnums)
        return hessian

    def vmap(self, program: Program, in_axes: Any = 0, out_axes: Any = 0) -> Program:
        mapped: Program = jax.vmap(program, in_axes, out_axes)
        return mapped

    def linearize(self, program: Program, *primals: Array) -> tuple[Any, Program]:
        output, pushforward = jax.linearize(program, *primals)
        return output, pushforward

    def linear_transpose(self, program: Program, *primals: Array) -> Program:
        transposed: Program = jax.linear_transpose(program, *primals)
        return transposed

    def forward_and_backward(self, program: Program, argnums: Argnums | None = None) -> tuple[Program, Program]:
        given = {} if argnums is None else {"argnums": argnums}
        forward, backward = jax.fwd_and_bwd(program, **given)
        return forward, backward

    def check_gradients(self, program: Program, *primals: Array) -> Any:
        # Reverse mode only, as a rule given by custom_vjp has no other.
        jax.test_util.check_grads(program, primals, order=1, modes=["rev"])
        return True

    def check_second_gradients(self, program: Program, *primals: Array) -> Any:
        jax.test_util.check_grads(program, primals, order=2, modes=["rev"])
        return True

    def jit(self, program: Program) -> Program:
        compiled: Program = jax.jit(program)
        return compiled

    def shape_only(self, shape: tuple[int, ...], dtype: str) -> Any:
        return jax.ShapeDtypeStruct(shape, dtype)

    def structure(self, fields: Mapping[str, Array], registered: bool = True) -> Any:
        kind = type("Structure", (SimpleNamespace,), {})
        if registered:
            jax.tree_util.register_pytree_node(
                kind,
                lambda made: (tuple(vars(made).values()), tuple(vars(made))),
                lambda names, values: kind(**dict(zip(names, values, strict=True))),
            )
        return kind(**fields)

    def fields_of(self, structure: Any) -> Sequence[Array]:
        return tuple(vars(structure).values())
