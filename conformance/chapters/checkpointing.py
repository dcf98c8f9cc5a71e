"""Checkpointing: intermediate values computed again in the backward pass, instead of kept."""

from conformance.behaviour import MUST, behaviour, document, hips, jax, torch
from conformance.expect import close, equal, one_of, raises

REENTRANT = "`inputs` parameter"


@behaviour(MUST, torch("checkpoint"), jax("jax.checkpoint"), hips("differential_operators", "checkpoint"))
def a_checkpoint_changes_no_gradient(ad):
    """The gradient through a checkpointed program is the gradient through the program: 5 x^3 at 2 has 60."""
    cube = ad.checkpoint(lambda x: x * x * x)
    close(ad.grad(lambda x: 5 * cube(x))(ad.array(2.0)), 60.0)


@behaviour(
    MUST,
    twice=(torch("checkpoint"), hips("differential_operators", "checkpoint")),
    once=jax("jax.checkpoint"),
)
def a_checkpointed_program_runs_again(ad):
    """The backward pass runs a checkpointed program's Python a second time, or replays what the first run traced."""
    calls = []

    def program(x):
        calls.append(x)
        return ad.np.exp(x) * x

    _ = ad.grad(ad.checkpoint(program))(ad.array(0.0))
    return one_of(len(calls), twice=2, once=1)


@behaviour(MUST, torch("checkpoint", raises=RuntimeError, says=REENTRANT), document("004"))
def a_reentrant_checkpoint_is_refused_under_grad(ad):
    """A gradient cannot be asked for through a reentrant checkpoint: only backward may pass through it."""
    gradient = ad.grad(ad.checkpoint(lambda x: x * x, use_reentrant=True))
    raises(lambda: gradient(ad.array(3.0)))


@behaviour(MUST, torch("checkpoint", raises=RuntimeError, says=REENTRANT), document("004"))
def a_reentrant_checkpoint_is_refused_with_inputs(ad):
    """Backward that names the inputs to accumulate into is refused through a reentrant checkpoint."""
    x = ad.leaf(3.0)
    y = ad.checkpoint(lambda x: x * x, use_reentrant=True)(x)
    raises(lambda: ad.backward(y, inputs=[x]))


@behaviour(MUST, torch("checkpoint"), document("004"))
def a_reentrant_checkpoint_works_under_backward(ad):
    """Backward to all leaves goes through a reentrant checkpoint."""
    x = ad.leaf(3.0)
    ad.backward(ad.checkpoint(lambda x: x * x, use_reentrant=True)(x))
    close(ad.gradient_of(x), 6.0)


@behaviour(MUST, torch("checkpoint"))
def a_checkpoint_that_is_not_reentrant_works_under_grad(ad):
    """A gradient can be asked for through a checkpoint that is not reentrant."""
    x = ad.leaf(3.0)
    y = ad.checkpoint(lambda x: x * x, use_reentrant=False)(x)
    close(ad.grad_of(y, x), (6.0,))


@behaviour(MUST, torch("checkpoint"))
def a_checkpoint_that_is_not_reentrant_works_with_inputs(ad):
    """Backward that names the inputs to accumulate into goes through a checkpoint that is not reentrant."""
    x = ad.leaf(3.0)
    ad.backward(ad.checkpoint(lambda x: x * x, use_reentrant=False)(x), inputs=[x])
    close(ad.gradient_of(x), 6.0)


@behaviour(MUST, torch("checkpoint"))
def a_reentrant_checkpoint_needs_a_tracked_input(ad):
    """A reentrant checkpoint of a plain input records nothing, although the program uses a leaf from outside."""
    w = ad.leaf(2.0)
    y = ad.checkpoint(lambda x: w * x, use_reentrant=True)(ad.array(3.0))
    equal(ad.requires_grad(y), False)


@behaviour(MUST, torch("checkpoint"))
def a_checkpoint_sees_captured_leaves(ad):
    """The gradient of what a checkpointed program uses from outside passes through the checkpoint of a plain input."""
    gradient = ad.grad(lambda w: ad.checkpoint(lambda x: w * x)(ad.array(3.0)))
    close(gradient(ad.array(2.0)), 3.0)


