"""Gradient functions, outputs: what a function can return, and auxiliary output (has_aux)."""

from conformance.behaviour import MUST, SHOULD, behaviour, hips, jax, torch, torch_func
from conformance.expect import an_error, close, equal, one_of, raises

HISTORY = "How autograd encodes the history"


@behaviour(
    MUST,
    raises=(
        jax("jax.grad", raises=Exception, says="scalar-output functions"),
        torch_func("torch.func.grad", raises=Exception, says="to return a Tensor"),
    ),
    summed=torch("torch.autograd.grad"),
    aliases=("gradient only defined for scalar-output functions",),
)
def a_tuple_output(ad):
    """Without has_aux, grad of a function that returns a tuple raises an error, or returns the gradient of the sum: 3
    for (x, 2x)."""
    gradient = ad.grad(lambda x: (x, 2 * x))
    return one_of(lambda: gradient(ad.array(7.0)), raises=an_error, summed=3.0)


@behaviour(
    SHOULD,
    jax("jax.grad", raises=Exception, says="scalar-output functions"),
    torch("torch.autograd.grad", raises=Exception, says="NoneType"),
    torch_func("torch.func.grad", raises=Exception, says="to return a Tensor"),
)
def an_output_of_none_has_no_gradient(ad):
    """grad of a function that returns None raises an error."""
    gradient = ad.grad(lambda x: None)
    raises(lambda: gradient(ad.array(3.0)))


@behaviour(
    MUST,
    raises=torch("torch.Tensor.to", raises=Exception, says="does not require grad"),
    zero=torch_func("torch.func.grad"),
    aliases=("grad requires real-valued outputs",),
)
def an_integer_output(ad):
    """grad of a function that converts its output to an integer dtype raises an error, or returns zero."""
    gradient = ad.grad(lambda x: ad.cast(x, "int32"))
    return one_of(lambda: gradient(ad.array(3.5)), raises=an_error, zero=0.0)


@behaviour(MUST, jax("automatic-differentiation"), torch("torch.autograd.grad"), torch_func("torch.func.grad"))
def the_identity_has_the_gradient_one(ad):
    """The gradient of the identity function is one."""
    close(ad.grad(lambda x: x)(ad.array(7.0)), 1.0)


@behaviour(MUST, jax("jax-primitives"), torch("notes/autograd", HISTORY), torch_func("torch.func.grad"))
def uses_of_one_intermediate_add_up(ad):
    """A value that is used twice gets the sum of both cotangents: for (2y)(3y) with y = x² the gradient at 2 is 192."""

    def program(x):
        y = x * x
        return (2 * y) * (3 * y)

    close(ad.grad(program)(ad.array(2.0)), 192.0)


@behaviour(
    MUST, jax("jax.grad"), torch_func("torch.func.grad"), aliases=("return metrics beside the loss", "grad has_aux")
)
def auxiliary_output_comes_beside_the_gradient(ad):
    """With has_aux=True grad returns a pair: the gradient, and the auxiliary output, here a dict."""
    gradient = ad.grad(lambda x: (x**2, {"a": 5 * x}), has_aux=True)
    close(gradient(ad.array(3.0)), (6.0, {"a": 15.0}))


@behaviour(MUST, jax("jax.grad"), torch_func("torch.func.grad"), hips("differential_operators", "grad_and_aux"))
def auxiliary_output_is_not_differentiated(ad):
    """Auxiliary output (has_aux=True) is returned, not differentiated: 100x beside x² leaves the gradient 6 at 3."""
    gradient, auxiliary = ad.grad(lambda x: (x**2, 100 * x), has_aux=True)(ad.array(3.0))
    equal((ad.number_of(gradient), ad.number_of(auxiliary)), (6.0, 300.0))


@behaviour(
    SHOULD,
    jax("jax.grad", raises=Exception, says="two-element tuple"),
    torch_func("torch.func.grad", raises=Exception, says="should be a tuple"),
)
def auxiliary_output_needs_a_pair(ad):
    """With has_aux=True grad raises an error if the function does not return a pair."""
    gradient = ad.grad(lambda x: x, has_aux=True)
    raises(lambda: gradient(ad.array(3.0)))
