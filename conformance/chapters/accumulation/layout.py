"""Accumulation, the layout: strides of .grad, and that it shares no memory."""

from conformance.behaviour import MAY, MUST, behaviour, torch
from conformance.expect import close, equal

DEFAULT = "Default gradient layouts"
MANUAL = "Manual gradient layouts"


@behaviour(MUST, torch("torch.Tensor.grad"))
def gradients_of_two_leaves_share_no_memory(ad):
    """After backward() on x + y, a backward() that accumulates into x.grad does not change y.grad."""
    x, y = ad.leaf([1.0, 2.0]), ad.leaf([3.0, 4.0])
    ad.backward(x + y, ad.array([5.0, 6.0]))
    ad.backward(10 * x, ad.array([1.0, 1.0]))
    close((ad.gradient_of(x), ad.gradient_of(y)), ([15.0, 16.0], [5.0, 6.0]))


@behaviour(
    MAY,
    torch(
        "autograd",
        DEFAULT,
        unstated="the section is about strides, not about memory; an alias would let later passes change the argument",
    ),
)
def a_gradient_argument_is_copied(ad):
    """backward(gradient) on a leaf stores a copy in .grad: the gradient argument does not share its memory."""
    x, g = ad.leaf([1.0, 2.0]), ad.array([5.0, 6.0])
    ad.backward(x, g)
    equal(ad.shares_memory(ad.gradient_of(x), g), False)


@behaviour(MUST, torch("autograd", DEFAULT), aliases=("grad strides", "channels_last gradient layout"))
def a_gradient_has_the_strides_of_its_leaf(ad):
    """The first dense .grad of a non-overlapping and dense leaf gets its strides, here those of a transposed tensor."""
    x = ad.require_grad_(ad.view_by(ad.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), "t"))
    ad.backward(2 * x, ad.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]))
    close(ad.gradient_of(x), [[2.0, 4.0], [6.0, 8.0], [10.0, 12.0]])
    equal(ad.strides_of(ad.gradient_of(x)), (1, 3))


@behaviour(MUST, torch("autograd", DEFAULT))
def a_gradient_of_overlapping_memory_is_row_major(ad):
    """The first dense .grad of a leaf with overlapping memory (made by expand) is contiguous in row-major order."""
    x = ad.require_grad_(ad.view_by(ad.array([[1.0], [2.0]]), "expand", 2, 4))
    column_major = ad.view_by(ad.array([[1.0, 5.0], [2.0, 6.0], [3.0, 7.0], [4.0, 8.0]]), "t")
    ad.backward(2 * x, column_major)
    close(ad.gradient_of(x), [[2.0, 4.0, 6.0, 8.0], [10.0, 12.0, 14.0, 16.0]])
    equal(ad.strides_of(ad.gradient_of(x)), (4, 1))


@behaviour(MUST, torch("autograd", DEFAULT))
def a_gradient_of_memory_with_gaps_is_row_major(ad):
    """The first dense .grad of a leaf with gaps in memory, such as a.t()[::2], is contiguous in row-major order."""
    x = ad.require_grad_(ad.view_by(ad.array([[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]), "t")[::2])
    ad.backward(ad.np.sum(x * x))
    close(ad.gradient_of(x), [[2.0, 10.0], [6.0, 14.0]])
    equal(ad.strides_of(ad.gradient_of(x)), (2, 1))


@behaviour(MUST, torch("autograd", MANUAL))
def an_assigned_layout_is_kept(ad):
    """By default backward() accumulates into column-major zeros assigned to .grad, and keeps their strides."""
    x = ad.leaf([[1.0, 2.0], [3.0, 4.0]])
    ad.set_gradient_(x, ad.view_by(ad.np.zeros((2, 2)), "t"))
    ad.backward(ad.np.sum(x * x))
    equal(ad.strides_of(ad.gradient_of(x)), (1, 2))
    close(ad.gradient_of(x), [[2.0, 4.0], [6.0, 8.0]])


@behaviour(MUST, torch("autograd", DEFAULT))
def zeroing_keeps_the_layout(ad):
    """After x.grad.zero_(), the next backward() by default accumulates into the same tensor and keeps its strides."""
    x = ad.require_grad_(ad.view_by(ad.array([[1.0, 2.0], [3.0, 4.0]]), "t"))
    ad.backward(ad.np.sum(x * x))
    g = ad.gradient_of(x)
    ad.zero_gradient_(x)
    ad.backward(ad.np.sum(3 * x))
    equal((ad.gradient_of(x) is g, ad.strides_of(g)), (True, (1, 2)))
    close(g, [[3.0, 3.0], [3.0, 3.0]])


@behaviour(MUST, torch("autograd", DEFAULT))
def an_expanded_gradient_is_stored_contiguously(ad):
    """The first dense .grad of a contiguous leaf is contiguous, even if the gradient is an expanded scalar (sum())."""
    x = ad.leaf([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    ad.backward(ad.np.sum(x))
    equal(ad.strides_of(ad.gradient_of(x)), (3, 1))


@behaviour(MAY, torch("autograd", MANUAL), torch("autograd", DEFAULT))
def an_assigned_layout_is_likely_kept_with_create_graph(ad):
    """With create_graph=True, backward() replaces column-major zeros assigned to .grad by a new tensor. That it
    has their strides is an attempt, no guarantee."""
    x, g = ad.leaf([[1.0, 2.0], [3.0, 4.0]]), ad.view_by(ad.np.zeros((2, 2)), "t")
    ad.set_gradient_(x, g)
    ad.backward(ad.np.sum(x * x), create_graph=True)
    equal(ad.gradient_of(x) is g, False)
    close(ad.gradient_of(x), [[2.0, 4.0], [6.0, 8.0]])
    ad.set_gradient_(x, None)
