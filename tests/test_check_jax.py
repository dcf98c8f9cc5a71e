"""`check` on functions of JAX: custom_vjp, custom_jvp and plain ones."""

from __future__ import annotations

from functools import partial

import pytest

from autograd_conformance import LawBroken, check

jax = pytest.importorskip("jax")
jnp = jax.numpy

X = jnp.array([0.3, -0.7])


@jax.custom_vjp
def cube(x):
    return x**3


cube.defvjp(lambda x: (x**3, x), lambda x, g: (3 * g * x**2,))


@jax.custom_vjp
def without_sign(x):
    return x**3


without_sign.defvjp(lambda x: (x**3, x), lambda x, g: (3 * jnp.abs(g) * x**2,))


@jax.custom_jvp
def detached(x):
    return jnp.sin(x)


def _detached_rule(primals, tangents):
    """The second derivative is silently zero."""
    return detached(*primals), jnp.cos(jax.lax.stop_gradient(primals[0])) * tangents[0]


detached.defjvp(_detached_rule)


@partial(jax.custom_vjp, nondiff_argnums=(1, 2))
def power(x, n, name):
    return x**n


power.defvjp(lambda x, n, name: (x**n, x), lambda n, name, x, g: (n * g * x ** (n - 1),))


def test_arguments_that_are_not_differentiated() -> None:
    """They are passed on as they are; an array of integers has no gradient."""
    assert not check(power, X, 3, "cube").broken
    assert not check(lambda x, at: x[at] ** 2, X, jnp.array([1, 0])).broken


def test_a_custom_vjp_that_is_right_is_not_accused() -> None:
    """Forward mode is not supported, with the rule to define; the switch for 64-bit numbers is as it was."""
    before = jax.config.jax_enable_x64
    report = check(cube, X)
    assert {answer.remedy for answer in report.answers if answer.status == "not supported"} == {
        "define the rule with jax.custom_jvp and defjvp, which serves both modes"
    }
    assert jax.config.jax_enable_x64 == before


def test_a_pullback_that_is_not_linear_is_named() -> None:
    """By the law of linearity, among others."""
    with pytest.raises(LawBroken) as caught:
        check(without_sign, X)
    assert "cotangents.the_pullback_is_linear" in {answer.law for answer in caught.value.report.broken}


def test_a_lost_second_derivative_is_named() -> None:
    """First derivatives hold. At a number, as each smaller array of a witness would be compiled anew."""
    broken = {answer.law.partition(".")[2] for answer in check(detached, X[0], raises=False).broken}
    assert "reverse_over_reverse_gives_the_second_derivative" in broken
    assert "reverse_mode_gives_the_derivative" not in broken
