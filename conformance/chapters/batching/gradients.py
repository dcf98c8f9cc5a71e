"""Batching: gradients through vmap, and batches of gradients in one call."""

from conformance.behaviour import MAY, MUST, SHOULD, behaviour, document, jax, torch, torch_func
from conformance.expect import close, equal, raises

COTANGENTS = [[1.0, 0.0], [0.0, 1.0], [2.0, 5.0]]
LIMITS = "vmap limitations"


@behaviour(
    MUST,
    torch("torch.autograd.grad"),
    document("004"),
    cases={"without_graph": (False,), "with_a_graph": (True,)},
    aliases=("is_grads_batched",),
)
def is_grads_batched_computes_a_vjp_for_each_row(ad, create_graph):
    """is_grads_batched=True computes a VJP for each row of grad_outputs; the rows of the identity give the Jacobian."""
    x, y = ad.leaf([1.0, 2.0]), ad.leaf(5.0)
    output = ad.np.stack([x[0] * x[1], y * x[0]])
    gradients = ad.grad_of(output, (x, y), ad.array(COTANGENTS), create_graph=create_graph, is_grads_batched=True)
    close(gradients, ([[2.0, 1.0], [5.0, 0.0], [29.0, 2.0]], [0.0, 1.0, 5.0]))


@behaviour(
    SHOULD,
    torch("torch.autograd.grad", raises=Exception, says="first dimension"),
    document("004"),
)
def batched_grad_outputs_need_the_shape_of_the_output(ad):
    """With is_grads_batched=True, grad_outputs whose dimensions after the first are not the output's raise an error."""
    x = ad.leaf([1.0, 2.0])
    gradients = ad.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    raises(lambda: ad.grad_of(x * x, x, gradients, is_grads_batched=True))


@behaviour(MUST, torch("torch.vmap"), jax("automatic-vectorization"), torch_func("torch.func.vmap"))
def vmap_maps_over_the_first_dimension_by_default(ad):
    """vmap maps over the first dimension by default: the sum, mapped over a matrix of two rows, gives two sums."""
    close(ad.vmap(ad.np.sum)(ad.array([[1.0, 2.0, 3.0], [10.0, 20.0, 30.0]])), [6.0, 60.0])


@behaviour(
    MUST,
    torch("func.ux_limitations", LIMITS),
    jax("thinking_in_jax", "Auto-vectorization with jax.vmap"),
    torch_func("func", "What are composable function transforms?"),
)
def grad_through_vmap_sums_over_the_examples(ad):
    """grad through vmap sums over the examples for an array that the mapped function captures."""
    rows = ad.array([[1.0, 2.0], [10.0, 20.0]])
    gradient = ad.grad(lambda w: ad.np.sum(ad.vmap(lambda row: row * w)(rows)))
    close(gradient(ad.array([1.0, 1.0])), [11.0, 22.0])


@behaviour(
    MUST,
    torch("torch.vmap"),
    jax("autodiff_cookbook", "Jacobian-Matrix and Matrix-Jacobian products"),
    torch_func("torch.func.jacrev"),
    torch_func("func", "What are composable function transforms?"),
    document("004"),
    aliases=("jacobian in one backward",),
)
def vmap_of_a_pullback_computes_many_vjps(ad):
    """vmap of a pullback (VJP) computes many VJPs in one call; over the rows of the identity it gives the Jacobian."""
    _, pullback = ad.vjp(lambda x: ad.np.stack([x[0] * x[1], x[0] * x[0]]), ad.array([1.0, 2.0]))
    close(ad.vmap(pullback)(ad.array(COTANGENTS)), ([[2.0, 1.0], [2.0, 0.0], [14.0, 2.0]],))


@behaviour(MUST, torch("func.ux_limitations", LIMITS), torch("torch.Tensor.backward"))
def backward_through_vmap_sums_over_the_examples(ad):
    """backward() through vmap accumulates the gradients of all examples in a leaf that the function captures."""
    w = ad.leaf([1.0, 1.0])
    products = ad.vmap(lambda row: row * w)(ad.array([[1.0, 2.0], [10.0, 20.0]]))
    ad.backward(ad.np.sum(products))
    close(ad.gradient_of(w), [11.0, 22.0])


@behaviour(MUST, torch("torch.vmap"))
def vmap_of_autograd_grad_computes_many_vjps(ad):
    """vmap of torch.autograd.grad over grad_outputs computes many VJPs in one call; the identity gives the Jacobian."""
    x = ad.leaf([1.0, 2.0])
    output = ad.np.stack([x[0] * x[1], x[0] * x[0]])
    mapped = ad.vmap(lambda cotangent: ad.grad_of(output, x, cotangent))
    close(mapped(ad.array(COTANGENTS)), ([[2.0, 1.0], [2.0, 0.0], [14.0, 2.0]],))


def _accumulated(ad, leaf, x):
    ad.backward(leaf * leaf)
    return x


@behaviour(
    MAY,
    torch("func.ux_limitations", "torch.autograd APIs", raises=Exception, says="backward() called inside"),
    aliases=("backward() called inside a functorch transform",),
)
def backward_under_vmap_raises_an_error(ad):
    """backward() inside a function under vmap raises an error, even if it uses only arrays that are not mapped."""
    leaf = ad.leaf(3.0)
    raises(lambda: ad.vmap(lambda x: _accumulated(ad, leaf, x))(ad.array([1.0, 2.0])))
    equal(ad.gradient_of(leaf), None)
