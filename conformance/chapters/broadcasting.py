"""Broadcasting: the gradient of a broadcast operand has the shape of the operand."""

from conformance.behaviour import MUST, behaviour, jax, torch, torch_func
from conformance.expect import close


@behaviour(
    MUST,
    torch("torch.autograd.grad"),
    jax("jax.grad"),
    torch_func("torch.func.grad"),
    cases={
        "row": ([1.0, 1.0, 1.0], [5.0, 7.0, 9.0]),
        "column": ([[1.0], [1.0]], [[6.0], [15.0]]),
        "one_element": ([10.0], [21.0]),
        "scalar": (10.0, 21.0),
        "more_dimensions": ([[[1.0, 1.0, 1.0]]], [[[5.0, 7.0, 9.0]]]),
    },
    aliases=("unbroadcast", "unbroadcast sum gradient shape"),
)
def the_gradient_of_a_broadcast_operand_is_summed(ad, operand, gradient):
    """The gradient of a broadcast operand has the shape of the operand: it is summed over the broadcast dimensions."""
    x = ad.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    close(ad.grad(lambda y: ad.np.sum(x * y))(ad.array(operand)), gradient)


@behaviour(MUST, torch("torch.autograd.grad"), jax("jax.grad"), torch_func("torch.func.grad"))
def the_gradients_of_two_broadcast_operands_are_summed(ad):
    """If the operands of a product, a column and a row, are both broadcast, the gradient of each is summed over the
    dimension along which it is expanded."""
    weights = ad.array([[1.0, 10.0], [100.0, 1000.0]])
    gradients = ad.grad(lambda x, y: ad.np.sum(weights * (x * y)), argnums=(0, 1))
    close(gradients(ad.array([[2.0], [3.0]]), ad.array([5.0, 7.0])), ([[75.0], [7500.0]], [302.0, 3020.0]))


@behaviour(
    MUST,
    torch("torch.autograd.grad"),
    jax("jax.grad"),
    torch_func("torch.func.grad"),
    cases={
        "sum": (lambda ad, x, y: x + y, 6.0),
        "difference": (lambda ad, x, y: x - y, -6.0),
        "first_of_a_quotient": (lambda ad, x, y: y / x, 2.45),
        "second_of_a_quotient": (lambda ad, x, y: x / y, -5.25),
        "maximum": (lambda ad, x, y: ad.np.maximum(x, y + 1.5), 3.0),
        "selection": (lambda ad, x, y: ad.np.where(x > 4, x, 5 * y), 20.0),
    },
)
def the_gradient_of_a_broadcast_scalar_is_summed(ad, operation, gradient):
    """In a sum, difference, quotient, maximum or selection, the gradient of a scalar that is broadcast to a matrix is
    summed over the elements of the matrix."""
    x = ad.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    close(ad.grad(lambda y: ad.np.sum(operation(ad, x, y)))(ad.array(2.0)), gradient)
