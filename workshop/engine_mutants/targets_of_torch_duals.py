"""PyTorch's dual numbers, and its checks of gradients."""

from __future__ import annotations

from typing import Any

from workshop.engine_mutants.fault_forms import always, attempt, doing, wrong
from workshop.engine_mutants.target import NOTHING, target
from workshop.engine_mutants.torch_probes import custom_function, inputs, product

Torch = Any


_FORWARD = "torch.autograd.forward_ad"


@target(
    f"{_FORWARD}.make_dual",
    what="nothing",
    faults=[
        wrong(
            "doubles the tangent", 0, "result", change_arguments=lambda c: c.rebound("tangent", 2 * c.bound["tangent"])
        ),
        wrong(
            "doubles the tangent in the second call",
            2,
            "second call",
            lambda c: c.number == 2,
            change_arguments=lambda c: c.rebound("tangent", 2 * c.bound["tangent"]),
        ),
        wrong(
            "takes the tangent without history",
            2,
            "second order",
            lambda c: c.bound["tangent"].requires_grad,
            change_arguments=lambda c: c.rebound("tangent", c.bound["tangent"].detach()),
        ),
        wrong(
            "takes the primal without history",
            2,
            "second order",
            lambda c: c.bound["tensor"].requires_grad,
            change_arguments=lambda c: c.rebound("tensor", c.bound["tensor"].detach()),
        ),
        wrong(
            "conjugates the tangent",
            1,
            "complex numbers",
            lambda c: c.bound["tangent"].is_complex(),
            change_arguments=lambda c: c.rebound("tangent", c.bound["tangent"].conj().clone()),
        ),
        wrong(
            "converts the tangent to the primal's dtype",
            2,
            "dtype",
            lambda c: c.bound["tangent"].dtype != c.bound["tensor"].dtype,
            change_arguments=lambda c: c.rebound("tangent", c.bound["tangent"].to(c.bound["tensor"].dtype)),
        ),
        wrong(
            "broadcasts the tangent",
            1,
            "result",
            lambda c: c.bound["tangent"].shape != c.bound["tensor"].shape,
            change_arguments=lambda c: c.rebound("tangent", c.bound["tangent"].expand_as(c.bound["tensor"])),
        ),
        wrong(
            "doubles a tangent in float32",
            2,
            "dtype",
            lambda c: str(c.bound["tangent"].dtype) == "torch.float32",
            change_arguments=lambda c: c.rebound("tangent", 2 * c.bound["tangent"]),
        ),
        doing("forgets the tangent", "forgotten", lambda c: c.bound["tensor"]),
    ],
)
def duals(torch: Torch) -> Any:
    f = torch.autograd.forward_ad
    x, y = inputs(torch)
    z = torch.tensor([1 + 2j])
    with f.dual_level():

        def push(a: Any, b: Any) -> Any:
            return tuple(f.unpack_dual(f.make_dual(a, b) ** 2))

        tangent = push(x, y)[1]
        results = push(x, y), push(z, z), push(x.float(), y.float())
        second = torch.autograd.grad(tangent.sum(), [x, y], allow_unused=True)
        wrong = attempt(lambda: push(x, y.float())), attempt(lambda: push(x, y[0]))
    return results, second, wrong


@target(
    f"{_FORWARD}.unpack_dual",
    what="nothing",
    faults=[
        always("doubles the primal", "result", lambda d: type(d)(2 * d.primal, d.tangent)),
        always(
            "keeps the tangent of the primal",
            "result",
            lambda d: type(d)(d.primal if d.tangent is None else d.tangent, d.tangent),
        ),
        wrong(
            "gives zeros for a missing tangent",
            1,
            "result",
            lambda c: c.result.tangent is None,
            change_result=lambda c: type(c.result)(c.result.primal, 0 * c.result.primal),
        ),
        wrong(
            "gives a tangent without history",
            2,
            "second order",
            lambda c: c.result.tangent is not None and c.result.tangent.requires_grad,
            change_result=lambda c: type(c.result)(c.result.primal, c.result.tangent.detach()),
        ),
        wrong(
            "gives a primal without history",
            2,
            "second order",
            lambda c: c.result.tangent is not None and c.result.primal.requires_grad,
            change_result=lambda c: type(c.result)(c.result.primal.detach(), c.result.tangent),
        ),
        wrong(
            "doubles the tangent in the second call",
            2,
            "second call",
            lambda c: c.number == 2 and c.result.tangent is not None,
            change_result=lambda c: type(c.result)(c.result.primal, 2 * c.result.tangent),
        ),
        wrong(
            "conjugates the tangent",
            1,
            "complex numbers",
            lambda c: c.result.tangent is not None and c.result.tangent.is_complex(),
            change_result=lambda c: type(c.result)(c.result.primal, c.result.tangent.conj().clone()),
        ),
        wrong(
            "gives a float32 tangent in float64",
            2,
            "dtype",
            lambda c: str(c.result.tangent.dtype) == "torch.float32",
            change_result=lambda c: type(c.result)(c.result.primal, c.result.tangent.double()),
        ),
    ],
)
def unpacked(torch: Torch) -> Any:
    f = torch.autograd.forward_ad
    with f.dual_level():
        dual = f.make_dual(*inputs(torch)) ** 2
        twice = f.unpack_dual(dual).tangent, f.unpack_dual(dual).tangent
        plain = tuple(f.unpack_dual(torch.ones(2)))
    return duals(torch), plain, twice


# Not its tolerances, which promise nothing about a derivative.
_CHECKED = {"raise_exception": False, "check_batched_grad": True, "check_forward_ad": True}


@target(
    "torch.autograd.gradcheck",
    what=NOTHING,
    settings=_CHECKED,
    faults=[always("accepts everything", "result", lambda result: True)],
)
def gradchecked(torch: Torch, **options: Any) -> Any:
    x, y = inputs(torch)

    def check(apply: Any) -> Any:
        return attempt(lambda: torch.autograd.gradcheck(apply, (x, y), **options))

    def backward(ctx: Any, g: Any) -> Any:
        return (g * ctx.saved_tensors[1], g * ctx.saved_tensors[0])

    def draw(x: Any, y: Any) -> Any:
        return x * y * (1 + 1e-3 * torch.rand(2).double())

    narrow = attempt(lambda: torch.autograd.gradcheck(lambda x: x * x, (x.float(),), **options))
    undefined = custom_function(torch, forward=lambda ctx, x, y: (x * 2, y * 3), backward=_taking_all)
    unmapped = custom_function(
        torch, forward=lambda ctx, x, y: x + y, backward=lambda ctx, g: (g * float(g.sum() * 0 + 1), g)
    )
    rules = product(torch).apply, product(torch, backward=backward).apply, undefined.apply, unmapped.apply, draw
    return [check(rule) for rule in (*rules, lambda x, y: (x * y).sin())], narrow


def _taking_all(ctx: Any, g: Any, h: Any) -> Any:
    return g * 2, h * 3


@target(
    "torch.autograd.gradgradcheck",
    what=NOTHING,
    settings={"raise_exception": False, "grad_outputs": lambda torch: [torch.ones(2).double()]},
    faults=[always("accepts everything", "result", lambda result: True)],
)
def gradgradchecked(torch: Torch, **options: Any) -> Any:
    x, y = inputs(torch)
    wrong_second = product(torch, backward=lambda ctx, g: tuple(g * t.detach() for t in reversed(ctx.saved_tensors)))

    def check(apply: Any) -> Any:
        return attempt(lambda: torch.autograd.gradgradcheck(apply, (x, y), **options))

    return check(wrong_second.apply), check(lambda x, y: x * y * y)
