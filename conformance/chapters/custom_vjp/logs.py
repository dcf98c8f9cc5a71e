"""Reverse rules that log values, and outputs that a batch shares: new in JAX 0.11.1 and 0.12."""

from conformance.behaviour import MUST, behaviour, jax
from conformance.expect import close, raises


def _square_with_logs(ad, key):
    return ad.custom_vjp_with_logs(
        lambda x: (x * x, (x,)),
        lambda saved, g: ((7 * saved[0] * g,), {key: g, key + "_at": saved[0]}),
        lambda x: x * x,
    )


def _square_by_a_closure_with_logs(ad, key):
    return ad.custom_gradient(lambda x: (x * x, lambda g: ((7 * x * g,), {key: g, key + "_at": x})), with_logs=True)


@behaviour(
    MUST,
    jax("jax.custom_vjp.defvjp_with_logs", since="0.11.1"),
    jax("jax.custom_gradient", since="0.11.1"),
    cases={"custom_vjp": (_square_with_logs,), "custom_gradient": (_square_by_a_closure_with_logs,)},
    aliases=("defvjp_with_logs", "with_logs"),
)
def a_backward_rule_can_log_values(ad, ruled):
    """A backward rule that also returns a dict of logs (defvjp_with_logs, custom_gradient with with_logs=True): the
    with_logs() method of the pullback returns them beside the cotangents, and the pullback itself drops them."""
    first, second = ruled(ad, "first"), ruled(ad, "second")
    _, pullback = ad.vjp(lambda x: 5 * first(x) + 9 * second(2 * x), ad.array(3.0))
    logs = {"first": 10.0, "first_at": 3.0, "second": 18.0, "second_at": 6.0}
    close(ad.pull_back_with_logs(pullback, ad.array(2.0)), ((1722.0,), logs))
    close(pullback(ad.array(2.0)), (1722.0,))


@behaviour(
    MUST,
    jax("jax.custom_vjp.defvjp_with_logs", since="0.11.2", raises=ValueError, says="log key"),
    cases={
        "dropped": (lambda ad, pullback, g: pullback(g),),
        "with_logs": (lambda ad, pullback, g: ad.pull_back_with_logs(pullback, g),),
    },
)
def a_repeated_log_key_raises_an_error(ad, pull_back):
    """The pullback raises an error if two backward rules log under one key, also if the logs are dropped."""
    first, second = _square_with_logs(ad, "seen"), _square_with_logs(ad, "seen")
    _, pullback = ad.vjp(lambda x: first(x) + second(2 * x), ad.array(3.0))
    raises(lambda: pull_back(ad, pullback, ad.array(1.0)))


@behaviour(
    MUST,
    jax("jax.custom_vjp.defvjp", "generic_batching", since="0.12", raises=Exception, says="shared across the batch"),
    aliases=("primal output that is shared across the batch",),
)
def a_batched_cotangent_for_a_shared_output_raises_an_error(ad):
    """By default, the gradient through vmap raises an error if an output of a `custom_vjp` function that is shared
    across the batch has a nonzero cotangent, and the backward rule makes a batched cotangent for an argument that is
    not mapped."""

    def mapped(x, rule):
        square = ad.custom_vjp(lambda x, y: (x * x, (y,)), rule, lambda x, y: x * x)
        return ad.vmap(square, in_axes=(None, 0), out_axes=None)(x, ad.array([3.0, 5.0]))

    close(ad.grad(lambda x: mapped(x, lambda saved, g: (7 * g, None)))(ad.array(2.0)), 7.0)
    raises(lambda: ad.grad(lambda x: mapped(x, lambda saved, g: (g * saved[0], None)))(ad.array(2.0)))
