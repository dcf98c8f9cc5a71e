"""Gradient functions, values: value_and_grad and grad_and_value return both in one call."""

from conformance.behaviour import MAY, MUST, SHOULD, behaviour, hips, jax, torch, torch_func
from conformance.expect import close, equal, one_of, raises

BOTH = {"value_first": jax("jax.value_and_grad"), "gradient_first": torch_func("torch.func.grad_and_value")}


@behaviour(
    MUST,
    value_first=(jax("jax.value_and_grad"), hips("differential_operators", "value_and_grad")),
    gradient_first=BOTH["gradient_first"],
    aliases=("loss and gradient in one call",),
)
def value_and_gradient_come_in_one_call(ad):
    """value_and_grad returns (value, gradient), grad_and_value (gradient, value): (8, 12) or (12, 8) for x³ at 2."""
    both = ad.value_and_grad(lambda x: x**3)(ad.array(2.0))
    return one_of(both, value_first=(8.0, 12.0), gradient_first=(12.0, 8.0))


@behaviour(MUST, **BOTH)
def auxiliary_output_is_paired_with_the_value(ad):
    """With has_aux=True the auxiliary output is paired with the value: value_and_grad returns ((value, aux), gradient),
    grad_and_value (gradient, (value, aux))."""
    both = ad.value_and_grad(lambda x: (x**2, 5 * x), has_aux=True)(ad.array(3.0))
    return one_of(both, value_first=((9.0, 15.0), 6.0), gradient_first=(6.0, (9.0, 15.0)))


@behaviour(
    MUST,
    **BOTH,
    cases={"in_order": ((0, 1), (5.0, 2.0)), "swapped": ((1, 0), (2.0, 5.0)), "single": ((0,), (5.0,))},
)
def one_value_comes_with_several_gradients(ad, argnums, gradients):
    """With a tuple argnums, value_and_grad and grad_and_value return the value, and a tuple of gradients: 10 and (5, 2)
    for xy at (2, 5)."""
    both = ad.value_and_grad(lambda x, y: x * y, argnums=argnums)(ad.array(2.0), ad.array(5.0))
    return one_of(both, value_first=(10.0, gradients), gradient_first=(gradients, 10.0))


@behaviour(MUST, jax("jax.value_and_grad"), torch_func("torch.func.grad_and_value"), aliases=("detach the loss value",))
def the_value_beside_the_gradient_is_concrete(ad):
    """value_and_grad (grad_and_value) at a concrete array returns a concrete value and a concrete gradient: Python can
    read 9 and 6 for x² at 3."""
    first, second = ad.value_and_grad(lambda x: x**2)(ad.array(3.0))
    equal({ad.number_of(first), ad.number_of(second)}, {9.0, 6.0})


@behaviour(
    SHOULD,
    jax("jax.value_and_grad", raises=Exception, says="scalar-output functions"),
    torch_func("torch.func.grad_and_value", raises=Exception, says="to return a scalar"),
)
def value_and_grad_of_a_vector_output_raises_an_error(ad):
    """value_and_grad raises an error if the function returns a vector, as grad does."""
    both = ad.value_and_grad(lambda x: 1.5 * x)
    raises(lambda: both(ad.array([1.0, 2.0])))


@behaviour(
    MUST,
    jax("jax.value_and_grad", raises=Exception, says="real- or complex-valued inputs"),
    torch("autograd", "torch.autograd", raises=Exception, says="floating point"),
)
def value_and_grad_of_an_integer_input_raises_an_error(ad):
    """By default, value_and_grad raises an error if the argument to differentiate is an array of integers, as grad
    does."""
    both = ad.value_and_grad(lambda x: 1.5 * x)
    raises(lambda: both(ad.array(3)))


@behaviour(MAY, jax("automatic-differentiation", "4. Evaluating a function and its gradient using jax.value_and_grad"))
def value_and_grad_calls_the_function_once(ad):
    """value_and_grad computes value and gradient in one pass: it calls the Python function once."""
    calls = []
    both = ad.value_and_grad(lambda x: calls.append("program") or x**3)
    close(sum(both(ad.array(2.0))), 20.0)
    equal(calls, ["program"])


@behaviour(
    MUST,
    jax("jax.value_and_grad"),
    cases={"dtype": ("dtype", "float0"), "shape": ("shape", (2,))},
)
def value_and_grad_with_allow_int_gives_a_float0_gradient(ad, what, expected):
    """With allow_int=True, value_and_grad of an integer input returns the value, and a gradient of dtype float0 with
    the shape of the input."""
    value, gradient = ad.value_and_grad(lambda i: ad.np.sum(i * 1.5), allow_int=True)(ad.array([3, 4]))
    close(value, 10.5)
    equal({"dtype": ad.dtype_of(gradient), "shape": gradient.shape}[what], expected)


@behaviour(MUST, jax("jax.value_and_grad"), jax("autodiff_cookbook", "Complex numbers and differentiation"))
def value_and_grad_of_a_holomorphic_function(ad):
    """With `holomorphic=True`, value_and_grad returns the complex value, and the complex derivative: -3 + 4i and 2 + 4i
    for z² at 1 + 2i."""
    both = ad.value_and_grad(lambda z: z * z, holomorphic=True)
    close(both(ad.array(1 + 2j)), (-3 + 4j, 2 + 4j))
