"""Complex numbers: what a gradient means where the variables are complex."""

from conformance.behaviour import MUST, behaviour, document, jax, torch, torch_func
from conformance.expect import close, one_of, refuses

TORCH = "Autograd for Complex Numbers"
CROSS = "What about cross-domain functions?"
JAX = "Complex numbers and differentiation"


@behaviour(
    MUST,
    uphill=(torch("notes/autograd", CROSS), torch_func("torch.func.grad")),
    its_conjugate=jax("autodiff_cookbook", JAX),
)
def a_real_loss_of_a_complex_input(ad):
    """The gradient of |z|^2 points uphill, along z, or along the conjugate of z."""
    gradient = ad.grad(lambda z: ad.np.abs(z) ** 2)(ad.array(3 + 4j))
    return one_of(gradient / 10, uphill=0.6 + 0.8j, its_conjugate=0.6 - 0.8j)


@behaviour(MUST, torch("notes/autograd", TORCH), jax("autodiff_cookbook", JAX), torch_func("torch.func.grad"))
def a_real_input_has_a_real_gradient(ad):
    """From real to real through complex values the convention plays no part: |(3 + 4i) x|^2 has 50 x."""
    gradient = ad.grad(lambda x: ad.np.abs(x * ad.array(3 + 4j)) ** 2)
    close(gradient(ad.array(3.0)), 150.0)


@behaviour(MUST, torch("notes/autograd", CROSS), jax("autodiff_cookbook", JAX), torch_func("torch.func.grad"))
def the_real_part_has_the_gradient_one(ad):
    """The gradient of the real part of z is one, whatever z is, and in either convention."""
    close(ad.grad(lambda z: ad.np.real(z))(ad.array(3 + 4j)), 1.0 + 0.0j)


@behaviour(
    MUST,
    torch("notes/autograd", TORCH, raises=RuntimeError, says="real scalar outputs"),
    jax("jax.grad", raises=TypeError, says="real-valued outputs"),
    torch_func("torch.func.grad", raises=RuntimeError, says="real scalar outputs"),
)
def a_complex_output_has_no_gradient_by_itself(ad):
    """The gradient of a complex output is refused, unless a weight or the wish says what is meant."""
    gradient = ad.grad(lambda z: z * z)
    refuses(lambda: gradient(ad.array(3 + 4j)))


@behaviour(
    MUST,
    torch("torch.autograd.backward", raises=RuntimeError, says="both grad_output and output"),
    document("004"),
    cases={"real_output": ([1.0], [1j]), "complex_output": ([1j], [1.0])},
)
def gradient_and_output_are_both_complex_or_both_real(ad, value, gradient):
    """A complex gradient for a real output is refused, and a real one for a complex output."""
    x = ad.leaf(value)
    refuses(lambda: ad.backward(x * 2, ad.array(gradient)))
