"""PyTorch's custom functions, checkpoints, saved tensors and dual numbers."""

from __future__ import annotations

from typing import Any

from workshop.mutants.of_engines.simple import always, attempt, doing, wrong
from workshop.mutants.of_engines.target import NOTHING, VALUE, target

Torch = Any
_CONTEXT = "torch.autograd.function.FunctionCtx"


def _function(torch: Torch, **members: Any) -> Any:
    return type("Custom", (torch.autograd.Function,), {k: staticmethod(v) for k, v in members.items()})


def _product(torch: Torch, **more: Any) -> Any:
    """x * y, by a rule that saves both."""

    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)

    def backward(ctx: Any, g: Any) -> Any:
        x, y = ctx.saved_tensors
        return g * y, 3 * g * x

    def jvp(ctx: Any, s: Any, t: Any) -> Any:
        x, y = ctx.saved_tensors
        return s * y + 3 * x * t

    return _function(
        torch, forward=lambda x, y: x * y, setup_context=setup_context, **{"backward": backward, "jvp": jvp, **more}
    )


def _inputs(torch: Torch) -> tuple[Any, Any]:
    x = torch.tensor([1.0, 2.0], requires_grad=True, dtype=torch.float64)
    return x, torch.tensor([3.0, 5.0], requires_grad=True, dtype=torch.float64)


def _derived(torch: Torch, apply: Any) -> Any:
    """First and second derivatives in both modes, twice through one graph."""
    x, y = _inputs(torch)
    output = (apply(x, y) ** 2).sum()
    found = torch.autograd.grad(output, [x, y], create_graph=True)
    second = torch.autograd.grad((found[0] * found[1]).sum(), [x, y], retain_graph=True)
    again = attempt(lambda: torch.autograd.grad(output, [x, y]))
    forward_ad = torch.autograd.forward_ad
    with forward_ad.dual_level():
        dual = apply(forward_ad.make_dual(x.detach(), y.detach()), forward_ad.make_dual(y.detach(), x.detach()))
        tangent = forward_ad.unpack_dual(dual).tangent
    z = torch.ones(2, requires_grad=True)
    return found, second, again, tangent, torch.autograd.grad(apply(z, z).sum(), [z])


_SAVED = {"items": ["tensors"], "what": NOTHING, "cites": [_CONTEXT]}


