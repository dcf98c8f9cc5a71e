"""Multi-grad hooks: functions called with the gradients of several tensors at once."""

from conformance.behaviour import MUST, SHOULD, behaviour, torch
from conformance.expect import close, equal, raises

JOINT = "torch.autograd.graph.register_multi_grad_hook"


@behaviour(MUST, torch("autograd", JOINT, since="2.0"), aliases=("register_multi_grad_hook",))
def a_multi_grad_hook_waits_for_all_gradients(ad):
    """A multi-grad hook is called once in a backward pass, when all gradients are computed, with None for a tensor not
    in the graph."""
    calls = []
    a, b = ad.leaf(2.0), ad.leaf([3.0, 4.0])
    c, d = a * b, 7 * a
    ad.register_multi_hook([a, d, b, c], lambda gradients: calls.append(tuple(gradients)))
    ad.backward(ad.np.sum(5 * c), retain_graph=True)
    ad.backward(ad.np.sum(2 * c))
    close(calls[0], (35.0, None, [10.0, 10.0], [5.0, 5.0]))
    close(calls[1:], ((14.0, None, [4.0, 4.0], [2.0, 2.0]),))


@behaviour(MUST, torch("autograd", JOINT, since="2.0"))
def a_multi_grad_hook_ignores_gradients_not_needed(ad):
    """With backward(inputs=...), a multi-grad hook is given None for tensors whose gradients are not needed."""
    calls = []
    a, b = ad.leaf(2.0), ad.leaf(3.0)
    c = a * b
    ad.register_multi_hook([a, b, c], lambda gradients: calls.append(tuple(gradients)))
    ad.backward(5 * c, inputs=[a])
    close(calls, ((15.0, None, 5.0),))


@behaviour(MUST, torch("autograd", JOINT, since="2.0"), aliases=("multi grad hook not called with all gradients",))
def a_multi_grad_hook_includes_the_root(ad):
    """A multi-grad hook is given all gradients, also if backward() is called on one of its tensors."""
    calls = []
    a, b = ad.leaf(2.0), ad.leaf(3.0)
    c = a * b
    ad.register_multi_hook([a, b, c], lambda gradients: calls.append(tuple(gradients)))
    ad.backward(c)
    close(calls, ((3.0, 2.0, 1.0),))


@behaviour(MUST, torch("autograd", JOINT, since="2.3"))
def a_multi_grad_hook_in_mode_any_takes_the_first_gradient(ad):
    """A multi-grad hook with mode="any" is called once in a backward pass, with the gradient computed first, here that
    of the non-leaf."""
    calls = []
    a = ad.leaf(2.0)
    c = 3 * a
    ad.register_multi_hook([a, c], calls.append, mode="any")
    ad.backward(5 * c, retain_graph=True)
    ad.backward(7 * c)
    close(calls, (5.0, 7.0))


@behaviour(MUST, torch("autograd", JOINT, since="2.3"), cases={"all": ("all",), "any": ("any",)})
def a_removed_multi_grad_hook_is_not_called(ad, mode):
    """A multi-grad hook is no longer called after handle.remove()."""
    calls = []
    a, b = ad.leaf(2.0), ad.leaf(3.0)
    ad.remove_hook(ad.register_multi_hook([a, b], calls.append, mode=mode))
    ad.backward(5 * a * b)
    equal(calls, [])


@behaviour(
    SHOULD,
    torch("autograd", JOINT, since="2.3", raises=Exception, says="mode"),
    aliases=("expects mode to be one of",),
)
def a_multi_grad_hook_has_one_of_two_modes(ad):
    """Registering a multi-grad hook with a mode that is neither "all" nor "any" raises an error."""
    x = ad.leaf(2.0)
    ad.register_multi_hook([x], lambda gradients: None, mode="all")
    ad.register_multi_hook([x], lambda gradient: None, mode="any")
    raises(lambda: ad.register_multi_hook([x], lambda gradients: None, mode="some"))
