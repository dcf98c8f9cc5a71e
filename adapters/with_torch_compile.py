"""PyTorch under `torch.compile`: the program that a transform is given is compiled, and the tape differentiates it.

The backend `aot_eager` traces forward and backward ahead of time and runs both with eager kernels: what differs from
the column `torch` is the tracing, and no code generator. Checks that drive the tape themselves run as in `torch`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import torch

from adapters.with_torch import TorchAdapter
from conformance.protocol.types import Argnums, Arrays, Axes, Program


class TorchCompileAdapter(TorchAdapter):
    """PyTorch, CPU, programs compiled with the backend `aot_eager`."""

    name: ClassVar[str] = "torch:compile"

    @property
    def held_to(self) -> Mapping[str, str]:
        return {"torch_compile": self.version, "torch": self.version}

    def global_state(self) -> Mapping[str, Any]:
        # Each behaviour compiles afresh: past its limit of recompilations, a later one would run in eager mode.
        torch.compiler.reset()
        return super().global_state()

    def grad(self, program: Program, argnums: Argnums = 0) -> Program:
        return super().grad(torch.compile(program, backend="aot_eager"), argnums)

    def vjp(self, program: Program, *primals: Any) -> tuple[Any, Program]:
        return super().vjp(torch.compile(program, backend="aot_eager"), *primals)

    def jvp(self, program: Program, primals: Arrays, tangents: Arrays) -> tuple[Any, Any]:
        return super().jvp(torch.compile(program, backend="aot_eager"), primals, tangents)

    def jacobian(self, program: Program) -> Program:
        return super().jacobian(torch.compile(program, backend="aot_eager"))

    def jacfwd(self, program: Program) -> Program:
        return super().jacfwd(torch.compile(program, backend="aot_eager"))

    def hessian(self, program: Program) -> Program:
        return super().hessian(torch.compile(program, backend="aot_eager"))

    def vmap(
        self,
        program: Program,
        in_axes: Axes = 0,
        out_axes: Axes = 0,
        randomness: str = "error",
        chunk_size: int | None = None,
    ) -> Program:
        compiled = torch.compile(program, backend="aot_eager")
        return super().vmap(compiled, in_axes, out_axes, randomness, chunk_size)
