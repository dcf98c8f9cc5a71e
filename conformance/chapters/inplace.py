"""In-place operations: which arrays may be overwritten, and what the graph makes of it."""

from conformance.behaviour import MUST, behaviour, document, torch
from conformance.expect import close, equal, refuses, warns


@behaviour(
    MUST,
    torch("notes/autograd", "In-place operations with autograd", raises=RuntimeError, says="a leaf Variable"),
    document("003"),
)
def a_leaf_cannot_be_overwritten(ad):
    """An in-place operation on a leaf that requires grad is refused."""
    w = ad.leaf(2.0)
    refuses(lambda: ad.sub_(w, w * 2))


@behaviour(MUST, torch("notes/autograd", "No-grad Mode"), document("003"))
def without_recording_a_leaf_can_be_overwritten(ad):
    """Where nothing is recorded, a leaf can be updated in place: 2 - 4 is -2."""
    w = ad.leaf(2.0)
    with ad.no_grad():
        ad.sub_(w, w * 2)
    close(w, -2.0)


@behaviour(MUST, torch("notes/autograd", "No-grad Mode"), document("003"))
def a_leaf_updated_unrecorded_stays_a_leaf(ad):
    """A leaf that was updated where nothing is recorded is still a leaf that requires grad."""
    w = ad.leaf(2.0)
    with ad.no_grad():
        ad.sub_(w, w * 2)
    equal((ad.is_leaf(w), ad.requires_grad(w)), (True, True))


@behaviour(MUST, torch("torch.Tensor.is_leaf"), document("003"))
def a_name_bound_to_a_result_loses_the_leaf(ad):
    """A name bound to a value computed from its leaf names a result: backward leaves it without a gradient."""
    w = ad.leaf(2.0)
    w = w * 2
    ad.backward(w)
    equal(ad.gradient_of(w), None)


@behaviour(
    MUST,
    torch("torch.Tensor.is_leaf", warns=UserWarning, says="not a leaf"),
    document("003"),
    document("000"),
)
def reading_the_gradient_of_a_result_warns(ad):
    """Asking a result for its stored gradient warns that it will never hold one."""
    y = ad.leaf(2.0) * 2
    warns(lambda: ad.gradient_of(y))


@behaviour(
    MUST,
    torch(
        "notes/autograd",
        "In-place correctness checks",
        raises=RuntimeError,
        says="modified by an inplace operation",
    ),
)
def a_needed_value_must_not_be_overwritten(ad):
    """Backward is refused when a value that an operation saved has been overwritten since."""
    x = ad.leaf([1.0, 2.0])
    y = x * 3
    output = ad.np.sum(y * y)
    ad.add_(y, 1.0)
    refuses(lambda: ad.backward(output))


@behaviour(MUST, torch("notes/autograd", "In-place operations with autograd"))
def an_unneeded_value_may_be_overwritten(ad):
    """A result that no operation saved may be overwritten, and the gradient follows its new history."""
    x = ad.leaf([1.0, 2.0])
    y = x * 3
    ad.mul_(y, 2.0)
    ad.backward(ad.np.sum(y))
    close(ad.gradient_of(x), [6.0, 6.0])


@behaviour(MUST, torch("notes/autograd", "In-place operations with autograd"))
def an_overwritten_result_changes_its_creator(ad):
    """An in-place operation is recorded: the array names the operation as its new creator."""
    y = ad.leaf([1.0, 2.0]) * 3
    ad.add_(y, 1.0)
    equal(ad.creator_name(y), "AddBackward0")
