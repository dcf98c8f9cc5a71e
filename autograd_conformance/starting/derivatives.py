"""The questions of a smoke test about first derivatives, with answers worked out by hand: x * x has the derivative 2 x.

Second derivatives and combinations are left to the behaviours: engines are known to refuse some, or to get them wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from autograd_conformance.starting.comparing import same
from autograd_conformance.starting.findings import Odd

__all__ = ["DERIVATIVES"]


def _square(x: Any) -> Any:
    return x * x


def _grad(ad: Any) -> None:
    same(ad, "grad(x * x)(3.0)", ad.grad(_square)(ad.array(3.0)), 6.0, "mend `grad`")


def _value_and_grad(ad: Any) -> None:
    both = ad.value_and_grad(_square)(ad.array(3.0))
    same(ad, "the sum of value_and_grad(x * x)(3.0)", both[0] + both[1], 15.0, "return value and gradient")


def _vjp(ad: Any) -> None:
    output, pullback = ad.vjp(_square, ad.array(3.0))
    same(ad, "the output of vjp(x * x, 3.0)", output, 9.0, "return the output first")
    cotangents = pullback(ad.array(1.0))
    if not isinstance(cotangents, (tuple, list)):
        raise Odd(f"a pullback that gives {type(cotangents).__name__}", "a tuple", "one cotangent for each primal")
    same(ad, "the cotangent of vjp(x * x, 3.0)", cotangents[0], 6.0, "mend `vjp`")


def _jvp(ad: Any) -> None:
    output, tangent = ad.jvp(_square, (ad.array(3.0),), (ad.array(2.0),))
    same(ad, "the output of jvp(x * x, (3.0,), (2.0,))", output, 9.0, "return the output first")
    same(ad, "the tangent of jvp(x * x, (3.0,), (2.0,))", tangent, 12.0, "mend `jvp`")


def _jacobian(verb: str) -> Callable[[Any], None]:
    def ask(ad: Any) -> None:
        got = getattr(ad, verb)(_square)(ad.array([1.0, 2.0]))
        same(ad, f"{verb}(x * x)([1.0, 2.0])", got, [[2.0, 0.0], [0.0, 4.0]], f"mend `{verb}`")

    return ask


def _vmap(ad: Any) -> None:
    same(ad, "vmap(x * x)([1.0, 2.0])", ad.vmap(_square)(ad.array([1.0, 2.0])), [1.0, 4.0], "mend `vmap`")


def _linearize(ad: Any) -> None:
    output, pushforward = ad.linearize(_square, ad.array(3.0))
    same(ad, "the output of linearize(x * x, 3.0)", output, 9.0, "return the output first")
    same(ad, "the pushforward of linearize(x * x, 3.0)", pushforward(ad.array(2.0)), 12.0, "mend `linearize`")


def _detach(ad: Any) -> None:
    same(ad, "detach([1.0, 2.0])", ad.detach(ad.array([1.0, 2.0])), [1.0, 2.0], "keep the value")


def _checkpoint(ad: Any) -> None:
    same(ad, "checkpoint(x * x)(3.0)", ad.checkpoint(_square)(ad.array(3.0)), 9.0, "mend `checkpoint`")


def _custom_vjp(ad: Any) -> None:
    ruled = ad.custom_vjp(lambda x: (x * x, (x,)), lambda kept, cotangent: (10.0 * kept[0] * cotangent,))
    call = "grad(custom_vjp(x * x, by the rule 10 x))(3.0)"
    same(ad, call, ad.grad(ruled)(ad.array(3.0)), 30.0, "mend `custom_vjp`")


def _backward(ad: Any) -> None:
    x = ad.leaf(3.0)
    ad.backward(x * x)
    same(ad, "gradient_of(leaf(3.0)) after backward(x * x)", ad.gradient_of(x), 6.0, "mend `leaf` or `backward`")


def _grad_of(ad: Any) -> None:
    x = ad.leaf(3.0)
    (gradient,) = ad.grad_of(x * x, x)
    same(ad, "grad_of(x * x, x) at 3.0", gradient, 6.0, "mend `grad_of`")


def _requires_grad(ad: Any) -> None:
    got = (ad.requires_grad(ad.leaf(3.0)), ad.requires_grad(ad.array(3.0)))
    if got != (True, False):
        raise Odd(f"requires_grad of a leaf and of an array = {got}", "(True, False)", "mend `leaf` or `array`")


DERIVATIVES: Mapping[str, Callable[[Any], None]] = {
    "grad": _grad,
    "value_and_grad": _value_and_grad,
    "vjp": _vjp,
    "jvp": _jvp,
    "jacobian": _jacobian("jacobian"),
    "jacfwd": _jacobian("jacfwd"),
    "vmap": _vmap,
    "linearize": _linearize,
    "detach": _detach,
    "checkpoint": _checkpoint,
    "grad, custom_vjp": _custom_vjp,
    "leaf, gradient_of, backward": _backward,
    "leaf, grad_of": _grad_of,
    "leaf, requires_grad": _requires_grad,
}
