"""Accumulation, the attribute: what can be assigned to .grad, and how it is deleted."""

from conformance.behaviour import MAY, MUST, SHOULD, behaviour, torch
from conformance.expect import close, equal, raises

GRAD = "torch.Tensor.grad"
GRAD_DTYPE = torch("torch.Tensor.grad_dtype", since="2.10")


@behaviour(
    MAY,
    torch(GRAD, raises=Exception, says="size", unstated="only the message of the error states it"),
    aliases=("attempting to assign a gradient of size",),
)
def a_stored_gradient_has_the_shape_of_its_leaf(ad):
    """Assigning a tensor of another shape to the .grad of a leaf raises an error."""
    x, g = ad.leaf([1.0]), ad.array([1.0, 2.0])
    raises(lambda: ad.set_gradient_(x, g))


@behaviour(
    SHOULD,
    torch("torch.Tensor.grad_dtype", since="2.10", raises=Exception, says="dtype"),
    aliases=("grad_dtype", "attempting to assign a gradient with dtype"),
)
def a_stored_gradient_has_the_dtype_of_its_leaf(ad):
    """By default, assigning a float64 tensor to the .grad of a float32 leaf raises an error."""
    x, g = ad.leaf(1.0, dtype="float32"), ad.array(1.0, dtype="float64")
    raises(lambda: ad.set_gradient_(x, g))


@behaviour(
    MAY, torch(GRAD, raises=Exception, says="Tensor or None", unstated="only the message of the error states it")
)
def a_stored_gradient_is_an_array_or_none(ad):
    """Assigning a Python number to .grad raises an error; only a tensor or None can be assigned."""
    x = ad.leaf(1.0)
    raises(lambda: ad.set_gradient_(x, 3.0))


@behaviour(MAY, torch(GRAD, raises=Exception, says="device", unstated="only the message of the error states it"))
def a_stored_gradient_is_on_the_device_of_its_leaf(ad):
    """Assigning a tensor on another device to the .grad of a leaf raises an error."""
    x, g = ad.leaf(1.0), ad.to_meta_device(ad.array(3.0))
    raises(lambda: ad.set_gradient_(x, g))


@behaviour(MAY, torch(GRAD, unstated="the page has no word on del; code that frees gradients uses it"))
def a_gradient_can_be_deleted(ad):
    """After del x.grad, reading .grad gives None again, as before the first backward()."""
    x = ad.leaf(2.0)
    ad.backward(3 * x)
    ad.delete_gradient_(x)
    equal(ad.gradient_of(x), None)


@behaviour(MUST, torch("torch.Tensor.backward"), cases={"plain": (False, False), "create_graph": (True, True)})
def a_stored_gradient_does_not_require_grad_by_default(ad, create_graph, expected):
    """The .grad that backward() stores does not require grad by default; with create_graph=True that of x² does."""
    x = ad.leaf(2.0)
    ad.backward(x * x, create_graph=create_graph)
    equal(ad.requires_grad(ad.gradient_of(x)), expected)


@behaviour(MUST, GRAD_DTYPE, cases={"half": ("float16",), "double": ("float64",), "complex": ("complex64",)})
def grad_dtype_is_the_dtype_of_the_leaf_by_default(ad, dtype):
    """The grad_dtype of a leaf is by default the dtype of the leaf."""
    equal(ad.gradient_dtype_of(ad.leaf(1.0, dtype)), dtype)


@behaviour(
    MUST,
    GRAD_DTYPE,
    cases={"wider": ("float64", [1.0, 7.0]), "narrower": ("float16", [0.0, 7.0])},
    aliases=("float32 grad of bf16",),
)
def gradients_are_cast_to_grad_dtype(ad, dtype, expected):
    """After grad_dtype is set to another floating point dtype, backward() casts the gradients of a float32 leaf to it,
    the first and those that it accumulates."""
    x = ad.leaf([-1024.0, 2.0], "float32")
    ad.set_gradient_dtype_(x, dtype)
    ad.backward(ad.np.sum(x * x))
    close(ad.gradient_of(x), [-2048.0, 4.0], dtype=dtype)
    # In float16 2049 is 2048.
    ad.backward(ad.np.sum(ad.array([2049.0, 3.0], "float32") * x))
    close(ad.gradient_of(x), expected, dtype=dtype)


@behaviour(MAY, GRAD_DTYPE)
def a_grad_dtype_of_none_allows_any_dtype(ad):
    """After grad_dtype is set to None, a tensor of another floating point dtype can be assigned to .grad."""
    x, g = ad.leaf([1.0, 2.0], "float32"), ad.array([5.0, 7.0], "float64")
    ad.set_gradient_dtype_(x, None)
    ad.set_gradient_(x, g)
    equal(ad.gradient_dtype_of(x), None)
    close(ad.gradient_of(x), [5.0, 7.0], dtype="float64")


@behaviour(MUST, torch("torch.Tensor.grad_dtype", since="2.10", raises=Exception, says="only be set on leaf"))
def grad_dtype_of_a_non_leaf_cannot_be_set(ad):
    """Setting the grad_dtype of a non-leaf raises an error."""
    y = 3 * ad.leaf(1.0)
    raises(lambda: ad.set_gradient_dtype_(y, "float32"))
