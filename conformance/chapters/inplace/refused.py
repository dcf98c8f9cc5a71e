"""Refused writes: targets that may not be overwritten, and values that backward finds overwritten."""

from conformance.behaviour import MUST, SHOULD, behaviour, torch
from conformance.expect import raises

WRITES = "In-place operations with autograd"
CHECKS = "In-place correctness checks"


@behaviour(MUST, torch("notes/autograd", CHECKS, raises=RuntimeError, says="modified by an inplace operation"))
def a_saved_output_must_not_be_overwritten(ad):
    """Backward is refused when an operation saved its own result, and that was overwritten since."""
    x = ad.leaf([1.0, 2.0])
    y = ad.np.exp(x)
    ad.add_(y, 1.0)
    raises(lambda: ad.backward(ad.np.sum(y)))


@behaviour(MUST, torch("notes/autograd", CHECKS, raises=RuntimeError, says="modified by an inplace operation"))
def a_product_with_itself_in_place_is_refused(ad):
    """An array multiplied by itself in place has overwritten the factor that backward needs, and is refused there."""
    y = ad.leaf([1.0, 2.0]) * 1
    ad.mul_(y, y)
    raises(lambda: ad.backward(ad.np.sum(y)))


@behaviour(
    MUST,
    torch("notes/autograd", WRITES, raises=RuntimeError, says="a view of a leaf Variable"),
    cases={
        "element": (lambda ad, x: ad.set_item_(x, 0, 3.0),),
        "slice": (lambda ad, x: ad.add_(x[:1], 3.0),),
        "shape": (lambda ad, x: ad.mul_(ad.view(x, (2, 1)), 3.0),),
    },
    was=("views.a_view_of_a_leaf_cannot_be_overwritten",),
)
def a_view_of_a_leaf_cannot_be_overwritten(ad, write):
    """Writing through a view of a leaf that requires grad is refused, and so is assigning to one of its elements."""
    x = ad.leaf([1.0, 2.0])
    raises(lambda: write(ad, x))


@behaviour(
    MUST,
    torch("notes/autograd", WRITES, raises=RuntimeError, says="a leaf Variable that requires grad"),
)
def augmented_assignment_of_a_leaf_is_refused(ad):
    """The operator of augmented assignment writes in place as well, and is refused at a leaf that requires grad."""
    x = ad.leaf([1.0, 2.0])
    raises(lambda: ad.augment_(x, 1.0))


@behaviour(
    MUST,
    torch("notes/broadcasting", "In-place semantics", raises=RuntimeError, says="doesn't match the broadcast shape"),
)
def a_write_in_place_keeps_the_shape(ad):
    """An operation in place whose result would be of a larger shape than its target is refused."""
    x = ad.array([[[1.0], [2.0], [3.0]]])
    raises(lambda: ad.add_(x, ad.array([[[1.0, 2.0]]])))


@behaviour(
    SHOULD,
    torch("torch.Tensor.expand", raises=RuntimeError, says="single memory location"),
)
def an_expanded_array_cannot_be_overwritten(ad):
    """Writing into an array that shows one element several times is refused."""
    expanded = ad.view_by(ad.array([1.0]), "expand", 3)
    raises(lambda: ad.add_(expanded, 1.0))


@behaviour(
    MUST,
    torch("notes/out", raises=RuntimeError, says="don't support automatic differentiation"),
    cases={
        "argument": (lambda ad: ad.leaf([1.0]), lambda ad: ad.array([0.0])),
        "target": (lambda ad: ad.array([1.0]), lambda ad: ad.leaf([0.0])),
    },
)
def an_output_argument_is_refused_while_recording(ad, argument, target):
    """A function given an array for its result is refused if that, or an argument, requires grad."""
    x, out = argument(ad), target(ad)
    raises(lambda: ad.write_out_(out, "add", x, ad.array([3.0])))


@behaviour(MUST, torch("notes/autograd", CHECKS, raises=RuntimeError, says="modified by an inplace operation"))
def an_output_argument_is_overwritten(ad):
    """An array that a function was given for its result has been written: backward is refused where it is needed."""
    x, factor = ad.leaf([2.0]), ad.array([3.0])
    y = x * factor
    ad.write_out_(factor, "add", ad.array([1.0]), ad.array([1.0]))
    raises(lambda: ad.backward(y))


@behaviour(MUST, torch("notes/autograd", CHECKS, raises=RuntimeError, says="modified by an inplace operation"))
def what_was_written_must_not_be_overwritten(ad):
    """A result that an operation wrote in place, and saved, may not be overwritten again before backward."""
    y = ad.leaf([1.0, 2.0]) * 1
    ad.inplace_(y, "sigmoid")
    ad.add_(y, 1.0)
    raises(lambda: ad.backward(ad.np.sum(y)))


@behaviour(MUST, torch("notes/autograd", CHECKS, raises=RuntimeError, says="modified by an inplace operation"))
def a_gradient_that_is_needed_must_not_grow(ad):
    """A stored gradient that was a factor may not be added to by backward before that factor was used."""
    x, w = ad.leaf(2.0), ad.leaf(3.0)
    ad.backward(5 * x)
    product = w * ad.gradient_of(x)
    ad.backward(5 * x)
    raises(lambda: ad.backward(product))
