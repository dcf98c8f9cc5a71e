"""In-place operations that raise an error: at once, or in backward() if it needs the overwritten value."""

from conformance.behaviour import MAY, MUST, SHOULD, behaviour, torch
from conformance.expect import raises

CHECKS = "In-place correctness checks"
SAVED = "Saved tensors"
TUTORIAL = "tutorials/autogradyt"
IN_PLACE = "Autograd and In-place Operations"


@behaviour(
    MUST,
    torch("notes/autograd", CHECKS, raises=Exception, says="modified by an inplace operation"),
    torch("notes/autograd", SAVED),
    aliases=("output 0 is at version 1; expected version 0 instead",),
)
def a_saved_output_must_not_be_overwritten(ad):
    """By default, backward() raises an error if the output of exp, which exp saved for it, was modified in-place."""
    x = ad.leaf([1.0, 2.0])
    y = ad.np.exp(x)
    ad.add_(y, 1.0)
    raises(lambda: ad.backward(ad.np.sum(y)))


@behaviour(MUST, torch("notes/autograd", CHECKS, raises=Exception, says="modified by an inplace operation"))
def squaring_in_place_makes_backward_raise_an_error(ad):
    """By default, backward() raises an error after y.mul_(y): the product overwrote the factor that it saved."""
    y = ad.leaf([1.0, 2.0]) * 1
    ad.mul_(y, y)
    raises(lambda: ad.backward(ad.np.sum(y)))


@behaviour(
    MUST,
    torch(TUTORIAL, IN_PLACE, raises=RuntimeError, says="leaf"),
    torch("tensor_view"),
    cases={
        "element": (lambda ad, x: ad.set_item_(x, 0, 3.0),),
        "slice": (lambda ad, x: ad.add_(x[:1], 3.0),),
        "shape": (lambda ad, x: ad.mul_(ad.view(x, (2, 1)), 3.0),),
    },
    aliases=("a view of a leaf variable that requires grad is being used in an in-place operation",),
)
def a_view_of_a_leaf_cannot_be_overwritten(ad, write):
    """In grad mode, modifying an element, a slice or a view() of a leaf that requires grad raises an error."""
    x = ad.leaf([1.0, 2.0])
    raises(lambda: write(ad, x))


@behaviour(
    MUST,
    torch(TUTORIAL, IN_PLACE, raises=RuntimeError, says="leaf"),
    torch("notes/serialization", "Saving and loading tensors preserves views"),
)
def augmented_assignment_to_a_leaf_raises_an_error(ad):
    """In grad mode, x += 1 raises an error if x is a leaf that requires grad, as it is an in-place operation."""
    x = ad.leaf([1.0, 2.0])
    raises(lambda: ad.augment_(x, 1.0))


@behaviour(MUST, torch("notes/broadcasting", "In-place semantics", raises=RuntimeError, says="match the"))
def a_write_in_place_keeps_the_shape(ad):
    """An in-place operation raises an error if broadcasting would change the shape of the tensor that it modifies."""
    x = ad.array([[[1.0], [2.0], [3.0]]])
    raises(lambda: ad.add_(x, ad.array([[[1.0, 2.0]]])))


@behaviour(
    SHOULD,
    torch("torch.Tensor.expand", raises=Exception, says="single memory location"),
    aliases=(
        "unsupported operation: more than one element of the written-to tensor refers to a single memory location",
    ),
)
def an_expanded_view_cannot_be_modified_in_place(ad):
    """add_() on an expanded view, whose elements share one memory location, raises an error."""
    expanded = ad.view_by(ad.array([1.0]), "expand", 3)
    raises(lambda: ad.add_(expanded, 1.0))


@behaviour(
    MUST,
    torch("notes/out", raises=Exception, says="don't support automatic differentiation"),
    aliases=("functions with out=... arguments don't support automatic differentiation",),
)
def out_that_requires_grad_raises_an_error(ad):
    """In grad mode, a function called with out= raises an error if `out` requires grad."""
    out = ad.leaf([0.0])
    raises(lambda: ad.write_out_(out, "add", ad.array([1.0]), ad.array([3.0])))


@behaviour(
    MAY,
    torch(
        "notes/out",
        raises=Exception,
        says="don't support automatic differentiation",
        unstated="the page is about `out` itself, and only the error's message about the inputs",
    ),
)
def out_with_an_input_that_requires_grad_raises_an_error(ad):
    """In grad mode, a function called with out= raises an error if one of its inputs requires grad."""
    x, out = ad.leaf([1.0]), ad.array([0.0])
    raises(lambda: ad.write_out_(out, "add", x, ad.array([3.0])))


@behaviour(
    MUST,
    torch("notes/autograd", CHECKS, raises=Exception, says="modified by an inplace operation"),
    torch("notes/out"),
)
def out_counts_as_an_in_place_operation(ad):
    """Writing with out= is an in-place operation: by default, backward() raises an error if the tensor was saved."""
    x, factor = ad.leaf([2.0]), ad.array([3.0])
    y = x * factor
    ad.write_out_(factor, "add", ad.array([1.0]), ad.array([1.0]))
    raises(lambda: ad.backward(y))


@behaviour(MUST, torch("notes/autograd", CHECKS, raises=Exception, says="modified by an inplace operation"))
def a_saved_in_place_output_must_not_be_modified(ad):
    """By default, backward() raises an error if the output of sigmoid_, which it saved, is modified in-place again."""
    y = ad.leaf([1.0, 2.0]) * 1
    ad.inplace_(y, "sigmoid")
    ad.add_(y, 1.0)
    raises(lambda: ad.backward(ad.np.sum(y)))


@behaviour(
    MUST,
    torch("notes/autograd", CHECKS, raises=Exception, says="modified by an inplace operation"),
    torch("autograd", "Default gradient layouts"),
)
def a_saved_grad_must_not_be_accumulated_into(ad):
    """By default, backward() raises an error if an operation saved a .grad that a later backward() accumulated into."""
    x, w = ad.leaf(2.0), ad.leaf(3.0)
    ad.backward(5 * x)
    product = w * ad.gradient_of(x)
    ad.backward(5 * x)
    raises(lambda: ad.backward(product))


@behaviour(MUST, torch("notes/autograd", CHECKS, raises=Exception, says="modified by an inplace operation"))
def reading_a_saved_tensor_that_was_modified_raises_an_error(ad):
    """Accessing a tensor that an operation saved (grad_fn._saved_self) raises an error if it was modified in-place."""
    x = ad.leaf([1.0, 2.0]) * 1
    y = x**2
    ad.add_(x, 1.0)
    raises(lambda: ad.saved_value(y, "self"))
