"""Leaves and custom functions that several probes of PyTorch use."""

from __future__ import annotations

from typing import Any

from workshop.engine_mutants.fault_forms import attempt

Torch = Any


def leaves(torch: Torch) -> tuple[Any, Any]:
    return torch.tensor([1.0, 2.0], requires_grad=True), torch.tensor(
        [3.0, 5.0], requires_grad=True, dtype=torch.float64
    )


def custom_function(torch: Torch, **members: Any) -> Any:
    return type("Custom", (torch.autograd.Function,), {k: staticmethod(v) for k, v in members.items()})


def product(torch: Torch, **more: Any) -> Any:
    """x * y, by a rule that saves both."""

    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.save_for_backward(*inputs)
        # Forward mode has another list.
        ctx.save_for_forward(*inputs)

    def backward(ctx: Any, g: Any) -> Any:
        x, y = ctx.saved_tensors
        # The factor 3 is wrong on purpose: it shows that this rule is used, and not autograd's.
        return g * y, 3 * g * x

    def jvp(ctx: Any, s: Any, t: Any) -> Any:
        x, y = ctx.saved_tensors
        return s * y + 3 * x * t

    return custom_function(
        torch, forward=lambda x, y: x * y, setup_context=setup_context, **{"backward": backward, "jvp": jvp, **more}
    )


def inputs(torch: Torch) -> tuple[Any, Any]:
    x = torch.tensor([1.0, 2.0], requires_grad=True, dtype=torch.float64)
    return x, torch.tensor([3.0, 5.0], requires_grad=True, dtype=torch.float64)


def derived(torch: Torch, apply: Any) -> Any:
    """First and second derivatives in both modes, twice through one graph."""
    x, y = inputs(torch)
    output = (apply(x, y) ** 2).sum()
    first = torch.autograd.grad(output, [x, y], create_graph=True)
    second = torch.autograd.grad((first[0] * first[1]).sum(), [x, y], retain_graph=True)
    again = attempt(lambda: torch.autograd.grad(output, [x, y]))
    forward_ad = torch.autograd.forward_ad
    with forward_ad.dual_level():
        # The tangents are the other operand's numbers: any fixed numbers do.
        dual = apply(forward_ad.make_dual(x.detach(), y.detach()), forward_ad.make_dual(y.detach(), x.detach()))
        tangent = forward_ad.unpack_dual(dual).tangent
    z = torch.ones(2, requires_grad=True)
    return first, second, again, tangent, torch.autograd.grad(apply(z, z).sum(), [z])
