"""JAX under jit: the program that a transform is given is jitted, and so is what the transform returns.

What jit refuses, such as asking a tracer for its truth value, is seen as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import jax

from adapters.with_jax import JaxAdapter

__all__ = ["JaxJitAdapter"]

Argnums = Any
Array = Any
Program = Callable[..., Any]


class JaxJitAdapter(JaxAdapter):
    """JAX, CPU, with 64-bit numbers, every program compiled."""

    name: ClassVar[str] = "jax:jit"

    @property
    def held_to(self) -> Mapping[str, str]:
        return {"jax_jit": self.version, "jax": self.version}

    def grad(
        self,
        program: Program,
        argnums: Argnums = 0,
        has_aux: bool = False,
        holomorphic: bool = False,
        allow_int: bool = False,
    ) -> Program:
        gradient: Program = jax.jit(jax.grad(jax.jit(program), argnums, has_aux, holomorphic, allow_int))
        return gradient

    def value_and_grad(self, program: Program, argnums: Argnums = 0, has_aux: bool = False) -> Program:
        both: Program = jax.jit(jax.value_and_grad(jax.jit(program), argnums, has_aux))
        return both

    def vjp(self, program: Program, *primals: Array, has_aux: bool = False) -> Any:
        output, pullback, *aux = jax.vjp(jax.jit(program), *primals, has_aux=has_aux)
        return output, jax.jit(pullback), *aux

    def jvp(
        self, program: Program, primals: tuple[Array, ...], tangents: tuple[Array, ...], has_aux: bool = False
    ) -> Any:
        return jax.jit(lambda primals, tangents: jax.jvp(jax.jit(program), primals, tangents, has_aux))(
            primals, tangents
        )

    def jacobian(self, program: Program, argnums: Argnums = 0, has_aux: bool = False) -> Program:
        jacobian: Program = jax.jit(jax.jacrev(jax.jit(program), argnums, has_aux))
        return jacobian

    def jacfwd(self, program: Program, argnums: Argnums = 0, has_aux: bool = False) -> Program:
        jacobian: Program = jax.jit(jax.jacfwd(jax.jit(program), argnums, has_aux))
        return jacobian

    def hessian(self, program: Program, argnums: Argnums = 0) -> Program:
        hessian: Program = jax.jit(jax.hessian(jax.jit(program), argnums))
        return hessian

    def vmap(self, program: Program, in_axes: Any = 0, out_axes: Any = 0) -> Program:
        mapped: Program = jax.jit(jax.vmap(jax.jit(program), in_axes, out_axes))
        return mapped

    def linearize(self, program: Program, *primals: Array) -> tuple[Any, Program]:
        output, pushforward = jax.linearize(jax.jit(program), *primals)
        return output, jax.jit(pushforward)

    def linear_transpose(self, program: Program, *primals: Array) -> Program:
        transposed: Program = jax.jit(jax.linear_transpose(jax.jit(program), *primals))
        return transposed

    def check_gradients(self, program: Program, *primals: Array) -> Any:
        return super().check_gradients(jax.jit(program), *primals)

    def check_second_gradients(self, program: Program, *primals: Array) -> Any:
        return super().check_second_gradients(jax.jit(program), *primals)

    def custom_vjp(
        self,
        forward: Program | None,
        backward: Program | None,
        primal: Program | None = None,
        nondiff_argnums: tuple[int, ...] = (),
    ) -> Program:
        custom = super().custom_vjp(forward, backward, primal, nondiff_argnums)
        ruled: Program = jax.jit(custom, static_argnums=nondiff_argnums)
        return ruled

    def custom_jvp(self, program: Program, rule: Program | None, nondiff_argnums: tuple[int, ...] = ()) -> Program:
        custom = super().custom_jvp(program, rule, nondiff_argnums)
        ruled: Program = jax.jit(custom, static_argnums=nondiff_argnums)
        return ruled

    def custom_jvps(self, program: Program, *rules: Program | None, nondiff_argnums: tuple[int, ...] = ()) -> Program:
        custom = super().custom_jvps(program, *rules, nondiff_argnums=nondiff_argnums)
        ruled: Program = jax.jit(custom, static_argnums=nondiff_argnums)
        return ruled

    def custom_gradient(self, program: Program) -> Program:
        ruled: Program = jax.jit(super().custom_gradient(program))
        return ruled

    def checkpoint(self, program: Program, policy: str | None = None) -> Program:
        rematerialized: Program = jax.jit(super().checkpoint(program, policy))
        return rematerialized

    if jax.__version_info__ >= (0, 9):  # the pullbacks of older versions have no `with_refs`

        def with_references(self, pullback: Program, *references: Any) -> Program:
            accumulating: Program = jax.jit(pullback.__wrapped__.with_refs(*references))  # type: ignore[attr-defined]
            return accumulating
