"""Every rule on random shapes and strides: both modes and both orders, against differences and the complex step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import reference_engine as torch
import reference_engine.autograd.forward_ad as fwAD
from reference_engine import primitives as o
from reference_engine.core.primitive import Primitive

from . import drawn
from .samples import PREPARED

Program = Callable[..., torch.Tensor]
RULES = {p.name: p for p in vars(o).values() if isinstance(p, Primitive) and p.rule is not None}
DRAWN = [*drawn.ELEMENTWISE, *drawn.SHAPED, *drawn.PRODUCTS]

few = settings(
    max_examples=12,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def case(draw: drawn.Draw, primitive: Primitive) -> tuple[Program, list[Any]]:
    """A primitive, on views of what are its leaves, as a function of these, and values for them."""
    options: dict[str, Any] = {}
    if primitive in drawn.ELEMENTWISE:
        shape = drawn.shapes(draw)
        names = drawn.ELEMENTWISE[primitive].split()
        sizes = [drawn.broadcasting(draw, shape) if i else shape for i in range(len(names))]
        arrays = [drawn.numbers(draw, n, s, i) for i, (n, s) in enumerate(zip(names, sizes, strict=True))]
    elif primitive in drawn.SHAPED:
        make, least, ndim = drawn.SHAPED[primitive]
        shape = drawn.shapes(draw, least, ndim)
        options, arrays = make(draw, shape), [drawn.numbers(draw, "any", shape)]
    else:
        arrays = drawn.matrices(draw, primitive)
        options = {"mode": "reduced"} if primitive is o.qr_q else {}
    if primitive is o.view_as_real:
        arrays[0] = arrays[0] + 1j
    looks = [drawn.seen(draw, a) for a in arrays]
    prepare = PREPARED.get(primitive, lambda x: x)

    def program(*leaves: torch.Tensor) -> torch.Tensor:
        views = [prepare(view(x)) for (_, view), x in zip(looks, leaves, strict=True)]
        return primitive(*views, **options)  # type: ignore[no-any-return]

    return program, [array for array, _ in looks]


def plain(program: Program, arrays: list[Any]) -> Any:
    """The value of a program, as an array."""
    with torch.no_grad():
        return program(*[torch.tensor(np.array(a)) for a in arrays]).detach().numpy()


def pulled(program: Program, arrays: list[Any], g: Any) -> list[Any]:
    """Reverse mode: the cotangents of the arguments."""
    leaves = [torch.tensor(np.array(a), requires_grad=True) for a in arrays]
    out = program(*leaves)
    if not out.requires_grad:
        return [np.zeros_like(a) for a in arrays]
    found = torch.autograd.grad(out, leaves, torch.tensor(g), allow_unused=True, materialize_grads=True)
    return [x.numpy() for x in found]


def pushed(program: Program, arrays: list[Any], ts: list[Any]) -> Any:
    """Forward mode: the tangent of the result, zeros if it has none."""
    with fwAD.dual_level():
        duals = [fwAD.make_dual(torch.tensor(np.array(a)), torch.tensor(t)) for a, t in zip(arrays, ts, strict=True)]
        primal, tangent = fwAD.unpack_dual(program(*duals))
        return (torch.zeros_like(primal) if tangent is None else tangent).detach().numpy()


def gradient_of(program: Program, g: Any) -> Program:
    """The gradient as a program: all cotangents of the arguments in one vector."""

    def gradient(*leaves: torch.Tensor) -> torch.Tensor:
        with torch.enable_grad():
            inputs = [x if x.requires_grad else x.requires_grad_() for x in leaves]
            out = program(*inputs)
            if not out.requires_grad:
                return torch.cat([torch.zeros(x.numel()).to(x.dtype) for x in inputs])
            found = torch.autograd.grad(
                out, inputs, torch.tensor(g).to(out.dtype), create_graph=True, allow_unused=True, materialize_grads=True
            )
        return torch.cat([x.reshape(-1) for x in found])

    return gradient


def inner(xs: list[Any], ys: list[Any]) -> float:
    """The real inner product of two lists of arrays."""
    return float(sum(np.real(np.sum(np.conj(x) * y)) for x, y in zip(xs, ys, strict=True)))


def moved(arrays: list[Any], ts: list[Any], step: Any) -> list[Any]:
    """Arguments a step further along a direction."""
    return [a + step * t for a, t in zip(arrays, ts, strict=True)]


def directions(draw: drawn.Draw, arrays: list[Any]) -> list[Any]:
    """A direction in which to move the arguments."""
    return [drawn.numbers(draw, "any", a.shape, i).astype(a.dtype) for i, a in enumerate(arrays)]


def agrees_with_differences(program: Program, arrays: list[Any], ts: list[Any], found: Any) -> None:
    """A derivative along a direction is about what a small step shows."""
    up, down = (plain(program, moved(arrays, ts, s)) for s in (1e-6, -1e-6))
    np.testing.assert_allclose(found, (up - down) / 2e-6, rtol=1e-4, atol=1e-6)


def agrees_with_complex_step(program: Program, arrays: list[Any], ts: list[Any], found: Any, sign: int) -> None:
    """The derivative of what is analytic is, to the last digits, what a step along the imaginary axis shows."""
    step = plain(program, moved(arrays, ts, 1e-30j)).imag * sign / 1e-30
    np.testing.assert_allclose(found, step, rtol=1e-8, atol=1e-12)


@pytest.mark.parametrize("name", sorted(RULES))
def test_every_rule_is_drawn_or_fixed(name: str) -> None:
    """A new line of the table needs random inputs, or a place among those for which fixed ones are enough."""
    assert (RULES[name] in DRAWN) != (name in drawn.FIXED.split())


@pytest.mark.parametrize("primitive", DRAWN, ids=lambda primitive: primitive.name)
@few
@given(data=st.data())
def test_first_order(primitive: Primitive, data: Any) -> None:
    """Forward mode is reverse mode transposed, and both are what small steps show."""
    program, arrays = case(data.draw, primitive)
    ts = directions(data.draw, arrays)
    tangent = pushed(program, arrays, ts)
    g = drawn.numbers(data.draw, "any", tangent.shape).astype(tangent.dtype)
    np.testing.assert_allclose(inner([g], [tangent]), inner(pulled(program, arrays, g), ts), rtol=1e-7, atol=1e-9)
    agrees_with_differences(program, arrays, ts, tangent)
    if primitive in drawn.ANALYTIC:
        agrees_with_complex_step(program, arrays, ts, tangent, 1)


@pytest.mark.parametrize("primitive", DRAWN, ids=lambda primitive: primitive.name)
@few
@given(data=st.data())
def test_second_order(primitive: Primitive, data: Any) -> None:
    """The gradient's derivative is the same by forward and by reverse mode, and what small steps show."""
    program, arrays = case(data.draw, primitive)
    value = plain(program, arrays)
    gradient = gradient_of(program, drawn.numbers(data.draw, "any", value.shape).astype(value.dtype))
    ts = directions(data.draw, arrays)
    tangent = pushed(gradient, arrays, ts)
    w = drawn.numbers(data.draw, "any", tangent.shape).astype(tangent.dtype)
    np.testing.assert_allclose(inner([w], [tangent]), inner(pulled(gradient, arrays, w), ts), rtol=1e-6, atol=1e-7)
    agrees_with_differences(gradient, arrays, ts, tangent)
    if primitive in drawn.ANALYTIC:
        agrees_with_complex_step(gradient, arrays, ts, tangent, -1)
