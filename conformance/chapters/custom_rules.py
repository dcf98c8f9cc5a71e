"""Custom rules: derivatives given by hand, and taken at their word."""

from conformance.behaviour import MUST, behaviour, document, jax, torch
from conformance.expect import close, refuses


@behaviour(MUST, torch("notes/extending", "Extending torch.autograd"), jax("jax.custom_vjp"), document("004"))
def a_rule_given_by_hand_is_used(ad):
    """A function with a rule of its own is differentiated by that rule, whatever it computes."""
    square = ad.custom_vjp(lambda x: (x * x, ()), lambda saved, g: (10 * g,))
    close(ad.grad(square)(ad.array(3.0)), 10.0)


@behaviour(MUST, torch("notes/extending", "Extending torch.autograd"), jax("jax.custom_vjp"))
def a_rule_receives_what_forward_kept(ad):
    """A rule receives the values that its forward function kept for it."""
    square = ad.custom_vjp(lambda x: (x * x, (x,)), lambda saved, g: (2 * saved[0] * g,))
    close(ad.grad(square)(ad.array(3.0)), 6.0)


@behaviour(MUST, torch("torch.autograd.Function.backward"), jax("jax.custom_vjp"))
def a_rule_receives_the_cotangent(ad):
    """A rule receives the gradient of its output: five times a square has five times the gradient."""
    square = ad.custom_vjp(lambda x: (x * x, (x,)), lambda saved, g: (2 * saved[0] * g,))
    close(ad.grad(lambda x: 5 * square(x))(ad.array(3.0)), 30.0)


@behaviour(
    MUST,
    torch("torch.autograd.Function.backward", raises=RuntimeError, says="incorrect number of gradients"),
    jax("jax.custom_vjp", raises=TypeError, says="must produce an output with the same container"),
)
def a_rule_answers_for_each_input(ad):
    """A rule that returns more gradients than its function has inputs is refused."""
    square = ad.custom_vjp(lambda x: (x * x, ()), lambda saved, g: (g, g))
    refuses(lambda: ad.grad(square)(ad.array(3.0)))
