"""PyTorch under `torch.compile`: the whole program of a check is compiled, calls of `backward` and hooks included.

`backend` names what makes code of the graphs: `eager` runs them as they were traced; `aot_eager` traces forward and
backward ahead of time and runs both with eager kernels; `inductor` generates code. What differs with `eager` comes from
tracing, with `aot_eager` only from differentiation ahead of time, with `inductor` only from the code.
"""

from __future__ import annotations

import math
import os
import shutil
import sys
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any, ClassVar

import torch
from torch._functorch import config as functorch_config
from torch.autograd import forward_ad
from torch.utils import _pytree

from adapters.tape_like.lowering import depth
from adapters.with_torch import TorchAdapter
from conformance.protocol import Absence, AdapterError, CompilingAdapter
from conformance.protocol.types import Argnums, Array, Arrays, Axes, Program, Tree

BACKENDS = ("aot_eager", "eager", "inductor")  # the first is the default
NOTHING = "no operation of the program is captured in a graph: it runs in eager mode"
# A graph for each shape, dtype and subset of arguments that require grad: never so many that eager mode is better.
UNLIMITED: dict[str, Any] = {"recompile_limit": 1000, "isolate_recompiles": True}
SOURCE = "https://docs.pytorch.org/docs/stable/user_guide/torch_compiler/torch.compiler_faq.html"


class Compiles(CompilingAdapter):
    """Parts that adapters of compiled programs have in common, beside the adapter of eager mode."""

    def __init__(self, parameters: Mapping[str, str] | None = None) -> None:
        others = dict(parameters or {})
        self.backend = others.pop("backend", BACKENDS[0])
        if self.backend not in BACKENDS:
            raise AdapterError(f"torch.compile has no backend {self.backend!r} here; known are {', '.join(BACKENDS)}")
        compiler = os.environ.get("CXX", "g++")
        if self.backend == "inductor":
            if shutil.which(compiler) is None:
                raise AdapterError(f"the backend inductor needs a C++ compiler, and there is no {compiler!r}")
            sys.setrecursionlimit(max(sys.getrecursionlimit(), 2000))  # as inductor does when it first compiles
        super().__init__(others)
        self.parameters = dict(parameters or {})
        if self.backend != BACKENDS[0]:
            # A separate column, with separate known failures.
            self.name = f"{self.name},backend={self.backend}"  # type: ignore[misc]
        self.make: Callable[..., Any] = torch._dynamo.lookup_backend(self.backend)
        self._traced = False

    @property
    def held_to(self) -> Mapping[str, str]:
        return {"torch_compile": self.version, **super().held_to}

    def global_state(self) -> Mapping[str, Any]:
        # What an error while tracing may leave open, so that what comes next computes otherwise.
        included, excluded = torch._C._dispatch_tls_local_include_set(), torch._C._dispatch_tls_local_exclude_set()
        opened = {"dispatch keys": f"{included} without {excluded}", "an open dual level": _inside_a_dual_level()}
        return {**super().global_state(), **opened}

    def forget(self) -> None:
        # Each behaviour compiles afresh: past its limit of recompilations, a later one would run in eager mode.
        torch.compiler.reset()
        self._traced = False

    def compiled(self, program: Callable[[], None]) -> Callable[[], None]:
        compiled = self.compile_program(program)

        def run() -> None:
            try:
                compiled()
            # An error of the compiler proves that it was at work, though no graph was made.
            except torch._dynamo.exc.TorchDynamoException:
                self._traced = True
                raise

        return run

    def compile_program(self, program: Program) -> Program:
        """The program, compiled; a graph that is made of it is noted."""

        def noting(graph: Any, inputs: list[Any]) -> Any:
            made = self.make(graph, inputs)
            self._traced = True  # now: a graph that the backend cannot take may run in eager mode
            return made

        noting.__name__ = self.backend  # for messages
        return torch.compile(program, backend=noting)

    def apart(self, function: Callable[..., Any]) -> Callable[..., Any]:
        # Not recursive: what the function calls is still compiled.
        return torch.compiler.disable(function, recursive=False)

    def copied(self, value: Any) -> Any:
        return _pytree.tree_map_only(torch.Tensor, lambda x: x.detach().clone(), value)

    def uncompiled(self) -> str:
        return "" if self._traced else f"{NOTHING} (source: {SOURCE})"


class TorchCompileAdapter(Compiles, TorchAdapter):
    """PyTorch, CPU, programs compiled."""

    name: ClassVar[str] = "torch:compile"
    absences: ClassVar[tuple[Absence, ...]] = tuple(
        absence for absence in TorchAdapter.absences if "compile_operation" not in absence.features
    )

    def __init__(self, parameters: Mapping[str, str] | None = None) -> None:
        super().__init__(parameters)
        self.eager = TorchAdapter()
        self.on_operations: OnCompiledOperations = OnCompiledOperations(self.backend)

    def compile_operation(self, operation: Program, order: int = 1) -> Program:
        return self.on_operations.compile_operation(operation, order)

    # What a transform is given is compiled in checks whose program cannot be derived.

    def grad(self, program: Program, argnums: Argnums = 0) -> Program:
        return super().grad(self.compile_program(program), argnums)

    def vjp(self, program: Program, *primals: Any) -> tuple[Any, Program]:
        return super().vjp(self.compile_program(program), *primals)

    def jvp(self, program: Program, primals: Arrays, tangents: Arrays) -> tuple[Any, Any]:
        return super().jvp(self.compile_program(program), primals, tangents)

    def jacobian(self, program: Program) -> Program:
        return super().jacobian(self.compile_program(program))

    def jacfwd(self, program: Program) -> Program:
        return super().jacfwd(self.compile_program(program))

    def hessian(self, program: Program) -> Program:
        return super().hessian(self.compile_program(program))

    def vmap(
        self,
        program: Program,
        in_axes: Axes = 0,
        out_axes: Axes = 0,
        randomness: str = "error",
        chunk_size: int | None = None,
    ) -> Program:
        return super().vmap(self.compile_program(program), in_axes, out_axes, randomness, chunk_size)


