"""PyTorch's function transforms: `torch.func` over the same tensors, without the tape.

A program of its leaves is given to torch.func as it is. What the tape alone has is absent here: `TENSOR_FEATURES`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import torch

from adapters.absences.of_torch import FUNCTION_LIMITATIONS, TENSOR_FEATURES, TRACED_FEATURES
from adapters.tape_like import OnTensors
from adapters.tape_like.rules import RuleVerbs
from adapters.with_torch import TorchProcess
from conformance.protocol import Absence, Limitation
from conformance.protocol.types import Argnums, Array, Arrays, Program


class TorchFuncAdapter(TorchProcess, RuleVerbs, OnTensors):
    """torch.func, CPU."""

    name: ClassVar[str] = "torch_func"
    variants: ClassVar[Mapping[str, str]] = {"compile": "adapters.with_torch_func_compile:TorchFuncCompileAdapter"}
    absences: ClassVar[tuple[Absence, ...]] = TENSOR_FEATURES + TRACED_FEATURES
    limitations: ClassVar[tuple[Limitation, ...]] = FUNCTION_LIMITATIONS

    @property
    def held_to(self) -> Mapping[str, str]:
        return {"torch_func": self.version, "torch": self.version}

    def grad(self, program: Program, argnums: Argnums = 0, has_aux: bool = False) -> Program:
        return torch.func.grad(program, argnums, has_aux)

    def value_and_grad(self, program: Program, argnums: Argnums = 0, has_aux: bool = False) -> Program:
        # In PyTorch's order: gradient, then value; a behaviour reads its own engine's order.
        return torch.func.grad_and_value(program, argnums, has_aux)

    def vjp(self, program: Program, *primals: Array, has_aux: bool = False) -> Any:
        return torch.func.vjp(program, *primals, has_aux=has_aux)

    def jvp(
        self, program: Program, primals: Arrays, tangents: Arrays, has_aux: bool = False, strict: bool = False
    ) -> Any:
        return torch.func.jvp(program, primals, tangents, strict=strict, has_aux=has_aux)

    def linearize(self, program: Program, *primals: Array) -> tuple[Any, Program]:
        return torch.func.linearize(program, *primals)

    def jacobian(
        self, program: Program, argnums: Argnums = 0, has_aux: bool = False, chunk_size: int | None = None
    ) -> Program:
        return torch.func.jacrev(program, argnums, has_aux=has_aux, chunk_size=chunk_size)

    def jacfwd(self, program: Program, argnums: Argnums = 0, has_aux: bool = False) -> Program:
        return torch.func.jacfwd(program, argnums, has_aux)

    def hessian(self, program: Program, argnums: Argnums = 0) -> Program:
        return torch.func.hessian(program, argnums)

    def functionalize(self, program: Program) -> Program:
        return torch.func.functionalize(program)
