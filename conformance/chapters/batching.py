"""Batching: many gradients in one call."""

from conformance.behaviour import MUST, behaviour, document, jax, torch, torch_func
from conformance.expect import close, refuses


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
    refuses(lambda: ad.grad_of(x * x, x, gradients, is_grads_batched=True))


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
