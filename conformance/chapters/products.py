"""Products: gradients of prod and cumprod where factors are zero."""

from conformance.behaviour import MUST, behaviour, jax, torch
from conformance.expect import close

KINKS = "Gradients for non-differentiable functions"


@behaviour(
    MUST,
    torch("notes/autograd", KINKS),
    jax("changelog", "jax 0.1.63"),
    jax("jax.grad"),
    cases={
        "one_zero": (lambda ad, x: ad.np.prod(x), [0.0, 2.0, 3.0], [6.0, 0.0, 0.0]),
        "two_zeros": (lambda ad, x: ad.np.prod(x), [0.0, 0.0, 3.0], [0.0, 0.0, 0.0]),
        "running": (lambda ad, x: ad.np.sum(ad.np.cumprod(x)), [2.0, 0.0, 3.0], [1.0, 8.0, 0.0]),
    },
    aliases=("grad of prod nan", "cumprod zero"),
)
def prod_with_zero_factors_has_exact_gradients(ad, product, factors, gradient):
    """The gradients of prod and cumprod are exact, not NaN, even if a factor is zero; that of prod, even if two are."""
    close(ad.grad(lambda x: product(ad, x))(ad.array(factors)), gradient)


@behaviour(
    MUST,
    torch("notes/autograd", KINKS),
    jax("changelog", "jax 0.1.63"),
    jax("jax.hessian"),
    cases={
        "one_zero": ([0.0, 2.0, 3.0], [[0.0, 3.0, 2.0], [3.0, 0.0, 0.0], [2.0, 0.0, 0.0]]),
        "two_zeros": ([0.0, 0.0, 3.0], [[0.0, 3.0, 0.0], [3.0, 0.0, 0.0], [0.0, 0.0, 0.0]]),
    },
)
def prod_with_zero_factors_has_an_exact_hessian(ad, factors, hessian):
    """The Hessian of prod is exact, not NaN, even if one or two of the factors are zero."""
    close(ad.hessian(ad.np.prod)(ad.array(factors)), hessian)
