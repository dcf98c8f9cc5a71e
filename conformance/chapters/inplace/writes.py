"""In-place operations on leaves and non-leaves: which are allowed, and the gradients after them."""

from conformance.behaviour import MAY, MUST, SHOULD, behaviour, document, torch
from conformance.expect import close, equal, raises, warns

CHECKS = "In-place correctness checks"
WRITES = "In-place operations with autograd"


@behaviour(
    MUST,
    torch("tutorials/autogradyt", "Autograd and In-place Operations", raises=RuntimeError, says="leaf"),
    document("003"),
    cases={
        "sub": (lambda ad, w: ad.sub_(w, w * 2),),
        "mul": (lambda ad, w: ad.mul_(w, 3.0),),
        "copy": (lambda ad, w: ad.copy_(w, ad.array(5.0)),),
        "zero": (lambda ad, w: ad.inplace_(w, "zero"),),
        "exp": (lambda ad, w: ad.inplace_(w, "exp"),),
    },
    aliases=("a leaf variable that requires grad is being used in an in-place operation",),
)
def a_leaf_cannot_be_overwritten(ad, write):
    """In grad mode, an in-place operation on a leaf that requires grad raises an error."""
    w = ad.leaf(2.0)
    raises(lambda: write(ad, w))


@behaviour(
    MUST,
    torch("notes/autograd", "No-grad Mode"),
    document("003"),
    aliases=("manual weight update, optimizer step in place",),
)
def under_no_grad_a_leaf_can_be_modified_in_place(ad):
    """Under no_grad, a leaf that requires grad can be modified in-place: w -= 2 * w turns 2 into -2."""
    w = ad.leaf(2.0)
    with ad.no_grad():
        ad.sub_(w, w * 2)
    close(w, -2.0)


@behaviour(MUST, torch("notes/autograd", "No-grad Mode"), document("003"))
def a_leaf_modified_under_no_grad_stays_a_leaf(ad):
    """A leaf that was modified in-place under no_grad is still a leaf that requires grad."""
    w = ad.leaf(2.0)
    with ad.no_grad():
        ad.sub_(w, w * 2)
    close(w, -2.0)
    equal((ad.is_leaf(w), ad.requires_grad(w)), (True, True))


@behaviour(MUST, torch("torch.Tensor.is_leaf"), document("003"))
def a_rebound_name_refers_to_a_non_leaf(ad):
    """In grad mode, w = w * 2 rebinds w from a leaf that requires grad to a non-leaf: backward() leaves w.grad None."""
    w = ad.leaf(2.0)
    w = w * 2
    ad.backward(w)
    equal(ad.gradient_of(w), None)


@behaviour(
    SHOULD,
    torch("torch.Tensor.is_leaf", warns=Warning, says="not a leaf"),
    document("003"),
    document("000"),
    aliases=("the .grad attribute of a tensor that is not a leaf tensor is being accessed",),
)
def reading_the_grad_of_a_non_leaf_warns(ad):
    """Reading the .grad of a non-leaf without retain_grad() warns that backward() will not populate it."""
    y = ad.leaf(2.0) * 2
    warns(lambda: ad.gradient_of(y))


def _add_under_no_grad(ad, y):
    with ad.no_grad():
        ad.add_(y, 1.0)


@behaviour(
    MUST,
    torch("notes/autograd", CHECKS, raises=Exception, says="modified by an inplace operation"),
    torch("autograd", "torch.autograd.graph.allow_mutation_on_saved_tensors"),
    cases={
        "add": (lambda ad, y: ad.add_(y, 1.0),),
        "copy": (lambda ad, y: ad.copy_(y, ad.array([5.0, 7.0])),),
        "element": (lambda ad, y: ad.set_item_(y, 1, 7.0),),
        "view": (lambda ad, y: ad.mul_(y[1:], 3.0),),
        "no_grad": (_add_under_no_grad,),
        "twice": (lambda ad, y: ad.sub_(ad.add_(y, 1.0), 1.0),),
    },
    aliases=(
        "one of the variables needed for gradient computation has been modified by an inplace operation",
        "version counter",
    ),
)
def a_needed_value_must_not_be_overwritten(ad, write):
    """By default, backward() raises an error if a tensor that an operation saved for it was modified in-place later."""
    x = ad.leaf([1.0, 2.0])
    y = x * 3
    output = ad.np.sum(y * y)
    write(ad, y)
    raises(lambda: ad.backward(output))


