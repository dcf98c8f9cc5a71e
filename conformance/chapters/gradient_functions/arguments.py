"""Gradient functions, arguments: argnums, keyword arguments, and which inputs grad accepts."""

from conformance.behaviour import MAY, MUST, SHOULD, behaviour, hips, jax, torch, torch_func
from conformance.expect import an_error, close, equal, one_of, raises


def _gradient(ad, program):
    return ad.grad(program)


def _value_plus_gradient(ad, program):
    both = ad.value_and_grad(program)
    # The sum, as engines return value and gradient in another order.
    return lambda *args, **named: sum(both(*args, **named))


def _jacobian(ad, program):
    return ad.jacobian(program)


def _forward_jacobian(ad, program):
    return ad.jacfwd(program)


def _hessian(ad, program):
    return ad.hessian(program)


@behaviour(
    MUST,
    jax("jax.grad"),
    jax("jax.value_and_grad"),
    jax("jax.jacrev"),
    jax("jax.jacfwd"),
    jax("jax.hessian"),
    torch_func("torch.func.grad"),
    torch_func("torch.func.jacrev"),
    torch_func("torch.func.jacfwd"),
    torch_func("torch.func.hessian"),
    cases={
        "gradient": (_gradient, 32.0),
        "value_and_gradient": (_value_plus_gradient, 48.0),
        "jacobian": (_jacobian, 32.0),
        "forward_jacobian": (_forward_jacobian, 32.0),
        "hessian": (_hessian, 48.0),
    },
)
def a_gradient_function_runs_when_it_is_called(ad, transform, expected):
    """grad(f) only creates a function, as do transforms to a Jacobian or Hessian: f runs when it is called."""
    calls = []
    derivative = transform(ad, lambda x: calls.append("program") or x**4)
    equal(calls, [])
    close(derivative(ad.array(2.0)), expected)
    equal("program" in calls, True)


@behaviour(MUST, jax("jax.grad"), torch_func("torch.func.grad"))
def the_first_argument_is_the_default(ad):
    """By default grad differentiates with respect to the first argument: for xy at (2, 5) it returns 5."""
    close(ad.grad(lambda x, y: x * y)(ad.array(2.0), ad.array(5.0)), 5.0)


@behaviour(MUST, jax("jax.grad"), torch_func("torch.func.grad"), hips("differential_operators", "grad"))
def an_integer_argnums_returns_no_tuple(ad):
    """With an integer argnums, grad returns the gradient itself, not a tuple."""
    close(ad.grad(lambda x, y: x * y, argnums=1)(ad.array(2.0), ad.array(5.0)), 2.0)


@behaviour(
    MUST,
    jax("jax.grad"),
    torch_func("torch.func.grad"),
    cases={"swapped": ((1, 0), (2.0, 5.0)), "single": ((0,), (5.0,))},
    aliases=("argnums",),
)
def a_tuple_argnums_returns_a_tuple_in_that_order(ad, argnums, expected):
    """With a tuple argnums, grad returns a tuple of gradients in the order of argnums, also for one argument."""
    close(ad.grad(lambda x, y: x * y, argnums=argnums)(ad.array(2.0), ad.array(5.0)), expected)


@behaviour(
    MAY,
    jax("jax.grad", raises=Exception, says="argnums=2", unstated="only the message of the error states it"),
    torch_func(
        "torch.func.grad", raises=Exception, says="argnum=2", unstated="only the message of the error states it"
    ),
    aliases=("positional arguments to be passed by the caller",),
)
def argnums_out_of_range_raises_an_error(ad):
    """argnums=2 for a call with two arguments raises an error."""
    gradient = ad.grad(lambda x, y: x * y, argnums=2)
    raises(lambda: gradient(ad.array(2.0), ad.array(5.0)))


@behaviour(
    MUST,
    jax("jax.grad"),
    jax("jax.value_and_grad"),
    jax("jax.jacrev"),
    jax("jax.jacfwd"),
    jax("jax.hessian"),
    cases={
        "gradient": (_gradient, 60.0),
        "value_and_gradient": (_value_plus_gradient, 100.0),
        "jacobian": (_jacobian, 60.0),
        "forward_jacobian": (_forward_jacobian, 60.0),
        "hessian": (_hessian, 60.0),
    },
    aliases=("kwargs",),
)
def keyword_arguments_are_passed_on(ad, transform, expected):
    """A gradient function passes keyword arguments on to the function, as do those that compute a Jacobian or Hessian:
    for kx³ at x = 2, called with k=5, each derivative is 60."""
    close(transform(ad, lambda x, *, k: k * x**3)(ad.array(2.0), k=ad.array(5.0)), expected)


