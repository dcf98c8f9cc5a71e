"""Pullbacks: functions that take cotangents of the output back to the inputs."""

from conformance.behaviour import MUST, behaviour, jax, torch, torch_func
from conformance.expect import close, equal, raises


@behaviour(MUST, jax("jax.vjp"), torch_func("torch.func.vjp"), torch("torch.autograd.grad"))
def a_pullback_takes_a_cotangent_for_each_output(ad):
    """A pullback takes a tuple of cotangents, one for each output, and gives a tuple with one for each input."""
    _, pullback = ad.vjp(lambda x, y: (ad.np.sin(x), ad.np.cos(y)), ad.array(0.0), ad.array(1.5707963267948966))
    close(pullback((ad.array(5.0), ad.array(7.0))), (5.0, -7.0))


@behaviour(
    MUST,
    jax("jacobian-vector-products", "Vector-Jacobian products (VJPs, a.k.a. reverse-mode autodiff)"),
    torch_func("torch.func.vjp"),
)
def a_pullback_is_linear(ad):
    """A pullback is linear: (5, -3) gives 5 times what (1, 0) gives, minus 3 times what (0, 1) gives."""

    def pulled_back(cotangent):
        _, pullback = ad.vjp(lambda x: ad.np.stack([x[0] * x[1], x[0] * x[0]]), ad.array([1.0, 2.0]))
        return pullback(ad.array(cotangent))

    close(pulled_back([1.0, 0.0]), ([2.0, 1.0],))
    close(pulled_back([0.0, 1.0]), ([2.0, 0.0],))
    close(pulled_back([5.0, -3.0]), ([4.0, 5.0],))


@behaviour(MUST, jax("jax.vjp"), torch("torch.autograd.grad"), torch_func("torch.func.vjp"))
def the_gradient_is_the_pullback_of_one(ad):
    """The gradient is what the pullback makes of the cotangent one: x^3 at 2 has 12 either way."""
    _, pullback = ad.vjp(lambda x: x**3, ad.array(2.0))
    close((*pullback(ad.array(1.0)), ad.grad(lambda x: x**3)(ad.array(2.0))), (12.0, 12.0))


@behaviour(MUST, jax("jax.vjp"), torch_func("torch.func.vjp"))
def auxiliary_output_takes_no_cotangent(ad):
    """Auxiliary output comes third, behind output and pullback, and the pullback takes no cotangent for it."""
    output, pullback, auxiliary = ad.vjp(lambda x: (x**2, 5 * x), ad.array(3.0), has_aux=True)
    close((output, pullback(ad.array(1.0)), auxiliary), (9.0, (6.0,), 15.0))


@behaviour(
    MUST,
    jax("jax.vjp", raises=ValueError, says="tree structure"),
    torch_func("torch.func.vjp", raises=RuntimeError, says="pytree structure"),
    torch("torch.autograd.grad", raises=RuntimeError, says="got 2 tensors and 1 gradients"),
)
def a_cotangent_has_the_structure_of_the_output(ad):
    """A single cotangent is refused where the output is a pair."""
    _, pullback = ad.vjp(lambda x: (x, 2 * x), ad.array(3.0))
    raises(lambda: pullback(ad.array(1.0)))


@behaviour(
    MUST,
    jax("jax.vjp", raises=TypeError, says="single argument"),
    torch_func("torch.func.vjp", raises=RuntimeError, says="pytree structure"),
)
def cotangents_come_in_one_structure(ad):
    """The cotangents of a pair are one argument of the pullback, and are refused as two."""
    _, pullback = ad.vjp(lambda x: (x, 2 * x), ad.array(3.0))
    raises(lambda: pullback(ad.array(1.0), ad.array(1.0)))


@behaviour(
    MUST,
    jax("jax.vjp", raises=ValueError, says="unexpected JAX type"),
    torch("torch.autograd.grad", raises=RuntimeError, says="mismatch in shape"),
    torch_func("torch.func.vjp", raises=RuntimeError, says="mismatch in shape"),
)
def a_cotangent_is_not_broadcast(ad):
    """A cotangent without dimensions is refused for a vector, although it could be broadcast."""
    _, pullback = ad.vjp(lambda x: x * 2, ad.array([1.0, 2.0, 3.0]))
    raises(lambda: pullback(ad.array(1.0)))


@behaviour(MUST, jax("jax.vjp", raises=ValueError, says="unexpected JAX type"))
def a_cotangent_of_another_precision(ad):
    """A cotangent in single precision is refused for an output in double precision."""
    _, pullback = ad.vjp(lambda x: x * 2, ad.array([1.0, 2.0], "float64"))
    raises(lambda: pullback(ad.array([1.0, 1.0], "float32")))


@behaviour(
    MUST,
    jax("jacobian-vector-products", "Vector-valued gradients with VJPs"),
    torch("torch.autograd.grad"),
    torch_func("torch.func.vjp"),
)
def ones_pull_back_to_the_gradient_of_the_sum(ad):
    """A pullback makes of ones the gradient of the sum of the outputs: of 3 x^2 it is 6 x."""
    _, pullback = ad.vjp(lambda x: 3 * x**2, ad.array([[1.0, 2.0], [3.0, 4.0]]))
    close(pullback(ad.array([[1.0, 1.0], [1.0, 1.0]])), ([[6.0, 12.0], [18.0, 24.0]],))


@behaviour(
    MUST,
    jax("autodiff_cookbook", "Vector-Jacobian products (VJPs, aka reverse-mode autodiff)"),
    torch("torch.autograd.grad"),
    torch_func("torch.func.vjp"),
)
def a_pullback_stays_at_its_point(ad):
    """A pullback belongs to the point where it was made: one made elsewhere in the meantime leaves it alone."""

    def square(x):
        return x * x

    _, at_two = ad.vjp(square, ad.array(2.0))
    _, at_five = ad.vjp(square, ad.array(5.0))
    close((at_two(ad.array(1.0)), at_five(ad.array(1.0))), ((4.0,), (10.0,)))


@behaviour(MUST, jax("jep/4008"))
def an_integer_input_has_an_empty_cotangent(ad):
    """The cotangent of an integer input is an array that holds no numbers."""
    empty = ad.empty_cotangent(())
    _, pullback = ad.vjp(lambda x, i: x[i], ad.array([3.0, 5.0]), ad.array(1))
    _, cotangent = pullback(ad.array(1.0))
    equal(ad.dtype_of(cotangent), ad.dtype_of(empty))


@behaviour(MUST, jax("jax.vjp"))
def an_integer_output_takes_an_empty_cotangent(ad):
    """A pullback from an integer output takes a cotangent that holds no numbers, and gives zero."""
    empty = ad.empty_cotangent(())
    _, pullback = ad.vjp(lambda x: ad.cast(x, "int32"), ad.array(3.0))
    close(pullback(empty), (0.0,))


@behaviour(MUST, jax("jax.fwd_and_bwd", raises=TypeError, says="argnums"))
def a_separate_backward_needs_a_choice_of_arguments(ad):
    """Splitting a program into a forward and a backward function is refused unless arguments are chosen."""
    raises(lambda: ad.forward_and_backward(lambda x: x * x))


@behaviour(MUST, jax("jax.fwd_and_bwd"))
def a_separate_backward_answers_in_a_tuple(ad):
    """A separate backward function gives a tuple of cotangents, even if only one argument was chosen."""
    forward, backward = ad.forward_and_backward(lambda x: x**3, argnums=0)
    _, residuals = forward(ad.array(2.0))
    close(backward(residuals, ad.array(5.0)), (60.0,))
