"""PyTorch's custom functions."""

from __future__ import annotations

from typing import Any

from workshop.engine_mutants.fault_forms import attempt, doing, wrong
from workshop.engine_mutants.target import NOTHING, VALUE, target
from workshop.engine_mutants.torch_probes import custom_function, derived, inputs, product

Torch = Any
_CONTEXT = "torch.autograd.function.FunctionCtx"


_SAVED = {"items": ["tensors"], "what": NOTHING, "cites": [_CONTEXT]}


@target(
    f"{_CONTEXT}.save_for_backward",
    **_SAVED,
    faults=[
        wrong(
            "saves tensors without history",
            2,
            "second order",
            change_arguments=lambda c: ((c.args[0], *(t if t is None else t.detach() for t in c.args[1:])), {}),
        ),
        wrong(
            "saves copies",
            0,
            "result",
            change_arguments=lambda c: ((c.args[0], *(t if t is None else t.clone() for t in c.args[1:])), {}),
        ),
        wrong(
            "saves the second without history",
            2,
            "second order",
            lambda c: len(c.args) > 2,
            change_arguments=lambda c: ((*c.args[:2], c.args[2].detach(), *c.args[3:]), {}),
        ),
        wrong(
            "saves zeros for None",
            1,
            "result",
            lambda c: None in c.args,
            change_arguments=lambda c: (tuple(c.args[1] * 0 if t is None else t for t in c.args), {}),
        ),
    ],
)
def saved(torch: Torch) -> Any:
    def setup(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.save_for_backward(inputs[0], None)

    def backward(ctx: Any, g: Any) -> Any:
        x, nothing = ctx.saved_tensors
        return g * x if nothing is None else 5 * g, g

    x, y = inputs(torch)
    partly = custom_function(torch, forward=lambda x, y: x * y, setup_context=setup, backward=backward).apply
    overwritten = product(torch).apply(x, y)
    with torch.no_grad():
        y.mul_(2)
    changed = attempt(lambda: torch.autograd.grad(overwritten.sum(), [x]))
    return derived(torch, product(torch).apply), torch.autograd.grad(partly(x, y).sum(), [x]), changed


@target(
    f"{_CONTEXT}.save_for_forward",
    **_SAVED,
    faults=[
        wrong(
            "saves tensors without tangents",
            2,
            "second order",
            change_arguments=lambda c: ((c.args[0], *(t if t is None else t.detach() for t in c.args[1:])), {}),
        ),
    ],
)
def saved_for_forward(torch: Torch) -> Any:
    apply = product(torch).apply
    x, y = (v.detach() for v in inputs(torch))

    def push(x: Any) -> Any:
        return torch.func.jvp(apply, (x, y), (x * x, y))[1]

    return derived(torch, apply), attempt(lambda: torch.func.jvp(push, (x,), (x,)))


@target(f"{_CONTEXT}.mark_dirty", items=["args"], what=NOTHING, skips=True, cites=[_CONTEXT])
def dirty(torch: Torch) -> Any:
    def forward(ctx: Any, x: Any, y: Any) -> Any:
        ctx.mark_dirty(x, y)
        return x.mul_(2), y.mul_(3)

    custom = custom_function(torch, forward=forward, backward=lambda ctx, g, h: (2 * g, 3 * h))
    x, y = inputs(torch)
    a, b = x * 1, y * 1
    c, d = custom.apply(a, b)
    same = c is a, d is b, a._version, b._version
    keeping = custom_function(
        torch, forward=lambda ctx, x: (ctx.mark_dirty(x), x.mul_(2))[1], backward=lambda ctx, g: 2 * g
    )
    e = x * 1
    kept = attempt(lambda: keeping.apply(x))
    f = keeping.apply(e)
    return same, f is e, kept, attempt(lambda: torch.autograd.grad((c * d + a).sum(), [x, y]))


@target(f"{_CONTEXT}.mark_non_differentiable", items=["args"], what=NOTHING, skips=True, cites=[_CONTEXT])
def non_differentiable(torch: Torch) -> Any:
    received: list[Any] = []

    def forward(ctx: Any, x: Any) -> Any:
        outputs = x * 2, x * 3, x * 5
        ctx.mark_non_differentiable(outputs[1], outputs[2])
        return outputs

    def backward(ctx: Any, *g: Any) -> Any:
        received.append(g)
        return 2 * g[0]

    x, _ = inputs(torch)
    outputs = custom_function(torch, forward=forward, backward=backward).apply(x)
    return [o.requires_grad for o in outputs], torch.autograd.grad(outputs[0].sum(), [x]), received


@target(
    f"{_CONTEXT}.set_materialize_grads",
    what=NOTHING,
    skips=True,
    cites=[_CONTEXT],
    faults=[
        wrong(
            "takes False for True",
            1,
            "option ignored",
            lambda c: c.bound["value"] is False,
            change_arguments=lambda c: c.rebound("value", True),
        ),
        wrong(
            "takes True for False",
            1,
            "option ignored",
            lambda c: c.bound["value"] is True,
            change_arguments=lambda c: c.rebound("value", False),
        ),
    ],
)
def materialized(torch: Torch) -> Any:
    results: list[Any] = []
    for flag in (False, True):

        def forward(ctx: Any, x: Any, flag: bool = flag) -> Any:
            ctx.set_materialize_grads(flag)
            return x * 2, x * 3

        def backward(ctx: Any, g: Any, h: Any) -> Any:
            results.append((g, h))
            return g

        x, _ = inputs(torch)
        torch.autograd.grad(custom_function(torch, forward=forward, backward=backward).apply(x)[0].sum(), [x])
    return results


@target(
    "torch.autograd.Function.apply",
    what=VALUE,
    cites=[
        "torch.autograd.Function",
        "torch.autograd.Function.backward",
        "torch.autograd.Function.forward",
        "torch.autograd.Function.jvp",
        "torch.autograd.Function.vmap",
    ],
    items=["args"],
)
def applied(torch: Torch) -> Any:
    two = custom_function(torch, forward=lambda ctx, x, y: (x * 2, y * 3), backward=lambda ctx, g, h: (5 * g, 7 * h))
    x, y = inputs(torch)
    several = torch.autograd.grad(sum((n + 1) * o.sum() for n, o in enumerate(two.apply(x, y))), [x, y])
    narrow = product(torch).apply(x.detach().float(), y.detach().float())
    mapped = attempt(
        lambda: torch.func.vmap(torch.func.grad(lambda a, b: _mapped(torch).apply(a, b)))(x.detach(), y.detach())
    )
    return derived(torch, product(torch).apply), several, narrow, two.apply(x, y.float()), mapped


def _mapped(torch: Torch) -> Any:
    made = product(torch)
    made.generate_vmap_rule = True
    return made


@target(
    "torch.autograd.function.once_differentiable",
    callbacks=["fn"],
    what=NOTHING,
    faults=[
        doing("does nothing", "forgotten", lambda c: c.args[0]),
    ],
)
def once(torch: Torch) -> Any:
    backward = torch.autograd.function.once_differentiable(lambda ctx, g: (3 * g * ctx.saved_tensors[0], 5 * g))
    x, y = inputs(torch)
    output = product(torch, backward=backward).apply(x, y)
    gradients = torch.autograd.grad(output.sum(), [x, y], create_graph=True)
    return gradients, attempt(lambda: torch.autograd.grad(gradients[0].sum(), [x]))