class OnCompiledOperations(TorchAdapter, CompilingAdapter):
    """PyTorch's tape, in eager mode, over operations that are compiled, forward and backward."""

    def __init__(self, backend: str) -> None:
        super().__init__()
        self.eager = TorchAdapter()
        self._make: Callable[..., Any] = torch._dynamo.lookup_backend(backend)
        self._ran, self._skipped, self._graphs = False, False, 0

    def forget(self) -> None:
        self._ran, self._skipped = False, False

    def uncompiled(self) -> str:
        return "" if self._ran else f"{NOTHING} (source: {SOURCE})"

    @property
    def compiles_a_part(self) -> bool:
        return self._skipped

    def compile_operation(self, operation: Program, order: int = 1) -> Program:
        compiled = self._compiled(operation if order == 1 else _pullback_of(operation))

        def call(*xs: Any) -> Any:
            if _depth_of_derivatives() > order:
                self._skipped = True
                return operation(*xs)
            return compiled(*xs) if order == 1 else _with_pullback(operation, compiled, xs)

        return call

    def _compiled(self, function: Program) -> Program:
        """The function, compiled; its calls are counted as those of graphs, or as skipped."""
        # A copy of the code: where tracing fails, the compiler skips that code from then on.
        code = function.__code__.replace()
        copied = FunctionType(code, function.__globals__, function.__name__, None, function.__closure__)
        compiled = torch.compile(copied, backend=self._backend, dynamic=False, **UNLIMITED)

        def call(*xs: Any) -> Any:
            before = self._graphs
            try:
                with _retained():
                    return compiled(*xs)
            # What went wrong is the same as in eager mode, where that raises the error within.
            except torch._dynamo.exc.BackendCompilerFailed as error:
                raise error.inner_exception from None
            finally:
                self._ran |= self._graphs > before
                self._skipped |= self._graphs == before

        return call

    def _backend(self, graph: Any, inputs: list[Any]) -> Program:
        made = self._make(graph, inputs)

        def run(*xs: Any) -> Any:
            self._graphs += 1
            return made(*xs)

        return run

    # What runs backward asks again whether memory was donated.

    def grad(self, program: Program, argnums: Argnums = 0) -> Program:
        return _retained()(super().grad(program, argnums))

    def vjp(self, program: Program, *primals: Tree) -> tuple[Tree, Program]:
        output, pullback = super().vjp(program, *primals)
        return output, _retained()(pullback)

    def grad_of(self, *args: Any, **options: Any) -> Any:
        with _retained():
            return super().grad_of(*args, **options)


def _retained() -> Any:
    """A scope of graphs that a second backward may be asked of: else the first reuses the memory of what was saved."""
    return functorch_config.patch(donated_buffer=False, force_non_lazy_backward_lowering=True)


def _depth_of_derivatives() -> float:
    """The number of derivatives by the tape that are asked for; infinite of one by torch.func, or in forward mode.

    No compiled operation has such a derivative: what is to be compiled is the transform. An operation that is called
    once within torch.func is not compiled outside either, from then on.
    """
    within = _inside_a_dual_level() or torch._C._functorch.peek_interpreter_stack() is not None
    return math.inf if within else depth()


def _pullback_of(operation: Program) -> Program:
    """The pullback of an operation by its arguments with these numbers, as a function of arguments and cotangents."""

    def pullback(wanted: tuple[int, ...], xs: Arrays, cotangents: Arrays) -> Arrays:
        def outputs(*differentiated: Array) -> Arrays:
            arguments = list(xs)
            for at, x in zip(wanted, differentiated, strict=True):
                arguments[at] = x
            return tuple(filter(_is_differentiable, _in_a_tuple(operation(*arguments))))

        pull_back: Program = torch.func.vjp(outputs, *[xs[at] for at in wanted])[1]
        return pull_back(cotangents)

    return pullback


def _with_pullback(operation: Program, pullback: Program, xs: Arrays) -> Any:
    """The results of an operation whose derivative is that pullback, which can be differentiated once more."""

    class WithPullback(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, *xs: Any) -> Any:
            ctx.save_for_backward(*xs)
            # Copies, as a result may be a view of an argument, or that itself.
            results = [x.clone() if isinstance(x, torch.Tensor) else x for x in _in_a_tuple(operation(*xs))]
            ctx.mark_non_differentiable(*(x for x in results if not _is_differentiable(x)))
            return tuple(results)

        @staticmethod
        def backward(ctx: Any, *cotangents: Any) -> Any:
            xs, wanted = ctx.saved_tensors, tuple(at for at, needed in enumerate(ctx.needs_input_grad) if needed)
            gradients = dict(
                zip(wanted, pullback(wanted, xs, tuple(filter(_is_differentiable, cotangents))), strict=True)
            )
            return tuple(map(gradients.get, range(len(xs))))

    results = WithPullback.apply(*xs)
    return results[0] if len(results) == 1 else results


def _in_a_tuple(results: Any) -> tuple[Any, ...]:
    return tuple(results) if isinstance(results, (tuple, list)) else (results,)


def _is_differentiable(x: Any) -> bool:
    return isinstance(x, torch.Tensor) and (x.is_floating_point() or x.is_complex())


def _inside_a_dual_level() -> bool:
    """Whether a dual level is open, which PyTorch reports by an error: levels do not nest."""
    try:
        with forward_ad.dual_level():
            return False
    except RuntimeError:
        return True
