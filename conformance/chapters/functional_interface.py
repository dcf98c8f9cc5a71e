"""The functional interface: derivatives of a function at a point, in one call."""

from conformance.behaviour import MUST, behaviour, document, jax, torch
from conformance.expect import close, equal


@behaviour(MUST, torch("torch.autograd.functional.jacobian"), jax("jax.jacrev"), document("004"))
def functional_jacobian_has_outputs_before_inputs(ad):
    """The Jacobian comes as a matrix at once, with a row for each output and a column for each input."""
    jacobian = ad.functional.jacobian(lambda x: ad.np.stack([x[0] * x[1], x[0] * x[0]]), ad.array([1.0, 2.0]))
    close(jacobian, [[2.0, 1.0], [2.0, 0.0]])


@behaviour(MUST, torch("torch.autograd.functional.hessian"), jax("jax.hessian"), document("004"))
def functional_hessian_holds_second_derivatives(ad):
    """The second derivatives come as a matrix at once, and not as a function: x^2 y at (1, 2) has ((4, 2), (2, 0))."""
    close(ad.functional.hessian(lambda x: x[0] ** 2 * x[1], ad.array([1.0, 2.0])), [[4.0, 2.0], [2.0, 0.0]])


@behaviour(MUST, torch("torch.autograd.functional.vjp"), jax("jax.vjp"), document("004"))
def functional_vjp_gives_value_and_gradient(ad):
    """The value of a function comes with v times its Jacobian."""
    outputs = ad.functional.vjp(lambda x: x * x, ad.array([1.0, 2.0]), ad.array([3.0, 10.0]))
    close(outputs, ([1.0, 4.0], [6.0, 40.0]))


@behaviour(MUST, torch("torch.autograd.functional.jacobian"))
def functional_results_stand_outside_the_graph(ad):
    """Unless a graph of it is asked for, a Jacobian does not require grad, although its point does."""
    equal(ad.requires_grad(ad.functional.jacobian(lambda x: x * x, ad.leaf([1.0, 2.0]))), False)
