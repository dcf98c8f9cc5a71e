"""Complex inputs: derivatives along the real and the imaginary direction."""

from conformance.behaviour import MAY, behaviour, jax, torch
from conformance.operations import of_complex_numbers
from conformance.operations.complex_inputs import agrees_for_both_parts
from conformance.operations.compositions import forward, reverse
from conformance.operations.judging import hold
from conformance.operations.samples import samples

CASES = of_complex_numbers()
CITED = (
    torch("notes/autograd", "Autograd for Complex Numbers"),
    jax("autodiff_cookbook", "Complex numbers and differentiation"),
)


@behaviour(MAY, *CITED, cases=CASES)
def reverse_mode_gives_the_derivative_of_a_complex_operation(ad, operation):
    """The gradient of an operation by the real and imaginary parts of its input agrees with central differences."""
    hold(ad, samples(operation, smooth=False), lambda at: agrees_for_both_parts(at, reverse))


@behaviour(MAY, *CITED, cases=CASES)
def forward_mode_gives_the_derivative_of_a_complex_operation(ad, operation):
    """The JVP of an operation by the real and imaginary parts of its input agrees with central differences."""
    hold(ad, samples(operation, smooth=False), lambda at: agrees_for_both_parts(at, forward))
