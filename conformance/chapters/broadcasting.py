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
    },
    aliases=("unbroadcast", "unbroadcast sum gradient shape"),
)
def the_gradient_of_a_broadcast_operand_is_summed(ad, operand, gradient):
    """The gradient of a broadcast operand has the shape of the operand: it is summed over the broadcast dimensions."""
    x = ad.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    close(ad.grad(lambda y: ad.np.sum(x * y))(ad.array(operand)), gradient)
