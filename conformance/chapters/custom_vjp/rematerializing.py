"""Reverse rules that push cotangents into accumulators, and rules for rematerialization: new in JAX 0.12."""

from conformance.behaviour import MUST, behaviour, jax
from conformance.expect import close, equal


@behaviour(
    MUST,
    jax("jax.custom_vjp.defvjp_with_accums", since="0.12"),
    aliases=("defvjp_with_accums", "gradient accumulator"),
)
def a_backward_rule_can_push_into_accumulators(ad):
    """The backward rule of defvjp_with_accums returns no cotangents: it gets an accumulator per argument, in the
    structure of the arguments, and pushes contributions to the cotangent into it."""

    def backward(saved, g, first, pair):
        first(7 * saved[0] * g)
        pair["b"](11 * g)
        first(2 * g)
        pair["a"](13 * g)

    product = ad.custom_vjp_with_accumulators(
        lambda x, pair: (x * pair["a"] * pair["b"], (pair["a"],)), backward, lambda x, pair: x * pair["a"] * pair["b"]
    )
    _, pullback = ad.vjp(product, ad.array(3.0), {"a": ad.array(5.0), "b": ad.array(4.0)})
    close(pullback(ad.array(2.0)), (74.0, {"a": 26.0, "b": 22.0}))


@behaviour(
    MUST,
    jax("jax.custom_vjp.defvjp_with_accums", since="0.12"),
    jax("jax.custom_vjp.defvjp_with_logs", since="0.12"),
)
def a_rule_with_accumulators_can_log_values(ad):
    """A backward rule with accumulators may return a dict of logs, which with_logs() of the pullback returns."""

    def backward(saved, g, cotangents):
        cotangents(7 * saved[0] * g)
        return {"seen": g}

    square = ad.custom_vjp_with_accumulators(lambda x: (x * x, (x,)), backward, lambda x: x * x)
    _, pullback = ad.vjp(lambda x: 5 * square(x), ad.array(3.0))
    close(ad.pull_back_with_logs(pullback, ad.array(2.0)), ((210.0,), {"seen": 10.0}))


def _rematerialized(ad, seen, with_logs=False):
    """x * x, with residuals 3 * x from the forward rule and 7 times that from the other, which shows when it runs."""

    def rematerialize(saved, x):
        ad.debug_callback(lambda value: seen.append(value), x)
        return x * x, (7 * saved[0], x)

    def backward(saved, g):
        cotangents = ((saved[0] + saved[1]) * g,)
        return (cotangents, {"seen": g}) if with_logs else cotangents

    return ad.custom_vjp_with_rematerialization(
        lambda x: (x * x, (3 * x,)), rematerialize, backward, lambda x: x * x, with_logs
    )


@behaviour(
    MUST,
    jax("jax.custom_vjp.defremat", since="0.12"),
    aliases=("defremat", "jax_remat3", "rematerialization rule"),
)
def under_checkpoint_a_rematerialization_rule_runs_on_the_backward_pass(ad):
    """Under jax.remat without a policy, with jax_custom_vjp3 and jax_remat3 on, the rematerialization rule of defremat
    runs on the backward pass: it gets the residuals of the forward rule and the arguments, and the backward rule gets
    the residuals that it returns."""
    seen = []
    with ad.custom_rematerialization():
        square = ad.checkpoint(_rematerialized(ad, seen))
        _, pullback = ad.vjp(lambda x: 5 * square(x), ad.array(2.0))
        equal(len(seen), 0)
        close(pullback(ad.array(10.0)), (2200.0,))
    close(seen, [2.0])


@behaviour(MUST, jax("jax.custom_vjp.defremat", since="0.12"))
def without_checkpoint_a_rematerialization_rule_runs_on_the_forward_pass(ad):
    """Outside of jax.remat, with jax_custom_vjp3 and jax_remat3 on and no VJP defined with defvjp, the rules of
    defremat define the VJP: the rematerialization rule runs on the forward pass, right after the forward rule."""
    seen = []
    with ad.custom_rematerialization():
        square = _rematerialized(ad, seen)
        _, pullback = ad.vjp(lambda x: 5 * square(x), ad.array(2.0))
        close(seen, [2.0])
        close(pullback(ad.array(10.0)), (2200.0,))
    close(seen, [2.0])


@behaviour(
    MUST,
    jax("jax.custom_vjp.defremat_with_logs", since="0.12"),
    jax("jax.custom_vjp.defvjp_with_logs", since="0.12"),
)
def a_rule_for_rematerialization_can_log_values(ad):
    """Under a checkpoint, with `jax_custom_vjp3` and `jax_remat3` on, the backward rule of defremat_with_logs returns
    cotangents and logs; with_logs() of the pullback returns both."""
    with ad.custom_rematerialization():
        square = ad.checkpoint(_rematerialized(ad, [], with_logs=True))
        _, pullback = ad.vjp(lambda x: 5 * square(x), ad.array(2.0))
        close(ad.pull_back_with_logs(pullback, ad.array(10.0)), ((2200.0,), {"seen": 50.0}))
