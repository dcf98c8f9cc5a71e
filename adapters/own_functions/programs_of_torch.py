"""Broken laws on a person's function as programs of PyTorch alone: what each computes as `got` and `expected`.

`xs` are the arguments, `us` and `vs` directions, `ws` cotangents of the outputs; `call` gives the list of outputs.
"""

from __future__ import annotations

__all__ = ["HEAD", "LAWS", "TAIL"]

HEAD = """\
import torch
from torch.autograd import grad, forward_ad

D = dict(dtype=torch.{dtype})
xs = [torch.tensor(x, **D, requires_grad=True) for x in {values}]
us = [torch.tensor(u, **D) for u in {first}]
vs = [torch.tensor(v, **D) for v in {second}]
ws = [torch.tensor(w, **D) for w in {cotangents}]


{functions}

def slope(f, h={step}):
    at = lambda t: f(*[(x.detach() + t * v).requires_grad_() for x, v in zip(xs, vs)]).detach()
    return [(at(h) - at(-h)) / (2 * h)]


def tangent(f, xs, vs):
    with forward_ad.dual_level():
        y = f(*[forward_ad.make_dual(x, v) for x, v in zip(xs, vs)])
        return forward_ad.unpack_dual(y).tangent


def gradient(f, xs=xs):
    return list(grad(f(*xs), xs, allow_unused=True, materialize_grads=True))


"""
TAIL = """
for a, b in zip(got, expected):
    print("got     ", a.tolist())
    print("expected", b.tolist())
    assert a.shape == b.shape, "another shape"
    assert torch.allclose(a.double(), b.double(), {rtol}, {atol}, equal_nan=True), "they differ"
"""

