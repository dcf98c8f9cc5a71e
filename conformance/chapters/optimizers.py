"""Optimizers: how a step and zero_grad treat parameters and their gradients."""

from conformance.behaviour import MUST, SHOULD, behaviour, torch
from conformance.expect import close, equal, raises

ZERO = "torch.optim.Optimizer.zero_grad"


@behaviour(SHOULD, torch("optim", raises=Exception, says="non-leaf"), aliases=("can't optimize a non-leaf tensor",))
def a_non_leaf_cannot_be_optimized(ad):
    """Constructing an optimizer with a non-leaf tensor among its parameters raises an error."""
    x = ad.leaf(3.0)
    raises(lambda: ad.sgd([x, 2 * x], 0.1))


@behaviour(MUST, torch("torch.optim.SGD"))
def a_step_is_not_recorded(ad):
    """By default, an SGD step sets p to p - lr * grad without recording it: p is still a leaf that requires grad."""
    p = ad.leaf(3.0)
    optimizer = ad.sgd([p], 0.1)
    ad.backward(p * p)
    ad.step_(optimizer)
    close(p, 2.4)
    equal((ad.is_leaf(p), ad.requires_grad(p)), (True, True))


@behaviour(MUST, torch(ZERO), aliases=("grad none vs zero optimizer",))
def a_step_skips_a_parameter_without_gradient(ad):
    """An optimizer step skips a parameter whose `.grad` is None: no weight decay is applied to it."""
    p, without = ad.leaf(3.0), ad.leaf(5.0)
    optimizer = ad.sgd([p, without], 0.1, weight_decay=0.5)
    ad.backward(p * p)
    ad.step_(optimizer)
    close((p, without), (2.25, 5.0))


@behaviour(MUST, torch(ZERO), aliases=("weight decay without gradient",))
def a_step_does_not_skip_a_gradient_of_zero(ad):
    """An optimizer step does not skip a parameter whose gradient is zero: weight decay is applied to it."""
    p = ad.leaf(2.0)
    optimizer = ad.sgd([p], 0.1, weight_decay=0.5)
    ad.backward(0 * p)
    ad.step_(optimizer)
    close(p, 1.9)


@behaviour(MUST, torch(ZERO, since="2.0"), aliases=("zero_grad set_to_none",))
def zero_grad_sets_to_none_by_default(ad):
    """By default, zero_grad() of an optimizer sets `.grad` of its parameters to None; it changes no other leaf's
    `.grad`."""
    p, other = ad.leaf(2.0), ad.leaf(3.0)
    optimizer = ad.sgd([p], 0.1)
    ad.backward(p * other)
    ad.zero_gradients_(optimizer)
    equal(ad.gradient_of(p), None)
    close(ad.gradient_of(other), 2.0)
