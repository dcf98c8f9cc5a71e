"""Leaves, flags: which tensors require grad, and how requires_grad is set."""

from conformance.behaviour import MUST, SHOULD, behaviour, document, torch
from conformance.expect import equal, raises

SETTING = "Setting requires_grad"


@behaviour(MUST, torch("notes/autograd", SETTING), document("000"))
def requires_grad_is_off_by_default(ad):
    """requires_grad is False by default."""
    equal(ad.requires_grad(ad.array([1.0, 1.0])), False)


@behaviour(
    MUST,
    torch("notes/autograd", SETTING),
    document("000"),
    cases={
        "neither": (False, False, False),
        "first": (True, False, True),
        "second": (False, True, True),
        "both": (True, True, True),
    },
)
def one_input_that_requires_grad_suffices(ad, first, second, expected):
    """In grad mode the output of an addition requires grad if and only if at least one of its inputs does."""
    a = ad.require_grad_(ad.array([1.0]), first)
    b = ad.require_grad_(ad.array([2.0]), second)
    equal(ad.requires_grad(a + b), expected)


@behaviour(MUST, torch("torch.Tensor.requires_grad_"), document("001"))
def the_flag_is_switched_on_in_place(ad):
    """requires_grad_() changes the tensor in-place: later operations on it are recorded."""
    x = ad.array([2.0])
    ad.require_grad_(x)
    equal(ad.requires_grad(x * x), True)


@behaviour(MUST, torch("torch.Tensor.requires_grad_"))
def the_flag_does_not_reach_back(ad):
    """requires_grad_() has no effect on outputs that were computed before: they do not require grad."""
    x = ad.array([2.0])
    earlier = x * x
    ad.require_grad_(x)
    equal(ad.requires_grad(earlier), False)


@behaviour(
    MUST,
    torch("autograd", "torch.autograd", raises=Exception, says="floating point"),
    document("004"),
    cases={"integers": ([1, 2],), "booleans": ([True, False],)},
)
def only_inexact_arrays_require_grad(ad, value):
    """Setting requires_grad=True on a tensor of integers or booleans raises an error."""
    raises(lambda: ad.leaf(value))


@behaviour(
    MUST,
    torch("autograd", "torch.autograd"),
    document("004"),
    cases={name: (name,) for name in ("float16", "float32", "float64", "complex64", "complex128")},
)
def half_and_complex_arrays_may_require_grad(ad, dtype):
    """Floating point tensors (half, float, double) and complex tensors can require grad."""
    equal(ad.requires_grad(ad.leaf(1.0, dtype)), True)


@behaviour(MUST, torch("autograd", "torch.autograd"))
def bfloat16_arrays_may_require_grad(ad):
    """Tensors of dtype bfloat16 can require grad."""
    equal(ad.requires_grad(ad.require_grad_(ad.bfloat16(1.0))), True)


@behaviour(MUST, torch("torch.tensor"))
def an_array_is_made_with_the_flag(ad):
    """A tensor created with requires_grad=True requires grad from the start."""
    equal(ad.requires_grad(ad.leaf([1.0, 1.0])), True)


@behaviour(MUST, torch("torch.Tensor.requires_grad_"))
def switching_the_flag_returns_the_array(ad):
    """requires_grad_() returns the tensor itself."""
    x = ad.array([2.0])
    equal(ad.require_grad_(x) is x, True)


@behaviour(MUST, torch("notes/autograd", SETTING))
def a_plain_branch_is_not_recorded(ad):
    """Operations on tensors that do not require grad are not recorded: the graph of x * (2 * c) leads to x only."""
    constant = ad.array(3.0) * 2
    equal(ad.next_names(ad.leaf(2.0) * constant), ("AccumulateGrad",))


@behaviour(MUST, torch("notes/autograd", SETTING))
def a_flag_switched_off_keeps_the_leaf_empty(ad):
    """After requires_grad_(False) on a leaf, backward() through a graph recorded before does not populate its .grad."""
    x = ad.leaf([1.0, 2.0])
    y = ad.np.sum(3 * x)
    ad.require_grad_(x, False)
    ad.backward(y)
    equal(ad.gradient_of(x), None)


@behaviour(
    SHOULD,
    torch("notes/autograd", SETTING, raises=Exception, says="leaf"),
)
def the_flag_of_a_result_cannot_be_switched_off(ad):
    """requires_grad_(False) on a non-leaf raises an error."""
    y = 2 * ad.leaf(3.0)
    raises(lambda: ad.require_grad_(y, False))


@behaviour(MUST, torch("notes/autograd", SETTING))
def whatever_has_a_creator_requires_grad(ad):
    """A non-leaf, a tensor that has a grad_fn, requires grad."""
    y = 2 * ad.leaf(3.0)
    equal((ad.grad_fn_name(y) is None, ad.requires_grad(y)), (False, True))


@behaviour(
    MUST,
    torch("autograd", "torch.autograd", raises=Exception, says="floating point"),
)
def an_integer_parameter_must_not_require_grad(ad):
    """Parameter(x) raises an error for a tensor x of integers, as requires_grad is True by default."""
    raises(lambda: ad.parameter(ad.array([1, 2])))


@behaviour(MUST, torch("torch.nn.parameter.Parameter"))
def an_integer_parameter_may_be_plain(ad):
    """Parameter(x, requires_grad=False) accepts an integer x."""
    equal(ad.requires_grad(ad.parameter(ad.array([1, 2]), requires_grad=False)), False)


@behaviour(
    MUST,
    torch("notes/autograd", "Locally disabling gradient computation"),
    cases={"on": (False, True), "off": (True, False)},
)
def the_flag_can_be_assigned(ad, before, after):
    """The requires_grad attribute of a leaf can be assigned, True or False."""
    x = ad.require_grad_(ad.array(2.0), before)
    ad.set_requires_grad_(x, after)
    equal((ad.requires_grad(x), ad.requires_grad(3 * x)), (after, after))


@behaviour(MUST, torch("torch.Tensor.requires_grad_"))
def the_flag_is_switched_off_in_place(ad):
    """requires_grad_(False) changes a leaf in-place: later operations on it are not recorded."""
    x = ad.leaf(2.0)
    ad.require_grad_(x, False)
    equal((ad.requires_grad(x), ad.requires_grad(x * x)), (False, False))
