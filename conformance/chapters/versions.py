"""Versions: the counter by which an array's memory tells how often it was written."""

from conformance.behaviour import MUST, behaviour, torch
from conformance.expect import equal

CHECKS = "In-place correctness checks"


@behaviour(MUST, torch("notes/autograd", CHECKS))
def a_version_counts_writes(ad):
    """The version of an array begins at zero, and each write in place adds one, whatever the operation."""
    x = ad.array([1.0, 2.0])
    seen = [ad.version_of(x)]
    ad.add_(x, 1.0)
    seen.append(ad.version_of(x))
    ad.inplace_(x, "zero")
    seen.append(ad.version_of(x))
    ad.set_item_(x, 0, 7.0)
    equal([*seen, ad.version_of(x)], [0, 1, 2, 3])


@behaviour(MUST, torch("notes/autograd", CHECKS), torch("tensor_view"))
def a_view_shares_its_version(ad):
    """A view and its base have one version, which a write through either advances for both."""
    base = ad.array([1.0, 2.0])
    view = base[:1]
    ad.add_(view, 1.0)
    ad.add_(base, 1.0)
    equal((ad.version_of(base), ad.version_of(view)), (2, 2))


@behaviour(MUST, torch("torch.Tensor.detach"))
def a_detached_value_shares_its_version(ad):
    """A write through a detached value advances the version of the array that it was detached from."""
    x = ad.leaf([1.0, 2.0]) * 1
    detached = ad.detach(x)
    ad.add_(detached, 1.0)
    equal((ad.version_of(x), ad.version_of(detached)), (1, 1))


@behaviour(MUST, torch("notes/autograd", CHECKS))
def a_clone_has_its_own_version(ad):
    """A clone counts its own writes from zero, and those of what was cloned do not advance it."""
    x = ad.array([1.0, 2.0])
    ad.add_(x, 1.0)
    copy = ad.clone(x)
    ad.add_(x, 1.0)
    equal((ad.version_of(x), ad.version_of(copy)), (2, 0))


@behaviour(MUST, torch("notes/autograd", CHECKS))
def an_unrecorded_write_counts_too(ad):
    """A write under no_grad advances the version as any other does."""
    x = ad.leaf([1.0, 2.0])
    with ad.no_grad():
        ad.add_(x, 1.0)
    equal(ad.version_of(x), 1)