# A cube of each argument makes second derivatives depend on all arguments.
_SECOND = """\
cubed = lambda *xs: total(*xs) + sum((x**3).sum() for x in xs) / 6
first = lambda *xs: dot(grad(cubed(*xs), xs, create_graph=True), us)
"""
_HANDED = """\
got = gradient(lambda *xs: sum(({sum}).sum() for y, w in zip(call(*xs), ws)))
expected = gradient(total)
"""
_THROUGH = """\
bases = [({base}).detach().requires_grad_() for x in xs]
got = [{view} for x in gradient(lambda *bases: total(*[{view} for x in bases]), bases)]
expected = gradient(total)
"""
_HALF = """\
ys = [x.detach().to(torch.{dtype}).requires_grad_() for x in xs]
got = grad(dot(call(*ys), [w.to(torch.{dtype}) for w in ws]), ys)
expected = gradient(total, [y.detach().double().requires_grad_() for y in ys])
"""
_SAME = "expected = gradient(total)\n"
# By the beginning of a law's id, the first that fits.
LAWS: dict[str, str] = {
    "derivatives.reverse_mode_gives": "got, expected = [dot(gradient(total), vs)], slope(total)\n",
    "derivatives.forward_mode_gives": "got, expected = [tangent(total, xs, vs)], slope(total)\n",
    "own.reverse_mode_gives": "got, expected = [dot(gradient(total), vs)], slope(total)\n",
    "own.the_modes_agree": "got, expected = [tangent(total, xs, vs)], [dot(gradient(total), vs)]\n",
    "derivatives.reverse_over_reverse": _SECOND + "got, expected = [dot(gradient(first), vs)], slope(first)\n",
    "derivatives.forward_over_reverse": _SECOND + "got, expected = [tangent(first, xs, vs)], slope(first)\n",
    "derivatives.reverse_over_forward": _SECOND
    + "got, expected = [dot(gradient(lambda *xs: tangent(cubed, xs, us)), vs)], slope(first)\n",
    "cotangents.the_derivative_of_the_pullback": """\
ws = [w.requires_grad_() for w in ws]
pulled = dot(grad(call(*xs), xs, ws, create_graph=True), vs) + 0 * sum(w.sum() for w in ws)
got, ws = [dot(grad(pulled, ws), ws).detach()], [w.detach() for w in ws]
expected = slope(total)
""",
    "cotangents.the_pullback_is_linear": """\
ys = call(*xs)
pull = lambda factor: grad(ys, xs, [factor * w for w in ws], retain_graph=True)
got, expected = pull(-3.0), [-3.0 * x for x in pull(1.0)]
""",
    "cotangents.a_zero_cotangent": """\
got = grad(call(*xs), xs, [0 * w for w in ws])
expected = [torch.zeros_like(x) for x in xs]
""",
    "cotangents.an_expanded": _HANDED.replace("{sum}", "y.sum(-1) * w[..., 0]"),
    "cotangents.a_transposed": _HANDED.replace("{sum}", "y.t() * w.t().contiguous()"),
    "cotangents.a_cotangent_that_is_a_slice": _HANDED.replace(
        "{sum}", "torch.stack([y, 0 * w], -1) * torch.stack([w, w + 100], -1)"
    ),
    "layouts.a_transposed": _THROUGH.replace("{base}", "x.t()").replace("{view}", "x.t()"),
    "layouts.a_strided": _THROUGH.replace("{base}", "x.repeat_interleave(2, -1)").replace("{view}", "x[..., ::2]"),
    "layouts.a_view": _THROUGH.replace("{base}", "torch.cat([x, x])").replace("{view}", "x[len(x) // 2 :]"),
    "precision.single": _HALF.replace("{dtype}", "float32"),
    "precision.float16": _HALF.replace("{dtype}", "float16"),
    "precision.bfloat16": _HALF.replace("{dtype}", "bfloat16"),
    "repeats.a_second_call_of_a_gradient": "got = gradient(total)\n" + _SAME,
    "repeats.a_second_call_of_a_pullback": """\
ys = call(*xs)
expected = [x.clone() for x in grad(ys, xs, ws, retain_graph=True)]
grad(ys, xs, [2 * w for w in ws], retain_graph=True)
got = grad(ys, xs, ws)
""",
    "repeats.reverse_mode_writes": """\
held = [*xs, *ws]
expected = [x.detach().clone() for x in held]
grad(call(*xs), xs, ws)
got = [x.detach() for x in held]
""",
    "subsets.a_gradient_by_some": """\
got, expected = [], gradient(total)
for at, x in enumerate(xs):
    alone = [y if n == at else y.detach() for n, y in enumerate(xs)]
    got += grad(total(*alone), [x])
""",
    "own.a_call_before": """\
others = [(0.9 * x).detach().requires_grad_() for x in xs]
got = gradient(lambda *both: total(*both[: len(xs)]) + total(*both[len(xs) :]), [*xs, *others])
expected = gradient(total) + gradient(total, others)
""",
    "own.one_array": """\
for n, x in enumerate(xs[1:], 1):
    if x.shape == xs[0].shape:
        same = [xs[0] if m == n else y for m, y in enumerate(xs)]
        apart = [y.detach().clone().requires_grad_() for y in same]
        parts = gradient(total, apart)
        got, expected = grad(total(*same), xs[:1]), [parts[0] + parts[n]]
        break
""",
    "own.the_gradient_of_some": """\
got, expected = [], []
for n in range(len(ws)):
    alone = [w if m == n else 0 * w for m, w in enumerate(ws)]
    got += grad(call(*xs)[n], xs, ws[n])
    expected += grad(call(*xs), xs, alone)
""",
    "transforms.vmap_of_a_gradient": """\
batch = [torch.stack([x.detach(), 0.9 * x.detach()]) for x in xs]
f = torch.func.grad(total, tuple(range(len(xs))))
got, expected = torch.func.vmap(f)(*batch), [torch.stack(x) for x in zip(*[f(*x) for x in zip(*batch)])]
""",
    "transforms.vmap_of_a_jvp": """\
batch = [torch.stack([x.detach(), 0.9 * x.detach()]) for x in xs]
f = lambda *xs: torch.func.jvp(total, xs, tuple(vs))[1]
got, expected = [torch.func.vmap(f)(*batch)], [torch.stack([f(*x) for x in zip(*batch)])]
""",
    "transforms.the_gradient_of_vmap": """\
batch = [torch.stack([x.detach(), 0.9 * x.detach()]) for x in xs]
numbers = tuple(range(len(xs)))
got = torch.func.grad(lambda *batch: torch.func.vmap(total)(*batch).sum(), numbers)(*batch)
expected = torch.func.grad(lambda *batch: sum(total(*x) for x in zip(*batch)), numbers)(*batch)
""",
    "transforms.checkpoint": """\
from torch.utils.checkpoint import checkpoint

got = gradient(lambda *xs: checkpoint(total, *xs, use_reentrant=False))
"""
    + _SAME,
    "kinks.a_gradient": """\
got = [dot(gradient(total), vs)]
low, high = sorted((total(*[x + h * v for x, v in zip(xs, vs)]) - total(*xs)).detach() / h for h in (1e-6, -1e-6))
expected = [torch.nan_to_num(got[0].clamp(low, high), low.item())]
""",
}
