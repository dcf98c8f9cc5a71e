"""Refusals: programs and weights that no engine differentiates, and how it says so."""

from conformance.behaviour import MUST, behaviour, document, jax, torch, torch_func
from conformance.expect import raises

UNEXPECTED = "unexpected JAX type"


@behaviour(
    MUST,
    torch("torch.autograd.grad", raises=RuntimeError, says="scalar outputs"),
    jax("jax.grad", raises=TypeError, says="scalar-output functions"),
    torch_func("torch.func.grad", raises=RuntimeError, says="scalar Tensor"),
    document("000"),
)
def a_vector_has_no_gradient(ad):
    """The gradient of a program with more than one output is refused."""
    gradient = ad.grad(lambda x: x * 2)
    raises(lambda: gradient(ad.array([1.0, 1.0, 1.0])))


@behaviour(
    MUST,
    torch("autograd", raises=RuntimeError, says="floating point"),
    jax("jax.grad", raises=TypeError, says="real- or complex-valued inputs"),
    torch_func("torch.func.grad", raises=RuntimeError, says="floating point"),
    document("004"),
)
def an_integer_has_no_gradient(ad):
    """The gradient with respect to an integer is refused."""
    gradient = ad.grad(lambda x: x * x)
    raises(lambda: gradient(ad.array(3)))


@behaviour(
    MUST,
    torch("torch.autograd.grad", raises=RuntimeError, says="mismatch in shape"),
    jax("jax.vjp", raises=ValueError, says=UNEXPECTED),
    torch_func("torch.func.vjp", raises=RuntimeError, says="mismatch in shape"),
    document("000"),
    document("004"),
)
def a_cotangent_has_the_shape_of_the_output(ad):
    """A pullback refuses a cotangent of another shape than the output's."""
    _, pullback = ad.vjp(lambda x: x * 2, ad.array([1.0, 1.0]))
    raises(lambda: pullback(ad.array([1.0, 1.0, 1.0])))


@behaviour(
    MUST,
    torch("torch.autograd.grad", raises=RuntimeError, says="both grad_output and output"),
    jax("jax.vjp", raises=ValueError, says=UNEXPECTED),
    torch_func("torch.func.vjp", raises=RuntimeError, says="both grad_output and output"),
    document("004"),
)
def a_cotangent_is_of_the_kind_of_the_output(ad):
    """A pullback refuses a complex cotangent for a real output."""
    _, pullback = ad.vjp(lambda x: x * 2, ad.array([1.0, 1.0]))
    raises(lambda: pullback(ad.array([1j, 1j])))
