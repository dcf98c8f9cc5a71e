"""Accumulation, retaining: the .grad of a non-leaf after retain_grad()."""

from conformance.behaviour import MAY, MUST, behaviour, torch
from conformance.expect import close, equal


@behaviour(MUST, torch("torch.Tensor.retain_grad"), torch("torch.Tensor.grad"))
def keeping_a_gradient_adds_up_too(ad):
    """The .grad of a non-leaf accumulates over two backward passes, even if retain_grad() is called twice."""
    y = 3 * ad.leaf(1.0)
    ad.retain_gradient_(y)
    ad.retain_gradient_(y)
    z = 2 * y
    ad.backward(z, retain_graph=True)
    ad.backward(z)
    close(ad.gradient_of(y), 4.0)


@behaviour(MUST, torch("torch.Tensor.retain_grad"), torch("torch.Tensor.retains_grad"))
def telling_a_leaf_to_keep_its_gradient_changes_nothing(ad):
    """retain_grad() on a leaf is a no-op: its retains_grad stays False."""
    x = ad.leaf(1.0)
    ad.retain_gradient_(x)
    equal(ad.retains_gradient(x), False)


@behaviour(MUST, torch("torch.Tensor.retains_grad"))
def a_result_says_whether_it_keeps_its_gradient(ad):
    """The retains_grad of a non-leaf is False, and True after retain_grad()."""
    y = 3 * ad.leaf(1.0)
    before = ad.retains_gradient(y)
    ad.retain_gradient_(y)
    equal((before, ad.retains_gradient(y)), (False, True))


@behaviour(
    MAY,
    torch("torch.Tensor.retain_grad"),
    cases={
        "itself": (lambda base: base, lambda base: base),
        "a_view_of_it": (lambda base: base, lambda base: base[:1]),
        "its_base": (lambda base: base[:2], lambda base: base),
    },
)
def a_kept_gradient_is_that_of_the_new_value(ad, kept, written):
    """retain_grad() stores the gradient of the new value if the tensor (or a view or its base) is modified in-place."""
    base = 3 * ad.leaf([1.0, 1.0])
    y = kept(base)
    ad.retain_gradient_(y)
    ad.mul_(written(base), 10.0)
    ad.backward(ad.np.sum(2 * y))
    close(ad.gradient_of(y), [2.0, 2.0])
