"""Leaves, flags: which arrays require grad, and how that is switched."""

from conformance.behaviour import MUST, behaviour, document, torch
from conformance.expect import equal, raises


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
    raises(lambda: ad.leaf(value))


@behaviour(MUST, torch("autograd"), document("004"), cases={"floating": ([1.0],), "complex": ([1j],)})
def inexact_arrays_may_require_grad(ad, value):
    """Floating and complex arrays can require grad."""
    equal(ad.requires_grad(ad.leaf(value)), True)


@behaviour(
    MUST,
    torch("autograd"),
    cases={name: (name,) for name in ("float16", "float32", "float64", "complex64", "complex128")},
)
def half_and_complex_arrays_may_require_grad(ad, dtype):
    """Arrays can require grad in half, single and double precision, real or complex."""
    equal(ad.requires_grad(ad.leaf(1.0, dtype)), True)


@behaviour(MUST, torch("autograd"))
def bfloat16_arrays_may_require_grad(ad):
    """Arrays of the dtype bfloat16 can require grad."""
    equal(ad.requires_grad(ad.require_grad_(ad.bfloat16(1.0))), True)


@behaviour(MUST, torch("torch.tensor"))
def an_array_is_made_with_the_flag(ad):
    """An array can be asked for with the flag on: it requires grad from the start."""
    equal(ad.requires_grad(ad.leaf([1.0, 1.0])), True)


@behaviour(MUST, torch("torch.Tensor.requires_grad_"))
def switching_the_flag_returns_the_array(ad):
    """Switching the flag on returns the array itself, not another one."""
    x = ad.array([2.0])
    equal(ad.require_grad_(x) is x, True)


@behaviour(MUST, torch("notes/autograd", "Setting requires_grad"))
def a_plain_branch_is_not_recorded(ad):
    """What plain arrays compute leaves nothing in the graph: a product with it has one edge, to its leaf."""
    plain = ad.array(3.0) * 2
    equal(ad.next_names(ad.leaf(2.0) * plain), ("AccumulateGrad",))


@behaviour(MUST, torch("notes/autograd", "Setting requires_grad"))
def a_flag_switched_off_keeps_the_leaf_empty(ad):
    """A leaf whose flag is switched off after it was used receives no gradient from the backward that follows."""
    x = ad.leaf([1.0, 2.0])
    y = ad.np.sum(3 * x)
    ad.require_grad_(x, False)
    ad.backward(y)
    equal(ad.gradient_of(x), None)


@behaviour(
    MUST,
    torch(
        "notes/autograd", "Setting requires_grad", raises=RuntimeError, says="only change requires_grad flags of leaf"
    ),
)
def the_flag_of_a_result_cannot_be_switched_off(ad):
    """Switching the flag off is refused for the result of an operation."""
    y = 2 * ad.leaf(3.0)
    raises(lambda: ad.require_grad_(y, False))


@behaviour(MUST, torch("notes/autograd", "Setting requires_grad"))
def whatever_has_a_creator_requires_grad(ad):
    """An array that names the operation that made it requires grad."""
    y = 2 * ad.leaf(3.0)
    equal((ad.grad_fn_name(y), ad.requires_grad(y)), ("MulBackward0", True))


@behaviour(
    MUST,
    torch("torch.nn.parameter.Parameter", raises=RuntimeError, says="floating point and complex"),
)
def an_integer_parameter_must_not_require_grad(ad):
    """An array of integers cannot be wrapped as a parameter that requires grad."""
    raises(lambda: ad.parameter(ad.array([1, 2])))


@behaviour(MUST, torch("torch.nn.parameter.Parameter"))
def an_integer_parameter_may_be_plain(ad):
    """An array of integers can be wrapped as a parameter that does not require grad."""
    equal(ad.requires_grad(ad.parameter(ad.array([1, 2]), requires_grad=False)), False)


@behaviour(MUST, torch("notes/autograd", "Setting requires_grad"), cases={"on": (False, True), "off": (True, False)})
def the_flag_can_be_assigned(ad, before, after):
    """The flag of a leaf is an attribute that can be assigned, on as well as off."""
    x = ad.require_grad_(ad.array(2.0), before)
    ad.set_requires_grad_(x, after)
    equal((ad.requires_grad(x), ad.requires_grad(3 * x)), (after, after))


@behaviour(MUST, torch("torch.Tensor.requires_grad_"))
def the_flag_is_switched_off_in_place(ad):
    """Switching the flag of a leaf off changes the leaf itself: later operations on it are not recorded."""
    x = ad.leaf(2.0)
    ad.require_grad_(x, False)
    equal((ad.requires_grad(x), ad.requires_grad(x * x)), (False, False))
