"""Leaves: which arrays are the user's own, and which of them require grad."""

from conformance.behaviour import MAY, MUST, behaviour, document, torch
from conformance.expect import close, equal, refuses


@behaviour(MUST, torch("torch.Tensor.is_leaf"), document("000"), document("001"))
def an_array_made_by_the_user_is_a_leaf(ad):
    """An array that the user made, and no operation, is a leaf."""
    equal(ad.is_leaf(ad.leaf([1.0, 1.0])), True)


@behaviour(MUST, torch("torch.Tensor.is_leaf"), document("000"), document("001"))
def a_leaf_has_no_creator(ad):
    """A leaf names no operation that made it."""
    equal(ad.creator_name(ad.leaf([1.0, 1.0])), None)


@behaviour(MUST, torch("torch.Tensor.is_leaf"), document("000"), document("001"))
def a_result_is_not_a_leaf(ad):
    """The result of an operation on an array that requires grad is not a leaf."""
    x = ad.leaf([1.0, 1.0])
    equal(ad.is_leaf(x + 2), False)


@behaviour(
    MAY,
    torch("torch.autograd.graph.Node.name"),
    document("000"),
    cases={"product": (lambda x: x * x, "MulBackward0"), "sum": (lambda x: x + 2, "AddBackward0")},
)
def a_result_names_its_creator(ad, program, name):
    """The result of an operation names the node of the graph that will differentiate it."""
    equal(ad.creator_name(program(ad.leaf([1.0, 1.0]))), name)


@behaviour(MUST, torch("torch.Tensor.is_leaf"))
def a_plain_result_is_a_leaf(ad):
    """The result of an operation on plain arrays is a leaf too, by convention: nothing was recorded."""
    x = ad.array([1.0, 1.0])
    equal(ad.is_leaf(x + 2), True)


@behaviour(MUST, torch("notes/autograd", "Setting requires_grad"), document("000"))
def requires_grad_is_off_by_default(ad):
    """An array does not require grad unless that is asked for."""
    equal(ad.requires_grad(ad.array([1.0, 1.0])), False)


@behaviour(
    MUST,
    torch("notes/autograd", "Setting requires_grad"),
    document("000"),
    cases={"neither": (False, False, False), "first": (True, False, True), "both": (True, True, True)},
)
def one_input_that_requires_grad_suffices(ad, first, second, expected):
    """A result requires grad if at least one input does, and does not if none does."""
    a = ad.require_grad_(ad.array([1.0]), first)
    b = ad.require_grad_(ad.array([2.0]), second)
    equal(ad.requires_grad(a + b), expected)


@behaviour(MUST, torch("torch.Tensor.requires_grad_"), document("001"))
def the_flag_is_switched_on_in_place(ad):
    """Switching the flag on changes the array itself: later operations on it are recorded."""
    x = ad.array([2.0])
    ad.require_grad_(x)
    equal(ad.requires_grad(x * x), True)


@behaviour(MUST, torch("torch.Tensor.requires_grad_"), document("001"))
def the_flag_does_not_reach_back(ad):
    """What was computed before the flag was switched on stays outside the graph."""
    x = ad.array([2.0])
    earlier = x * x
    ad.require_grad_(x)
    equal(ad.requires_grad(earlier), False)


@behaviour(
    MUST,
    torch("autograd", raises=RuntimeError, says="floating point"),
    document("004"),
    cases={"integers": ([1, 2],), "booleans": ([True, False],)},
)
def only_inexact_arrays_require_grad(ad, value):
    """An array of integers or booleans cannot require grad."""
    refuses(lambda: ad.leaf(value))


@behaviour(MUST, torch("autograd"), document("004"), cases={"floating": ([1.0],), "complex": ([1j],)})
def inexact_arrays_may_require_grad(ad, value):
    """Floating and complex arrays can require grad."""
    equal(ad.requires_grad(ad.leaf(value)), True)


@behaviour(MUST, torch("torch.Tensor.is_leaf"), document("004"))
def a_view_of_a_leaf_gets_no_gradient(ad):
    """A view of a leaf is the result of an operation: backward leaves its own gradient empty."""
    x = ad.view(ad.leaf([2.0, 1.0]), (1, 2))
    y = ad.leaf([[1.0, 2.0], [3.0, 4.0]])
    ad.backward(ad.np.matmul(x, y), ad.array([[1.0, 0.0]]))
    equal(ad.gradient_of(x), None)
    close(ad.gradient_of(y), [[2.0, 0.0], [1.0, 0.0]])


@behaviour(MUST, torch("torch.Tensor.is_leaf"), document("004"))
def a_leaf_of_the_wanted_shape_gets_its_gradient(ad):
    """An array made in the wanted shape at once is a leaf and receives the gradient."""
    x = ad.leaf([[2.0, 1.0]])
    y = ad.leaf([[1.0, 2.0], [3.0, 4.0]])
    ad.backward(ad.np.matmul(x, y), ad.array([[1.0, 0.0]]))
    close((ad.gradient_of(x), ad.gradient_of(y)), ([[1.0, 3.0]], [[2.0, 0.0], [1.0, 0.0]]))


@behaviour(MUST, torch("torch.Tensor.is_leaf"), document("004"))
def a_view_made_before_the_flag_is_a_leaf(ad):
    """A view of a plain array is a leaf, and receives the gradient once it is asked to require grad."""
    x = ad.view(ad.array([2.0, 1.0]), (1, 2))
    ad.require_grad_(x)
    y = ad.leaf([[1.0, 2.0], [3.0, 4.0]])
    ad.backward(ad.np.matmul(x, y), ad.array([[1.0, 0.0]]))
    close(ad.gradient_of(x), [[1.0, 3.0]])
