"""Checkpointing: intermediate tensors recomputed in the backward pass (torch.utils.checkpoint) instead of saved."""

from conformance.behaviour import MAY, MUST, SHOULD, behaviour, document, hips, jax, torch
from conformance.expect import close, equal, one_of, raises

CHECKPOINT = "torch.utils.checkpoint.checkpoint"


@behaviour(
    MUST,
    twice=(torch("checkpoint", CHECKPOINT), hips("differential_operators", "checkpoint")),
    once=jax("jax.checkpoint"),
)
def a_checkpointed_function_is_called_again(ad):
    """The backward pass calls a checkpointed Python function again, or re-evaluates its trace without calling it."""
    calls = []

    def program(x):
        calls.append(x)
        return ad.np.exp(x) * x

    _ = ad.grad(ad.checkpoint(program))(ad.array(0.0))
    return one_of(len(calls), twice=2, once=1)


@behaviour(
    MUST,
    torch("checkpoint", CHECKPOINT, raises=Exception),
    document("004"),
    aliases=("torch.utils.checkpoint is incompatible with .grad() or passing an inputs parameter to .backward()",),
)
def a_reentrant_checkpoint_raises_an_error_under_grad(ad):
    """grad through a checkpoint with use_reentrant=True raises an error: it supports backward() only."""
    square = ad.checkpoint(lambda x: x * x, use_reentrant=True)
    close(square(ad.array(3.0)), 9.0)
    raises(lambda: ad.grad(square)(ad.array(3.0)))


@behaviour(MUST, torch("checkpoint", CHECKPOINT, raises=Exception, says="checkpoint"), document("004"))
def a_reentrant_checkpoint_raises_an_error_with_inputs(ad):
    """backward(inputs=...) through a checkpoint with use_reentrant=True raises an error."""
    x = ad.leaf(3.0)
    y = ad.checkpoint(lambda x: x * x, use_reentrant=True)(x)
    raises(lambda: ad.backward(y, inputs=[x]))


@behaviour(
    MUST, torch("checkpoint", CHECKPOINT), document("004"), aliases=("use_reentrant=true, torch.utils.checkpoint",)
)
def a_reentrant_checkpoint_works_under_backward(ad):
    """backward() without `inputs` works through a checkpoint with use_reentrant=True, if an input requires grad."""
    x = ad.leaf(3.0)
    ad.backward(ad.checkpoint(lambda x: x * x, use_reentrant=True)(x))
    close(ad.gradient_of(x), 6.0)


@behaviour(MUST, torch("checkpoint", CHECKPOINT))
def a_non_reentrant_checkpoint_works_under_grad(ad):
    """grad gives the gradient through a checkpoint with use_reentrant=False: that of x² at 3 is 6."""
    x = ad.leaf(3.0)
    y = ad.checkpoint(lambda x: x * x, use_reentrant=False)(x)
    close(ad.grad_of(y, x), (6.0,))


@behaviour(MUST, torch("checkpoint", CHECKPOINT))
def a_non_reentrant_checkpoint_works_with_inputs(ad):
    """backward(inputs=...) works through a checkpoint with use_reentrant=False."""
    x = ad.leaf(3.0)
    ad.backward(ad.checkpoint(lambda x: x * x, use_reentrant=False)(x), inputs=[x])
    close(ad.gradient_of(x), 6.0)


@behaviour(
    MUST,
    torch("checkpoint", CHECKPOINT),
    aliases=("none of the inputs have requires_grad=true. gradients will be none",),
)
def a_reentrant_checkpoint_needs_an_input_that_requires_grad(ad):
    """A checkpoint with use_reentrant=True requires grad only if an input does: a captured leaf is not enough."""
    w = ad.leaf(2.0)
    y = ad.checkpoint(lambda x: w * x, use_reentrant=True)(ad.array(3.0))
    equal(ad.requires_grad(y), False)


@behaviour(MUST, torch("checkpoint", CHECKPOINT), aliases=("torch.func don't yet support saved tensor hooks",))
def a_checkpoint_passes_gradients_to_captured_tensors(ad):
    """A checkpoint (with use_reentrant=False) passes gradients to a captured tensor, even if no input requires grad."""
    gradient = ad.grad(lambda w: ad.checkpoint(lambda x: w * x)(ad.array(3.0)))
    close(gradient(ad.array(2.0)), 3.0)


@behaviour(MUST, torch("checkpoint", CHECKPOINT))
def a_reentrant_checkpoint_ignores_containers(ad):
    """A checkpoint with use_reentrant=True ignores leaves in a list: without other inputs it does not require grad."""
    y = ad.checkpoint(lambda pair: pair[0] * pair[1], use_reentrant=True)([ad.leaf(2.0), ad.leaf(3.0)])
    equal(ad.requires_grad(y), False)


@behaviour(MUST, torch("checkpoint", CHECKPOINT), jax("jax.checkpoint"))
def a_checkpoint_passes_gradients_into_containers(ad):
    """A checkpoint (in PyTorch, with use_reentrant=False) passes gradients to an array inside a list argument."""
    gradient = ad.grad(lambda x: ad.checkpoint(lambda pair: pair[0] * pair[1])([x, ad.array(5.0)]))
    close(gradient(ad.array(2.0)), 5.0)