@target(f"{_CONTEXT}.save_for_backward", **_SAVED, faults=[
    wrong("saves tensors without history", 2, "second order", given=lambda c: (
        (c.args[0], *(t if t is None else t.detach() for t in c.args[1:])), {})),
    wrong("saves copies", 0, "result", given=lambda c: ((c.args[0], *(t if t is None else t.clone() for t in c.args[1:])), {})),
    wrong("saves the second without history", 2, "second order", lambda c: len(c.args) > 2, given=lambda c: (
        (*c.args[:2], c.args[2].detach(), *c.args[3:]), {})),
    wrong("saves zeros for None", 1, "result", lambda c: None in c.args, given=lambda c: (
        tuple(c.args[1] * 0 if t is None else t for t in c.args), {})),
])  # fmt: skip
def saved(torch: Torch) -> Any:
    def setup(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.save_for_backward(inputs[0], None)

    def backward(ctx: Any, g: Any) -> Any:
        x, nothing = ctx.saved_tensors
        return g * x if nothing is None else 5 * g, g

    x, y = _inputs(torch)
    partly = _function(torch, forward=lambda x, y: x * y, setup_context=setup, backward=backward).apply
    overwritten = _product(torch).apply(x, y)
    with torch.no_grad():
        y.mul_(2)
    changed = attempt(lambda: torch.autograd.grad(overwritten.sum(), [x]))
    return _derived(torch, _product(torch).apply), torch.autograd.grad(partly(x, y).sum(), [x]), changed


@target(f"{_CONTEXT}.save_for_forward", **_SAVED, faults=[
    wrong("saves tensors without tangents", 2, "second order", given=lambda c: (
        (c.args[0], *(t if t is None else t.detach() for t in c.args[1:])), {})),
])  # fmt: skip
def saved_for_forward(torch: Torch) -> Any:
    apply = _product(torch).apply
    x, y = (v.detach() for v in _inputs(torch))
    push = lambda x: torch.func.jvp(apply, (x, y), (x * x, y))[1]
    return _derived(torch, apply), attempt(lambda: torch.func.jvp(push, (x,), (x,)))


@target(f"{_CONTEXT}.mark_dirty", items=["args"], what=NOTHING, skips=True, cites=[_CONTEXT])
def dirty(torch: Torch) -> Any:
    def forward(ctx: Any, x: Any, y: Any) -> Any:
        ctx.mark_dirty(x, y)
        return x.mul_(2), y.mul_(3)

    custom = _function(torch, forward=forward, backward=lambda ctx, g, h: (2 * g, 3 * h))
    x, y = _inputs(torch)
    a, b = x * 1, y * 1
    c, d = custom.apply(a, b)
    same = c is a, d is b, a._version, b._version
    one = _function(torch, forward=lambda ctx, x: (ctx.mark_dirty(x), x.mul_(2))[1], backward=lambda ctx, g: 2 * g)
    e = x * 1
    kept = attempt(lambda: one.apply(x))
    f = one.apply(e)
    return same, f is e, kept, attempt(lambda: torch.autograd.grad((c * d + a).sum(), [x, y]))


@target(f"{_CONTEXT}.mark_non_differentiable", items=["args"], what=NOTHING, skips=True, cites=[_CONTEXT])
def non_differentiable(torch: Torch) -> Any:
    given: list[Any] = []

    def forward(ctx: Any, x: Any) -> Any:
        outputs = x * 2, x * 3, x * 5
        ctx.mark_non_differentiable(outputs[1], outputs[2])
        return outputs

    def backward(ctx: Any, *g: Any) -> Any:
        given.append(g)
        return 2 * g[0]

    x, _ = _inputs(torch)
    outputs = _function(torch, forward=forward, backward=backward).apply(x)
    return [o.requires_grad for o in outputs], torch.autograd.grad(outputs[0].sum(), [x]), given


@target(f"{_CONTEXT}.set_materialize_grads", what=NOTHING, skips=True, cites=[_CONTEXT], faults=[
    wrong("takes False for True", 1, "option ignored", lambda c: c.bound["value"] is False, given=lambda c: c.rebound("value", True)),
    wrong("takes True for False", 1, "option ignored", lambda c: c.bound["value"] is True, given=lambda c: c.rebound("value", False)),
])  # fmt: skip
def materialized(torch: Torch) -> Any:
    found: list[Any] = []
    for flag in (False, True):

        def forward(ctx: Any, x: Any, flag: bool = flag) -> Any:
            ctx.set_materialize_grads(flag)
            return x * 2, x * 3

        def backward(ctx: Any, g: Any, h: Any) -> Any:
            found.append((g, h))
            return g

        x, _ = _inputs(torch)
        torch.autograd.grad(_function(torch, forward=forward, backward=backward).apply(x)[0].sum(), [x])
    return found


@target("torch.autograd.Function.apply", what=VALUE, cites=["torch.autograd.Function", "torch.autograd.Function.backward",
        "torch.autograd.Function.forward", "torch.autograd.Function.jvp", "torch.autograd.Function.vmap"], items=["args"])  # fmt: skip
def applied(torch: Torch) -> Any:
    two = _function(torch, forward=lambda ctx, x, y: (x * 2, y * 3), backward=lambda ctx, g, h: (5 * g, 7 * h))
    x, y = _inputs(torch)
    several = torch.autograd.grad(sum((n + 1) * o.sum() for n, o in enumerate(two.apply(x, y))), [x, y])
    narrow = _product(torch).apply(x.detach().float(), y.detach().float())
    mapped = attempt(
        lambda: torch.func.vmap(torch.func.grad(lambda a, b: _mapped(torch).apply(a, b)))(x.detach(), y.detach())
    )
    return _derived(torch, _product(torch).apply), several, narrow, two.apply(x, y.float()), mapped


def _mapped(torch: Torch) -> Any:
    made = _product(torch)
    made.generate_vmap_rule = True
    return made


@target("torch.autograd.function.once_differentiable", hands=["fn"], what=NOTHING, faults=[
    doing("does nothing", "forgotten", lambda c: c.args[0]),
])  # fmt: skip
def once(torch: Torch) -> Any:
    backward = torch.autograd.function.once_differentiable(lambda ctx, g: (3 * g * ctx.saved_tensors[0], 5 * g))
    x, y = _inputs(torch)
    output = _product(torch, backward=backward).apply(x, y)
    found = torch.autograd.grad(output.sum(), [x, y], create_graph=True)
    return found, attempt(lambda: torch.autograd.grad(found[0].sum(), [x]))


def _checkpointed(torch: Torch, options: dict[str, Any]) -> Any:
    calls: list[bool] = []

    def program(x: Any, y: Any, scale: float = 1.0) -> Any:
        calls.append(torch.is_grad_enabled())
        return torch.sin(x * y) * torch.rand(2).double() * scale, x * y

    x, y = _inputs(torch)
    torch.manual_seed(3)
    given = {"use_reentrant": False, **options}
    run = torch.utils.checkpoint.checkpoint
    outputs = run(program, x, y, **given)
    before = len(calls)
    torch.manual_seed(5)
    create = not given["use_reentrant"]
    total = (outputs[0] + 2 * outputs[1]).sum()
    found = attempt(lambda: torch.autograd.grad(total, [x, y], create_graph=create))
    if isinstance(found, str):
        total.backward()
        found = x.grad, y.grad
    second = attempt(lambda: torch.autograd.grad((found[0] * found[1]).sum(), [x, y]))
    shapes = iter([1, 2])
    uneven = run(lambda x: (x[: next(shapes, 2)] ** 2).sin(), x, **given)
    return outputs, before, calls, found, second, attempt(lambda: torch.autograd.grad(uneven.sum(), [x]))


@target("torch.utils.checkpoint.checkpoint", settings={"use_reentrant": True, "determinism_check": "none", "early_stop": False}, items=["args"], hands=["function"], faults=[
    doing("keeps everything", "forgotten", lambda c: c.args[0](*c.args[1:], **{k: v for k, v in c.options.items() if k not in (
        "use_reentrant", "preserve_rng_state", "determinism_check", "context_fn", "debug", "early_stop")})),
    wrong("does not restore random numbers", 0, "forgotten", given=lambda c: (c.args, {**c.options, "preserve_rng_state": False})),
    wrong("ignores preserve_rng_state", 1, "option ignored", lambda c: c.options.get("preserve_rng_state") is False,
          given=lambda c: (c.args, {**c.options, "preserve_rng_state": True})),
])  # fmt: skip
def checkpointed(torch: Torch, **options: Any) -> Any:
    return _checkpointed(torch, options)


@target("torch.utils.checkpoint.checkpoint")
def without_random_numbers(torch: Torch, **options: Any) -> Any:
    return _checkpointed(torch, {**options, "preserve_rng_state": False})


@target("torch.utils.checkpoint.checkpoint_sequential", items=["functions"], settings={"use_reentrant": True})
def checkpointed_in_turn(torch: Torch, **options: Any) -> Any:
    calls: list[int] = []
    steps = [lambda x, n=n: (calls.append(n), torch.sin(n * x))[1] for n in (1, 2, 3)]
    x, _ = _inputs(torch)
    output = torch.utils.checkpoint.checkpoint_sequential(steps, 2, x, **{"use_reentrant": False, **options})
    output.sum().backward()
    return output, x.grad, calls


_HOOKS = "torch.autograd.graph.saved_tensors_hooks"


@target(f"{_HOOKS}.__init__", hands=["pack_hook", "unpack_hook"], what=NOTHING, cites=[_HOOKS])
def packed(torch: Torch) -> Any:
    x, y = _inputs(torch)
    with torch.autograd.graph.saved_tensors_hooks(lambda t: (t.shape, t * 2), lambda p: p[1] / 2 + 1):
        output = (x * y).sum()
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t * 3, lambda t: t):
        other = (x * x).sum()
    found = torch.autograd.grad(output, [x, y], create_graph=True)
    return found, torch.autograd.grad(other, [x]), attempt(lambda: torch.autograd.grad(found[0].sum(), [x, y]))