@behaviour(MUST, torch("notes/autograd", CHECKS))
def an_unneeded_value_may_be_overwritten(ad):
    """A non-leaf that is no view and that no operation saved can be modified in-place: 3x, doubled, has gradient 6."""
    x = ad.leaf([1.0, 2.0])
    y = x * 3
    ad.mul_(y, 2.0)
    ad.backward(ad.np.sum(y))
    close(ad.gradient_of(x), [6.0, 6.0])


@behaviour(MUST, torch("notes/autograd", WRITES))
def an_in_place_operation_replaces_the_grad_fn(ad):
    """In grad mode, y.add_(1) on a non-leaf y is recorded: the grad_fn of y becomes that of an addition."""
    y = ad.leaf([1.0, 2.0]) * 3
    product, total = ad.grad_fn_name(y), ad.grad_fn_name(y + 1.0)
    ad.add_(y, 1.0)
    equal((ad.grad_fn_name(y) == total, product == total), (True, False))


@behaviour(MUST, torch("notes/autograd", CHECKS))
def what_was_computed_before_keeps_its_history(ad):
    """What was computed from y = 2x before y.mul_(10) keeps its gradient with respect to x: 2, not 20."""
    x = ad.leaf([1.0, 2.0])
    y = x * 2
    earlier = y + 0
    ad.mul_(y, 10.0)
    ad.backward(ad.np.sum(earlier))
    close(ad.gradient_of(x), [2.0, 2.0])


@behaviour(MUST, torch("notes/autograd", CHECKS))
def in_place_operations_without_an_error_leave_right_gradients(ad):
    """If in-place operations raise no error, gradients are correct: 24 for 3 exp(2x), by exp_ and mul_, at log 2."""
    x = ad.leaf(0.6931471805599453)
    y = x * 2
    ad.inplace_(y, "exp")
    z = y * 1
    ad.mul_(z, 3.0)
    ad.backward(z)
    close((z, ad.gradient_of(x)), (12.0, 24.0))


@behaviour(
    MUST,
    torch("notes/autograd", CHECKS),
    torch("tensor_view"),
    cases={
        "number": (lambda ad: 1, [10.0, 0.0, 1000.0]),
        "last": (lambda ad: -1, [10.0, 100.0, 0.0]),
        "slice": (lambda ad: slice(1, None), [10.0, 0.0, 0.0]),
        "steps": (lambda ad: slice(0, None, 2), [0.0, 100.0, 0.0]),
        "list": (lambda ad: [2, 0], [0.0, 100.0, 0.0]),
        "mask": (lambda ad: ad.array([True, True, False]), [0.0, 0.0, 1000.0]),
    },
)
def an_overwritten_element_gets_no_gradient(ad, index, expected):
    """An element that was overwritten with a constant has gradient 0; the other elements keep theirs."""
    x = ad.leaf([1.0, 2.0, 3.0])
    y = x * 5
    ad.set_item_(y, index(ad), 7.0)
    ad.backward(y, ad.array([2.0, 20.0, 200.0]))
    close(ad.gradient_of(x), expected)


