"""Repeats: a second use gives what the first gave, and nothing that was handed over is written to."""

from conformance.behaviour import MUST, behaviour, hips, jax, torch, torch_func
from conformance.laws.judge import hold
from conformance.laws.repeats import IN_FORWARD, IN_REVERSE, pulls_back_twice, repeats, writes_to_nothing
from conformance.operations import of_order
from conformance.operations.samples import samples

CASES = of_order(1)
VALUES = (torch("torch.autograd.grad"), jax("jax.grad"), hips("differential_operators", "grad"))

UNWRITTEN = (
    torch("torch.autograd.grad", unstated="no page states that inputs and cotangents are left as they are"),
    jax("thinking_in_jax", "JAX vs. NumPy"),
)


@behaviour(MUST, *VALUES, cases=CASES)
def a_second_call_of_a_gradient_gives_the_same(ad, operation):
    """A second call of a gradient, with the same arrays, gives what the first gave."""
    hold(ad, samples(operation, smooth=False), repeats)


@behaviour(
    MUST,
    torch("torch.autograd.grad"),
    torch_func("torch.func.vjp"),
    jax("jax.vjp"),
    hips("tutorial", "Reverse mode differentiation"),
    cases=CASES,
)
def a_second_call_of_a_pullback_gives_the_same(ad, operation):
    """A second call of a pullback, after one with another cotangent, gives what the first gave; so does, on a tape, a
    second backward pass over a graph that is retained."""
    hold(ad, samples(operation, smooth=False), pulls_back_twice)


@behaviour(MUST, *UNWRITTEN, cases=CASES)
def reverse_mode_writes_to_nothing(ad, operation):
    """Inputs, masks, indices and cotangents are as they were after a VJP, and after a VJP of a VJP."""
    hold(ad, samples(operation, smooth=False), lambda at: writes_to_nothing(at, IN_REVERSE))


@behaviour(MUST, *UNWRITTEN, cases=CASES)
def forward_mode_writes_to_nothing(ad, operation):
    """Inputs, masks, indices and tangents are as they were after a JVP, and after a JVP of a VJP."""
    hold(ad, samples(operation, smooth=False), lambda at: writes_to_nothing(at, IN_FORWARD))
