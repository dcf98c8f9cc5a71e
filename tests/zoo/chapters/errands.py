"""Errands: what a broken adapter is sent on. Each verb is asked for once, so that one of them can be the broken one."""

from conformance.behaviour import MUST, behaviour, torch
from conformance.expect import close, equal, raises

PAGE = "torch.Tensor.backward"


@behaviour(MUST, torch(PAGE))
def arrays_keep_their_numbers(ad):
    """An array has the numbers that it was made of."""
    close(ad.array([1.0, 2.0]), [1.0, 2.0])


@behaviour(MUST, torch(PAGE))
def detaching_keeps_the_numbers(ad):
    """A detached array has the numbers of its source."""
    close(ad.detach(ad.array([3.0])), [3.0])


@behaviour(MUST, torch(PAGE))
def leaves_are_leaves(ad):
    """A leaf says that it is one."""
    equal(ad.is_leaf(ad.leaf([1.0])), True)


@behaviour(MUST, torch(PAGE, raises=RuntimeError, says="no gradient"))
def backward_raises_an_error(ad):
    """backward raises an error on this engine."""
    raises(lambda: ad.backward(ad.leaf([1.0])))


@behaviour(MUST, torch(PAGE))
def a_clone_keeps_the_numbers(ad):
    """A clone has the numbers of its source."""
    close(ad.clone(ad.array([5.0])), [5.0])