@behaviour(
    MUST,
    torch("notes/autograd", CHECKS),
    torch("tensor_view"),
    cases={
        "number": (lambda ad, y, s: ad.set_item_(y, 1, s), [2.0, 0.0, 200.0], 20.0),
        "slice": (lambda ad, y, s: ad.set_item_(y, slice(1, None), s), [2.0, 0.0, 0.0], 220.0),
    },
)
def a_tensor_assigned_to_an_element_gets_the_gradient_of_the_element(ad, assign, of_x, of_s):
    """The gradient flows to a tensor that was assigned to an element, and is summed if it was assigned to several."""
    x, s = ad.leaf([1.0, 2.0, 3.0]), ad.leaf(5.0)
    y = x * 1
    assign(ad, y, s)
    ad.backward(y, ad.array([2.0, 20.0, 200.0]))
    close((ad.gradient_of(x), ad.gradient_of(s)), (of_x, of_s))


@behaviour(MUST, torch("notes/out"), torch("torch.no_grad"))
def out_works_under_no_grad(ad):
    """Under no_grad, a function can be called with out= even if an input requires grad: `out` holds the result."""
    x, out = ad.leaf([2.0]), ad.array([0.0])
    with ad.no_grad():
        ad.write_out_(out, "add", x, ad.array([3.0]))
    close(out, [5.0])


@behaviour(MUST, torch("notes/out"))
def out_works_where_nothing_requires_grad(ad):
    """A function called with out= writes its result into that tensor if neither it nor an input requires grad."""
    out = ad.array([0.0])
    ad.write_out_(out, "add", ad.array([2.0]), ad.array([3.0]))
    close(out, [5.0])


@behaviour(
    MUST,
    torch("notes/autograd", CHECKS),
    cases={
        "zero": (lambda ad, y: ad.inplace_(y, "zero"),),
        "fill": (lambda ad, y: ad.inplace_(y, "fill", 7.0),),
        "copy": (lambda ad, y: ad.copy_(y, ad.array([7.0, 8.0])),),
        "times_zero": (lambda ad, y: ad.mul_(y, 0.0),),
    },
    was=("inplace.an_overwritten_tensor_gets_no_gradient",),
    aliases=("zero_ fill_ gradient",),
)
def a_leaf_behind_an_overwritten_tensor_has_gradient_zero(ad, write):
    """If a tensor is overwritten by zero_, fill_, copy_ of a constant or mul_(0), the gradient of the leaf that it was
    computed from is zero, and that of another leaf is not changed."""
    x, s = ad.leaf([1.0, 2.0]), ad.leaf([3.0, 4.0])
    y = x * 5
    write(ad, y)
    ad.backward(ad.np.sum(y + 2 * s))
    close((ad.gradient_of(x), ad.gradient_of(s)), ([0.0, 0.0], [2.0, 2.0]))


@behaviour(
    MAY,
    torch(
        "torch.Tensor.retain_grad",
        unstated="in-place operations are not mentioned; the note on hooks has the opposite for hooks",
    ),
    aliases=("retain_grad after in-place operation",),
)
def a_retained_gradient_is_that_of_the_modified_tensor(ad):
    """If an in-place operation follows retain_grad(), .grad is with respect to the value after it: 5 for 5y, though y
    was doubled."""
    y = ad.leaf([1.0, 2.0]) * 3
    ad.retain_gradient_(y)
    ad.mul_(y, 2.0)
    ad.backward(5 * y, ad.array([1.0, 10.0]))
    close(ad.gradient_of(y), [5.0, 50.0])


@behaviour(
    MUST,
    torch("notes/autograd", CHECKS),
    torch("torch.autograd.grad"),
    cases={
        "product": (lambda ad, y, x: ad.mul_(y, x),),
        "view": (lambda ad, y, x: ad.mul_(y[:], x),),
        "copy": (lambda ad, y, x: ad.copy_(y, x**3),),
    },
)
def an_in_place_operation_can_be_differentiated_twice(ad, write):
    """If no error is raised, x² that is multiplied by x in-place (also through a view), or into which x³ is copied, has
    the first and second derivative of x³."""
    x = ad.leaf([2.0, 3.0])
    y = x**2
    write(ad, y, x)
    (first,) = ad.grad_of(ad.np.sum(y), x, create_graph=True)
    close((first, ad.grad_of(ad.np.sum(first), x)), ([12.0, 27.0], ([12.0, 18.0],)))
