"""Derivatives of programs, and their check by finite differences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import autograd
from autograd.test_util import check_grads

__all__ = ["TransformVerbs"]

Argnums = Any
Array = Any
Program = Callable[..., Any]


class TransformVerbs:
    """The groups Transforms and Checking of the protocol."""

    def grad(self, program: Program, argnums: Argnums = 0, has_aux: bool = False, holomorphic: bool = False) -> Program:
        """A flag of the protocol is a function of its own here."""
        transform = autograd.holomorphic_grad if holomorphic else autograd.grad_and_aux if has_aux else autograd.grad
        gradient: Program = transform(program, argnums)
        return gradient

    def value_and_grad(self, program: Program, argnums: Argnums = 0) -> Program:
        both: Program = autograd.value_and_grad(program, argnums)
        return both

    def vjp(self, program: Program, *primals: Array) -> Any:
        pullback, output = autograd.make_vjp(program, tuple(range(len(primals))))(*primals)
        return output, pullback

    def jvp(self, program: Program, primals: tuple[Array, ...], tangents: tuple[Array, ...]) -> Any:
        return autograd.make_jvp(program, tuple(range(len(primals))))(*primals)(tuple(tangents))

    def jacobian(self, program: Program, argnums: Argnums = 0) -> Program:
        jacobian: Program = autograd.jacobian(program, argnums)
        return jacobian

    def hessian(self, program: Program, argnums: Argnums = 0) -> Program:
        hessian: Program = autograd.hessian(program, argnums)
        return hessian

    def check_gradients(self, program: Program, *primals: Array) -> Any:
        check_grads(program, tuple(range(len(primals))), modes=["rev"], order=1)(*primals)
        return True

    def check_second_gradients(self, program: Program, *primals: Array) -> Any:
        check_grads(program, tuple(range(len(primals))), modes=["rev"], order=2)(*primals)
        return True
