"""Saved tensors: the values that an operation keeps for its backward, and how they can be stored otherwise."""

from conformance.behaviour import MUST, SHOULD, behaviour, document, torch
from conformance.expect import close, equal

HOOKS = "Hooks for saved tensors"


@behaviour(MUST, torch("notes/autograd", HOOKS), document("004"))
def a_saved_value_is_packed_once(ad):
    """Within the scope of saved-tensor hooks, `pack` is called once with each value that is saved."""
    calls = []
    x = ad.leaf(0.0)
    with ad.saved_tensors_hooks(lambda saved: calls.append(ad.detach(saved)), lambda packed: ad.array(1.0)):
        _ = ad.np.exp(x)
    close(calls, (1.0,))


@behaviour(MUST, torch("notes/autograd", HOOKS))
def a_packed_value_may_be_anything(ad):
    """What `pack` returns is kept as it is, whatever it is, until `unpack` is given it."""
    calls = []
    x = ad.leaf(0.0)
    with ad.saved_tensors_hooks(lambda saved: "a file name", lambda packed: (calls.append(packed), ad.array(1.0))[1]):
        y = ad.np.exp(x)
    ad.backward(y)
    equal(calls[:1], ["a file name"])


@behaviour(MUST, torch("notes/autograd", HOOKS))
def nothing_is_unpacked_before_backward(ad):
    """`unpack` is not called before a backward pass needs the value."""
    calls = []
    x = ad.leaf(0.0)
    with ad.saved_tensors_hooks(ad.detach, calls.append):
        _ = ad.np.exp(x)
    equal(calls, [])


@behaviour(SHOULD, torch("notes/autograd", HOOKS), document("004"))
def an_unpacked_value_is_used(ad):
    """What `unpack` returns is what backward computes with, even where it is not what was packed."""
    x = ad.leaf(0.0)
    with ad.saved_tensors_hooks(ad.detach, lambda packed: packed * 7):
        y = ad.np.exp(x)
    ad.backward(y)
    close(ad.gradient_of(x), 7.0)


@behaviour(MUST, torch("notes/autograd", HOOKS))
def values_saved_outside_are_not_packed(ad):
    """An operation outside the scope keeps its values as they are, although backward runs within."""
    x = ad.leaf(0.0)
    y = ad.np.exp(x)
    with ad.saved_tensors_hooks(lambda saved: "stored", lambda packed: ad.array(7.0)):
        ad.backward(y)
    close(ad.gradient_of(x), 1.0)
