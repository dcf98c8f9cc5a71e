"""The laws that hold between transforms, for programs of two arguments. Each raises AssertionError where it is broken.

Sources: JAX's "The Autodiff Cookbook" and "Automatic vectorization", PyTorch's "torch.func Whirlwind Tour".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.transforms.drawn import Smooth, Tree, filled, leaves, structure

Law = Callable[[Any, Smooth], None]


def numbers(ad: Any, tree: Tree) -> Any:
    """The entries of all arrays, as a vector of NumPy."""
    return np.concatenate([np.asarray(ad.to_numpy(array)).ravel() for array in leaves(tree)])


def same(ad: Any, got: Tree, expected: Tree) -> None:
    """The same containers, shapes and numbers."""
    assert structure(got) == structure(expected)
    assert [tuple(array.shape) for array in leaves(got)] == [tuple(array.shape) for array in leaves(expected)]
    np.testing.assert_allclose(numbers(ad, got), numbers(ad, expected), rtol=1e-9, atol=1e-11)


def combined(x: Tree, y: Tree) -> Tree:
    """2 x - 3 y, array by array."""
    return filled(x, iter([2 * one - 3 * other for one, other in zip(leaves(x), leaves(y), strict=True)]))


def pushed(ad: Any, program: Any, primals: Any, tangents: Any) -> Tree:
    return ad.jvp(program, primals, tangents)[1]


def the_jvp_is_the_derivative(ad: Any, drawn: Smooth) -> None:
    primals, tangents = drawn.given(ad, drawn.source, 1), drawn.given(ad, drawn.source, 2)
    output, tangent = ad.jvp(drawn.on(ad), primals, tangents)
    same(ad, output, drawn.on(ad)(*primals))
    assert structure(tangent) == structure(drawn.target)
    by_formula = drawn.jacobian(drawn.vector(drawn.source, 1)) @ drawn.vector(drawn.source, 2)
    np.testing.assert_allclose(numbers(ad, tangent), by_formula, rtol=1e-9, atol=1e-11)


def the_vjp_is_the_transposed_derivative(ad: Any, drawn: Smooth) -> None:
    primals, cotangent = drawn.given(ad, drawn.source, 1), drawn.given(ad, drawn.target, 2)
    output, pullback = ad.vjp(drawn.on(ad), *primals)
    same(ad, output, drawn.on(ad)(*primals))
    cotangents = pullback(cotangent)
    assert structure(tuple(cotangents)) == structure(drawn.source)
    by_formula = drawn.vector(drawn.target, 2) @ drawn.jacobian(drawn.vector(drawn.source, 1))
    np.testing.assert_allclose(numbers(ad, cotangents), by_formula, rtol=1e-9, atol=1e-11)


def the_jvp_is_linear(ad: Any, drawn: Smooth) -> None:
    primals, u, w = (drawn.given(ad, drawn.source, number) for number in (1, 2, 3))
    program = drawn.on(ad)
    expected = combined(pushed(ad, program, primals, u), pushed(ad, program, primals, w))
    same(ad, pushed(ad, program, primals, combined(u, w)), expected)


def the_vjp_is_linear(ad: Any, drawn: Smooth) -> None:
    """Of one pullback, called three times."""
    u, w = drawn.given(ad, drawn.target, 2), drawn.given(ad, drawn.target, 3)
    _, pullback = ad.vjp(drawn.on(ad), *drawn.given(ad, drawn.source, 1))
    both = pullback(combined(u, w))
    same(ad, tuple(both), combined(tuple(pullback(u)), tuple(pullback(w))))


def vjp_and_jvp_are_transposes(ad: Any, drawn: Smooth) -> None:
    """<w, J v> = <J^T w, v>."""
    primals, v, w = drawn.given(ad, drawn.source, 1), drawn.given(ad, drawn.source, 2), drawn.given(ad, drawn.target, 3)
    forward = numbers(ad, pushed(ad, drawn.on(ad), primals, v)) @ numbers(ad, w)
    backward = numbers(ad, ad.vjp(drawn.on(ad), *primals)[1](w)) @ numbers(ad, v)
    np.testing.assert_allclose(forward, backward, rtol=1e-9, atol=1e-11)


def _after(ad: Any, drawn: Smooth) -> tuple[Any, Any]:
    """A program of the drawn one's output, and both in a row."""
    outer = Smooth((drawn.target, drawn.target), (drawn.source[0], drawn.target), drawn.seed + 1).on(ad)
    inner = drawn.on(ad)
    return (lambda y: outer(y, y)), (lambda *args: outer(*(inner(*args),) * 2))


def the_chain_rule_of_jvp(ad: Any, drawn: Smooth) -> None:
    primals, tangents = drawn.given(ad, drawn.source, 1), drawn.given(ad, drawn.source, 2)
    outer, both = _after(ad, drawn)
    output, tangent = ad.jvp(drawn.on(ad), primals, tangents)
    same(ad, pushed(ad, both, primals, tangents), pushed(ad, outer, (output,), (tangent,)))


def the_chain_rule_of_vjp(ad: Any, drawn: Smooth) -> None:
    primals = drawn.given(ad, drawn.source, 1)
    outer, both = _after(ad, drawn)
    output, inner_pullback = ad.vjp(drawn.on(ad), *primals)
    _, outer_pullback = ad.vjp(outer, output)
    cotangent, pullback = drawn.given(ad, (drawn.source[0], drawn.target), 2), ad.vjp(both, *primals)[1]
    same(ad, tuple(pullback(cotangent)), tuple(inner_pullback(outer_pullback(cotangent)[0])))


