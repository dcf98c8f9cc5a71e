"""Complex inputs: derivatives along the real and the imaginary direction, and of holomorphic functions."""

from conformance.behaviour import MUST, behaviour, hips, jax, torch
from conformance.laws.complex_inputs import (
    agrees_for_both_parts,
    holomorphic,
    is_the_complex_derivative,
    the_convention_of,
)
from conformance.laws.compositions import FORWARD, REVERSE
from conformance.laws.judge import hold
from conformance.operations import of_complex_numbers
from conformance.operations.samples import samples

CASES = of_complex_numbers()
CONJUGATED = torch("notes/autograd", "Autograd for Complex Numbers")
UNCONJUGATED = (jax("autodiff_cookbook", "Complex numbers and differentiation"), hips("tutorial", "Complex numbers"))
MODES = torch("notes/gradcheck", "Notations and background information")


@behaviour(MUST, CONJUGATED, *UNCONJUGATED, cases=CASES)
def reverse_mode_gives_the_derivative_of_a_complex_operation(ad, operation):
    """The gradient of an operation by the real and imaginary parts of its input agrees with central differences."""
    hold(ad, samples(operation, smooth=False), lambda at: agrees_for_both_parts(at, REVERSE))


@behaviour(MUST, MODES, UNCONJUGATED[0], cases=CASES)
def forward_mode_gives_the_derivative_of_a_complex_operation(ad, operation):
    """The JVP of an operation by the real and imaginary parts of its input agrees with central differences."""
    hold(ad, samples(operation, smooth=False), lambda at: agrees_for_both_parts(at, FORWARD))


@behaviour(
    MUST,
    conjugated=CONJUGATED,
    unconjugated=UNCONJUGATED,
    cases=holomorphic(real_derivative=False),
)
def the_vjp_of_a_holomorphic_operation_has_its_convention(ad, operation):
    """The VJP of a holomorphic operation multiplies the cotangent by the conjugate of the complex derivative
    (conjugated convention) or by the derivative (unconjugated)."""
    return the_convention_of(ad, operation)


@behaviour(MUST, *UNCONJUGATED, cases=holomorphic())
def a_holomorphic_gradient_is_the_complex_derivative(ad, operation):
    """grad with `holomorphic=True` gives the complex derivative of each holomorphic operation."""
    is_the_complex_derivative(ad, operation)
