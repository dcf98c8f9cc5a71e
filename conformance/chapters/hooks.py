"""Hooks: functions that see a gradient while backward runs, and may change it."""

from conformance.behaviour import MUST, behaviour, document, torch
from conformance.expect import close, equal


@behaviour(MUST, torch("torch.Tensor.register_hook"), document("000"))
def a_hook_is_called_with_the_gradient(ad):
    """A hook on a result is called with the result's gradient while backward runs."""
    seen = []
    c = ad.leaf([1.0, 1.0]) * ad.leaf([0.5, 0.5])
    ad.register_hook(c, seen.append)
    ad.backward(ad.np.sum(c))
    close(seen, ([1.0, 1.0],))


@behaviour(MUST, torch("torch.Tensor.register_hook"), document("000"))
def a_removed_hook_is_not_called(ad):
    """A hook that was removed is no longer called."""
    seen = []
    c = ad.leaf([1.0, 1.0]) * ad.leaf([0.5, 0.5])
    handle = ad.register_hook(c, seen.append)
    ad.remove_hook(handle)
    ad.backward(ad.np.sum(c))
    equal(seen, [])


@behaviour(MUST, torch("torch.Tensor.register_hook"))
def a_hook_may_replace_the_gradient(ad):
    """What a hook returns takes the place of the gradient for everything behind it."""
    x = ad.leaf([1.0, 2.0])
    y = x * 3
    ad.register_hook(y, lambda g: 10 * g)
    ad.backward(ad.np.sum(y))
    close(ad.gradient_of(x), [30.0, 30.0])
