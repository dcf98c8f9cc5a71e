"""Hooks on arrays: functions that see a gradient while backward runs, and may change it."""

from conformance.behaviour import MAY, MUST, behaviour, document, torch
from conformance.expect import close, equal, raises

EXECUTION = "Backward Hooks execution"


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


@behaviour(MUST, torch("torch.Tensor.register_hook"))
def a_hook_that_returns_nothing_changes_nothing(ad):
    """A hook that returns None leaves the gradient as it was."""
    x = ad.leaf(2.0)
    y = 3 * x
    ad.register_hook(y, lambda g: None)
    ad.backward(y)
    close(ad.gradient_of(x), 3.0)


@behaviour(MUST, torch("notes/autograd", EXECUTION))
def hooks_run_in_the_order_of_registration(ad):
    """Hooks of one array run in the order in which they were registered, each with what the one before returned."""
    x = ad.leaf(1.0)
    ad.register_hook(x, lambda g: g + 1)
    ad.register_hook(x, lambda g: g * 10)
    ad.backward(3 * x)
    close(ad.gradient_of(x), 40.0)


@behaviour(MUST, torch("torch.Tensor.register_hook"))
def a_hook_is_called_in_every_backward(ad):
    """A hook is called each time that a gradient of its array is computed."""
    seen = []
    x = ad.leaf(1.0)
    ad.register_hook(x, seen.append)
    ad.backward(3 * x)
    ad.backward(5 * x)
    close(seen, (3.0, 5.0))


@behaviour(MAY, torch("torch.Tensor.register_hook"))
def a_hook_can_be_removed_twice(ad):
    """Removing a hook that is gone already is no error, and takes no other hook away."""
    x = ad.leaf(1.0)
    handle = ad.register_hook(x, lambda g: 5 * g)
    ad.register_hook(x, lambda g: 10 * g)
    ad.remove_hook(handle)
    ad.remove_hook(handle)
    ad.backward(2 * x)
    close(ad.gradient_of(x), 20.0)


@behaviour(MUST, torch("torch.Tensor.register_hook", raises=RuntimeError, says="doesn't require gradient"))
def a_hook_needs_an_array_that_requires_grad(ad):
    """A hook on an array without the flag, to which no gradient can come, is refused."""
    raises(lambda: ad.register_hook(ad.array(1.0), lambda g: 2 * g))


@behaviour(MUST, torch("torch.Tensor.register_hook", raises=TypeError, says="hook"))
def a_hook_returns_an_array_or_nothing(ad):
    """A hook that returns a plain number makes backward fail."""
    x = ad.leaf(2.0)
    ad.register_hook(x, lambda g: 5.0)
    raises(lambda: ad.backward(3 * x))


@behaviour(MUST, torch("notes/autograd", EXECUTION))
def a_hook_acts_on_a_gradient_that_is_asked_for(ad):
    """A hook on the very array whose gradient is asked for still replaces it: 10 times 2 is 20."""
    y = 3 * ad.leaf(1.0)
    ad.register_hook(y, lambda g: 10 * g)
    close(ad.grad_of(2 * y, y), (20.0,))


@behaviour(MUST, torch("notes/autograd", EXECUTION))
def hooks_run_from_output_to_input(ad):
    """Along a chain the hook next to the output runs first: the gradients 1, 5 and 15 are seen in this order."""
    seen = []
    x = ad.leaf(1.0)
    y = 3 * x
    z = 5 * y
    ad.register_hook(x, seen.append)
    ad.register_hook(y, seen.append)
    ad.register_hook(z, seen.append)
    ad.backward(z)
    close(seen, (1.0, 5.0, 15.0))


@behaviour(MUST, torch("torch.Tensor.register_hook"))
def a_hook_sees_the_whole_gradient_once(ad):
    """An array that is used twice has its hook called once, with the sum over both uses: 3 and 4 make 7."""
    seen = []
    y = ad.leaf(1.0) * 2
    ad.register_hook(y, seen.append)
    ad.backward(3 * y + 4 * y)
    close(seen, (7.0,))


@behaviour(MUST, torch("torch.Tensor.register_hook"))
def a_hook_on_a_leaf_changes_what_is_stored(ad):
    """What a hook on a leaf returns is what backward accumulates."""
    x = ad.leaf([1.0, 2.0])
    ad.register_hook(x, lambda g: 2 * g)
    ad.backward(x, ad.array([1.0, 3.0]))
    close(ad.gradient_of(x), [2.0, 6.0])


@behaviour(MUST, torch("notes/autograd", EXECUTION))
def a_hook_stays_with_the_old_value(ad):
    """A hook registered before a write in place sees the gradient of the old value, one registered after of the new."""
    seen = []
    t = ad.leaf(1.0) * 1
    ad.register_hook(t, lambda g: seen.append(("before", ad.number_of(g))))
    ad.mul_(t, 3)
    ad.register_hook(t, lambda g: seen.append(("after", ad.number_of(g))))
    ad.backward(2 * t)
    equal(seen, [("after", 2.0), ("before", 6.0)])


@behaviour(MUST, torch("torch.Tensor.register_hook"), torch("torch.Tensor.detach"))
def a_view_takes_a_hook_after_a_write_elsewhere(ad):
    """A view whose memory was written through a detached array still takes a hook, which sees its gradient."""
    seen = []
    x = ad.leaf([1.0, 2.0])
    v = ad.view(x, (2,))
    ad.add_(ad.detach(x), 1.0)
    ad.register_hook(v, seen.append)
    ad.backward(v, ad.array([3.0, 5.0]))
    close(seen, ([3.0, 5.0],))
