"""JAX under jit, in three positions: the program that a transform is given is jitted, the transform is called under
jit, and the function that it returns is jitted.

What raises an error under jit, such as asking a tracer for its truth value, does so here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import jax

from adapters.of_jax.joint import argument, compile_jointly
from adapters.with_jax import JaxAdapter
from conformance.protocol import Joint
from conformance.protocol.types import Argnums, Array, Arrays, Axes, Program, Reference, Rule, Tree


def _applied(pullback: Program, *cotangents: Array) -> Tree:
    return pullback(*cotangents)


class JaxJitAdapter(JaxAdapter):
    """JAX, CPU, with 64-bit numbers, every program compiled."""

    name: ClassVar[str] = "jax:jit"

    @property
    def held_to(self) -> Mapping[str, str]:
        return {"jax_jit": self.version, "jax": self.version}

    @property
    def joint(self) -> Joint:
        # Compiled once and as a whole: not each transform within by itself.
        return Joint(JaxAdapter(), compile_jointly, argument, jax.eval_shape, is_screen=False)

    def grad(
        self,
        program: Program,
        argnums: Argnums = 0,
        has_aux: bool = False,
        holomorphic: bool = False,
        allow_int: bool = False,
    ) -> Program:
        return jax.jit(jax.grad(jax.jit(program), argnums, has_aux, holomorphic, allow_int))

    def value_and_grad(
        self,
        program: Program,
        argnums: Argnums = 0,
        has_aux: bool = False,
        holomorphic: bool = False,
        allow_int: bool = False,
    ) -> Program:
        return jax.jit(jax.value_and_grad(jax.jit(program), argnums, has_aux, holomorphic, allow_int))

    def vjp(
        self, program: Program, *primals: Array, has_aux: bool = False, in_nzs: tuple[bool, ...] | None = None
    ) -> Any:
        given: dict[str, Any] = {} if in_nzs is None else {"in_nzs": in_nzs}
        around = jax.jit(lambda *primals: jax.vjp(jax.jit(program), *primals, has_aux=has_aux, **given))
        output, pullback, *aux = around(*primals)
        # Not its jit alone: the pullback is a pytree of residuals, which a program may return.
        return output, jax.tree_util.Partial(jax.jit(_applied), pullback), *aux

    def jvp(self, program: Program, primals: Arrays, tangents: Arrays, has_aux: bool = False) -> Any:
        # What jvp returns are arrays, so a function around it is compiled.
        return jax.jit(lambda primals, tangents: jax.jvp(jax.jit(program), primals, tangents, has_aux))(
            primals, tangents
        )

    def jacobian(
        self,
        program: Program,
        argnums: Argnums = 0,
        has_aux: bool = False,
        holomorphic: bool = False,
        allow_int: bool = False,
        alias: bool = False,
    ) -> Program:
        transform = jax.jacobian if alias else jax.jacrev
        return jax.jit(transform(jax.jit(program), argnums, has_aux, holomorphic, allow_int))

    def jacfwd(
        self, program: Program, argnums: Argnums = 0, has_aux: bool = False, holomorphic: bool = False
    ) -> Program:
        return jax.jit(jax.jacfwd(jax.jit(program), argnums, has_aux, holomorphic))

    def hessian(
        self, program: Program, argnums: Argnums = 0, has_aux: bool = False, holomorphic: bool = False
    ) -> Program:
        return jax.jit(jax.hessian(jax.jit(program), argnums, has_aux, holomorphic))

    def jet(self, program: Program, primals: Arrays, series: Tree, factorial_scaled: bool = True) -> Any:
        taylor = super().jet
        compiled = jax.jit(lambda *given: taylor(jax.jit(program), given[0], given[1], factorial_scaled))
        return compiled(primals, series)

    def vmap(self, program: Program, in_axes: Axes = 0, out_axes: Axes = 0) -> Program:
        return jax.jit(jax.vmap(jax.jit(program), in_axes, out_axes))

    def linearize(
        self, program: Program, *primals: Array, has_aux: bool = False, in_nzs: tuple[bool, ...] | None = None
    ) -> Any:
        given: dict[str, Any] = {} if in_nzs is None else {"in_nzs": in_nzs}
        around = jax.jit(lambda *primals: jax.linearize(jax.jit(program), *primals, has_aux=has_aux, **given))
        output, pushforward, *aux = around(*primals)
        return output, jax.jit(pushforward), *aux

    def linear_transpose(self, program: Program, *primals: Array) -> Program:
        # Primals may be shapes alone, which jit does not take.
        return jax.jit(jax.jit(lambda: jax.linear_transpose(jax.jit(program), *primals))())

    def linear_call(self, program: Program, transpose: Program, residuals: Tree, x: Tree) -> Any:
        return super().linear_call(jax.jit(program), jax.jit(transpose), residuals, x)

    def forward_and_backward(
        self, program: Program, argnums: Argnums | None = None, has_aux: bool = False
    ) -> tuple[Program, Program]:
        forward, backward = super().forward_and_backward(jax.jit(program), argnums, has_aux)
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

    def custom_vmap(self, program: Program, rule: Program) -> Program:
        return jax.jit(super().custom_vmap(program, rule))

    def sequential_vmap(self, program: Program) -> Program:
        return jax.jit(super().sequential_vmap(program))

    def custom_vjp_with_logs(self, forward: Program, backward: Program, primal: Program) -> Program:
        return jax.jit(super().custom_vjp_with_logs(forward, backward, primal))

    def custom_vjp_with_accumulators(self, forward: Program, backward: Program, primal: Program) -> Program:
        return jax.jit(super().custom_vjp_with_accumulators(forward, backward, primal))

    def custom_vjp_with_rematerialization(
        self, forward: Program, rematerialize: Program, backward: Program, primal: Program, with_logs: bool = False
    ) -> Program:
        custom = super().custom_vjp_with_rematerialization(forward, rematerialize, backward, primal, with_logs)
        return jax.jit(custom)

    def pull_back_with_logs(self, pullback: Program, cotangent: Tree) -> tuple[Arrays, dict[str, Tree]]:
        return super().pull_back_with_logs(pullback.args[0], cotangent)  # type: ignore[attr-defined]

    def checkpoint(
        self,
        program: Program,
        policy: Any = None,
        static_argnums: tuple[int, ...] = (),
        spelling: str = "checkpoint",
    ) -> Program:
        return jax.jit(super().checkpoint(program, policy, static_argnums, spelling), static_argnums=static_argnums)

    def with_references(self, pullback: Program, *references: Reference | str) -> Program:
        # `vjp` above jits the pullback; its method is that of the function within.
        return jax.jit(super().with_references(pullback.args[0], *references))  # type: ignore[attr-defined]

    def saved_residuals(self, program: Program, *args: Array) -> list[str]:
        # Of a jitted program, the list says of each value that jit returned it, and neither name nor operation.
        return super().saved_residuals(getattr(program, "__wrapped__", program), *args)
