"""Gradient functions: what a program may return to have a gradient, and what may come beside it."""

from conformance.behaviour import MUST, behaviour, hips, jax, torch, torch_func
from conformance.expect import an_error, close, equal, one_of, raises


@behaviour(
    MUST,
    raises=(
        jax("jax.grad", raises=TypeError, says="scalar-output functions"),
        torch_func("torch.func.grad", raises=RuntimeError, says="to return a Tensor"),
    ),
    summed=torch("torch.autograd.grad"),
)
def a_container_has_no_gradient(ad):
    """The gradient of a program that returns a pair is refused, or that of the sum of both: x and 2 x have 3."""
    gradient = ad.grad(lambda x: (x, 2 * x))
    return one_of(lambda: gradient(ad.array(7.0)), raises=an_error, summed=3.0)


@behaviour(
    MUST,
    jax("jax.grad", raises=TypeError, says="scalar-output functions"),
    torch("torch.autograd.grad", raises=TypeError),
    torch_func("torch.func.grad", raises=RuntimeError, says="to return a Tensor"),
)
def nothing_has_no_gradient(ad):
    """The gradient of a program that returns nothing is refused."""
    gradient = ad.grad(lambda x: None)
    raises(lambda: gradient(ad.array(3.0)))


@behaviour(
    MUST,
    raises=(
        jax("jax.grad", raises=TypeError, says="real-valued outputs"),
        torch("torch.autograd.grad", raises=RuntimeError, says="does not require grad"),
    ),
    zero=torch_func("torch.func.grad"),
)
def an_integer_output(ad):
    """The gradient of an output that was converted to an integer is refused, or zero."""
    gradient = ad.grad(lambda x: ad.cast(x, "int32"))
    return one_of(lambda: gradient(ad.array(3.0)), raises=an_error, zero=0.0)


@behaviour(MUST, jax("automatic-differentiation"), torch("torch.autograd.grad"), torch_func("torch.func.grad"))
def the_identity_has_the_gradient_one(ad):
    """The gradient of the program that returns its argument is one."""
    close(ad.grad(lambda x: x)(ad.array(7.0)), 1.0)


@behaviour(MUST, jax("autodidax"), torch("notes/autograd"), torch_func("torch.func.grad"))
def paths_of_a_diamond_add_up(ad):
    """A value that is used twice passes the gradients of both uses back at once: 6 x^4 at 2 has 192."""

    def program(x):
        y = x * x
        return (2 * y) * (3 * y)

    close(ad.grad(program)(ad.array(2.0)), 192.0)


@behaviour(MUST, jax("jax.grad"), torch_func("torch.func.grad"))
def auxiliary_output_comes_beside_the_gradient(ad):
    """A second output that is declared auxiliary, of any structure, is returned beside the gradient."""
    gradient = ad.grad(lambda x: (x**2, {"a": 5 * x}), has_aux=True)
    close(gradient(ad.array(3.0)), (6.0, {"a": 15.0}))


@behaviour(MUST, jax("jax.grad"), torch_func("torch.func.grad"), hips("differential_operators", "grad_and_aux"))
def auxiliary_output_has_no_share_in_the_gradient(ad):
    """Auxiliary output adds nothing to the gradient, however much it depends on the input, and can be read."""
    gradient, auxiliary = ad.grad(lambda x: (x**2, 100 * x), has_aux=True)(ad.array(3.0))
    equal((ad.number_of(gradient), ad.number_of(auxiliary)), (6.0, 300.0))


@behaviour(
    MUST,
    jax("jax.grad", raises=TypeError, says="two-element tuple"),
    torch_func("torch.func.grad", raises=RuntimeError, says="should be a tuple"),
)
def auxiliary_output_needs_a_pair(ad):
    """A program that is said to have auxiliary output, and returns no pair, is refused."""
    gradient = ad.grad(lambda x: x, has_aux=True)
    raises(lambda: gradient(ad.array(3.0)))
