"""Leaves, flags: which tensors require grad, and how requires_grad is set."""

from conformance.behaviour import MUST, SHOULD, behaviour, document, torch
from conformance.expect import close, equal, raises

SETTING = "Setting requires_grad"


@behaviour(MUST, torch("notes/autograd", SETTING), document("000"))
def requires_grad_is_off_by_default(ad):
    """A tensor created from data has requires_grad=False by default, unless it is a Parameter."""
    equal(ad.requires_grad(ad.array([1.0, 1.0])), False)


@behaviour(
    MUST,
    torch("notes/autograd", SETTING),
    torch("autograd", "Autograd graph"),
    document("000"),
    cases={
        "neither": (False, False, False),
        "first": (True, False, True),
        "second": (False, True, True),
        "both": (True, True, True),
    },
)
def an_output_requires_grad_if_any_input_does(ad, first, second, expected):
    """In grad mode the output of an addition requires grad if and only if at least one of its inputs does."""
    a = ad.require_grad_(ad.array([1.0]), first)
    b = ad.require_grad_(ad.array([2.0]), second)
    equal(ad.requires_grad(a + b), expected)


@behaviour(MUST, torch("torch.Tensor.requires_grad_"), document("001"))
def requires_grad_changes_the_array_in_place(ad):
    """requires_grad_() changes the tensor in-place: later operations on it in grad mode are recorded."""
    x = ad.array([2.0])
    ad.require_grad_(x)
    equal(ad.requires_grad(x * x), True)


@behaviour(MUST, torch("torch.Tensor.requires_grad_"))
def requires_grad_does_not_affect_earlier_outputs(ad):
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
    aliases=("only tensors of floating point and complex dtype can require gradients",),
)
def integer_and_boolean_arrays_cannot_require_grad(ad, value):
    """Setting requires_grad=True on a tensor of integers or booleans raises an error."""
    raises(lambda: ad.leaf(value))


@behaviour(
    MUST,
    torch("autograd", "torch.autograd"),
    document("004"),
    cases={name: (name,) for name in ("float16", "float32", "float64", "complex64", "complex128")},
    aliases=("mixed precision dtypes",),
)
def floating_and_complex_arrays_can_require_grad(ad, dtype):
    """Floating point tensors (half, float, double) and complex tensors can require grad."""
    equal(ad.requires_grad(ad.leaf(1.0, dtype)), True)


@behaviour(MUST, torch("autograd", "torch.autograd"))
def bfloat16_arrays_can_require_grad(ad):
    """Tensors of dtype bfloat16 can require grad."""
    equal(ad.requires_grad(ad.require_grad_(ad.bfloat16(1.0))), True)


@behaviour(MUST, torch("torch.tensor"))
def an_array_can_be_created_with_requires_grad(ad):
    """A tensor created with requires_grad=True requires grad from the start."""
    equal(ad.requires_grad(ad.leaf([1.0, 1.0])), True)


@behaviour(MUST, torch("torch.Tensor.requires_grad_"))
def requires_grad_returns_the_array(ad):
    """requires_grad_() returns the tensor itself."""
    x = ad.array([2.0])
    equal(ad.require_grad_(x) is x, True)


@behaviour(MUST, torch("notes/autograd", SETTING))
def a_branch_without_requires_grad_is_not_recorded(ad):
    """Operations on tensors that do not require grad are not recorded: the graph of x * (2 * c) leads to x only."""
    constant = ad.array(3.0) * 2
    equal(ad.next_names(ad.leaf(2.0) * constant), ("AccumulateGrad",))


@behaviour(MUST, torch("notes/autograd", SETTING))
def a_leaf_frozen_before_backward_gets_no_gradient(ad):
    """After requires_grad_(False) on a leaf, backward() through a graph recorded before does not populate its .grad."""
    x = ad.leaf([1.0, 2.0])
    y = ad.np.sum(3 * x)
    ad.require_grad_(x, False)
    ad.backward(y)
    equal(ad.gradient_of(x), None)


