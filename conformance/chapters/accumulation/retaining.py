"""Retaining: the gradient of a result, kept because somebody asked for it."""

from conformance.behaviour import MUST, behaviour, torch
from conformance.expect import close, equal


@behaviour(MUST, torch("torch.Tensor.retain_grad"), torch("torch.Tensor.grad"))
def keeping_a_gradient_adds_up_too(ad):
    """A result told twice to retain its gradient adds up over two backward passes, 2 and 2, as a leaf does."""
    y = 3 * ad.leaf(1.0)
    ad.retain_gradient_(y)
    ad.retain_gradient_(y)
    z = 2 * y
    ad.backward(z, retain_graph=True)
    ad.backward(z)
    close(ad.gradient_of(y), 4.0)


@behaviour(MUST, torch("torch.Tensor.retain_grad"), torch("torch.Tensor.retains_grad"))
def telling_a_leaf_to_keep_its_gradient_changes_nothing(ad):
    """A leaf, whose gradient is stored anyway, does not count as told to keep it."""
    x = ad.leaf(1.0)
    ad.retain_gradient_(x)
    equal(ad.retains_gradient(x), False)


@behaviour(MUST, torch("torch.Tensor.retains_grad"))
def a_result_says_whether_it_keeps_its_gradient(ad):
    """A result does not keep its gradient until it is told to."""
    y = 3 * ad.leaf(1.0)
    before = ad.retains_gradient(y)
    ad.retain_gradient_(y)
    equal((before, ad.retains_gradient(y)), (False, True))


@behaviour(
    MUST,
    torch("torch.Tensor.retain_grad"),
    torch("torch.Tensor.grad"),
    cases={
        "itself": (lambda base: base, lambda base: base),
        "a_view_of_it": (lambda base: base, lambda base: base[:1]),
        "its_base": (lambda base: base[:2], lambda base: base),
    },
)
def a_kept_gradient_is_that_of_the_new_value(ad, kept, written):
    """After a write in place the gradient kept is that of the new value: 2 for the sum of 2y, and not 20."""
    base = 3 * ad.leaf([1.0, 1.0])
    y = kept(base)
    ad.retain_gradient_(y)
    ad.mul_(written(base), 10.0)
    ad.backward(ad.np.sum(2 * y))
    close(ad.gradient_of(y), [2.0, 2.0])