@behaviour(
    SHOULD,
    jax("jax.grad", raises=Exception, says="positional arguments to be passed"),
)
def a_differentiated_argument_is_positional(ad):
    """grad raises an error if the argument to differentiate is passed by keyword."""
    gradient = ad.grad(lambda x: x * x)
    raises(lambda: gradient(x=ad.array(1.0)))


@behaviour(MUST, jax("jax.grad"), torch("torch.autograd.grad"), torch_func("torch.func.grad"))
def an_integer_that_is_not_differentiated_is_accepted(ad):
    """An argument that is not differentiated can be an integer: the gradient of xⁿ at x = 2, n = 3 is 12."""
    close(ad.grad(lambda x, n: x**n)(ad.array(2.0), ad.array(3)), 12.0)


@behaviour(
    MUST,
    jax("jax.grad", raises=Exception, says="real- or complex-valued inputs"),
    torch("autograd", "torch.autograd", raises=Exception, says="floating point"),
    aliases=("grad requires real- or complex-valued inputs",),
)
def a_boolean_has_no_gradient(ad):
    """By default, grad with respect to a boolean raises an error, even if the function returns a float."""
    gradient = ad.grad(lambda flag: 2.0 * flag)
    raises(lambda: gradient(ad.array(True)))


@behaviour(
    MUST,
    jax("jax.grad"),
    cases={"dtype": ("dtype", "float0"), "shape": ("shape", (2,))},
    aliases=("integer input gradient",),
)
def allow_int_gives_a_float0_gradient(ad, what, expected):
    """With allow_int=True the gradient of an integer array has its shape and the dtype float0."""
    gradient = ad.grad(lambda i: ad.np.sum(i * 1.0), allow_int=True)(ad.array([3, 4]))
    equal({"dtype": ad.dtype_of(gradient), "shape": gradient.shape}[what], expected)


@behaviour(
    SHOULD,
    accepted=jax("jax.grad"),
    raises=torch("torch.autograd.grad", raises=Exception, says="be Tensor"),
    aliases=("thing passed to transform api must be tensor",),
)
def a_python_number_as_input(ad):
    """grad with respect to a Python float treats it as a scalar array, or raises an error."""
    gradients = ad.grad(lambda x, y: x * y, argnums=(0, 1))
    return one_of(lambda: gradients(ad.array(2.0), 3.0), accepted=(3.0, 2.0), raises=an_error)


@behaviour(
    SHOULD,
    accepted=jax("jax.grad"),
    raises=torch("torch.autograd.grad", raises=Exception, says="be Tensor"),
)
def a_numpy_array_as_input(ad):
    """grad accepts a NumPy array as the argument to differentiate, or raises an error."""
    gradients = ad.grad(lambda x, y: ad.np.sum(x * ad.array(y)), argnums=(0, 1))
    x, y = ad.array([1.0, 2.0]), ad.numpy_of(ad.array([3.0, 5.0]))
    return one_of(lambda: gradients(x, y), accepted=([3.0, 5.0], [1.0, 2.0]), raises=an_error)


@behaviour(
    SHOULD,
    jax("jax.grad", raises=Exception, says="<class 'str'>"),
    torch("torch.autograd.grad", raises=Exception, says="be Tensor"),
    aliases=("not a valid jax type",),
)
def a_string_has_no_gradient(ad):
    """grad with respect to a string raises an error."""
    gradients = ad.grad(lambda x, text: x * x, argnums=(0, 1))
    raises(lambda: gradients(ad.array(2.0), "s"))


@behaviour(
    SHOULD,
    jax("jax.grad", raises=Exception, says="callable"),
    torch_func("torch.func.grad", raises=Exception, says="callable"),
)
def only_a_function_has_a_gradient(ad):
    """grad of a number in place of a function, as in grad(3), raises an error."""
    raises(lambda: ad.grad(3)(ad.array(2.0)))


@behaviour(MUST, jax("jax.grad"))
def allow_int_accepts_integers_beside_floats(ad):
    """With allow_int=True, the gradient of a container has dtype float0 for an integer entry, and the gradients of the
    floating-point entries beside it."""
    gradient = ad.grad(lambda p: p["x"] * p["n"] * p["y"], allow_int=True)
    found = gradient({"x": ad.array(2.0), "n": ad.array(3), "y": ad.array(5.0)})
    equal(ad.dtype_of(found["n"]), "float0")
    close((found["x"], found["y"]), (15.0, 6.0))
