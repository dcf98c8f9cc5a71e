"""Derivatives of programs, and their check by finite differences."""

from __future__ import annotations

from typing import Any

import autograd
from autograd.test_util import check_grads

from conformance.protocol.types import Argnums, Array, Arrays, Program


class HipsTransformVerbs:
    """The groups Transforms and Checking of the protocol."""

    def grad(self, program: Program, argnums: Argnums = 0, has_aux: bool = False, holomorphic: bool = False) -> Program:
        """Idiom: each flag of the protocol is another function here."""
        transform = autograd.holomorphic_grad if holomorphic else autograd.grad_and_aux if has_aux else autograd.grad
        return transform(program, argnums)

    def value_and_grad(self, program: Program, argnums: Argnums = 0) -> Program:
        return autograd.value_and_grad(program, argnums)

    def vjp(self, program: Program, *primals: Array) -> Any:
        # The engine returns the pullback first.
        pullback, output = autograd.make_vjp(program, tuple(range(len(primals))))(*primals)
        return output, pullback

    def jvp(self, program: Program, primals: Arrays, tangents: Arrays) -> Any:
        # Of all arguments: by default the engine differentiates the first alone.
        return autograd.make_jvp(program, tuple(range(len(primals))))(*primals)(tuple(tangents))

    def jacobian(self, program: Program, argnums: Argnums = 0) -> Program:
        return autograd.jacobian(program, argnums)

    def hessian(self, program: Program, argnums: Argnums = 0) -> Program:
        return autograd.hessian(program, argnums)

    def check_gradients(self, program: Program, *primals: Array, order: int = 1) -> bool:
        # Reverse mode alone: of a primitive with a rule by hand the other may have none.
        check_grads(program, tuple(range(len(primals))), modes=["rev"], order=order)(*primals)
        return True