@behaviour(
    SHOULD,
    torch("notes/autograd", SETTING, raises=Exception, says="flags of leaf"),
    aliases=("you can only change requires_grad flags of leaf variables",),
)
def requires_grad_of_a_non_leaf_cannot_be_set_to_false(ad):
    """requires_grad_(False) on a non-leaf raises an error."""
    y = 2 * ad.leaf(3.0)
    raises(lambda: ad.require_grad_(y, False))


@behaviour(MUST, torch("notes/autograd", SETTING))
def a_non_leaf_requires_grad(ad):
    """A non-leaf, a tensor that has a grad_fn, requires grad."""
    y = 2 * ad.leaf(3.0)
    equal((ad.grad_fn_name(y) is None, ad.requires_grad(y)), (False, True))


@behaviour(
    MUST,
    torch("autograd", "torch.autograd", raises=Exception, says="floating point"),
    torch("torch.nn.parameter.Parameter", raises=Exception, says="floating point"),
    aliases=("integer parameter",),
)
def an_integer_parameter_cannot_require_grad(ad):
    """Parameter(x) raises an error for a tensor x of integers, as requires_grad is True by default."""
    raises(lambda: ad.parameter(ad.array([1, 2])))


@behaviour(MUST, torch("torch.nn.parameter.Parameter"))
def an_integer_parameter_without_requires_grad(ad):
    """Parameter(x, requires_grad=False) accepts a tensor x of integers, and the parameter does not require grad."""
    equal(ad.requires_grad(ad.parameter(ad.array([1, 2]), requires_grad=False)), False)


@behaviour(
    MUST,
    torch("notes/autograd", "Locally disabling gradient computation"),
    cases={"on": (False, True), "off": (True, False)},
)
def requires_grad_can_be_assigned(ad, before, after):
    """The requires_grad attribute of a floating point leaf can be assigned, True or False."""
    x = ad.require_grad_(ad.array(2.0), before)
    ad.set_requires_grad_(x, after)
    equal((ad.requires_grad(x), ad.requires_grad(3 * x)), (after, after))


@behaviour(MUST, torch("torch.Tensor.requires_grad_"), aliases=("freeze parameters",))
def requires_grad_false_changes_a_leaf_in_place(ad):
    """requires_grad_(False) changes a leaf in-place: later operations on it are not recorded."""
    x = ad.leaf(2.0)
    ad.require_grad_(x, False)
    equal((ad.requires_grad(x), ad.requires_grad(x * x)), (False, False))


@behaviour(MUST, torch("torch.Tensor.requires_grad_"))
def requires_grad_of_integers_can_be_set_to_false(ad):
    """requires_grad_(False) is possible on a tensor of integers: requires_grad is False, and the tensor is returned."""
    x = ad.array([1, 2])
    equal(ad.require_grad_(x, False) is x, True)
    equal(ad.requires_grad(x), False)


@behaviour(MUST, torch("torch.Tensor.requires_grad"), torch("notes/autograd", SETTING))
def requires_grad_tells_whether_a_gradient_is_computed(ad):
    """requires_grad of a leaf is True if its gradient needs to be computed, and False if not: of three factors,
    backward() accumulates the gradients of those with requires_grad=True only."""
    x, c, y = ad.leaf(2.0), ad.array(3.0), ad.leaf(5.0)
    ad.backward(x * c * y)
    equal((ad.requires_grad(x), ad.requires_grad(c), ad.requires_grad(y)), (True, False, True))
    close((ad.gradient_of(x), ad.gradient_of(c), ad.gradient_of(y)), (15.0, None, 6.0))


@behaviour(
    MUST,
    torch("notes/autograd", SETTING),
    cases={
        "first": (True, False, False, True),
        "middle": (False, True, False, True),
        "last": (False, False, True, True),
        "none": (False, False, False, False),
    },
)
def a_stack_requires_grad_if_one_input_does(ad, first, second, third, expected):
    """In grad mode, the output of stack() of three tensors requires grad if one of them does, in any place, and does
    not if none does."""
    x = ad.require_grad_(ad.array(1.0), first)
    y = ad.require_grad_(ad.array(2.0), second)
    z = ad.require_grad_(ad.array(3.0), third)
    equal(ad.requires_grad(ad.np.stack((x, y, z))), expected)
