"""JAX under jit, in three positions: the program that a transform is given is jitted, the transform is called under
jit, and the function that it returns is jitted.

What raises an error under jit, such as asking a tracer for its truth value, does so here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import jax

from adapters.with_jax import JaxAdapter
from conformance.protocol.types import Argnums, Array, Arrays, Axes, Program, Reference, Rule, Tree


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
        return jax.jit(jax.grad(jax.jit(program), argnums, has_aux, holomorphic, allow_int))

    def value_and_grad(self, program: Program, argnums: Argnums = 0, has_aux: bool = False) -> Program:
        return jax.jit(jax.value_and_grad(jax.jit(program), argnums, has_aux))

    def vjp(
        self, program: Program, *primals: Array, has_aux: bool = False, in_nzs: tuple[bool, ...] | None = None
    ) -> Any:
        given: dict[str, Any] = {} if in_nzs is None else {"in_nzs": in_nzs}
        around = jax.jit(lambda *primals: jax.vjp(jax.jit(program), *primals, has_aux=has_aux, **given))
        output, pullback, *aux = around(*primals)
        return output, jax.jit(pullback), *aux

    def jvp(self, program: Program, primals: Arrays, tangents: Arrays, has_aux: bool = False) -> Any:
        # What jvp returns are arrays, so a function around it is compiled.
        return jax.jit(lambda primals, tangents: jax.jvp(jax.jit(program), primals, tangents, has_aux))(
            primals, tangents
        )

    def jacobian(self, program: Program, argnums: Argnums = 0, has_aux: bool = False) -> Program:
        return jax.jit(jax.jacrev(jax.jit(program), argnums, has_aux))

    def jacfwd(self, program: Program, argnums: Argnums = 0, has_aux: bool = False) -> Program:
        return jax.jit(jax.jacfwd(jax.jit(program), argnums, has_aux))

    def hessian(self, program: Program, argnums: Argnums = 0) -> Program:
        return jax.jit(jax.hessian(jax.jit(program), argnums))

    def vmap(self, program: Program, in_axes: Axes = 0, out_axes: Axes = 0) -> Program:
        return jax.jit(jax.vmap(jax.jit(program), in_axes, out_axes))

    def linearize(
        self, program: Program, *primals: Array, in_nzs: tuple[bool, ...] | None = None
    ) -> tuple[Any, Program]:
        given: dict[str, Any] = {} if in_nzs is None else {"in_nzs": in_nzs}
        output, pushforward = jax.jit(lambda *primals: jax.linearize(jax.jit(program), *primals, **given))(*primals)
        return output, jax.jit(pushforward)

    def linear_transpose(self, program: Program, *primals: Array) -> Program:
        # Primals may be shapes alone, which jit does not take.
        return jax.jit(jax.jit(lambda: jax.linear_transpose(jax.jit(program), *primals))())

    def forward_and_backward(self, program: Program, argnums: Argnums | None = None) -> tuple[Program, Program]:
        forward, backward = super().forward_and_backward(jax.jit(program), argnums)
        return jax.jit(forward), jax.jit(backward)

    def check_gradients(
        self, program: Program, *primals: Array, order: int = 1, modes: tuple[str, ...] | None = None
    ) -> bool:
        return super().check_gradients(jax.jit(program), *primals, order=order, modes=modes)

    def custom_vjp(
        self,
        forward: Rule,
        backward: Rule,
        primal: Rule = None,
        nondiff_argnums: tuple[int, ...] = (),
        symbolic_zeros: bool = False,
    ) -> Program:
        custom = super().custom_vjp(forward, backward, primal, nondiff_argnums, symbolic_zeros)
        return jax.jit(custom, static_argnums=nondiff_argnums)

    def custom_jvp(
        self, program: Program, rule: Rule, nondiff_argnums: tuple[int, ...] = (), symbolic_zeros: bool = False
    ) -> Program:
        custom = super().custom_jvp(program, rule, nondiff_argnums, symbolic_zeros)
        return jax.jit(custom, static_argnums=nondiff_argnums)

    def custom_jvps(self, program: Program, *rules: Rule, nondiff_argnums: tuple[int, ...] = ()) -> Program:
        custom = super().custom_jvps(program, *rules, nondiff_argnums=nondiff_argnums)
        return jax.jit(custom, static_argnums=nondiff_argnums)

    def custom_gradient(self, program: Program, with_logs: bool = False) -> Program:
        return jax.jit(super().custom_gradient(program, with_logs))

    def custom_vjp_with_logs(self, forward: Program, backward: Program, primal: Program) -> Program:
        return jax.jit(super().custom_vjp_with_logs(forward, backward, primal))

    def pull_back_with_logs(self, pullback: Program, cotangent: Tree) -> tuple[Arrays, dict[str, Tree]]:
        return super().pull_back_with_logs(pullback.__wrapped__, cotangent)  # type: ignore[attr-defined]

    def checkpoint(self, program: Program, policy: str | None = None) -> Program:
        return jax.jit(super().checkpoint(program, policy))

    def with_references(self, pullback: Program, *references: Reference | str) -> Program:
        # `vjp` above jits the pullback; its method is that of the function within.
        return jax.jit(super().with_references(pullback.__wrapped__, *references))  # type: ignore[attr-defined]