@behaviour(
    MUST,
    torch("checkpoint", CHECKPOINT, raises=Exception, says="requires_grad"),
    aliases=("none of output has requires_grad=true, this checkpoint() is not necessary",),
)
def a_reentrant_checkpoint_of_detached_outputs_raises_an_error(ad):
    """backward() through a checkpoint with use_reentrant=True raises an error if the function detaches its outputs."""
    y = ad.checkpoint(lambda x: ad.detach(3 * x), use_reentrant=True)(ad.leaf(2.0))
    raises(lambda: ad.backward(y))


@behaviour(MUST, torch("checkpoint", CHECKPOINT), torch("torch.Tensor.detach"))
def a_checkpoint_of_detached_outputs_does_not_require_grad(ad):
    """A checkpoint with use_reentrant=False may detach its output, which then does not require grad."""
    y = ad.checkpoint(lambda x: ad.detach(3 * x), use_reentrant=False)(ad.leaf(2.0))
    equal(ad.requires_grad(y), False)


WAYS = {"reentrant": (True,), "not_reentrant": (False,)}


@behaviour(MUST, torch("checkpoint"), cases=WAYS, aliases=("preserve_rng_state, dropout in a checkpoint",))
def a_checkpoint_recomputes_with_the_same_random_numbers(ad, use_reentrant):
    """By default, a checkpoint recomputes the same random numbers: the gradient of r * x, r random, is forward's r."""
    x = ad.leaf([2.0, 4.0])
    y = ad.checkpoint(lambda x: ad.draw((2,)) * x, use_reentrant=use_reentrant)(x)
    ad.backward(ad.np.sum(y))
    close(ad.gradient_of(x), ad.to_numpy(y) / [2.0, 4.0])


@behaviour(MUST, torch("checkpoint"), cases=WAYS, aliases=("rrelu noise in a checkpoint",))
def a_checkpoint_recomputes_rrelu_with_the_same_noise(ad, use_reentrant):
    """By default, a checkpoint recomputes rrelu with the same noise: the gradient is forward's slope."""
    x = ad.leaf([-2.0, -4.0])
    y = ad.checkpoint(lambda x: ad.np.rrelu(x, training=True), use_reentrant=use_reentrant)(x)
    ad.backward(ad.np.sum(y))
    first, second = ad.to_numpy(ad.gradient_of(x)) * [-2.0, -4.0] == ad.to_numpy(y)
    equal((bool(first), bool(second)), (True, True))


@behaviour(MUST, torch("checkpoint"), cases=WAYS)
def a_checkpoint_leaves_the_random_state_alone(ad, use_reentrant):
    """By default, recomputing a checkpoint does not advance the random state: the next draw is as without it."""
    ad.seed_(0)
    _ = ad.draw((2,))
    expected = ad.to_numpy(ad.draw((2,)))
    x = ad.leaf([1.0, 1.0])
    ad.seed_(0)
    ad.backward(ad.np.sum(ad.checkpoint(lambda x: ad.draw((2,)) * x, use_reentrant=use_reentrant)(x)))
    close(ad.draw((2,)), expected)


@behaviour(
    SHOULD,
    torch("checkpoint", CHECKPOINT, raises=Exception, says="recomput"),
    aliases=("recomputed values for the following tensors have different metadata, checkpointerror",),
)
def a_checkpoint_compares_the_recomputed_tensors(ad):
    """By default, a checkpoint with use_reentrant=False raises an error if a recomputed tensor has another shape."""
    calls = []

    def changing(x):
        calls.append(x)
        return ad.np.sum(ad.np.exp(ad.np.concat([x] * len(calls))))

    y = ad.checkpoint(changing, use_reentrant=False)(ad.leaf([1.0, 2.0]))
    raises(lambda: ad.backward(y))


def _exp_twice_or_once(ad, x, run):
    return ad.np.exp(ad.np.exp(x)) if run == 1 else ad.np.exp(x)


@behaviour(MAY, torch("checkpoint", CHECKPOINT, raises=Exception, says="recomput"))
def a_checkpoint_counts_the_recomputed_tensors(ad):
    """By default, a checkpoint with use_reentrant=False raises an error if recomputing it saves fewer tensors."""
    calls = []

    def changing(x):
        calls.append(x)
        return ad.np.sum(_exp_twice_or_once(ad, x, len(calls)))

    y = ad.checkpoint(changing, use_reentrant=False)(ad.leaf([1.0, 2.0]))
    raises(lambda: ad.backward(y))


def _of_one_element(ad, x, run):
    """The one element of x: a scalar in the first run, a vector in the second."""
    return ad.np.sum(x) if run == 1 else x


@behaviour(MUST, torch("checkpoint", CHECKPOINT))
def the_determinism_check_can_be_switched_off(ad):
    """With determinism_check="none", a checkpoint accepts a recomputed tensor of a different shape."""
    calls = []

    def changing(x):
        calls.append(x)
        return ad.np.exp(_of_one_element(ad, x, len(calls)))

    x = ad.leaf([2.0])
    ad.backward(ad.checkpoint(changing, use_reentrant=False, determinism_check="none")(x))
    close(ad.gradient_of(x), [7.38905609893065])
