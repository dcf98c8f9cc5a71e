"""Batching: many gradients in one call."""

from conformance.behaviour import MUST, behaviour, document, jax, torch, torch_func
from conformance.expect import close, equal, raises


@behaviour(MUST, torch("torch.autograd.grad"), document("004"))
def batched_gradients_give_the_rows_of_a_jacobian(ad):
    """With batched gradients the first dimension is the batch: the identity yields the rows of the Jacobian."""
    x = ad.leaf([1.0, 2.0])
    output = ad.np.stack([x[0] * x[1], x[0] * x[0]])
    close(ad.grad_of(output, x, ad.np.eye(2), is_grads_batched=True), ([[2.0, 1.0], [2.0, 0.0]],))


@behaviour(
    MUST,
    torch("torch.autograd.grad", raises=RuntimeError, says="first dimension of each grad_output"),
    document("004"),
)
def a_batched_gradient_matches_behind_the_batch(ad):
    """A batched gradient whose remaining dimensions are not those of the output is refused."""
    x = ad.leaf([1.0, 2.0])
    gradients = ad.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    raises(lambda: ad.grad_of(x * x, x, gradients, is_grads_batched=True))


@behaviour(MUST, torch("torch.vmap"), jax("jax.vmap"), torch_func("torch.func.vmap"))
def a_program_is_mapped_over_the_first_dimension(ad):
    """Unless told otherwise, a mapped program sees the first dimension of its input as examples: two rows, two sums."""
    close(ad.vmap(ad.np.sum)(ad.array([[1.0, 2.0, 3.0], [10.0, 20.0, 30.0]])), [6.0, 60.0])


@behaviour(MUST, torch("torch.vmap"), jax("jax.vmap"), torch_func("torch.func.vmap"))
def a_gradient_passes_through_a_mapped_program(ad):
    """An array that a mapped program uses for every example receives the sum over the examples."""
    rows = ad.array([[1.0, 2.0], [10.0, 20.0]])
    gradient = ad.grad(lambda w: ad.np.sum(ad.vmap(lambda row: row * w)(rows)))
    close(gradient(ad.array([1.0, 1.0])), [11.0, 22.0])


@behaviour(
    MUST,
    torch("torch.vmap"),
    jax("jax.vmap"),
    jax("autodiff_cookbook", "Jacobian-Matrix and Matrix-Jacobian products"),
    torch_func("torch.func.vmap"),
    document("004"),
)
def a_pullback_can_be_mapped_over_a_batch(ad):
    """A pullback mapped over the rows of the identity yields the rows of the Jacobian."""
    _, pullback = ad.vjp(lambda x: ad.np.stack([x[0] * x[1], x[0] * x[0]]), ad.array([1.0, 2.0]))
    close(ad.vmap(pullback)(ad.np.eye(2)), ([[2.0, 1.0], [2.0, 0.0]],))


@behaviour(MUST, torch("torch.autograd.grad"))
def batched_gradients_equal_a_loop(ad):
    """Batched gradients are what one call for each of them gives: x^3 at (1, 2) weighs them with 3 and 12."""
    x = ad.leaf([1.0, 2.0])
    weights = ad.array([[1.0, 0.0], [2.0, 1.0], [0.0, 5.0]])
    close(ad.grad_of(x**3, x, weights, is_grads_batched=True), ([[3.0, 0.0], [6.0, 12.0], [0.0, 60.0]],))


@behaviour(MUST, torch("torch.vmap"))
def the_tape_sees_through_a_map(ad):
    """A leaf that a mapped program uses accumulates the gradients of all examples."""
    w = ad.leaf([1.0, 1.0])
    products = ad.vmap(lambda row: row * w)(ad.array([[1.0, 2.0], [10.0, 20.0]]))
    ad.backward(ad.np.sum(products))
    close(ad.gradient_of(w), [11.0, 22.0])


@behaviour(MUST, torch("torch.vmap"))
def gradients_can_be_mapped_over_weights(ad):
    """A backward pass mapped over the rows of the identity yields the rows of the Jacobian."""
    x = ad.leaf([1.0, 2.0])
    output = ad.np.stack([x[0] * x[1], x[0] * x[0]])
    close(ad.vmap(lambda weights: ad.grad_of(output, x, weights))(ad.np.eye(2)), ([[2.0, 1.0], [2.0, 0.0]],))


def _accumulated(ad, leaf, x):
    ad.backward(leaf * leaf)
    return x


@behaviour(
    MUST,
    torch("func.ux_limitations", "torch.autograd APIs", raises=RuntimeError, says="transform"),
)
def backward_within_a_map_is_refused(ad):
    """A mapped program may not start a backward pass that stores gradients, not even from what is not mapped."""
    leaf = ad.leaf(3.0)
    raises(lambda: ad.vmap(lambda x: _accumulated(ad, leaf, x))(ad.array([1.0, 2.0])))
    equal(ad.gradient_of(leaf), None)