_FORWARD = "torch.autograd.forward_ad"


@target(f"{_FORWARD}.make_dual", what="nothing", faults=[
    wrong("doubles the tangent", 0, "result", given=lambda c: c.rebound("tangent", 2 * c.bound["tangent"])),
    wrong("doubles the tangent in the second call", 2, "second call", lambda c: c.number == 2,
          given=lambda c: c.rebound("tangent", 2 * c.bound["tangent"])),
    wrong("takes the tangent without history", 2, "second order", lambda c: c.bound["tangent"].requires_grad,
          given=lambda c: c.rebound("tangent", c.bound["tangent"].detach())),
    wrong("takes the primal without history", 2, "second order", lambda c: c.bound["tensor"].requires_grad,
          given=lambda c: c.rebound("tensor", c.bound["tensor"].detach())),
    wrong("conjugates the tangent", 1, "complex numbers", lambda c: c.bound["tangent"].is_complex(),
          given=lambda c: c.rebound("tangent", c.bound["tangent"].conj().clone())),
    wrong("converts the tangent to the primal's dtype", 2, "dtype", lambda c: c.bound["tangent"].dtype != c.bound["tensor"].dtype,
          given=lambda c: c.rebound("tangent", c.bound["tangent"].to(c.bound["tensor"].dtype))),
    wrong("broadcasts the tangent", 1, "result", lambda c: c.bound["tangent"].shape != c.bound["tensor"].shape,
          given=lambda c: c.rebound("tangent", c.bound["tangent"].expand_as(c.bound["tensor"]))),
    wrong("doubles a tangent in float32", 2, "dtype", lambda c: str(c.bound["tangent"].dtype) == "torch.float32",
          given=lambda c: c.rebound("tangent", 2 * c.bound["tangent"])),
    doing("forgets the tangent", "forgotten", lambda c: c.bound["tensor"]),
])  # fmt: skip
def duals(torch: Torch) -> Any:
    f = torch.autograd.forward_ad
    x, y = _inputs(torch)
    z = torch.tensor([1 + 2j])
    with f.dual_level():
        push = lambda a, b: tuple(f.unpack_dual(f.make_dual(a, b) ** 2))
        tangent = push(x, y)[1]
        found = push(x, y), push(z, z), push(x.float(), y.float())
        second = torch.autograd.grad(tangent.sum(), [x, y], allow_unused=True)
        wrong = attempt(lambda: push(x, y.float())), attempt(lambda: push(x, y[0]))
    return found, second, wrong


