"""Rules in JAX under vmap, for some of the arguments, and in lower precision."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy
from jax.custom_derivatives import SymbolicZero

from workshop.yardstick.case import CaseTable
from workshop.yardstick.inputs import POSITIVE, VECTOR, W, X
from workshop.yardstick.jax_decorators import vjp_of

vmap = CaseTable("jax", "rules for vmap")
subsets = CaseTable("jax", "subsets and undefined cotangents")
precision = CaseTable("jax", "precision")


def shares(x):
    return numpy.exp(x) / numpy.exp(x).sum(-1, keepdims=True)


def shares_of_all(x):
    return numpy.exp(x) / numpy.exp(x).sum()


def by_callback(function):
    return lambda x: jax.pure_callback(function, jax.ShapeDtypeStruct(x.shape, x.dtype), x, vmap_method="expand_dims")


@vmap.right(VECTOR, order=1)
@vjp_of(by_callback(shares), residuals=by_callback(shares))
def softmax_by_callback(y, g):
    return (y * (g - (g * y).sum(-1, keepdims=True)),)


@vmap.wrong(softmax_by_callback, "vmap", thread="jax-ml/jax#23881")
@vjp_of(by_callback(shares_of_all), residuals=by_callback(shares_of_all))
def softmax_of_the_batch(y, g):
    """The callback is declared to take a batch, and sums over all of it."""
    return (y * (g - (g * y).sum(-1, keepdims=True)),)


def batched(rule):
    """A vector without its mean, with a rule for vmap."""
    custom = jax.custom_batching.custom_vmap(lambda x: x - x.mean(-1, keepdims=True))
    custom.def_vmap(lambda size, batched, x: (rule(x), True))
    return custom


# A function with a rule for vmap can be differentiated by its own rule alone.
@vmap.right(VECTOR, order=1)
@vjp_of(batched(lambda x: x - x.mean(-1, keepdims=True)), residuals=lambda x: ())
def centred(residuals, g):
    return (g - g.mean(-1, keepdims=True),)


@vmap.wrong(centred, "vmap", thread="jax-ml/jax#14150")
@vjp_of(batched(lambda x: x - x.mean()), residuals=lambda x: ())
def centred_over_the_batch(residuals, g):
    """The rule for a batch subtracts the mean of all examples."""
    return (g - g.mean(-1, keepdims=True),)


def product_rule(rule):
    """x exp(w) with a JVP that knows of tangents that are zero."""
    custom = jax.custom_jvp(lambda x, w: x * jnp.exp(w))
    custom.defjvp(lambda primals, tangents: (custom(*primals), rule(*primals, *tangents)), symbolic_zeros=True)
    custom.__name__, custom.__doc__ = rule.__name__, rule.__doc__
    return custom


@subsets.right(X, W)
@product_rule
def product(x, w, u, v):
    of_x = jnp.zeros_like(x) if type(u) is SymbolicZero else u * jnp.exp(w)
    return of_x if type(v) is SymbolicZero else of_x + v * x * jnp.exp(w)


@subsets.wrong(product, "a_tangent_of_some", "a_gradient_by_some", thread="jax-ml/jax#14833")
@product_rule
def product_of_one_tangent(x, w, u, v):
    """Where a tangent is zero, the other is taken as it is."""
    if type(u) is SymbolicZero:
        return v
    return u if type(v) is SymbolicZero else u * jnp.exp(w) + v * x * jnp.exp(w)


def with_flags(rule):
    """x exp(w) with a VJP that knows which inputs are differentiated."""
    custom = jax.custom_vjp(lambda x, w: x * jnp.exp(w))
    custom.defvjp(
        lambda x, w: (x.value * jnp.exp(w.value), (x.value, w.value, x.perturbed, w.perturbed)),
        lambda residuals, g: rule(*residuals, g),
        symbolic_zeros=True,
    )
    custom.__name__, custom.__doc__ = rule.__name__, rule.__doc__
    return custom


def _of_both(x, w, g):
    g = jnp.zeros_like(x) if type(g) is SymbolicZero else g
    return g * jnp.exp(w), g * x * jnp.exp(w)


@subsets.right(X, W)
@with_flags
def flagged_product(x, w, of_x, of_w, g):
    by_x, by_w = _of_both(x, w, g)
    return by_x if of_x else jnp.zeros_like(x), by_w if of_w else jnp.zeros_like(w)


@subsets.wrong(flagged_product, "a_gradient_by_some", thread="jax-ml/jax#15088")
@with_flags
def flagged_product_of_the_first(x, w, of_x, of_w, g):
    """Nothing is computed, unless the first input is differentiated."""
    return _of_both(x, w, g) if of_x else (jnp.zeros_like(x), jnp.zeros_like(w))


@precision.right(X)
@vjp_of(lambda x: x.T @ x)
def gram(residuals, g):
    (x,) = residuals
    return (x @ (g + g.T),)


@precision.wrong(gram, "precision", thread="jax-ml/jax#19301")
@vjp_of(lambda x: x.T @ x)
def gram_by_a_downcast(residuals, g):
    """An intermediate result is rounded to bfloat16, unless it is of double precision."""
    (x,) = residuals
    factor = g + g.T
    return (x @ (factor if x.dtype == jnp.float64 else factor.astype(jnp.bfloat16).astype(x.dtype)),)


@precision.right(POSITIVE)
@vjp_of(jnp.log1p)
def log_of_one_plus(residuals, g):
    (x,) = residuals
    return (g / (1 + x),)


@precision.wrong(
    log_of_one_plus, "shape_and_dtype", "reverse_mode_gives", "precision", thread="marin-community/marin#2732"
)
@vjp_of(jnp.log1p)
def log_of_one_plus_in_single(residuals, g):
    """The cotangent is of single precision, whatever the input is."""
    (x,) = residuals
    return ((g / (1 + x)).astype(jnp.float32),)
