"""Tensor hooks: functions that are given a gradient while backward() runs, and may replace it."""

from conformance.behaviour import MAY, MUST, SHOULD, behaviour, document, torch
from conformance.expect import close, equal, raises

EXECUTION = "Backward Hooks execution"


@behaviour(
    MUST,
    torch("torch.Tensor.register_hook"),
    document("000"),
    cases={
        "product": (lambda ad: ad.leaf([1.0, 2.0]) * ad.leaf([0.5, 4.0]),),
        "one_of_two_outputs": (lambda ad: ad.view_by(ad.leaf([[1.0, 2.0], [3.0, 4.0]]) * 1, "unbind")[1],),
    },
    aliases=("gradient of intermediate tensor",),
)
def a_tensor_hook_is_called_with_the_gradient(ad, make):
    """A tensor hook on a non-leaf tensor, which may be one of several outputs of an operation, is called with that
    tensor's gradient while backward() runs."""
    seen = []
    c = make(ad)
    ad.register_hook(c, seen.append)
    ad.backward(c, ad.array([3.0, 5.0]))
    close(seen, ([3.0, 5.0],))


@behaviour(MUST, torch("torch.Tensor.register_hook"), document("000"))
def a_removed_tensor_hook_is_not_called(ad):
    """A tensor hook is no longer called after handle.remove()."""
    seen = []
    calls = []
    c = 2 * ad.leaf(1.0)
    handle = ad.register_hook(c, seen.append)
    ad.register_hook(c, calls.append)
    ad.backward(3 * c, retain_graph=True)
    ad.remove_hook(handle)
    ad.backward(5 * c)
    close((seen, calls), ((3.0,), (3.0, 5.0)))


@behaviour(
    MUST,
    torch("torch.Tensor.register_hook"),
    cases={
        "backward": (lambda ad, y, x, g: (ad.backward(y, g), ad.gradient_of(x))[1:],),
        "grad": (lambda ad, y, x, g: ad.grad_of(y, x, g),),
        "create_graph": (lambda ad, y, x, g: ad.grad_of(y, x, g, create_graph=True),),
    },
    aliases=("gradient clipping hook", "modify gradient in backward"),
)
def a_tensor_hook_can_replace_the_gradient(ad, differentiate):
    """A tensor that a tensor hook returns replaces the gradient for the rest of the backward pass."""
    x = ad.leaf([1.0, 2.0])
    y = x * 3
    ad.register_hook(y, lambda g: 10 * g)
    close(differentiate(ad, y, x, ad.array([5.0, 7.0])), ([150.0, 210.0],))


@behaviour(MUST, torch("torch.Tensor.register_hook"))
def a_tensor_hook_that_returns_none_changes_nothing(ad):
    """A tensor hook that returns None leaves the gradient unchanged."""
    x = ad.leaf(2.0)
    y = 3 * x
    ad.register_hook(y, lambda g: None)
    ad.backward(y)
    close(ad.gradient_of(x), 3.0)


@behaviour(MUST, torch("notes/autograd", EXECUTION))
def tensor_hooks_run_in_order_of_registration(ad):
    """Tensor hooks run in the order of registration, each given the gradient that the previous one returned."""
    x = ad.leaf(1.0)
    ad.register_hook(x, lambda g: g + 1)
    ad.register_hook(x, lambda g: g * 10)
    ad.backward(3 * x)
    close(ad.gradient_of(x), 40.0)


@behaviour(MUST, torch("torch.Tensor.register_hook"))
def a_tensor_hook_is_called_in_every_backward(ad):
    """A tensor hook is called in every backward pass that computes a gradient of its tensor."""
    seen = []
    x = ad.leaf(1.0)
    ad.register_hook(x, seen.append)
    ad.backward(3 * x)
    ad.backward(5 * x)
    close(seen, (3.0, 5.0))


@behaviour(
    MAY, torch("torch.Tensor.register_hook", unstated="the page has handle.remove(), and nothing on a second call")
)
def a_hook_can_be_removed_twice(ad):
    """Calling handle.remove() a second time raises no error, and removes no other tensor hook."""
    x = ad.leaf(1.0)
    handle = ad.register_hook(x, lambda g: 5 * g)
    ad.register_hook(x, lambda g: 10 * g)
    ad.remove_hook(handle)
    ad.remove_hook(handle)
    ad.backward(2 * x)
    close(ad.gradient_of(x), 20.0)


@behaviour(
    MAY,
    torch(
        "torch.Tensor.register_hook",
        raises=Exception,
        says="require grad",
        unstated="only the message of the error states it",
    ),
    aliases=("cannot register a hook on a tensor that doesn't require gradient",),
)
def a_tensor_hook_requires_grad(ad):
    """Registering a hook on a tensor with requires_grad=False raises an error."""
    raises(lambda: ad.register_hook(ad.array(1.0), lambda g: 2 * g))


@behaviour(
    SHOULD,
    torch("torch.Tensor.register_hook", raises=Exception, says="hook"),
    aliases=("expected variable, but hook returned",),
)
def a_tensor_hook_returns_a_tensor_or_none(ad):
    """A tensor hook that returns neither a tensor nor None, here a Python float, makes backward() raise an error."""
    x = ad.leaf(2.0)
    ad.register_hook(x, lambda g: 5.0)
    raises(lambda: ad.backward(3 * x))


@behaviour(MUST, torch("notes/autograd", EXECUTION), torch("torch.Tensor.register_hook"))
def a_hook_on_an_input_of_grad_is_called(ad):
    """A tensor hook on an input of grad is called, and grad returns the gradient that the hook returned."""
    y = 3 * ad.leaf(1.0)
    ad.register_hook(y, lambda g: 10 * g)
    close(ad.grad_of(2 * y, y), (20.0,))