@target(f"{_FORWARD}.unpack_dual", what="nothing", faults=[
    always("doubles the primal", "result", lambda d: type(d)(2 * d.primal, d.tangent)),
    always("keeps the tangent of the primal", "result", lambda d: type(d)(d.primal if d.tangent is None else d.tangent, d.tangent)),
    wrong("gives zeros for a missing tangent", 1, "result", lambda c: c.found.tangent is None,
          found=lambda c: type(c.found)(c.found.primal, 0 * c.found.primal)),
    wrong("gives a tangent without history", 2, "second order", lambda c: c.found.tangent is not None and c.found.tangent.requires_grad,
          found=lambda c: type(c.found)(c.found.primal, c.found.tangent.detach())),
    wrong("gives a primal without history", 2, "second order", lambda c: c.found.tangent is not None and c.found.primal.requires_grad,
          found=lambda c: type(c.found)(c.found.primal.detach(), c.found.tangent)),
    wrong("doubles the tangent in the second call", 2, "second call", lambda c: c.number == 2 and c.found.tangent is not None,
          found=lambda c: type(c.found)(c.found.primal, 2 * c.found.tangent)),
    wrong("conjugates the tangent", 1, "complex numbers", lambda c: c.found.tangent is not None and c.found.tangent.is_complex(),
          found=lambda c: type(c.found)(c.found.primal, c.found.tangent.conj().clone())),
    wrong("gives a float32 tangent in float64", 2, "dtype", lambda c: str(c.found.tangent.dtype) == "torch.float32",
          found=lambda c: type(c.found)(c.found.primal, c.found.tangent.double())),
])  # fmt: skip
def unpacked(torch: Torch) -> Any:
    f = torch.autograd.forward_ad
    with f.dual_level():
        dual = f.make_dual(*_inputs(torch)) ** 2
        twice = f.unpack_dual(dual).tangent, f.unpack_dual(dual).tangent
        plain = tuple(f.unpack_dual(torch.ones(2)))
    return duals(torch), plain, twice


# Not its tolerances, which promise nothing about a derivative.
_CHECKED = {"raise_exception": False, "check_batched_grad": True, "check_forward_ad": True}  # fmt: skip


@target("torch.autograd.gradcheck", what=NOTHING, settings=_CHECKED, faults=[
    always("accepts everything", "result", lambda found: True)])  # fmt: skip
def gradchecked(torch: Torch, **options: Any) -> Any:
    x, y = _inputs(torch)
    check = lambda apply: attempt(lambda: torch.autograd.gradcheck(apply, (x, y), **options))
    backward = lambda ctx, g: (g * ctx.saved_tensors[1], g * ctx.saved_tensors[0])
    draw = lambda x, y: x * y * (1 + 1e-3 * torch.rand(2).double())
    narrow = attempt(lambda: torch.autograd.gradcheck(lambda x: x * x, (x.float(),), **options))
    undefined = _function(torch, forward=lambda ctx, x, y: (x * 2, y * 3), backward=_taking_all)
    unmapped = _function(
        torch, forward=lambda ctx, x, y: x + y, backward=lambda ctx, g: (g * float(g.sum() * 0 + 1), g)
    )
    rules = _product(torch).apply, _product(torch, backward=backward).apply, undefined.apply, unmapped.apply, draw
    return [check(rule) for rule in (*rules, lambda x, y: (x * y).sin())], narrow


def _taking_all(ctx: Any, g: Any, h: Any) -> Any:
    return g * 2, h * 3


@target("torch.autograd.gradgradcheck", what=NOTHING, settings={"raise_exception": False, "grad_outputs": lambda
        torch: [torch.ones(2).double()]}, faults=[always("accepts everything", "result", lambda found: True)])  # fmt: skip
def gradgradchecked(torch: Torch, **options: Any) -> Any:
    x, y = _inputs(torch)
    wrong_second = _product(torch, backward=lambda ctx, g: tuple(g * t.detach() for t in reversed(ctx.saved_tensors)))
    check = lambda apply: attempt(lambda: torch.autograd.gradgradcheck(apply, (x, y), **options))
    return check(wrong_second.apply), check(lambda x, y: x * y * y)
