"""Assembling: an array put together from computed pieces, by forms that keep the graph and forms that do not."""

from conformance.behaviour import MUST, behaviour, document, hips, jax, torch, torch_func
from conformance.expect import an_error, close, equal, one_of, raises


@behaviour(
    MUST,
    kept=(jax("jax.numpy.array"), hips("tutorial", "Supported and unsupported parts of numpy/scipy")),
    cut=(
        torch("torch.tensor", raises=RuntimeError, says="does not require grad"),
        document("002", raises=RuntimeError, says="does not require grad"),
    ),
)
def an_array_made_from_computed_scalars(ad):
    """The array constructor, given computed scalars, keeps their history or copies bare values and cuts it."""
    gradient = ad.grad(lambda a: ad.np.sum(ad.array([a[0] * 2, a[1] ** 2])))
    return one_of(lambda: gradient(ad.array([0.5, 3.0])), kept=[2.0, 6.0], cut=an_error)


@behaviour(MUST, torch("torch.tensor"), document("002"))
def the_constructor_copies_bare_values(ad):
    """An array that the constructor made from computed scalars does not require grad."""
    a = ad.leaf([0.5, 3.0])
    equal(ad.requires_grad(ad.array([a[0] * 2, a[1] ** 2])), False)


@behaviour(MUST, torch("notes/autograd", "In-place operations with autograd"), document("002"))
def filling_zeros_keeps_the_graph(ad):
    """An array of zeros filled element by element with computed scalars passes the gradient on to each piece."""
    a = ad.leaf([1.0, 3.0, 5.0])
    filled = ad.np.zeros((3,))
    ad.set_item_(filled, 0, 2 * a[0])
    ad.set_item_(filled, 1, ad.np.log(a[1] + 1))
    ad.set_item_(filled, 2, a[2] ** 2)
    ad.backward(ad.np.sum(filled))
    close(ad.gradient_of(a), [2.0, 0.25, 10.0])


@behaviour(MUST, torch("notes/autograd", "In-place operations with autograd"), document("002"))
def a_filled_array_names_the_copying(ad):
    """A plain array into which a computed scalar was written is the result of a recorded copy."""
    filled = ad.np.zeros((2,))
    ad.set_item_(filled, 0, ad.leaf(3.0) * 2)
    equal(ad.grad_fn_name(filled), "CopySlices")


@behaviour(
    MUST,
    torch("torch.stack"),
    jax("automatic-differentiation", "1. Taking gradients with jax.grad"),
    torch_func("torch.func.grad"),
    document("002"),
)
def stacking_keeps_the_graph(ad):
    """Computed scalars stacked into an array each receive their gradient."""
    gradient = ad.grad(lambda a: ad.np.sum(ad.np.stack((2 * a[0], ad.np.log(a[1] + 1), a[2] ** 2))))
    close(gradient(ad.array([1.0, 3.0, 5.0])), [2.0, 0.25, 10.0])


@behaviour(
    MUST,
    torch("torch.cat"),
    jax("automatic-differentiation", "1. Taking gradients with jax.grad"),
    torch_func("torch.func.grad"),
    document("002"),
)
def concatenating_keeps_the_graph(ad):
    """Computed arrays joined end to end each receive their gradient."""
    gradient = ad.grad(lambda a: ad.np.sum(ad.np.concat((a[:1] * 2, a[1:] ** 2))))
    close(gradient(ad.array([0.5, 3.0, 4.0])), [2.0, 6.0, 8.0])


@behaviour(
    MUST,
    torch(
        "notes/autograd",
        "In-place correctness checks",
        raises=RuntimeError,
        says="modified by an inplace operation",
    ),
    document("002"),
)
def filling_in_a_ratio_of_elements_is_refused(ad):
    """Writing the ratio of two elements into the array that they are from makes backward fail: division saved them."""
    filled = ad.np.concat((ad.leaf([1.0, 2.0]), ad.array([0.0])))
    ad.set_item_(filled, 2, filled[0] / filled[1])
    close(filled, [1.0, 2.0, 0.5])
    raises(lambda: ad.backward(ad.np.sum(filled)))


@behaviour(
    MUST,
    torch("torch.stack"),
    jax("automatic-differentiation", "1. Taking gradients with jax.grad"),
    torch_func("torch.func.vjp"),
    document("002"),
)
def stacking_a_ratio_of_elements_works(ad):
    """Stacked beside the two elements, their ratio has its share of the gradient: 1 / y and -x / y^2."""
    stacked, pullback = ad.vjp(lambda a: ad.np.stack((a[0], a[1], a[0] / a[1])), ad.array([1.0, 2.0]))
    close(stacked, [1.0, 2.0, 0.5])
    close(pullback(ad.array([1.0, 1.0, 1.0])), ([1.5, 0.75],))


@behaviour(
    MUST,
    torch("torch.Tensor.detach"),
    jax("jax.lax.stop_gradient"),
    torch_func("torch.func.vjp"),
    document("002"),
)
def stacking_a_detached_ratio_drops_its_share(ad):
    """With the ratio detached, the values are the same, and its share of the gradient is gone."""
    stacked, pullback = ad.vjp(lambda a: ad.np.stack((a[0], a[1], ad.detach(a[0] / a[1]))), ad.array([1.0, 2.0]))
    close(stacked, [1.0, 2.0, 0.5])
    close(pullback(ad.array([1.0, 1.0, 1.0])), ([1.0, 1.0],))


@behaviour(MUST, torch("torch.Tensor.detach"), document("002"))
def filling_in_a_detached_ratio_works(ad):
    """Writing the ratio works once it is detached: backward needs nothing that the division saved."""
    x = ad.leaf([1.0, 2.0])
    filled = ad.np.concat((x, ad.array([0.0])))
    ad.set_item_(filled, 2, ad.detach(filled[0] / filled[1]))
    ad.backward(ad.np.sum(filled))
    close((filled, ad.gradient_of(x)), ([1.0, 2.0, 0.5], [1.0, 1.0]))
