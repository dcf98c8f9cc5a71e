"""PyTorch under `torch.func.functionalize`: the program that a transform of torch.func is given is functionalized.

So users have it: it is composed with `grad`, `vmap` and the others, and what it is given has no in-place writes left.
A whole program cannot be: `backward` raises an error within it, and leaves within it record nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import torch

from adapters.with_torch_func import TorchFuncAdapter
from conformance.protocol import CompilingAdapter
from conformance.protocol.types import Argnums, Array, Arrays, Axes, Program

NOTHING = "no program is given to a transform, so none is functionalized"
SOURCE = "https://docs.pytorch.org/docs/stable/generated/torch.func.functionalize.html"


class TorchFunctionalizeAdapter(TorchFuncAdapter, CompilingAdapter):
    """torch.func, CPU, programs functionalized."""

    name: ClassVar[str] = "torch:functionalize"
    whole: ClassVar[bool] = False

    def __init__(self, parameters: Mapping[str, str] | None = None) -> None:
        super().__init__(parameters)
        self.eager = TorchFuncAdapter()
        self._ran = False

    def forget(self) -> None:
        self._ran = False

    def uncompiled(self) -> str:
        return "" if self._ran else f"{NOTHING} (source: {SOURCE})"

    def _pure(self, program: Program) -> Program:
        functionalized = torch.func.functionalize(program)

        # Noted when it runs, because transforms may never call the program.
        def noting(*args: Any, **keywords: Any) -> Any:
            self._ran = True
            return functionalized(*args, **keywords)

        return noting

    def grad(self, program: Program, argnums: Argnums = 0, has_aux: bool = False) -> Program:
        return super().grad(self._pure(program), argnums, has_aux)

    def value_and_grad(self, program: Program, argnums: Argnums = 0, has_aux: bool = False) -> Program:
        return super().value_and_grad(self._pure(program), argnums, has_aux)

    def vjp(self, program: Program, *primals: Array, has_aux: bool = False) -> Any:
        return super().vjp(self._pure(program), *primals, has_aux=has_aux)

    def jvp(
        self, program: Program, primals: Arrays, tangents: Arrays, has_aux: bool = False, strict: bool = False
    ) -> Any:
        return super().jvp(self._pure(program), primals, tangents, has_aux, strict)

    def linearize(self, program: Program, *primals: Array) -> tuple[Any, Program]:
        return super().linearize(self._pure(program), *primals)

    def jacobian(
        self, program: Program, argnums: Argnums = 0, has_aux: bool = False, chunk_size: int | None = None
    ) -> Program:
        return super().jacobian(self._pure(program), argnums, has_aux, chunk_size)

    def jacfwd(self, program: Program, argnums: Argnums = 0, has_aux: bool = False) -> Program:
        return super().jacfwd(self._pure(program), argnums, has_aux)

    def hessian(self, program: Program, argnums: Argnums = 0) -> Program:
        return super().hessian(self._pure(program), argnums)

    def vmap(
        self,
        program: Program,
        in_axes: Axes = 0,
        out_axes: Axes = 0,
        randomness: str = "error",
        chunk_size: int | None = None,
    ) -> Program:
        return super().vmap(self._pure(program), in_axes, out_axes, randomness, chunk_size)
