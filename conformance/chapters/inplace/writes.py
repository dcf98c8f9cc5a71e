"""In-place operations: which arrays may be overwritten, and what the graph makes of it."""

from conformance.behaviour import MUST, behaviour, document, torch
from conformance.expect import close, equal, raises, warns


@behaviour(
    MUST,
    torch("notes/autograd", "In-place operations with autograd", raises=RuntimeError, says="a leaf Variable"),
    document("003"),
)
def a_leaf_cannot_be_overwritten(ad):
    """An in-place operation on a leaf that requires grad is refused."""
    w = ad.leaf(2.0)
    raises(lambda: ad.sub_(w, w * 2))


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
    raises(lambda: ad.backward(output))


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
    equal(ad.grad_fn_name(y), "AddBackward0")


@behaviour(MUST, torch("notes/autograd", "In-place operations with autograd"))
def what_was_computed_before_keeps_its_history(ad):
    """A result that was computed before the write has the gradient of the value before it: 2, and not 20."""
    x = ad.leaf([1.0, 2.0])
    y = x * 2
    earlier = y + 0
    ad.mul_(y, 10.0)
    ad.backward(ad.np.sum(earlier))
    close(ad.gradient_of(x), [2.0, 2.0])


@behaviour(MUST, torch("notes/autograd", "In-place correctness checks"))
def writes_that_are_not_refused_leave_right_gradients(ad):
    """A chain of writes that backward accepts has the gradient of the chain without them: 3 exp(2x) has 24 at log 2."""
    x = ad.leaf(0.6931471805599453)
    y = x * 2
    ad.inplace_(y, "exp")
    z = y * 1
    ad.mul_(z, 3.0)
    ad.backward(z)
    close((z, ad.gradient_of(x)), (12.0, 24.0))


@behaviour(MUST, torch("notes/autograd", "In-place correctness checks"))
def an_operation_may_keep_its_own_result(ad):
    """An operation in place may save the result that it wrote: exp(2x), written over 2x, has 8 at log 2."""
    x = ad.leaf(0.6931471805599453)
    y = x * 2
    ad.inplace_(y, "exp")
    ad.backward(y)
    close((y, ad.gradient_of(x)), (4.0, 8.0))


@behaviour(MUST, torch("notes/autograd", "In-place operations with autograd"))
def an_overwritten_element_gets_no_gradient(ad):
    """An element that a constant overwrote has lost its connection, and the others have kept theirs."""
    x = ad.leaf([1.0, 2.0, 3.0])
    y = x * 5
    ad.set_item_(y, 1, 7.0)
    ad.backward(ad.np.sum(y))
    close(ad.gradient_of(x), [5.0, 0.0, 5.0])


@behaviour(MUST, torch("notes/autograd", "In-place operations with autograd"))
def a_write_of_a_result_reaches_the_result(ad):
    """A tracked value written into an element receives that element's gradient: 10 for the square of 5."""
    x, s = ad.leaf([1.0, 2.0, 3.0]), ad.leaf(5.0)
    y = x * 1
    ad.set_item_(y, 1, s)
    ad.backward(ad.np.sum(y**2))
    close((ad.gradient_of(x), ad.gradient_of(s)), ([2.0, 0.0, 6.0], 10.0))


@behaviour(MUST, torch("notes/out"), torch("torch.no_grad"))
def an_output_argument_works_unrecorded(ad):
    """Under no_grad a function writes its result into the array that it is given for it: 2 + 3 is 5."""
    x, out = ad.leaf([2.0]), ad.array([0.0])
    with ad.no_grad():
        ad.write_out_(out, "add", x, ad.array([3.0]))
    close(out, [5.0])


@behaviour(MUST, torch("notes/out"))
def an_output_argument_works_for_plain_arrays(ad):
    """Among arrays that do not require grad a function writes into the array that it is given: 2 + 3 is 5."""
    out = ad.array([0.0])
    ad.write_out_(out, "add", ad.array([2.0]), ad.array([3.0]))
    close(out, [5.0])
