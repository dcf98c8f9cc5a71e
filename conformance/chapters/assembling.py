"""Assembling: arrays built from computed scalars and arrays, in ways that keep the graph and ways that cut it."""

from conformance.behaviour import MAY, MUST, behaviour, document, hips, jax, torch, torch_func
from conformance.expect import an_error, close, equal, one_of, raises

GRAPH = "How autograd encodes the history"
INPLACE = "In-place operations with autograd"
TAKING = "1. Taking gradients with jax.grad"


@behaviour(
    MUST,
    kept=(
        jax("jax.numpy.array"),
        jax("automatic-differentiation", TAKING),
        hips("tutorial", "Supported and unsupported parts of numpy/scipy"),
    ),
    zero=(torch_func("torch.tensor"), torch_func("torch.func.grad")),
    raises=(
        torch("torch.tensor"),
        torch("torch.autograd.grad", raises=Exception, says="does not require grad"),
        document("002"),
    ),
)
def an_array_constructed_from_computed_scalars(ad):
    """An array made from a list of computed scalars keeps the graph, or copies bare values: then the gradient is zero,
    or grad raises an error."""
    weights = ad.array([1.0, 10.0])
    gradient = ad.grad(lambda a: ad.np.sum(weights * ad.array([a[0] * 2, a[1] ** 2])))
    return one_of(lambda: gradient(ad.array([0.5, 3.0])), kept=[2.0, 60.0], zero=[0.0, 0.0], raises=an_error)


@behaviour(MUST, torch("torch.tensor"), document("002"), aliases=("torch.tensor of tensors loses grad",))
def torch_tensor_copies_values_without_the_graph(ad):
    """torch.tensor of a list of computed scalars copies their values, and by default the copy does not require grad."""
    a = ad.leaf([0.5, 3.0])
    copied = ad.array([a[0] * 2, a[1] ** 2])
    close(copied, [1.0, 9.0])
    equal(ad.requires_grad(copied), False)


@behaviour(MUST, torch("notes/autograd", INPLACE), torch("notes/autograd", GRAPH), document("002"))
def filling_zeros_in_place_keeps_the_graph(ad):
    """Writing computed scalars in-place into a tensor of zeros keeps the graph: each scalar receives its gradient."""
    a = ad.leaf([1.0, 3.0, 5.0])
    filled = ad.np.zeros((3,))
    ad.set_item_(filled, 0, 2 * a[0])
    ad.set_item_(filled, 1, ad.np.log(a[1] + 1))
    ad.set_item_(filled, 2, a[2] ** 2)
    ad.backward(filled, ad.array([1.0, 10.0, 100.0]))
    close(ad.gradient_of(a), [2.0, 2.5, 1000.0])


@behaviour(
    MAY,
    torch(
        "notes/autograd",
        "Thread Safety on Autograd Node",
        unstated="the section names the node, and not the program that makes it",
    ),
    document("002"),
    aliases=("copyslices",),
)
def a_tensor_filled_in_place_has_a_copy_slices_node(ad):
    """In grad mode, writing a scalar that requires grad in-place into an element of a tensor that does not makes
    CopySlices the grad_fn of the tensor."""
    filled = ad.np.zeros((2,))
    ad.set_item_(filled, 0, ad.leaf(3.0) * 2)
    equal(ad.grad_fn_name(filled), "CopySlices")


@behaviour(
    MUST,
    torch("notes/autograd", GRAPH),
    jax("automatic-differentiation", TAKING),
    torch_func("torch.func.grad"),
    document("002"),
    aliases=("list of tensors to tensor keep grad",),
)
def stack_keeps_the_graph(ad):
    """Stacking keeps the graph: each computed scalar that is stacked into an array receives its gradient."""
    weights = ad.array([1.0, 10.0, 100.0])
    gradient = ad.grad(lambda a: ad.np.sum(weights * ad.np.stack((2 * a[0], ad.np.log(a[1] + 1), a[2] ** 2))))
    close(gradient(ad.array([1.0, 3.0, 5.0])), [2.0, 2.5, 1000.0])


@behaviour(
    MUST,
    torch("notes/autograd", GRAPH),
    jax("automatic-differentiation", TAKING),
    torch_func("torch.func.grad"),
    document("002"),
)
def cat_keeps_the_graph(ad):
    """Concatenating (cat) keeps the graph: each computed array that is concatenated receives its gradient."""
    weights = ad.array([1.0, 10.0, 100.0])
    gradient = ad.grad(lambda a: ad.np.sum(weights * ad.np.concat((a[:1] * 2, a[1:] ** 2))))
    close(gradient(ad.array([0.5, 3.0, 4.0])), [2.0, 60.0, 800.0])


@behaviour(
    MUST,
    torch("notes/autograd", "In-place correctness checks", raises=Exception, says="modified by an inplace operation"),
    document("002"),
)
def filling_in_a_ratio_of_elements_raises(ad):
    """For a non-leaf x that requires grad, backward() raises an error after the in-place write x[2] = x[0] / x[1], as
    the division saved views of x."""
    filled = ad.np.concat((ad.leaf([1.0, 2.0]), ad.array([0.0])))
    ad.set_item_(filled, 2, filled[0] / filled[1])
    close(filled, [1.0, 2.0, 0.5])
    raises(lambda: ad.backward(ad.np.sum(filled)))


@behaviour(
    MUST,
    torch("notes/autograd", GRAPH),
    jax("automatic-differentiation", TAKING),
    torch_func("torch.func.vjp"),
    document("002"),
)
def stacking_a_ratio_of_elements_works(ad):
    """The gradient of stack((x, y, x / y)) includes that of the ratio, 1 / y for x and -x / y² for y."""
    stacked, pullback = ad.vjp(lambda a: ad.np.stack((a[0], a[1], a[0] / a[1])), ad.array([1.0, 2.0]))
    close(stacked, [1.0, 2.0, 0.5])
    close(pullback(ad.array([1.0, 10.0, 100.0])), ([51.0, -15.0],))


@behaviour(
    MUST,
    torch("torch.Tensor.detach"),
    jax("jax.lax.stop_gradient"),
    document("002"),
)
def stacking_a_detached_ratio_drops_its_gradient(ad):
    """Stacking x, y and the detached ratio x / y gives the same values as without detach, but no gradient of the
    ratio."""
    stacked, pullback = ad.vjp(lambda a: ad.np.stack((a[0], a[1], ad.detach(a[0] / a[1]))), ad.array([1.0, 2.0]))
    close(stacked, [1.0, 2.0, 0.5])
    close(pullback(ad.array([1.0, 10.0, 100.0])), ([1.0, 10.0],))


@behaviour(MUST, torch("torch.Tensor.detach"), document("002"))
def filling_in_a_detached_ratio_works(ad):
    """For a non-leaf x, backward() works after the in-place write x[2] = (x[0] / x[1]).detach(): the detached ratio is
    not in the graph."""
    x = ad.leaf([1.0, 2.0])
    filled = ad.np.concat((x, ad.array([0.0])))
    ad.set_item_(filled, 2, ad.detach(filled[0] / filled[1]))
    ad.backward(filled, ad.array([1.0, 10.0, 100.0]))
    close((filled, ad.gradient_of(x)), ([1.0, 2.0, 0.5], [1.0, 10.0]))
