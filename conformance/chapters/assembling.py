"""Assembling: an array put together from computed pieces, by forms that keep the graph and forms that do not."""

from conformance.behaviour import MUST, behaviour, document, hips, jax, torch, torch_func
from conformance.expect import close, equal, one_of, refusal, refuses


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
    return one_of(lambda: gradient(ad.array([0.5, 3.0])), kept=[2.0, 6.0], cut=refusal)


@behaviour(MUST, torch("torch.tensor"), document("002"))
def the_constructor_copies_bare_values(ad):
    """An array that the constructor made from computed scalars does not require grad."""
    a = ad.leaf([0.5, 3.0])
    equal(ad.requires_grad(ad.array([a[0] * 2, a[1] ** 2])), False)


@behaviour(MUST, torch("notes/autograd", "In-place operations with autograd"), document("002"))
def filling_zeros_keeps_the_graph(ad):
    """An array of zeros filled element by element with computed scalars passes the gradient on to each piece."""
    a = ad.leaf([0.0592, 0.3581, 0.0161, 0.55, 0.5207])
    filled = ad.np.zeros((5,))
    ad.set_item_(filled, 0, a[0] * 2)
    ad.set_item_(filled, 1, ad.np.log(a[1] + 1))
    ad.set_item_(filled, 2, a[2] ** 2)
    ad.set_item_(filled, 3, ad.np.softplus(a[3] * 2))
    ad.set_item_(filled, 4, a[4])
    ad.backward(ad.np.sum(filled))
    close(ad.gradient_of(a), [2.0, 0.7363228039172373, 0.0322, 1.5005202111902354, 1.0])


@behaviour(MUST, torch("notes/autograd", "In-place operations with autograd"), document("002"))
def a_filled_array_names_the_copying(ad):
    """A plain array into which a computed scalar was written is the result of a recorded copy."""
    filled = ad.np.zeros((2,))
    ad.set_item_(filled, 0, ad.leaf(3.0) * 2)
    equal(ad.creator_name(filled), "CopySlices")


@behaviour(
    MUST,
    torch("torch.stack"),
    jax("automatic-differentiation", "1. Taking gradients with jax.grad"),
    torch_func("torch.func.grad"),
    document("002"),
)
def stacking_keeps_the_graph(ad):
    """Computed scalars stacked into an array each receive their gradient."""

    def program(a):
        pieces = (a[0] * 2, ad.np.log(a[1] + 1), a[2] ** 2, ad.np.softplus(a[3] * 2), a[4])
        return ad.np.sum(ad.np.stack(pieces))

    gradient = ad.grad(program)(ad.array([0.0592, 0.3581, 0.0161, 0.55, 0.5207]))
    close(gradient, [2.0, 0.7363228039172373, 0.0322, 1.5005202111902354, 1.0])


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
    """Backward is refused when an element was overwritten with the ratio of others: the division saved them."""
    p = ad.leaf([0.4963, 0.7682])
    q = ad.np.concat((p, ad.array([0.0]))) * ad.array([1.0, 2.0, 2.0]) + ad.array([1.0, 2.0, 0.0])
    ad.set_item_(q, 2, q[0] / q[1])
    scaled = (q - ad.array([1.0, 2.0, 0.0])) / ad.array([1.0, 2.0, 2.0])
    close(scaled, [0.4963, 0.7682, 0.21155695057120236])
    refuses(lambda: ad.backward(ad.np.sum(scaled)))


@behaviour(
    MUST,
    torch("torch.stack"),
    jax("automatic-differentiation", "1. Taking gradients with jax.grad"),
    torch_func("torch.func.vjp"),
    document("002"),
)
def stacking_a_ratio_of_elements_works(ad):
    """The same computation with the ratio stacked beside the others works, and the ratio has its share."""

    def program(p):
        q = p * ad.array([1.0, 2.0]) + ad.array([1.0, 2.0])
        return ad.np.stack((q[0] - 1, (q[1] - 2) / 2, q[0] / q[1] / 2))

    scaled, pullback = ad.vjp(program, ad.array([0.4963, 0.7682]))
    close(scaled, [0.4963, 0.7682, 0.21155695057120236])
    close(pullback(ad.array([1.0, 1.0, 1.0])), ([1.1413867209591675, 0.8803546258504681],))


@behaviour(
    MUST,
    torch("torch.Tensor.detach"),
    jax("jax.lax.stop_gradient"),
    torch_func("torch.func.vjp"),
    document("002"),
)
def stacking_a_detached_ratio_drops_its_share(ad):
    """With the ratio detached, the values are the same, and its share of the gradient is gone."""

    def program(p):
        q = p * ad.array([1.0, 2.0]) + ad.array([1.0, 2.0])
        return ad.np.stack((q[0] - 1, (q[1] - 2) / 2, ad.detach(q[0] / q[1] / 2)))

    scaled, pullback = ad.vjp(program, ad.array([0.4963, 0.7682]))
    close(scaled, [0.4963, 0.7682, 0.21155695057120236])
    close(pullback(ad.array([1.0, 1.0, 1.0])), ([1.0, 1.0],))


@behaviour(MUST, torch("torch.Tensor.detach"), document("002"))
def filling_in_a_detached_ratio_works(ad):
    """Filling in the ratio works once it is detached: nothing that it saved is needed."""
    p = ad.leaf([0.4963, 0.7682])
    q = ad.np.concat((p, ad.array([0.0]))) * ad.array([1.0, 2.0, 2.0]) + ad.array([1.0, 2.0, 0.0])
    ad.set_item_(q, 2, ad.detach(q[0] / q[1]))
    scaled = (q - ad.array([1.0, 2.0, 0.0])) / ad.array([1.0, 2.0, 2.0])
    ad.backward(ad.np.sum(scaled))
    close((scaled, ad.gradient_of(p)), ([0.4963, 0.7682, 0.21155695057120236], [1.0, 1.0]))
