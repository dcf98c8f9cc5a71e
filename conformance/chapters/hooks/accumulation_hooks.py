"""Hooks on accumulation: functions called with a leaf once its gradient is stored."""

from conformance.behaviour import MUST, behaviour, torch
from conformance.expect import close, equal, raises

PAGE = "torch.Tensor.register_post_accumulate_grad_hook"
SINCE = "2.1"


@behaviour(MUST, torch(PAGE, since=SINCE))
def an_accumulation_hook_runs_after_storing(ad):
    """The hook is called once, with the leaf itself, in which the new gradient is already added: 3 and 4 are 7."""
    seen = []
    x = ad.leaf(2.0)
    ad.backward(3 * x)
    ad.register_post_accumulate_hook(x, lambda leaf: seen.append((leaf is x, ad.number_of(ad.gradient_of(leaf)))))
    ad.backward(4 * x)
    equal(seen, [(True, 7.0)])


@behaviour(MUST, torch(PAGE, since=SINCE, raises=RuntimeError, says="non-leaf"))
def an_accumulation_hook_needs_a_leaf(ad):
    """The result of a recorded operation takes no such hook: nothing is accumulated in it."""
    raises(lambda: ad.register_post_accumulate_hook(2 * ad.leaf(1.0), lambda leaf: None))


@behaviour(MUST, torch(PAGE, since=SINCE, raises=RuntimeError, says="doesn't require gradient"))
def an_accumulation_hook_needs_the_flag(ad):
    """An array that does not require grad takes no such hook either."""
    raises(lambda: ad.register_post_accumulate_hook(ad.array(1.0), lambda leaf: None))


@behaviour(MUST, torch(PAGE, since=SINCE))
def an_accumulation_hook_may_update_the_leaf(ad):
    """The hook may take a step in the leaf and clear its gradient: 2 minus 3 is -1, and no gradient is left."""
    x = ad.leaf(2.0)

    def step(leaf):
        ad.sub_(leaf, ad.gradient_of(leaf))
        ad.set_gradient_(leaf, None)

    ad.register_post_accumulate_hook(x, step)
    ad.backward(3 * x)
    close(x, -1.0)
    equal(ad.gradient_of(x), None)


@behaviour(MUST, torch(PAGE, since=SINCE), cases={"plain": (False, [False]), "create_graph": (True, [True])})
def an_accumulation_hook_runs_unrecorded(ad, create_graph, expected):
    """What the hook computes is not recorded, unless backward builds a graph of the gradient."""
    seen = []
    x = ad.leaf(2.0)
    ad.register_post_accumulate_hook(x, lambda leaf: seen.append(ad.is_recording()))
    ad.backward(x * x, create_graph=create_graph)
    equal(seen, expected)


@behaviour(MUST, torch("notes/autograd", "Backward Hooks execution", since=SINCE))
def an_accumulation_hook_does_not_run_for_grad(ad):
    """Where a gradient is only asked for, nothing is stored, and the hook is not called."""
    seen = []
    x = ad.leaf(2.0)
    ad.register_post_accumulate_hook(x, lambda leaf: seen.append("called"))
    close(ad.grad_of(3 * x, x), (3.0,))
    equal(seen, [])