@behaviour(MUST, torch("checkpoint"))
def a_reentrant_checkpoint_ignores_containers(ad):
    """A leaf within a list counts as no input of a reentrant checkpoint: the result is a constant."""
    y = ad.checkpoint(lambda pair: pair[0] * pair[1], use_reentrant=True)([ad.leaf(2.0), ad.leaf(3.0)])
    equal(ad.requires_grad(y), False)


@behaviour(MUST, torch("checkpoint"), jax("jax.checkpoint"))
def a_checkpoint_sees_containers(ad):
    """The gradient passes through a checkpoint to an array within a list."""
    gradient = ad.grad(lambda x: ad.checkpoint(lambda pair: pair[0] * pair[1])([x, ad.array(5.0)]))
    close(gradient(ad.array(2.0)), 5.0)


@behaviour(MUST, torch("checkpoint", raises=RuntimeError, says="none of output has requires_grad=True"))
def a_reentrant_checkpoint_of_detached_outputs_is_refused(ad):
    """Backward through a reentrant checkpoint is refused where the program detaches all that it returns."""
    y = ad.checkpoint(lambda x: ad.detach(3 * x), use_reentrant=True)(ad.leaf(2.0))
    raises(lambda: ad.backward(y))


@behaviour(MUST, torch("checkpoint"))
def a_checkpoint_of_detached_outputs_is_a_constant(ad):
    """A checkpoint that is not reentrant returns a constant where the program does."""
    y = ad.checkpoint(lambda x: ad.detach(3 * x), use_reentrant=False)(ad.leaf(2.0))
    equal(ad.requires_grad(y), False)


WAYS = {"reentrant": (True,), "not_reentrant": (False,)}


@behaviour(MUST, torch("checkpoint"), cases=WAYS)
def a_checkpoint_draws_the_same_numbers(ad, use_reentrant):
    """The second run draws the numbers of the first: a draw times x has, at 1, a gradient equal to its value."""
    x = ad.leaf([1.0, 1.0])
    y = ad.checkpoint(lambda x: ad.draw((2,)) * x, use_reentrant=use_reentrant)(x)
    ad.backward(ad.np.sum(y))
    close(ad.gradient_of(x), ad.to_numpy(y))


@behaviour(MUST, torch("checkpoint"), cases=WAYS)
def a_checkpoint_leaves_the_random_state_alone(ad, use_reentrant):
    """What is drawn after backward is what would have been drawn without the second run."""
    ad.seed_(0)
    _ = ad.draw((2,))
    expected = ad.to_numpy(ad.draw((2,)))
    x = ad.leaf([1.0, 1.0])
    ad.seed_(0)
    ad.backward(ad.np.sum(ad.checkpoint(lambda x: ad.draw((2,)) * x, use_reentrant=use_reentrant)(x)))
    close(ad.draw((2,)), expected)


def _of_another_shape(ad, x, run):
    return ad.np.sum(ad.np.exp(ad.np.concat([x] * run)))


def _of_another_number(ad, x, run):
    return ad.np.sum(ad.np.exp(x) if run == 2 else ad.np.exp(ad.np.exp(x)))


DIFFERENT = {"shape": (_of_another_shape,), "number": (_of_another_number,)}


@behaviour(
    MUST,
    torch("checkpoint", "torch.utils.checkpoint.checkpoint", raises="CheckpointError", says="different"),
    cases=DIFFERENT,
)
def a_checkpoint_notices_another_shape(ad, program):
    """A second run that saves values of another shape than the first, or fewer of them, is refused."""
    calls = []

    def changing(x):
        calls.append(x)
        return program(ad, x, len(calls))

    y = ad.checkpoint(changing, use_reentrant=False)(ad.leaf([1.0, 2.0]))
    raises(lambda: ad.backward(y))


def _of_one_element(ad, x, run):
    """The one element of x, as a number at first, and as a vector then."""
    return ad.np.sum(x) if run == 1 else x


@behaviour(MUST, torch("checkpoint", "torch.utils.checkpoint.checkpoint"))
def a_checkpoint_need_not_compare(ad):
    """Asked not to hold the second run against the first, a checkpoint takes what it saves: exp(0) in place of 1."""
    calls = []

    def changing(x):
        calls.append(x)
        return ad.np.exp(_of_one_element(ad, x, len(calls)))

    x = ad.leaf([0.0])
    ad.backward(ad.checkpoint(changing, use_reentrant=False, determinism_check="none")(x))
    close(ad.gradient_of(x), [1.0])
