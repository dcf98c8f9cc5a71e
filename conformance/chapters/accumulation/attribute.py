"""The stored gradient as an attribute: what may be assigned to it, and how it is deleted."""

from conformance.behaviour import MUST, behaviour, torch
from conformance.expect import equal, raises

GRAD = "torch.Tensor.grad"


@behaviour(MUST, torch(GRAD, raises=RuntimeError, says="size"))
def a_stored_gradient_has_the_shape_of_its_leaf(ad):
    """A gradient of another shape cannot be assigned."""
    raises(lambda: ad.set_gradient_(ad.leaf([1.0]), ad.array([1.0, 2.0])))


@behaviour(MUST, torch(GRAD, raises=RuntimeError, says="dtype"))
def a_stored_gradient_has_the_dtype_of_its_leaf(ad):
    """A gradient of double precision cannot be assigned to a leaf of single precision."""
    raises(lambda: ad.set_gradient_(ad.leaf(1.0, dtype="float32"), ad.array(1.0, dtype="float64")))


@behaviour(MUST, torch(GRAD, raises=TypeError, says="expected to be a Tensor or None"))
def a_stored_gradient_is_an_array_or_none(ad):
    """A plain number cannot be assigned as a gradient."""
    raises(lambda: ad.set_gradient_(ad.leaf(1.0), 3.0))


@behaviour(MUST, torch(GRAD, raises=RuntimeError, says="device"))
def a_stored_gradient_is_on_the_device_of_its_leaf(ad):
    """A gradient that lives on another device cannot be assigned."""
    raises(lambda: ad.set_gradient_(ad.leaf(1.0), ad.to_meta_device(ad.array(3.0))))


@behaviour(MUST, torch(GRAD))
def a_gradient_can_be_deleted(ad):
    """After the attribute is deleted, the leaf has no gradient, as before any backward."""
    x = ad.leaf(2.0)
    ad.backward(3 * x)
    ad.delete_gradient_(x)
    equal(ad.gradient_of(x), None)


@behaviour(MUST, torch(GRAD))
def an_assigned_gradient_can_be_none(ad):
    """None can be assigned in the place of a gradient."""
    x = ad.leaf(2.0)
    ad.backward(3 * x)
    ad.set_gradient_(x, None)
    equal(ad.gradient_of(x), None)


@behaviour(MUST, torch("torch.autograd.backward"), cases={"plain": (False, False), "create_graph": (True, True)})
def a_stored_gradient_is_a_constant_by_default(ad, create_graph, expected):
    """The gradient of a square that backward stores does not require grad, unless a graph of it is built."""
    x = ad.leaf(2.0)
    ad.backward(x * x, create_graph=create_graph)
    equal(ad.requires_grad(ad.gradient_of(x)), expected)
