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


@behaviour(
    MUST,
    jax("autodiff_cookbook", JAX),
    cases={
        "conjugate": (lambda ad, z: ad.np.conj(z), 1 + 0j),
        "modulus": (lambda ad, z: z * ad.np.conj(z) + 0j, 6 - 8j),
        "imaginary_multiple": (lambda ad, z: 1j * ad.np.conj(z), -1j),
    },
)
def a_false_promise_gives_the_gradient_of_the_real_part(ad, function, expected):
    """grad with `holomorphic=True` of a function that is not holomorphic is the gradient of the real part u of its
    output: du/dx - i du/dy at x + iy."""
    gradient = ad.grad(lambda z: function(ad, z), holomorphic=True)
    close(gradient(ad.array(3 + 4j)), expected)
