"""Detaching: detach(), detach_() and `.data`, and in-place operations on the detached tensor."""

from conformance.behaviour import MAY, MUST, SHOULD, behaviour, document, jax, torch
from conformance.expect import close, equal, raises


@behaviour(
    MUST,
    torch("torch.Tensor.detach"),
    jax("jax.lax.stop_gradient"),
    document("001"),
    aliases=("stop gradient", "stop_gradient"),
)
def a_detached_factor_is_a_constant(ad):
    """detach() (stop_gradient) makes a constant: the derivative of x * detach(x) at 3 is 3, not 6."""
    close(ad.grad(lambda x: x * ad.detach(x))(ad.array(3.0)), 3.0)


@behaviour(MUST, torch("torch.Tensor.detach"), document("000"), aliases=("detach() shares storage",))
def detach_shares_memory(ad):
    """detach() shares memory: modifying the detached tensor in-place changes the original, and the other way round."""
    x = ad.leaf([1.0, 2.0])
    detached = ad.detach(x)
    ad.mul_(detached, 10.0)
    close(x, [10.0, 20.0])
    with ad.no_grad():
        ad.add_(x, 3.0)
    close(detached, [13.0, 23.0])


@behaviour(
    MUST,
    torch("torch.Tensor.detach", raises=Exception, says="inplace"),
    torch("notes/autograd", "In-place correctness checks", raises=Exception, says="inplace"),
    document("000"),
    aliases=("one of the variables needed for gradient computation has been modified by an inplace operation",),
)
def an_inplace_write_through_detach_to_a_saved_tensor_raises(ad):
    """By default backward() raises an error if a tensor saved for it was modified in-place through its detach()."""
    a, b = ad.leaf([1.0, 1.0]), ad.leaf([0.5, 0.5])
    output = ad.np.sum(a * b)
    ad.inplace_(ad.detach(a), "sigmoid")
    raises(lambda: ad.backward(output))


@behaviour(MAY, document("000"), document("001"))
def data_does_not_require_grad(ad):
    """`.data` of a leaf does not require grad."""
    equal(ad.requires_grad(ad.data_of(ad.leaf([1.0, 1.0]))), False)


@behaviour(MAY, document("000"), aliases=(".data vs detach", "tensor.data silently wrong gradient"))
def an_inplace_write_through_data_raises_no_error(ad):
    """Modifying a saved tensor in-place through `.data` raises no error; backward() computes a wrong gradient."""
    a, b = ad.leaf([1.0, 1.0]), ad.leaf([5.0, 5.0])
    output = ad.np.sum(a * b)
    ad.mul_(ad.data_of(a), 7.0)
    ad.backward(output)
    close(ad.gradient_of(b), [7.0, 7.0])


@behaviour(MAY, document("001"))
def an_inplace_write_through_data_is_not_recorded(ad):
    """An in-place operation on x.data changes x but is not recorded: the gradient of an earlier y = 2x is still 2."""
    x = ad.leaf([1.0])
    y = 2 * x
    ad.mul_(ad.data_of(x), 100.0)
    ad.backward(y)
    close((x, ad.gradient_of(x)), ([100.0], [2.0]))


@behaviour(MAY, document("003"), document("001"))
def an_inplace_write_through_data_keeps_the_leaf(ad):
    """A leaf updated in-place through `.data` has the new value and is still a leaf that requires grad."""
    w = ad.leaf(2.0)
    ad.sub_(ad.data_of(w), w * 2)
    close(w, -2.0)
    equal((ad.is_leaf(w), ad.requires_grad(w)), (True, True))


@behaviour(
    SHOULD,
    torch("autograd", "torch.autograd", raises=Exception, says="does not require grad"),
    document("000"),
    cases={
        "from_data": (lambda ad: ad.np.sum(ad.data_of(ad.leaf([1.0, 1.0])) * 2),),
        "from_plain_arrays": (lambda ad: ad.np.sum(ad.array([1.0, 1.0]) * 2),),
    },
    aliases=("element 0 of tensors does not require grad",),
)
def backward_from_what_requires_no_grad_raises(ad, make):
    """backward() on a tensor that does not require grad raises an error."""
    output = make(ad)
    raises(lambda: ad.backward(output))


