"""Detaching: values without their history, and what writing into them does."""

from conformance.behaviour import MAY, MUST, SHOULD, behaviour, document, jax, torch, torch_func
from conformance.expect import close, equal, raises


@behaviour(MUST, torch("torch.Tensor.detach"), document("001"))
def a_detached_value_does_not_require_grad(ad):
    """A detached value does not require grad, although what it was made from does."""
    x = ad.leaf([1.0, 2.0])
    equal(ad.requires_grad(ad.detach(x * x)), False)


@behaviour(
    MUST,
    torch("torch.Tensor.detach"),
    jax("jax.lax.stop_gradient"),
    torch_func("torch.func.grad"),
    document("001"),
)
def a_detached_factor_is_a_constant(ad):
    """No derivative flows through a detached value: x times a detached x has the derivative x."""
    close(ad.grad(lambda x: x * ad.detach(x))(ad.array(3.0)), 3.0)


@behaviour(MUST, torch("torch.Tensor.detach"), document("000"))
def a_detached_value_shares_memory(ad):
    """Writing into a detached value changes the array that it was detached from."""
    x = ad.leaf([1.0, 2.0])
    ad.mul_(ad.detach(x), 10.0)
    close(x, [10.0, 20.0])


@behaviour(
    MUST,
    torch("torch.Tensor.detach", raises=RuntimeError, says="modified by an inplace operation"),
    document("000"),
)
def a_write_through_detach_is_noticed(ad):
    """Backward is refused when a value that it needs was overwritten through its detached twin."""
    a, b = ad.leaf([1.0, 1.0]), ad.leaf([0.5, 0.5])
    output = ad.np.sum(a * b)
    ad.inplace_(ad.detach(a), "sigmoid")
    raises(lambda: ad.backward(output))


@behaviour(MAY, document("000"), document("001"))
def data_does_not_require_grad(ad):
    """The old way to detach, `.data`, gives a value outside the graph too."""
    equal(ad.requires_grad(ad.data_of(ad.leaf([1.0, 1.0]))), False)


@behaviour(MAY, document("000"))
def a_write_through_data_goes_unnoticed(ad):
    """A write through `.data` into a saved value goes unnoticed, and the gradient is silently wrong: 7, not 1."""
    a, b = ad.leaf([1.0, 1.0]), ad.leaf([5.0, 5.0])
    output = ad.np.sum(a * b)
    ad.mul_(ad.data_of(a), 7.0)
    ad.backward(output)
    close(ad.gradient_of(b), [7.0, 7.0])


@behaviour(MAY, document("001"))
def a_write_through_data_is_not_recorded(ad):
    """Multiplying `.data` by 100 changes the leaf to 100 and leaves the gradient of 2x at 2."""
    x = ad.leaf([1.0])
    y = 2 * x
    ad.mul_(ad.data_of(x), 100.0)
    ad.backward(y)
    close((x, ad.gradient_of(x)), ([100.0], [2.0]))


@behaviour(MAY, document("003"), document("001"))
def a_write_through_data_keeps_the_leaf(ad):
    """A leaf written through `.data` has the new value and is still a leaf that requires grad: 2 - 4 is -2."""
    w = ad.leaf(2.0)
    ad.sub_(ad.data_of(w), w * 2)
    close(w, -2.0)
    equal((ad.is_leaf(w), ad.requires_grad(w)), (True, True))


@behaviour(
    MUST,
    torch("torch.autograd.backward", raises=RuntimeError, says="does not require grad"),
    document("000"),
    cases={
        "from_data": (lambda ad: ad.np.sum(ad.data_of(ad.leaf([1.0, 1.0])) * 2),),
        "from_plain_arrays": (lambda ad: ad.np.sum(ad.array([1.0, 1.0]) * 2),),
    },
)
def backward_needs_something_that_requires_grad(ad, make):
    """Backward is refused from a result that was computed from nothing that requires grad."""
    output = make(ad)
    raises(lambda: ad.backward(output))


@behaviour(MUST, torch("torch.Tensor.detach_"), document("003"))
def an_array_can_detach_itself(ad):
    """Detaching in place turns the array itself into a leaf that does not require grad."""
    x = ad.leaf(2.0) * 3
    ad.detach_(x)
    equal((ad.is_leaf(x), ad.requires_grad(x)), (True, False))


@behaviour(SHOULD, torch("torch.Tensor.detach_"), document("003"))
def a_leaf_can_be_detached_updated_and_watched_again(ad):
    """A leaf that detached itself can be updated in place and asked to require grad again: 2 becomes -2."""
    w = ad.leaf(2.0)
    ad.detach_(w)
    ad.sub_(w, w * 2)
    ad.require_grad_(w)
    close(w, -2.0)
    equal((ad.is_leaf(w), ad.requires_grad(w)), (True, True))


@behaviour(
    MUST,
    torch("torch.Tensor.detach"),
    cases={
        "a_leaf": (lambda ad: ad.detach(ad.leaf([1.0])),),
        "a_result": (lambda ad: ad.detach(ad.leaf([1.0]) * 2),),
        "a_view": (lambda ad: ad.detach(ad.leaf([1.0, 2.0])[:1]),),
    },
)
def a_detached_value_never_requires_grad(ad, make):
    """Under enable_grad, too, what is detached does not require grad, and neither does what is computed from it."""
    with ad.enable_grad():
        detached = make(ad)
        result = detached * 3
    equal((ad.requires_grad(detached), ad.requires_grad(result)), (False, False))


@behaviour(MUST, torch("torch.Tensor.detach_"))
def an_array_that_detached_itself_has_no_creator(ad):
    """A result that detached itself names no operation that made it, and backward through it ends there."""
    x, w = ad.leaf(2.0), ad.leaf(3.0)
    y = x * 5
    ad.detach_(y)
    ad.backward(y * w)
    equal((ad.grad_fn_name(y), ad.gradient_of(x)), (None, None))
    close(ad.gradient_of(w), 10.0)


@behaviour(MUST, torch("torch.Tensor.detach"))
def a_write_through_detach_is_not_recorded(ad):
    """A write through a detached value triples the numbers, and leaves history and gradient as they were."""
    x = ad.leaf([1.0, 2.0])
    y = x * 5
    ad.mul_(ad.detach(y), 3.0)
    ad.backward(ad.np.sum(y))
    close((y, ad.gradient_of(x)), ([15.0, 30.0], [5.0, 5.0]))
