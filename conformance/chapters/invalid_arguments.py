"""Invalid arguments: outputs, inputs and cotangents for which grad and vjp raise an error."""

from conformance.behaviour import MAY, MUST, SHOULD, behaviour, document, hips, jax, torch, torch_func
from conformance.expect import raises


@behaviour(
    SHOULD,
    torch("torch.autograd.grad", raises=Exception, says="scalar outputs"),
    jax("jax.grad", raises=Exception, says="scalar-output functions"),
    torch_func("torch.func.grad", raises=Exception, says="scalar Tensor"),
    hips("tutorial", "How to use Autograd", raises=Exception, says="scalar-output functions"),
    document("000"),
    aliases=(
        "grad can be implicitly created only for scalar outputs",
        "gradient only defined for scalar-output functions",
    ),
)
def grad_of_a_non_scalar_output_raises_an_error(ad):
    """grad of a function with a non-scalar output raises an error (in PyTorch, unless it is given grad_outputs)."""
    gradient = ad.grad(lambda x: x * 2)
    raises(lambda: gradient(ad.array([1.0, 1.0, 1.0])))


@behaviour(
    MUST,
    torch("autograd", "torch.autograd", raises=Exception, says="floating point"),
    jax("jax.grad", raises=Exception, says="real- or complex-valued inputs"),
    document("004"),
    aliases=("only tensors of floating point and complex dtype can require gradients", "integer input"),
)
def grad_of_an_integer_input_raises_an_error(ad):
    """By default, grad with respect to an input of integer dtype raises an error."""
    gradient = ad.grad(lambda x: x * x)
    raises(lambda: gradient(ad.array(3)))


@behaviour(
    SHOULD,
    torch("torch.autograd.grad", raises=Exception, says="mismatch in shape"),
    jax("jax.vjp", raises=Exception, says="unexpected JAX type"),
    document("000"),
    document("004"),
)
def a_cotangent_of_another_shape_raises_an_error(ad):
    """A pullback raises an error for a cotangent (grad_output) of another shape than the output."""
    _, pullback = ad.vjp(lambda x: x * 2, ad.array([1.0, 1.0]))
    raises(lambda: pullback(ad.array([1.0, 1.0, 1.0])))


@behaviour(
    MAY,
    torch(
        "torch.autograd.grad",
        raises=Exception,
        says="both grad_output and output",
        unstated="only the message of the error states it",
    ),
    document("004"),
)
def a_complex_cotangent_of_a_real_output_raises_an_error(ad):
    """A pullback raises an error for a complex cotangent of a real output."""
    _, pullback = ad.vjp(lambda x: x * 2, ad.array([1.0, 1.0]))
    raises(lambda: pullback(ad.array([1j, 1j])))


@behaviour(MAY, jax("Common_Gotchas", "Non-array inputs: NumPy vs. JAX", raises=Exception, says="got <class 'list'>"))
def a_list_is_not_an_array(ad):
    """The sum of a list, here in a function under grad, raises an error: unlike in NumPy, a list is not taken for an
    array."""
    gradient = ad.grad(lambda x: ad.np.sum(x))
    raises(lambda: gradient([ad.array(1.0), ad.array(2.0)]))
