"""Checkpointing: intermediate values computed again in the backward pass, instead of kept."""

from conformance.behaviour import MUST, behaviour, document, jax, torch
from conformance.expect import close, one_of, refuses

REENTRANT = "`inputs` parameter"


@behaviour(MUST, torch("checkpoint"), jax("jax.checkpoint"))
def a_checkpoint_changes_no_gradient(ad):
    """The gradient of a checkpointed program is the gradient of the program."""
    gradient = ad.grad(ad.checkpoint(lambda x: ad.np.sum(ad.np.exp(x) * x)))
    close(gradient(ad.array([0.0, 0.0])), [1.0, 1.0])


@behaviour(
    MUST,
    twice=torch("checkpoint"),
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
    """A gradient cannot be asked for through a reentrant checkpoint: only backward may walk it."""
    gradient = ad.grad(ad.checkpoint(lambda x: x * x, use_reentrant=True))
    refuses(lambda: gradient(ad.array(3.0)))


@behaviour(MUST, torch("checkpoint", raises=RuntimeError, says=REENTRANT), document("004"))
def a_reentrant_checkpoint_is_refused_with_inputs(ad):
    """Backward with named inputs is refused through a reentrant checkpoint."""
    x = ad.leaf(3.0)
    y = ad.checkpoint(lambda x: x * x, use_reentrant=True)(x)
    refuses(lambda: ad.backward(y, inputs=[x]))


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
