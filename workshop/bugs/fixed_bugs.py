"""Fixed bugs, brought back as mutants: rules of the reference engine, or operations of an adapter."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy

from reference_engine import primitives as o
from reference_engine.core.tensor import Tensor
from reference_engine.rules import linear_algebra, reductions
from reference_engine.rules.elementwise import slope_of_power, turned
from reference_engine.rules.families import (
    Rule,
    diagonal,
    elementwise,
    is_complex,
    linear,
    others,
    reduction,
    zero_like,
)
from workshop.laws.law_faults import arrays, wrong_form, wrong_operation, wrong_results
from workshop.mutant import Change, Mutant, by_patch
from workshop.wrong_adapter import WrongCall


@dataclass(frozen=True)
class FixedBug(Mutant):
    """A bug that is fixed, brought back, and a cell that kills it."""

    cell: str = ""


@contextmanager
def _replaced(rule: Rule) -> Iterator[None]:
    # The rule itself is replaced: a bug in a formula is more than a factor.
    before = rule.primitive.rule
    rule.primitive.rule = rule
    try:
        yield
    finally:
        rule.primitive.rule = before


def _rule(rule: Rule) -> Change:
    """The reference engine with this rule in the place of its own."""
    return by_patch(partial(_replaced, rule))


def _in_vmap(call: WrongCall) -> bool:
    return "vmap" in call.under


def _array(x: Any) -> Any:
    return x.array if isinstance(x, Tensor) else x


def _turned_without_conjugate(g: Any, z: Any, x: Any) -> Any:
    # The rule has `o.conj(z) * g`: the same for real numbers, so that only complex ones show the bug.
    return o.where(o.eq(x, 0), 0.0, (g - z * o.real(z * g)) / o.abs(x)) if is_complex(x) else zero_like(g)


def _constant_at_two_zeros(x: Any, dim: Any) -> Any:
    product = reductions.product_of_others(x, dim)
    # A constant has the right first derivative; the second is lost.
    return Tensor.of(product.array) if isinstance(product, Tensor) and numpy.sum(_array(x) == 0) > 1 else product


def _last_wins(g: Any, x: Any, index: Any) -> Any:
    # Without `accumulate`, as for an assignment.
    return o.index_put(numpy.zeros(x.shape, x.dtype), g, index=index, accumulate=False)


def _at_other_places(g: Any, x: Any, index: Any, dim: Any) -> Any:
    # Right for a single element, and for a symmetric choice.
    return o.scatter_add(g, index=numpy.flip(_array(index), axis=dim), dim=dim, shape=x.shape)


def _constant(g: Any, x: Any, index: Any, dim: Any) -> Any:
    # The numbers are right: only a derivative of the pullback sees that they are constant.
    return Tensor.of(_array(o.scatter_add(g, index=_array(index), dim=dim, shape=x.shape)))


def _internal_assert(call: WrongCall) -> bool:
    # Raised from the condition, which is asked before anything is done.
    if "jvp" in call.under:
        raise RuntimeError("INTERNAL ASSERT FAILED: forward derivative of an in-place form")
    return False


def _shape_error(call: WrongCall) -> bool:
    sizes = [math.prod(x.shape) for x in arrays(call)]
    if "grad" in call.under and min(sizes) == 0 < max(sizes):
        raise RuntimeError(f"invalid gradient: shape {tuple(arrays(call)[0].shape)} is broadcast to no elements")
    return False


def _last_wins_in_memory(g: Any, x: Any, steps: Any) -> Any:
    # An extra element at the end takes the rest, as in the rule itself.
    out = numpy.zeros(math.prod(x.shape) + 1, x.dtype)
    out[_array(steps.places)] = _array(g)
    return Tensor.of(out[:-1].reshape(x.shape))


def _of_symmetric_tangent(t: Any, z: Any, x: Any) -> Any:
    # A symmetric matrix has a symmetric tangent, and for it the rule is right.
    t = (t + linear_algebra.flipped(t)) / 2
    return -o.solve(x, o.reshape(o.bmm(t, linear_algebra.columns(z)), shape=z.shape))


def _slope_of_norm(z: Any, x: Any, p: Any, dim: Any) -> Any:
    # 0 / 0 at the origin.
    return o.conj(x) / z if p == 2 else reductions.slope_of_norm(z, x, p, dim)


_VJPS_OF_SOLVE: list[Callable[..., Any] | None] = [
    lambda g, z, x: (
        -o.bmm(linear_algebra.columns(o.solve(linear_algebra.T(x), g)), linear_algebra.T(linear_algebra.columns(z)))
    ),
    lambda g, x: o.solve(linear_algebra.T(x), g),
]

# By their ids in bugs.toml: what is wrong, the cell that kills it, the change, the engine.
_ROWS: dict[str, tuple[str, str, Change] | tuple[str, str, Change, str]] = {
    "pt80928": (
        "the derivative of sgn, and so the second derivative of abs, lacks a conjugate",
        "derivatives.reverse_over_reverse_gives_the_second_derivative[abs_of_complex]",
        _rule(diagonal(o.sgn, lambda g, z, x: _turned_without_conjugate(g, z, x))),
    ),
    "pt106789": (
        "with two zeros the gradient of prod is a constant",
        "derivatives.reverse_over_reverse_gives_the_second_derivative[prod]",
        _rule(reduction(o.prod, lambda x, dim: _constant_at_two_zeros(x, dim))),
    ),
    "pt2421": (
        "the gradient of the norm divides by zero at zero",
        "kinks.a_gradient_at_a_kink_lies_between_the_one_sided_derivatives[norm]",
        _rule(reduction(o.norm, lambda z, x, p, dim: _slope_of_norm(z, x, p, dim))),
    ),
    "pt46144": (
        "the gradient of angle lacks a conjugate",
        "derivatives.reverse_mode_gives_the_derivative[angle]",
        _rule(others(o.angle, [lambda g, x: g * o.conj(turned(x))], [lambda t, x: o.real(t * o.conj(turned(x)))])),
    ),
    "pt8626": (
        "of an element that is looked at several times, one gradient counts",
        "derivatives.reverse_mode_gives_the_derivative[as_strided]",
        _rule(linear(o.as_strided, lambda g, x, steps: _last_wins_in_memory(g, x, steps))),
    ),
    "pt1631": (
        "of an index that is repeated, the last gradient counts",
        "derivatives.reverse_mode_gives_the_derivative[embedding]",
        _rule(linear(o.index, lambda g, x, index: _last_wins(g, x, index))),
    ),
    "pt85535": (
        # That of leaky_relu refuses a negative slope, which its row has too.
        "the in-place form of an activation raises an internal error in forward mode",
        "in_place.forward_mode_of_an_in_place_form_is_that_of_the_operation[elu]",
        wrong_form("internal error", _internal_assert).change("elu"),
        "torch_func",
    ),
    "pt15223": (
        "the gradient of what is broadcast against an empty array raises an error about its shape",
        "layouts.broadcasting_sums_the_gradient[add]",
        wrong_operation("shape error", _shape_error).change("add"),
    ),
    "pt1712": (
        "the gradient of topk is a constant: it does not depend on the cotangent",
        "cotangents.the_derivative_of_the_pullback_by_its_cotangent_is_the_jvp[topk]",
        _rule(linear(o.chosen_topk, lambda g, x, index, dim: _constant(g, x, index, dim))),
    ),
    "dtype_promo_grads": (
        "the gradient has the dtype of the result, which is wider than that of the input",
        "cotangents.a_gradient_has_the_shape_and_dtype_of_its_input[add]",
        wrong_results("wider", "grad", lambda x: x.double()).change("add"),
    ),
    "pt180164": (
        "slice_scatter gives the array that is written to no gradient",
        "derivatives.reverse_mode_gives_the_derivative[slice_scatter]",
        _rule(linear(o.replace, lambda g: zero_like(g), lambda g, region: o.region(g, region=region))),
    ),
    "ft1019": (
        "a composition of modes of max_pool2d is another under vmap",
        "transforms.vmap_of_a_jvp_is_the_loop[max_pool2d]",
        wrong_operation("in vmap", _in_vmap).change("max_pool2d"),
        "torch_func",
    ),
    "ft1019b": (
        "the VJP of householder_product is another under vmap",
        "transforms.vmap_of_a_gradient_is_the_loop[householder_product]",
        wrong_operation("in vmap", _in_vmap).change("householder_product"),
        "torch_func",
    ),
    "jx10993b": (
        "the VJP of a running product runs the other way",
        "derivatives.reverse_mode_gives_the_derivative[cumprod]",
        _rule(
            others(
                o.cumprod,
                [lambda g, x, dim: reductions.along(g, x, dim, lambda gs, xs: reductions.pull_products(gs[::-1], xs))],
                [lambda t, x, dim: reductions.along(t, x, dim, reductions.push_products)],
            )
        ),
    ),
    "jx6452": (
        "the gradient of logaddexp by a number has an axis",
        "cotangents.a_gradient_has_the_shape_and_dtype_of_its_input[logaddexp]",
        wrong_results("an axis", "grad", lambda x: x[None]).change("logaddexp"),
    ),
    "jx1458": (
        "the JVP of solve takes the tangent of the matrix for symmetric",
        "derivatives.forward_mode_gives_the_derivative[solve]",
        _rule(others(o.solve, _VJPS_OF_SOLVE, [_of_symmetric_tangent, lambda t, x: o.solve(x, t)])),
    ),
    "jx34139": (
        "the derivative of sinc cancels beside zero",
        "derivatives.reverse_over_reverse_gives_the_second_derivative[sinc]",
        _rule(
            elementwise(
                o.sinc,
                lambda x: o.where(o.eq(x, 0), 0.0, (o.cos(math.pi * x) - o.sinc(x)) / o.where(o.eq(x, 0), 1.0, x)),
            )
        ),
    ),
    "jx12409": (
        "the derivative of x ** 0 at 0 is 0 * 0 ** -1",
        "derivatives.reverse_mode_gives_the_derivative[pow_of_exponents]",
        _rule(elementwise(o.pow, lambda x, y: y * o.pow(x, y - 1), lambda z, x: z * o.log(x))),
    ),
    "jx764": (
        "the derivative of tanh far out is infinity over infinity",
        "derivatives.reverse_mode_gives_the_derivative[tanh]",
        _rule(elementwise(o.tanh, lambda x: 4 * o.exp(2 * x) / ((1 + o.exp(2 * x)) * (1 + o.exp(2 * x))))),
    ),
    "mlx1428": (
        "the gradient of topk lands at other places",
        "derivatives.reverse_mode_gives_the_derivative[topk]",
        _rule(linear(o.chosen_topk, lambda g, x, index, dim: _at_other_places(g, x, index, dim))),
    ),
    "mlx628": (
        "the derivative of 0 ** y by y is 0 * log(0)",
        "derivatives.reverse_mode_gives_the_derivative[pow_of_base]",
        _rule(elementwise(o.pow, lambda x, y: slope_of_power(x, y), lambda z, x: z * o.log(x))),
    ),
    "tg17404": (
        "the derivative of a product divides the product by the factor",
        "derivatives.reverse_mode_gives_the_derivative[prod]",
        _rule(reduction(o.prod, lambda z, x: z / x)),
    ),
    "hips376": (
        "the gradient of an axis that einsum stretched has the stretched shape",
        "cotangents.a_gradient_has_the_shape_and_dtype_of_its_input[einsum_broadcast]",
        wrong_results("stretched", "grad", lambda x: x[None]).change("einsum_broadcast"),
        "torch_func",
    ),
    "jx11479": (
        "the derivative of i0 at zero is one",
        "exact_values.reverse_mode_gives_the_exact_derivative[i0]",
        wrong_operation("at zero", lambda c: c.under == ("grad",) and bool((arrays(c)[0] == 0).any())).change("i0"),
        "torch_func",
    ),
}


def _fixed_bug(name: str, what: str, cell: str, change: Change, engine: str = "reference") -> FixedBug:
    return FixedBug(name, engine, what, change, "fixed bugs", cell=cell)


FIXED_BUGS = {name: _fixed_bug(name, *row) for name, row in _ROWS.items()}