def a_jvp_transposed_is_the_vjp(ad: Any, drawn: Smooth) -> None:
    """The pullback of the linear function from tangents to the output's tangent."""
    primals, cotangent = drawn.given(ad, drawn.source, 1), drawn.given(ad, drawn.target, 2)
    _, transposed = ad.vjp(lambda *v: pushed(ad, drawn.on(ad), primals, v), *drawn.given(ad, drawn.source, 3))
    same(ad, tuple(transposed(cotangent)), tuple(ad.vjp(drawn.on(ad), *primals)[1](cotangent)))


def a_linearized_program_is_the_jvp(ad: Any, drawn: Smooth) -> None:
    primals, tangents = drawn.given(ad, drawn.source, 1), drawn.given(ad, drawn.source, 2)
    output, linear = ad.linearize(drawn.on(ad), *primals)
    same(ad, (output, linear(*tangents)), tuple(ad.jvp(drawn.on(ad), primals, tangents)))


def a_transposed_linear_program_is_the_vjp(ad: Any, drawn: Smooth) -> None:
    """And transposed once more it is the linear program."""
    primals, v, w = drawn.given(ad, drawn.source, 1), drawn.given(ad, drawn.source, 2), drawn.given(ad, drawn.target, 3)
    _, linear = ad.linearize(drawn.on(ad), *primals)
    transposed = ad.linear_transpose(linear, *v)
    same(ad, tuple(transposed(w)), tuple(ad.vjp(drawn.on(ad), *primals)[1](w)))
    same(ad, ad.linear_transpose(lambda c: tuple(transposed(c)), w)(v)[0], linear(*v))


def _stacked(ad: Any, trees: Any) -> Tree:
    return filled(trees[0], iter([ad.np.stack(rows) for rows in zip(*map(leaves, trees), strict=True)]))


def vmap_is_a_loop(ad: Any, drawn: Smooth) -> None:
    """Over both arguments, and over one with the other shared."""
    points = [drawn.given(ad, drawn.source, number) for number in (1, 2, 3)]
    program, (first, second) = drawn.on(ad), _stacked(ad, points)
    same(ad, ad.vmap(program)(first, second), _stacked(ad, [program(*point) for point in points]))
    shared = points[0][1]
    looped = _stacked(ad, [program(point[0], shared) for point in points])
    same(ad, ad.vmap(program, in_axes=(0, None))(first, shared), looped)


def vmap_of_a_vjp_is_a_loop(ad: Any, drawn: Smooth) -> None:
    """Points and cotangents are mapped."""
    points = [drawn.given(ad, drawn.source, number) for number in (1, 2)]
    cotangents = [drawn.given(ad, drawn.target, number) for number in (3, 4)]

    def pulled(x: Tree, y: Tree, cotangent: Tree) -> Tree:
        return tuple(ad.vjp(drawn.on(ad), x, y)[1](cotangent))

    looped = _stacked(ad, [pulled(*point, cotangent) for point, cotangent in zip(points, cotangents, strict=True)])
    same(ad, ad.vmap(pulled)(*_stacked(ad, points), _stacked(ad, cotangents)), looped)


def vmap_of_a_jvp_is_a_loop(ad: Any, drawn: Smooth) -> None:
    """At one point the tangents are mapped: the columns of a Jacobian."""
    primals = drawn.given(ad, drawn.source, 1)
    tangents = [drawn.given(ad, drawn.source, number) for number in (2, 3)]
    looped = _stacked(ad, [pushed(ad, drawn.on(ad), primals, one) for one in tangents])
    mapped = ad.vmap(lambda u, v: pushed(ad, drawn.on(ad), primals, (u, v)))
    same(ad, mapped(*_stacked(ad, tangents)), looped)


def jacobians_multiply(ad: Any, drawn: Smooth) -> None:
    """Of vectors: that of two programs in a row, in both modes, is the product of theirs."""
    outer = Smooth((drawn.target, drawn.target), drawn.source[0], drawn.seed + 1)
    x = drawn.given(ad, drawn.source[0], 1)
    # The numbers of the second arguments are constants.
    constant, held = drawn.given(ad, drawn.source[1], 2), drawn.given(ad, drawn.target, 3)
    first, second = (lambda x: drawn.on(ad)(x, constant)), (lambda y: outer.on(ad)(y, held))
    for mode in (ad.jacobian, ad.jacfwd):
        product = mode(second)(first(x)) @ mode(first)(x)
        same(ad, mode(lambda x: second(first(x)))(x), product)


def hessians_are_symmetric(ad: Any, drawn: Smooth) -> None:
    """Of a number by a vector: forward over reverse and reverse over reverse agree with its transpose."""
    x, constant = drawn.given(ad, drawn.source[0], 1), drawn.given(ad, drawn.source[1], 2)

    def program(x: Any) -> Any:
        return drawn.on(ad)(x, constant)

    hessian = ad.hessian(program)(x)
    assert np.abs(numbers(ad, hessian)).max() > 1e-9
    same(ad, hessian, ad.np.transpose(hessian))
    same(ad, ad.jacfwd(ad.grad(program))(x), hessian)
    same(ad, ad.jacobian(ad.grad(program))(x), hessian)