@behaviour(
    MUST,
    torch("torch.Tensor.detach_"),
    torch("torch.Tensor.is_leaf"),
    document("003"),
    aliases=("detach_",),
)
def inplace_detach_makes_a_leaf(ad):
    """detach_() makes a tensor that is no view, leaf or non-leaf, a leaf that does not require grad."""
    w = ad.leaf(2.0)
    x = w * 3
    ad.detach_(x)
    equal((ad.is_leaf(x), ad.requires_grad(x), ad.requires_grad(w)), (True, False, True))
    ad.detach_(w)
    equal((ad.is_leaf(w), ad.requires_grad(w)), (True, False))


@behaviour(MUST, torch("torch.Tensor.detach_"), torch("torch.Tensor.requires_grad_"), document("003"))
def a_leaf_can_be_detached_inplace_and_require_grad_again(ad):
    """A leaf that was detached and modified in-place, by detach_() and sub_(), can be set to require grad again, and is
    still a leaf."""
    w = ad.leaf(2.0)
    ad.detach_(w)
    ad.sub_(w, w * 2)
    ad.require_grad_(w)
    close(w, -2.0)
    equal((ad.is_leaf(w), ad.requires_grad(w)), (True, True))


@behaviour(
    MUST,
    torch("torch.Tensor.detach"),
    torch("notes/autograd", "Setting requires_grad"),
    document("001"),
    cases={
        "a_leaf": (lambda ad: ad.detach(ad.leaf([1.0])),),
        "a_result": (lambda ad: ad.detach(ad.leaf([1.0]) * 2),),
        "a_view": (lambda ad: ad.detach(ad.leaf([1.0, 2.0])[:1]),),
    },
)
def a_detached_tensor_does_not_require_grad(ad, make):
    """The output of detach() and what is computed from it alone do not require grad, even under enable_grad."""
    with ad.enable_grad():
        detached = make(ad)
        result = detached * 3
    equal((ad.requires_grad(detached), ad.requires_grad(result)), (False, False))


@behaviour(MUST, torch("torch.Tensor.detach_"))
def inplace_detach_removes_the_grad_fn(ad):
    """detach_() removes the grad_fn of a non-leaf tensor that is no view, and backward() computes no gradient beyond
    it."""
    x, w = ad.leaf(2.0), ad.leaf(3.0)
    y = x * 5
    ad.detach_(y)
    ad.backward(y * w)
    equal((ad.grad_fn_name(y), ad.gradient_of(x)), (None, None))
    close(ad.gradient_of(w), 10.0)


@behaviour(MUST, torch("torch.Tensor.detach"))
def an_inplace_write_through_detach_is_not_recorded(ad):
    """An in-place operation on y.detach() changes y but is not recorded: the gradient through y is unchanged."""
    x = ad.leaf([1.0, 2.0])
    y = x * 5
    ad.mul_(ad.detach(y), 3.0)
    ad.backward(ad.np.sum(y))
    close((y, ad.gradient_of(x)), ([15.0, 30.0], [5.0, 5.0]))


@behaviour(MUST, torch("torch.Tensor.detach_"))
def inplace_detach_drops_the_tangent(ad):
    """detach_() of a dual tensor that is no view removes its tangent, and what is computed from it afterwards has
    none."""
    with ad.dual_level():
        x = 3 * ad.make_dual(ad.array(2.0), ad.array(5.0))
        before = ad.tangent_of(x)
        ad.detach_(x)
        after = (ad.tangent_of(x), ad.tangent_of(7 * x))
    close(before, 15.0)
    equal(after, (None, None))