@behaviour(MUST, torch("notes/autograd", EXECUTION), torch("notes/autograd", "How autograd encodes the history"))
def hooks_run_from_output_to_input(ad):
    """Tensor hooks run from output to input: for y = 3x, z = 5y those of z, y and x are given 1, 5 and 15."""
    seen = []
    x = ad.leaf(1.0)
    y = 3 * x
    z = 5 * y
    ad.register_hook(x, seen.append)
    ad.register_hook(y, seen.append)
    ad.register_hook(z, seen.append)
    ad.backward(z)
    close(seen, (1.0, 5.0, 15.0))


@behaviour(MUST, torch("torch.Tensor.register_hook"), torch("notes/autograd", EXECUTION))
def a_tensor_hook_is_given_the_summed_gradient(ad):
    """A hook on a tensor used twice is called once, with the gradient summed over both uses: 7 for 3y + 4y."""
    seen = []
    y = ad.leaf(1.0) * 2
    ad.register_hook(y, seen.append)
    ad.backward(3 * y + 4 * y)
    close(seen, (7.0,))


@behaviour(MUST, torch("torch.Tensor.register_hook"))
def a_hook_on_a_leaf_changes_what_is_accumulated(ad):
    """A tensor that a tensor hook on a leaf returns is what backward() accumulates into `.grad`."""
    x = ad.leaf([1.0, 2.0])
    ad.register_hook(x, lambda g: 2 * g)
    ad.backward(x, ad.array([1.0, 3.0]))
    close(ad.gradient_of(x), [2.0, 6.0])


@behaviour(MUST, torch("notes/autograd", EXECUTION), aliases=("hook and in-place operation",))
def a_hook_before_an_inplace_write_belongs_to_the_old_value(ad):
    """A tensor hook registered before an in-place operation gets the gradient of the old value, a later one the new."""
    seen = []
    t = ad.leaf(1.0) * 1
    ad.register_hook(t, lambda g: seen.append(("before", ad.number_of(g))))
    ad.mul_(t, 3)
    ad.register_hook(t, lambda g: seen.append(("after", ad.number_of(g))))
    ad.backward(2 * t)
    equal(seen, [("after", 2.0), ("before", 6.0)])


@behaviour(MUST, torch("torch.Tensor.register_hook"))
def a_view_takes_a_hook_after_a_write_through_detach(ad):
    """A hook can be registered on a view whose base was modified in-place through detach(); it gets the gradient."""
    seen = []
    x = ad.leaf([1.0, 2.0])
    v = ad.view(x, (2,))
    ad.add_(ad.detach(x), 1.0)
    ad.register_hook(v, seen.append)
    ad.backward(v, ad.array([3.0, 5.0]))
    close(seen, ([3.0, 5.0],))


@behaviour(
    MUST,
    torch("notes/autograd", EXECUTION),
    cases={
        "backward": (lambda ad, output, x: ad.backward(output, inputs=[x]), []),
        "grad": (lambda ad, output, x: ad.grad_of(output, x), []),
        "all": (lambda ad, output, x: ad.backward(output), [6.0]),
    },
)
def a_tensor_hook_runs_only_where_the_gradient_is_computed(ad, differentiate, expected):
    """A tensor hook on a factor is called if the gradients of both factors are computed, and not if only that of the
    other factor is."""
    seen = []
    x, z = ad.leaf(2.0), ad.leaf(3.0)
    ad.register_hook(x, lambda g: seen.append(ad.number_of(g)))
    differentiate(ad, 2 * x * z, z)
    equal(seen, expected)


@behaviour(MUST, torch("torch.Tensor.register_hook"), torch("torch.autograd.grad"), aliases=("hook double backward",))
def what_a_hook_computes_is_differentiable(ad):
    """With create_graph=True, what a tensor hook computes is part of the graph: if a hook on y = 2x multiplies the
    gradient by s, that of 5y with respect to x is 10s, and its derivative with respect to s is 10."""
    x, s = ad.leaf(3.0), ad.leaf(7.0)
    y = 2 * x
    ad.register_hook(y, lambda g: g * s)
    (first,) = ad.grad_of(5 * y, x, create_graph=True)
    close((first, ad.grad_of(first, s)), (70.0, (10.0,)))


@behaviour(
    MAY,
    torch(
        "torch.Tensor.register_hook",
        raises=Exception,
        says="has changed",
        unstated="only the message of the error states it",
    ),
    cases={
        "shape": (lambda ad, g: ad.array([1.0, 2.0, 3.0]),),
        "dtype": (lambda ad, g: ad.cast(g, "float32"),),
    },
    aliases=("hook has changed the size of value", "hook has changed the type of value"),
)
def a_tensor_hook_keeps_the_shape_and_the_dtype(ad, hook):
    """A tensor hook that returns a tensor of another shape or dtype makes backward() raise an error."""
    x = ad.leaf([1.0, 2.0])
    ad.register_hook(x, lambda g: hook(ad, g))
    raises(lambda: ad.backward(ad.np.sum(3 * x)))


@behaviour(MUST, torch("notes/autograd", EXECUTION))
def a_hook_sees_no_gradient_of_an_overwritten_element(ad):
    """A tensor hook that was registered before an element was overwritten is given 0 for that element, as the output
    does not depend on its old value."""
    seen = []
    y = ad.leaf([1.0, 2.0, 3.0]) * 1
    ad.register_hook(y, seen.append)
    ad.set_item_(y, 1, 7.0)
    ad.backward(y, ad.array([3.0, 5.0, 11.0]))
    close(seen, ([3.0, 0.0, 11.0],))
