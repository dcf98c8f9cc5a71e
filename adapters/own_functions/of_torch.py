"""People's own functions on PyTorch: custom Functions, custom operators, modules and plain functions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from types import MethodType
from typing import Any

import torch
from torch.autograd import function as function_module

from conformance.protocol import OwnFunctions

__all__ = ["TorchFunctions"]

SETUP = "take `ctx` out of forward, and save in a static method setup_context(ctx, inputs, output)"
VMAP = "set generate_vmap_rule = True, or write a static method vmap(info, in_dims, *arguments)"
JVP = "write a static method jvp(ctx, *tangents)"
TWICE = "differentiate what backward computes: leave out @once_differentiable"
FORMULA = "register the derivative with torch.library.register_autograd"
DTYPE = "the function itself has no kernel for this dtype"
# PyTorch's custom operators have no way to register a forward-mode rule.
NO_FORWARD = "a custom operator has no forward mode: wrap its kernels in an autograd.Function with a jvp"

# Seen in PyTorch 2.13 for each Function with a jvp.
NESTED = "PyTorch's torch.func.jvp of a torch.func.jvp of an autograd.Function is silently zero"


class TorchFunctions(OwnFunctions):
    """A call in PyTorch; laws that need transforms are tried on torch.func."""

    package = "torch"
    columns = ("torch_func",)
    seed = "torch.manual_seed(0)"
    remedies: Mapping[str, str] = {
        "implement the jvp": JVP,
        "setup_context": SETUP,
        "generate_vmap_rule": VMAP,
        "once_differentiable": TWICE,
        "register_autograd": FORMULA,
        "no autograd formula": FORMULA,
        "does not support it because it has not been implemented yet": JVP,
        "Batching rule not implemented": "register a rule with torch.library.register_vmap",
        "not implemented for 'Half'": DTYPE,
        "not implemented for 'BFloat16'": DTYPE,
        # By NumPy, which has no bfloat16.
        "unsupported ScalarType": DTYPE,
        "Low precision dtypes not supported": DTYPE,
        "saved tensor hooks": "checkpoints and torch.func do not compose in PyTorch",
    }

    hints: Mapping[str, str] = {
        "appears to not have been used": "return a gradient for each differentiated argument; data is `constant=`",
    }

    def is_array(self, value: Any) -> bool:
        return isinstance(value, torch.Tensor)

    def is_constant(self, array: Any) -> bool | None:
        return not array.requires_grad

    def opened(self, function: Callable[..., Any]) -> tuple[Callable[..., Any], Mapping[str, Any] | None]:
        if not isinstance(function, torch.nn.Module):
            return function, None

        def call(parameters: Mapping[str, Any], *arguments: Any, **options: Any) -> Any:
            tensors = (x for x in (*parameters.values(), *arguments) if isinstance(x, torch.Tensor))
            like = next((x for x in tensors if x.is_floating_point()), None)
            # Copies, so that what the module keeps between calls is the same in each.
            buffers = {name: self.fixed(x.clone(), like) for name, x in function.named_buffers()}
            return torch.func.functional_call(function, {**parameters, **buffers}, arguments, options)

        return call, dict(function.named_parameters())

    def fixed(self, array: Any, like: Any) -> Any:
        array = array.detach()
        return array.to(like.dtype) if like is not None and array.is_floating_point() else array

    def joined(self, real: Any, imaginary: Any) -> Any:
        return torch.complex(real, imaginary)

    @contextmanager
    def seeded(self) -> Iterator[None]:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(0)
            yield

    @contextmanager
    def kept(self) -> Iterator[None]:
        warned = torch.is_warn_always_enabled()
        yield
        torch.set_warn_always(warned)

    @contextmanager
    def watched(self, note: Callable[..., None]) -> Iterator[None]:
        plain = vars(torch.autograd.Function)["apply"]

        def apply(kind: type, *arguments: Any, **options: Any) -> Any:
            tensors = [x for x in arguments if isinstance(x, torch.Tensor)]
            if torch.is_grad_enabled() and not options and any(x.requires_grad for x in tensors):
                shown = [(x.shape, x.dtype) if isinstance(x, torch.Tensor) else repr(x) for x in arguments]
                note(
                    MethodType(plain.__func__, kind),
                    kind.__qualname__,
                    (kind, str(shown)),
                    tuple(map(_copy, arguments)),
                )
            return plain.__func__(kind, *arguments, **options)

        torch.autograd.Function.apply = classmethod(apply)
        yield
        torch.autograd.Function.apply = plain

    def missing(self, call: Callable[[], Any]) -> Mapping[str, str]:
        lacking = {}
        for node in _nodes(call()):
            kind = getattr(node, "_forward_cls", None)
            backward = getattr(kind, "backward", None)
            if kind:
                lacking["forward_over_forward"] = NESTED
            # PyTorch raises its error for a second derivative only if the cotangent requires grad.
            if getattr(backward, "__wrapped__", None) and _code(backward) == function_module.__file__:
                lacking["second"] = f"backward is @once_differentiable: {TWICE}"
            # torch.func.jvp of one is silently zero.
            if node.name().startswith("GeneratedBackwardFor_"):
                lacking["forward"] = NO_FORWARD
        return lacking

    def rules(self, call: Callable[[], Any]) -> Collection[str]:
        kinds = [kind for node in _nodes(call()) if (kind := getattr(node, "_forward_cls", None))]
        base = torch.autograd.Function
        has = {
            "vmap": lambda kind: kind.generate_vmap_rule or kind.vmap is not base.vmap,
            "forward_mode": lambda kind: kind.jvp is not base.jvp,
        }
        return [word for word, test in has.items() if kinds and all(map(test, kinds))]

    def operations(self, call: Callable[[], Any]) -> Collection[str]:
        names = set()

        class Named(torch.overrides.TorchFunctionMode):
            def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
                # torch.linalg.det is named linalg_det.
                names.add(getattr(function, "__name__", "").removeprefix("linalg_").removeprefix("special_"))
                return function(*args, **(kwargs or {}))

        with Named():
            nodes = _nodes(call())
        custom = (hasattr(node, "_forward_cls") or node.name().startswith("GeneratedBackwardFor_") for node in nodes)
        return () if any(custom) else names

    def compiled(self, function: Callable[..., Any], backend: str) -> Callable[..., Any]:
        # The compiler keeps what it made of another function of the same code.
        torch.compiler.reset()
        compiled: Callable[..., Any] = torch.compile(function, backend=backend)
        return compiled


def _copy(value: Any) -> Any:
    if not isinstance(value, torch.Tensor):
        return value
    return value.detach().clone().requires_grad_(value.requires_grad)


def _code(function: Any) -> str:
    return str(getattr(getattr(function, "__code__", None), "co_filename", ""))


def _nodes(outputs: Any) -> list[Any]:
    """The nodes of a graph, each once."""
    nodes = [x.grad_fn for x in outputs if x.grad_fn is not None]
    for node in nodes:
        nodes += [other for other, _ in node.next_functions if other is not None and other not in nodes]
    return nodes
