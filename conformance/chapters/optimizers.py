"""Optimizers: what changes parameters by their gradients, and leaves them leaves."""

from conformance.behaviour import MUST, behaviour, torch
from conformance.expect import close, equal, raises

ZERO = "torch.optim.Optimizer.zero_grad"


@behaviour(MUST, torch("optim", raises=ValueError, says="can't optimize a non-leaf"))
def a_result_cannot_be_optimised(ad):
    """An optimizer refuses a result among its parameters: they have to be leaves."""
    x = ad.leaf(3.0)
    raises(lambda: ad.sgd([x, 2 * x], 0.1))


@behaviour(MUST, torch("notes/autograd", "No-grad Mode"))
def a_step_is_not_recorded(ad):
    """A step changes the parameter itself, from 3 to 3 - 0.1 * 6, and it is still a leaf that requires grad."""
    p = ad.leaf(3.0)
    optimizer = ad.sgd([p], 0.1)
    ad.backward(p * p)
    ad.step_(optimizer)
    close(p, 2.4)
    equal((ad.is_leaf(p), ad.requires_grad(p)), (True, True))


@behaviour(MUST, torch(ZERO))
def a_step_skips_what_has_no_gradient(ad):
    """A step leaves a parameter without gradient as it is, although another beside it decays."""
    p, without = ad.leaf(3.0), ad.leaf(5.0)
    optimizer = ad.sgd([p, without], 0.1, weight_decay=0.5)
    ad.backward(p * p)
    ad.step_(optimizer)
    close((p, without), (2.25, 5.0))


@behaviour(MUST, torch(ZERO))
def a_gradient_of_zero_is_stepped_with(ad):
    """A step does not skip a parameter whose gradient is zero: it decays, from 2 to 2 - 0.1 * 0.5 * 2."""
    p = ad.leaf(2.0)
    optimizer = ad.sgd([p], 0.1, weight_decay=0.5)
    ad.backward(0 * p)
    ad.step_(optimizer)
    close(p, 1.9)


@behaviour(MUST, torch(ZERO, since="2.0"))
def zeroing_an_optimizer_clears_by_default(ad):
    """Zeroing the gradients of an optimizer leaves its parameters without any, and other leaves with theirs."""
    p, other = ad.leaf(2.0), ad.leaf(3.0)
    optimizer = ad.sgd([p], 0.1)
    ad.backward(p * other)
    ad.zero_gradients_(optimizer)
    equal(ad.gradient_of(p), None)
    close(ad.gradient_of(other), 2.0)
