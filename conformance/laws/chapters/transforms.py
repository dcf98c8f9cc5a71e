"""Transforms: vmap, jit and checkpoint change no derivative."""

from conformance.behaviour import MUST, behaviour, hips, jax, torch, torch_func
from conformance.laws.batches import agrees_with_loop, gradient_agrees_with_loop
from conformance.laws.compositions import FORWARD, REVERSE
from conformance.laws.judge import hold
from conformance.laws.transforms import checkpointed, compiled
from conformance.operations import of_order
from conformance.operations.samples import samples

CASES = of_order(1)
VMAP = (torch_func("func.ux_limitations", "vmap limitations"), jax("jax.vmap"))


@behaviour(MUST, *VMAP, cases=CASES)
def vmap_of_a_gradient_is_the_loop(ad, operation):
    """vmap of a gradient, over the first or the last axis, is the gradient of each element of the batch."""
    hold(ad, samples(operation), lambda at: agrees_with_loop(at, REVERSE))


@behaviour(MUST, *VMAP, cases=CASES)
def vmap_of_a_jvp_is_the_loop(ad, operation):
    """vmap of a JVP, over the first or the last axis, is the JVP of each element of the batch."""
    hold(ad, samples(operation), lambda at: agrees_with_loop(at, FORWARD))


@behaviour(
    MUST,
    torch_func("func.whirlwind_tour"),
    jax("thinking_in_jax", "Auto-vectorization with jax.vmap"),
    cases=CASES,
)
def the_gradient_of_vmap_is_the_gradient_of_the_loop(ad, operation):
    """The gradient of a sum over vmap of an operation is the gradient of the sum over a loop."""
    hold(ad, samples(operation), gradient_agrees_with_loop)


@behaviour(MUST, jax("thinking_in_jax", "Taking derivatives with jax.grad"), cases=CASES)
def jit_changes_no_gradient(ad, operation):
    """The gradient of a jitted program is that of the program."""
    hold(ad, samples(operation), compiled)


@behaviour(
    MUST,
    torch("checkpoint", "torch.utils.checkpoint.checkpoint"),
    jax("jax.checkpoint"),
    hips("differential_operators", "checkpoint"),
    cases=CASES,
)
def checkpoint_changes_no_gradient(ad, operation):
    """The gradient of a checkpointed program is that of the program."""
    hold(ad, samples(operation), checkpointed)
