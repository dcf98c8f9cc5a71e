"""Version counters: how in-place operations on a tensor, its views and its clones are counted."""

from conformance.behaviour import MAY, MUST, behaviour, torch
from conformance.expect import equal, raises

CHECKS = "In-place correctness checks"


@behaviour(
    MUST,
    torch("notes/autograd", CHECKS),
    aliases=("_version", "version counter", "is at version 1; expected version 0"),
)
def each_inplace_write_increments_the_version(ad):
    """Each in-place write (add_, zero_, item assignment) adds one to the version counter of its tensor (but for
    an inference tensor, which has none)."""
    x, seen = ad.array([1.0, 2.0]), []
    before = ad.version_of(x)
    ad.add_(x, 1.0)
    seen.append(ad.version_of(x) - before)
    ad.inplace_(x, "zero")
    seen.append(ad.version_of(x) - before)
    ad.set_item_(x, 0, 7.0)
    equal([*seen, ad.version_of(x) - before], [1, 2, 3])


@behaviour(
    MAY,
    torch(
        "notes/autograd",
        CHECKS,
        unstated="views are not mentioned; the check of saved tensors relies on a shared counter",
    ),
)
def a_view_shares_the_version_of_its_base(ad):
    """A view and its base share one version counter: an in-place write on either adds one to it."""
    base = ad.array([1.0, 2.0])
    view, before = base[:1], ad.version_of(base)
    ad.add_(view, 1.0)
    ad.add_(base, 1.0)
    equal((ad.version_of(base) - before, ad.version_of(view) - before), (2, 2))


@behaviour(MAY, torch("torch.Tensor.detach"))
def a_detached_tensor_shares_the_version(ad):
    """A detached tensor shares the version counter of the original: an in-place write on it adds one to both."""
    x = ad.leaf([1.0, 2.0]) * 1
    detached, before = ad.detach(x), ad.version_of(x)
    ad.add_(detached, 1.0)
    equal((ad.version_of(x) - before, ad.version_of(detached) - before), (1, 1))


@behaviour(MUST, torch("notes/autograd", CHECKS))
def a_clone_has_its_own_version(ad):
    """A clone has a separate version counter: an in-place write on the original does not change it."""
    x = ad.array([1.0, 2.0])
    copy = ad.clone(x)
    versions = (ad.version_of(x), ad.version_of(copy))
    ad.add_(x, 1.0)
    equal((ad.version_of(x) - versions[0], ad.version_of(copy) - versions[1]), (1, 0))


@behaviour(MUST, torch("notes/autograd", CHECKS))
def a_write_under_no_grad_increments_the_version(ad):
    """An in-place write under no_grad adds one to the version counter too."""
    x = ad.leaf([1.0, 2.0])
    before = ad.version_of(x)
    with ad.no_grad():
        ad.add_(x, 1.0)
    equal(ad.version_of(x) - before, 1)


@behaviour(
    MUST,
    torch("torch.autograd.graph.increment_version", since="2.5"),
    cases={
        "tensor": (lambda x, y: x, (True, False)),
        "list": (lambda x, y: [x, y], (True, True)),
    },
    aliases=("increment_version",),
)
def increment_version_counts_a_write(ad, chosen, expected):
    """increment_version increments the version counter of a tensor, or of each tensor of a list."""
    x, y = ad.array([1.0, 2.0]), ad.leaf(3.0)
    before = (ad.version_of(x), ad.version_of(y))
    ad.increment_version_(chosen(x, y))
    equal((ad.version_of(x) > before[0], ad.version_of(y) > before[1]), expected)


@behaviour(
    MUST,
    torch("notes/autograd", CHECKS, raises=Exception, says="modified by an inplace operation"),
    torch("torch.autograd.graph.increment_version", since="2.1"),
)
def increment_version_makes_backward_raise_an_error(ad):
    """backward() raises an error after increment_version of a tensor that an operation has saved for it."""
    factor = ad.array(3.0)
    y = ad.leaf(2.0) * factor
    ad.increment_version_(factor)
    raises(lambda: ad.backward(y))


@behaviour(MUST, torch("torch.autograd.graph.increment_version", since="2.5"))
def increment_version_leaves_inference_tensors_out(ad):
    """increment_version skips an inference tensor, which has no version counter, without an error, and increments the
    version counters of the other tensors of a list."""
    with ad.inference_mode():
        x = ad.array([1.0, 2.0])
    y = ad.array(3.0)
    before = ad.version_of(y)
    ad.increment_version_(x)
    ad.increment_version_([x, y])
    equal(ad.version_of(y) > before, True)
