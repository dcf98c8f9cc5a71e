"""Saved tensors: the values that an operation keeps for its backward, and how they can be stored otherwise."""

from conformance.behaviour import MUST, behaviour, document, torch
from conformance.expect import close

HOOKS = "Hooks for saved tensors"


@behaviour(MUST, torch("notes/autograd", HOOKS), document("004"))
def a_saved_value_is_packed(ad):
    """Within the scope of saved-tensor hooks, what `pack` returns is stored in place of a saved value."""
    x = ad.leaf(0.0)
    with ad.saved_tensors_hooks(lambda saved: ad.detach(saved) * 10, lambda packed: packed):
        y = ad.np.exp(x)
    ad.backward(y)
    close(ad.gradient_of(x), 10.0)


@behaviour(MUST, torch("notes/autograd", HOOKS), document("004"))
def a_packed_value_is_unpacked(ad):
    """What `unpack` returns is what backward computes with."""
    x = ad.leaf(0.0)
    with ad.saved_tensors_hooks(lambda saved: "stored", lambda packed: ad.array(7.0)):
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
