"""Holomorphy: a promise by which a complex output has a gradient, the complex derivative."""

from conformance.behaviour import MUST, behaviour, hips, jax
from conformance.expect import close, raises

JAX = "Complex numbers and differentiation"


@behaviour(MUST, jax("autodiff_cookbook", JAX), hips("tutorial", "Complex numbers"))
def a_holomorphic_gradient_is_the_complex_derivative(ad):
    """The gradient of a function that is promised to be holomorphic is its complex derivative, not conjugated."""
    gradient = ad.grad(lambda z: z * z * z, holomorphic=True)
    close(gradient(ad.array(1 + 2j)), -9 + 12j)


@behaviour(MUST, jax("jax.grad", raises=TypeError, says="inputs with complex dtype"))
def a_real_input_cannot_be_promised(ad):
    """The promise of holomorphy is refused for a real input."""
    gradient = ad.grad(lambda x: x * (1 + 2j), holomorphic=True)
    raises(lambda: gradient(ad.array(3.0)))


@behaviour(MUST, jax("jax.grad", raises=TypeError, says="outputs with complex dtype"))
def a_real_output_cannot_be_promised(ad):
    """The promise of holomorphy is refused for a real output."""
    gradient = ad.grad(lambda z: ad.np.abs(z), holomorphic=True)
    raises(lambda: gradient(ad.array(3 + 4j)))
