"""Gradient functions: the value of a program and its gradient from one call."""

from conformance.behaviour import MUST, behaviour, hips, jax, torch_func
from conformance.expect import equal, one_of, raises

BOTH = {"value_first": jax("jax.value_and_grad"), "gradient_first": torch_func("torch.func.grad_and_value")}


@behaviour(
    MUST,
    value_first=(jax("jax.value_and_grad"), hips("differential_operators", "value_and_grad")),
    gradient_first=BOTH["gradient_first"],
)
def value_and_gradient_come_in_one_call(ad):
    """Value and gradient come from one call, the value first or the gradient first: x^3 at 2 has 8 and 12."""
    both = ad.value_and_grad(lambda x: x**3)(ad.array(2.0))
    return one_of(both, value_first=(8.0, 12.0), gradient_first=(12.0, 8.0))


@behaviour(MUST, **BOTH)
def auxiliary_output_stands_beside_the_value(ad):
    """Auxiliary output makes a pair with the value, and not with the gradient: x^2 at 3, beside 5 x."""
    both = ad.value_and_grad(lambda x: (x**2, 5 * x), has_aux=True)(ad.array(3.0))
    return one_of(both, value_first=((9.0, 15.0), 6.0), gradient_first=(6.0, (9.0, 15.0)))


@behaviour(MUST, **BOTH)
def one_value_comes_with_several_gradients(ad):
    """The gradients of several chosen arguments are a tuple beside the one value: x y at (2, 5)."""
    both = ad.value_and_grad(lambda x, y: x * y, argnums=(0, 1))(ad.array(2.0), ad.array(5.0))
    return one_of(both, value_first=(10.0, (5.0, 2.0)), gradient_first=((5.0, 2.0), 10.0))


@behaviour(MUST, jax("jax.value_and_grad"), torch_func("torch.func.grad_and_value"))
def the_value_beside_the_gradient_is_concrete(ad):
    """Python can read the value that comes with a gradient, and the gradient itself: 9 and 6 for x^2 at 3."""
    first, second = ad.value_and_grad(lambda x: x**2)(ad.array(3.0))
    equal({ad.number_of(first), ad.number_of(second)}, {9.0, 6.0})


@behaviour(
    MUST,
    jax("jax.value_and_grad", raises=TypeError),
    torch_func("torch.func.grad_and_value", raises=RuntimeError),
    cases={"vector": ([1.0, 2.0],), "integer": (3,)},
)
def value_and_gradient_refuse_what_grad_refuses(ad, point):
    """Value and gradient from one call are refused for a vector of outputs and for an integer input."""
    both = ad.value_and_grad(lambda x: 1.5 * x)
    raises(lambda: both(ad.array(point)))
