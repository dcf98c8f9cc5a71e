"""Holomorphy: with `holomorphic=True`, grad of a complex output is the complex derivative."""

from conformance.behaviour import MUST, SHOULD, behaviour, hips, jax
from conformance.expect import close, raises

JAX = "Complex numbers and differentiation"


@behaviour(
    MUST, jax("autodiff_cookbook", JAX), hips("tutorial", "Complex numbers"), aliases=("complex loss holomorphic=true",)
)
def a_holomorphic_gradient_is_the_complex_derivative(ad):
    """grad with `holomorphic=True` gives the complex derivative, not its conjugate: -9 + 12i for z³ at 1 + 2i."""
    gradient = ad.grad(lambda z: z * z * z, holomorphic=True)
    close(gradient(ad.array(1 + 2j)), -9 + 12j)


@behaviour(SHOULD, jax("jax.grad", raises=Exception, says="complex dtype"))
def holomorphic_grad_of_a_real_input_raises(ad):
    """grad with `holomorphic=True` raises an error for a real input."""
    gradient = ad.grad(lambda x: x * (1 + 2j), holomorphic=True)
    raises(lambda: gradient(ad.array(3.0)))


@behaviour(SHOULD, jax("jax.grad", raises=Exception, says="complex dtype"))
def holomorphic_grad_of_a_real_output_raises(ad):
    """grad with `holomorphic=True` raises an error for a function with a real output."""
    gradient = ad.grad(lambda z: ad.np.abs(z), holomorphic=True)
    raises(lambda: gradient(ad.array(3 + 4j)))
