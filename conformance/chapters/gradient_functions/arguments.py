"""Gradient functions: what the function that computes a gradient takes for its arguments."""

from conformance.behaviour import MUST, behaviour, hips, jax, torch, torch_func
from conformance.expect import an_error, close, equal, one_of, raises

# All transforms of torch.func refuse what is no tensor alike; the page of vjp is the one that asks for tensors.
NO_TENSOR = "must be Tensor"


@behaviour(MUST, jax("jax.grad"), torch_func("torch.func.grad"))
def a_gradient_function_runs_when_it_is_called(ad):
    """Asking for a gradient function runs nothing: the program runs when the gradient function is called."""
    calls = []
    gradient = ad.grad(lambda x: calls.append("program") or x**3)
    equal(calls, [])
    close(gradient(ad.array(2.0)), 12.0)
    equal(calls, ["program"])


@behaviour(MUST, jax("jax.grad"), torch_func("torch.func.grad"))
def the_first_argument_is_the_default(ad):
    """Where no argument is chosen, the gradient is that of the first one: x y at (2, 5) has 5."""
    close(ad.grad(lambda x, y: x * y)(ad.array(2.0), ad.array(5.0)), 5.0)


@behaviour(MUST, jax("jax.grad"), torch_func("torch.func.grad"), hips("differential_operators", "grad"))
def one_chosen_argument_has_a_bare_gradient(ad):
    """An argument that is chosen by its number alone has its gradient without a tuple around it."""
    close(ad.grad(lambda x, y: x * y, argnums=1)(ad.array(2.0), ad.array(5.0)), 2.0)


@behaviour(
    MUST,
    jax("jax.grad"),
    torch_func("torch.func.grad"),
    cases={"swapped": ((1, 0), (2.0, 5.0)), "single": ((0,), (5.0,))},
)
def chosen_arguments_have_a_tuple_in_that_order(ad, argnums, expected):
    """Arguments that are chosen by a tuple of numbers have a tuple of gradients, in the order of the numbers."""
    close(ad.grad(lambda x, y: x * y, argnums=argnums)(ad.array(2.0), ad.array(5.0)), expected)


@behaviour(
    MUST,
    jax("jax.grad", raises=TypeError, says="argnums=2"),
    torch_func("torch.func.grad", raises=RuntimeError, says="argnum=2"),
)
def an_argument_that_is_not_there_cannot_be_chosen(ad):
    """Choosing the third of two arguments is refused."""
    gradient = ad.grad(lambda x, y: x * y, argnums=2)
    raises(lambda: gradient(ad.array(2.0), ad.array(5.0)))


@behaviour(MUST, jax("jax.grad"), torch_func("torch.func.grad"))
def keywords_are_passed_on(ad):
    """An argument that is given by keyword reaches the program as it is: of x k, k has no gradient."""
    close(ad.grad(lambda x, *, k: x * k)(ad.array(2.0), k=ad.array(5.0)), 5.0)


@behaviour(
    MUST,
    jax("jax.grad", raises=TypeError, says="positional arguments"),
    torch_func("torch.func.grad", raises=RuntimeError, says="positional inputs"),
)
def a_chosen_argument_is_positional(ad):
    """An argument that is to be differentiated is refused where it is given by keyword."""
    gradient = ad.grad(lambda x: x * x)
    raises(lambda: gradient(x=ad.array(1.0)))


@behaviour(MUST, jax("jax.grad"), torch("torch.autograd.grad"), torch_func("torch.func.grad"))
def an_integer_left_alone_is_accepted(ad):
    """An argument that is not differentiated may be an integer: x^n at (2, 3) has 12."""
    close(ad.grad(lambda x, n: x**n)(ad.array(2.0), ad.array(3)), 12.0)


@behaviour(
    MUST,
    jax("jax.grad", raises=TypeError, says="real- or complex-valued inputs"),
    torch("autograd", raises=RuntimeError, says="floating point"),
    torch_func("torch.func.grad", raises=RuntimeError, says="floating point"),
)
def a_boolean_has_no_gradient(ad):
    """The gradient with respect to a boolean is refused, though the program makes a real number of it."""
    gradient = ad.grad(lambda flag: 2.0 * flag)
    raises(lambda: gradient(ad.array(True)))


@behaviour(MUST, jax("jax.grad"), cases={"dtype": ("dtype", "float0"), "shape": ("shape", (2,))})
def an_integer_may_be_allowed(ad, what, expected):
    """An integer array that is allowed as input has a gradient of its shape that holds no numbers."""
    gradient = ad.grad(lambda i: ad.np.sum(i * 1.0), allow_int=True)(ad.array([3, 4]))
    equal({"dtype": ad.dtype_of(gradient), "shape": gradient.shape}[what], expected)


@behaviour(
    MUST,
    raises=torch("torch.autograd.grad", raises=RuntimeError, says="not have been used in the graph"),
    zeros=(jax("jax.grad"), torch_func("torch.func.grad")),
)
def an_ignored_array_has_zeros_of_its_shape(ad):
    """The gradient of an array that the output does not depend on is refused, or zeros of the array's shape."""
    gradients = ad.grad(lambda x, y: 3 * x, argnums=(0, 1))
    return one_of(lambda: gradients(ad.array(2.0), ad.array([1.0, 5.0])), raises=an_error, zeros=(3.0, [0.0, 0.0]))


@behaviour(
    MUST,
    accepted=jax("jax.grad"),
    raises=(torch("torch.autograd.grad", raises=TypeError), torch_func("torch.func.vjp", says=NO_TENSOR)),
)
def a_plain_number_as_input(ad):
    """A number of Python's own is differentiated like an array of one element, or refused as no array."""
    gradient = ad.grad(lambda x: x * x)
    return one_of(lambda: gradient(3.0), accepted=6.0, raises=an_error)


@behaviour(
    MUST,
    accepted=jax("jax.grad"),
    raises=(torch("torch.autograd.grad", raises=TypeError), torch_func("torch.func.vjp", says=NO_TENSOR)),
)
def a_numpy_array_as_input(ad):
    """A NumPy array is differentiated like one of the engine's own, or refused as none."""
    gradient = ad.grad(lambda x: ad.np.sum(x * x))
    x = ad.numpy_of(ad.array([1.0, 2.0]))
    return one_of(lambda: gradient(x), accepted=[2.0, 4.0], raises=an_error)


@behaviour(
    MUST,
    jax("jax.grad", raises=TypeError, says="of type <class"),
    torch("torch.autograd.grad", raises=TypeError),
    torch_func("torch.func.vjp", says=NO_TENSOR),
)
def what_is_no_number_has_no_gradient(ad):
    """The gradient with respect to text is refused."""
    gradient = ad.grad(lambda x: x)
    raises(lambda: gradient("s"))


@behaviour(
    MUST,
    jax("jax.grad", raises=TypeError, says="callable"),
    torch_func("torch.func.grad", raises=TypeError, says="callable"),
)
def only_a_function_has_a_gradient(ad):
    """A number in the place of the program has no gradient: it cannot be called."""
    raises(lambda: ad.grad(3)(ad.array(2.0)))
