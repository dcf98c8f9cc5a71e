"""Layout: where in memory a gradient is stored, and with whom it shares that memory."""

from conformance.behaviour import MUST, SHOULD, behaviour, torch
from conformance.expect import close, equal

DEFAULT = "Default gradient layouts"
MANUAL = "Manual gradient layouts"


@behaviour(MUST, torch("autograd", DEFAULT))
def gradients_of_two_leaves_share_no_memory(ad):
    """Where one gradient reaches two leaves, each stores it in memory of its own."""
    x, y = ad.leaf([1.0, 2.0]), ad.leaf([3.0, 4.0])
    ad.backward(x + y, ad.array([5.0, 6.0]))
    equal(ad.shares_memory(ad.gradient_of(x), ad.gradient_of(y)), False)


@behaviour(MUST, torch("autograd", DEFAULT))
def a_given_gradient_is_not_kept(ad):
    """Backward from a leaf stores a copy of the gradient that it was given, and not that array itself."""
    x, g = ad.leaf([1.0, 2.0]), ad.array([5.0, 6.0])
    ad.backward(x, g)
    equal(ad.shares_memory(ad.gradient_of(x), g), False)


@behaviour(MUST, torch("autograd", DEFAULT))
def a_gradient_has_the_strides_of_its_leaf(ad):
    """The first gradient of a leaf that lies in memory column by column lies there in the same way."""
    x = ad.require_grad_(ad.view_by(ad.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), "t"))
    ad.backward(ad.np.sum(x * x))
    equal(ad.strides_of(ad.gradient_of(x)), (1, 3))


@behaviour(MUST, torch("autograd", DEFAULT))
def a_gradient_of_overlapping_memory_is_row_major(ad):
    """The gradient of a leaf whose rows repeat one element of memory is stored in full, row by row."""
    x = ad.require_grad_(ad.view_by(ad.array([[1.0], [2.0]]), "expand", 2, 4))
    ad.backward(ad.np.sum(x * x))
    equal(ad.strides_of(ad.gradient_of(x)), (4, 1))


@behaviour(MUST, torch("autograd", DEFAULT))
def a_gradient_of_memory_with_gaps_is_row_major(ad):
    """The gradient of a leaf that takes every second element of some memory is stored without gaps."""
    x = ad.require_grad_(ad.array([1.0, 2.0, 3.0, 4.0])[::2])
    ad.backward(ad.np.sum(x * x))
    equal(ad.strides_of(ad.gradient_of(x)), (1,))


@behaviour(MUST, torch("autograd", MANUAL))
def a_chosen_layout_is_kept(ad):
    """Where the user assigned zeros that lie column by column, backward adds to them and leaves them so."""
    x = ad.leaf([[1.0, 2.0], [3.0, 4.0]])
    ad.set_gradient_(x, ad.view_by(ad.np.zeros((2, 2)), "t"))
    ad.backward(ad.np.sum(x * x))
    equal(ad.strides_of(ad.gradient_of(x)), (1, 2))
    close(ad.gradient_of(x), [[2.0, 4.0], [6.0, 8.0]])


@behaviour(MUST, torch("autograd", DEFAULT))
def zeroing_keeps_the_layout(ad):
    """After zeroing, the next backward still finds the same array, in the layout that it had."""
    x = ad.require_grad_(ad.view_by(ad.array([[1.0, 2.0], [3.0, 4.0]]), "t"))
    ad.backward(ad.np.sum(x * x))
    g = ad.gradient_of(x)
    ad.zero_gradient_(x)
    ad.backward(ad.np.sum(3 * x))
    equal((ad.gradient_of(x) is g, ad.strides_of(g)), (True, (1, 2)))


@behaviour(SHOULD, torch("autograd", DEFAULT))
def a_broadcast_gradient_is_stored_in_full(ad):
    """The gradient of a sum, one number repeated, is stored with memory for each element."""
    x = ad.leaf([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    ad.backward(ad.np.sum(x))
    equal(ad.strides_of(ad.gradient_of(x)), (3, 1))
