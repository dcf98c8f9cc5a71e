"""torch.func under `torch.compile`: the whole program of a check is compiled, with the transforms in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from adapters.with_torch_compile import Compiles
from adapters.with_torch_func import TorchFuncAdapter
from conformance.protocol.types import Argnums, Axes, Program


class TorchFuncCompileAdapter(Compiles, TorchFuncAdapter):
    """torch.func, CPU, programs compiled with the transforms in them."""

    name: ClassVar[str] = "torch_func:compile"

    def __init__(self, parameters: Mapping[str, str] | None = None) -> None:
        super().__init__(parameters)
        self.eager = TorchFuncAdapter()

    # Transforms themselves are compiled in checks whose program cannot be derived.

    def grad(self, program: Program, argnums: Argnums = 0, has_aux: bool = False) -> Program:
        return self.compile_program(super().grad(program, argnums, has_aux))

    def value_and_grad(self, program: Program, argnums: Argnums = 0, has_aux: bool = False) -> Program:
        return self.compile_program(super().value_and_grad(program, argnums, has_aux))

    def jacobian(
        self, program: Program, argnums: Argnums = 0, has_aux: bool = False, chunk_size: int | None = None
    ) -> Program:
        return self.compile_program(super().jacobian(program, argnums, has_aux, chunk_size))

    def jacfwd(self, program: Program, argnums: Argnums = 0, has_aux: bool = False) -> Program:
        return self.compile_program(super().jacfwd(program, argnums, has_aux))

    def hessian(self, program: Program, argnums: Argnums = 0) -> Program:
        return self.compile_program(super().hessian(program, argnums))

    def vmap(
        self,
        program: Program,
        in_axes: Axes = 0,
        out_axes: Axes = 0,
        randomness: str = "error",
        chunk_size: int | None = None,
    ) -> Program:
        return self.compile_program(super().vmap(program, in_axes, out_axes, randomness, chunk_size))
