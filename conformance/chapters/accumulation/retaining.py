"""Accumulation, retaining: the .grad of a non-leaf after retain_grad()."""

from conformance.behaviour import MAY, MUST, behaviour, torch
from conformance.expect import close, equal


@behaviour(
    MUST, torch("torch.Tensor.retain_grad"), torch("torch.Tensor.grad"), aliases=("gradient of an intermediate",)
)
def a_retained_gradient_accumulates(ad):
    """After retain_grad(), even if called twice, the .grad of a non-leaf accumulates over two backward passes."""
    y = 3 * ad.leaf(1.0)
    ad.retain_gradient_(y)
    ad.retain_gradient_(y)
    z = 2 * y
    ad.backward(z, retain_graph=True)
    ad.backward(z)
    close(ad.gradient_of(y), 4.0)


@behaviour(MUST, torch("torch.Tensor.retain_grad"), torch("torch.Tensor.retains_grad"))
def retain_grad_on_a_leaf_is_a_no_op(ad):
    """retain_grad() on a leaf that requires grad is a no-op: its retains_grad stays False and backward() adds its
    gradient once."""
    x = ad.leaf(1.0)
    ad.retain_gradient_(x)
    equal(ad.retains_gradient(x), False)
    ad.backward(3 * x)
    close(ad.gradient_of(x), 3.0)


@behaviour(MUST, torch("torch.Tensor.retains_grad"))
def retains_grad_is_true_after_retain_grad(ad):
    """The retains_grad of a non-leaf is False, and True after retain_grad()."""
    y = 3 * ad.leaf(1.0)
    before = ad.retains_gradient(y)
    ad.retain_gradient_(y)
    equal((before, ad.retains_gradient(y)), (False, True))


@behaviour(
    MAY,
    torch(
        "torch.Tensor.retain_grad",
        unstated="in-place operations are not mentioned; the note on hooks has the opposite for hooks",
    ),
    cases={
        "itself": (lambda base: base, lambda base: base),
        "a_view_of_it": (lambda base: base, lambda base: base[:1]),
        "its_base": (lambda base: base[:2], lambda base: base),
    },
)
def retain_grad_follows_an_in_place_write(ad, kept, written):
    """retain_grad() stores the gradient of the new value if the tensor (or a view or its base) is modified in-place."""
    base = 3 * ad.leaf([1.0, 1.0])
    y = kept(base)
    ad.retain_gradient_(y)
    ad.mul_(written(base), 10.0)
    ad.backward(ad.np.sum(2 * y))
    close(ad.gradient_of(y), [2.0, 2.0])


@behaviour(
    MUST,
    torch("torch.Tensor.retain_grad"),
    torch("torch.Tensor.is_leaf"),
    cases={"made": (lambda x: x,), "computed": (lambda x: 2 * x,)},
    aliases=("can't retain_grad on tensor that has requires_grad=false",),
)
def retain_grad_without_requires_grad_is_a_no_op(ad, make):
    """retain_grad() on a tensor that does not require grad, which is a leaf by convention, is a no-op."""
    x = make(ad.array([1.0, 2.0]))
    ad.retain_gradient_(x)
    found = (ad.is_leaf(x), ad.requires_grad(x), ad.retains_gradient(x), ad.gradient_of(x))
    equal(found, (True, False, False, None))
