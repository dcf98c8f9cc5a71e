"""Threads: derivatives computed in several threads of one process."""

from conformance.behaviour import MUST, behaviour, jax, torch
from conformance.expect import close


@behaviour(
    MUST,
    torch("notes/autograd", "Non-determinism"),
    jax("concurrency"),
    aliases=("thread safety", "multithreaded backward"),
)
def a_gradient_in_another_thread_changes_nothing(ad):
    """Threads compute independent gradients with grad(), even if one runs between forward and backward of another."""
    _, pullback = ad.vjp(lambda x: (x + 3) * (x + 4), ad.array(1.0))
    other = ad.in_thread(lambda: ad.grad(lambda x: 5 * x * x)(ad.array(3.0)))
    close((pullback(ad.array(1.0)), other), ((9.0,), 30.0))
