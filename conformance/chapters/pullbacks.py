"""Pullbacks: the functions that vjp returns, from cotangents of the output to cotangents of the inputs."""

from conformance.behaviour import MAY, MUST, SHOULD, behaviour, jax, torch, torch_func
from conformance.expect import close, equal, raises


@behaviour(
    MUST,
    jax("jax.vjp"),
    torch_func("torch.func.vjp"),
    torch("torch.autograd.grad"),
    aliases=("grad_outputs multiple outputs",),
)
def a_pullback_takes_a_cotangent_for_each_output(ad):
    """The pullback of a function with two outputs takes a pair of cotangents, and returns one for each input."""
    _, pullback = ad.vjp(lambda x, y: (ad.np.sin(x), ad.np.cos(y)), ad.array(0.0), ad.array(1.5707963267948966))
    close(pullback((ad.array(5.0), ad.array(7.0))), (5.0, -7.0))


@behaviour(
    MUST,
    jax("jacobian-vector-products", "Vector-Jacobian products (VJPs, a.k.a. reverse-mode autodiff)"),
    torch_func("torch.func.vjp"),
    aliases=("vector-jacobian product",),
)
def a_pullback_is_linear(ad):
    """A VJP is linear in the cotangent: for (5, -3) it is 5 times that for (1, 0) minus 3 times that for (0, 1)."""

    def pulled_back(cotangent):
        _, pullback = ad.vjp(lambda x: ad.np.stack([x[0] * x[1], x[0] * x[0]]), ad.array([1.0, 2.0]))
        return pullback(ad.array(cotangent))

    close(pulled_back([1.0, 0.0]), ([2.0, 1.0],))
    close(pulled_back([0.0, 1.0]), ([2.0, 0.0],))
    close(pulled_back([5.0, -3.0]), ([4.0, 5.0],))


@behaviour(
    MUST,
    jax("autodiff_cookbook", "Complex numbers and differentiation"),
    torch("torch.autograd.grad"),
    torch_func("torch.func.vjp"),
)
def the_gradient_is_the_vjp_with_cotangent_one(ad):
    """The gradient of a real scalar function is the VJP with the cotangent 1: for x³ at 2 it is 12 either way."""
    _, pullback = ad.vjp(lambda x: x**3, ad.array(2.0))
    close((*pullback(ad.array(1.0)), ad.grad(lambda x: x**3)(ad.array(2.0))), (12.0, 12.0))


@behaviour(MUST, jax("jax.vjp"), torch_func("torch.func.vjp"), aliases=("vjp has_aux",))
def auxiliary_output_takes_no_cotangent(ad):
    """vjp with `has_aux` returns output, pullback and auxiliary output, for which the pullback takes no cotangent."""
    output, pullback, auxiliary = ad.vjp(lambda x: (x**2, 5 * x), ad.array(3.0), has_aux=True)
    close((output, pullback(ad.array(1.0)), auxiliary), (9.0, (6.0,), 15.0))


@behaviour(
    SHOULD,
    jax("jax.vjp", raises=Exception, says="tree structure"),
    torch_func("torch.func.vjp", raises=Exception, says="pytree structure"),
    torch("torch.autograd.grad", raises=Exception, says="got 2 tensors and 1 gradients"),
    aliases=("got 2 tensors and 1 gradients",),
)
def a_cotangent_has_the_structure_of_the_output(ad):
    """A pullback raises an error for a single cotangent where the output is a pair."""
    _, pullback = ad.vjp(lambda x: (x, 2 * x), ad.array(3.0))
    raises(lambda: pullback(ad.array(1.0)))


@behaviour(
    SHOULD,
    jax("jax.vjp", raises=Exception, says="single argument"),
    torch_func("torch.func.vjp", raises=Exception, says="pytree structure"),
)
def the_cotangents_of_a_pair_are_one_argument(ad):
    """A pullback takes the cotangents of a pair as one tuple: as two arguments they raise an error."""
    _, pullback = ad.vjp(lambda x: (x, 2 * x), ad.array(3.0))
    raises(lambda: pullback(ad.array(1.0), ad.array(1.0)))


@behaviour(
    SHOULD,
    jax("jax.vjp", raises=Exception, says="unexpected JAX type"),
    aliases=("mismatch in shape grad_output", "unexpected jax type for argument to vjp function"),
)
def a_cotangent_is_not_broadcast(ad):
    """A pullback raises an error for a scalar cotangent of a vector output: cotangents are not broadcast."""
    _, pullback = ad.vjp(lambda x: x * 2, ad.array([1.0, 2.0, 3.0]))
    raises(lambda: pullback(ad.array(1.0)))


@behaviour(
    MAY,
    jax("jax.vjp", raises=Exception, says="unexpected JAX type", unstated="only the message of the error states it"),
    aliases=("grad_output dtype mismatch",),
)
def a_cotangent_of_another_precision(ad):
    """A pullback raises an error for a float32 cotangent of a float64 output."""
    _, pullback = ad.vjp(lambda x: x * 2, ad.array([1.0, 2.0], "float64"))
    raises(lambda: pullback(ad.array([1.0, 1.0], "float32")))


@behaviour(
    MUST,
    jax("jax.vjp"),
    jax("jacobian-vector-products", "Vector-valued gradients with VJPs"),
    torch("torch.autograd.grad"),
    torch_func("torch.func.vjp"),
    aliases=("grad_outputs ones_like", "vector-valued gradients tf.gradients"),
)
def a_cotangent_of_ones_gives_the_gradient_of_the_sum(ad):
    """The VJP with a cotangent of ones is the gradient of the sum of the outputs: 6x for 3x²."""
    _, pullback = ad.vjp(lambda x: 3 * x**2, ad.array([[1.0, 2.0], [3.0, 4.0]]))
    close(pullback(ad.array([[1.0, 1.0], [1.0, 1.0]])), ([[6.0, 12.0], [18.0, 24.0]],))


@behaviour(MUST, jax("jax.vjp"), torch("torch.autograd.grad"), torch_func("torch.func.vjp"))
def a_pullback_keeps_its_point(ad):
    """A pullback keeps the point where it was made: vjp of the same function at another point does not change it."""

    def square(x):
        return x * x

    _, at_two = ad.vjp(square, ad.array(2.0))
    _, at_five = ad.vjp(square, ad.array(5.0))
    close((at_two(ad.array(1.0)), at_five(ad.array(1.0))), ((4.0,), (10.0,)))


@behaviour(MUST, jax("jax.grad"), jax("jax.vjp"), aliases=("float0",))
def an_integer_input_has_a_float0_cotangent(ad):
    """The cotangent of an integer input has the dtype float0, which holds no numbers."""
    empty = ad.empty_cotangent(())
    _, pullback = ad.vjp(lambda x, i: x[i], ad.array([3.0, 5.0]), ad.array(1))
    cotangent, index_cotangent = pullback(ad.array(1.0))
    close(cotangent, [0.0, 1.0])
    equal((ad.dtype_of(index_cotangent), ad.dtype_of(empty)), ("float0", "float0"))


@behaviour(
    MAY,
    jax(
        "jax.vjp",
        unstated="the page does not mention integers; float0 is documented for gradients (jax.grad, allow_int)",
    ),
)
def an_integer_output_takes_a_float0_cotangent(ad):
    """The pullback of a function with an integer output takes a float0 cotangent, and returns zero."""
    empty = ad.empty_cotangent(())
    _, pullback = ad.vjp(lambda x: ad.cast(x, "int32"), ad.array(3.0))
    close(pullback(empty), (0.0,))


@behaviour(
    MAY,
    jax(
        "jax.fwd_and_bwd",
        raises=Exception,
        says="argnums",
        unstated="the signature alone has it: argnums without a default",
    ),
)
def fwd_and_bwd_needs_argnums(ad):
    """`fwd_and_bwd` raises an error without `argnums`: unlike grad, it has no default for them."""
    raises(lambda: ad.forward_and_backward(lambda x: x * x))


@behaviour(MUST, jax("jax.fwd_and_bwd"))
def fwd_and_bwd_returns_a_tuple_of_cotangents(ad):
    """The backward function of `fwd_and_bwd` returns a tuple of cotangents, also for a single integer `argnums`."""
    forward, backward = ad.forward_and_backward(lambda x: x**3, argnums=0)
    _, residuals = forward(ad.array(2.0))
    close(backward(residuals, ad.array(5.0)), (60.0,))


@behaviour(MUST, jax("jax.fwd_and_bwd"))
def fwd_and_bwd_returns_auxiliary_output_last(ad):
    """With `has_aux`, the forward function of `fwd_and_bwd` returns output, residuals and auxiliary output, and the
    backward function takes no cotangent for the auxiliary output."""
    forward, backward = ad.forward_and_backward(lambda x: (x**2, 5 * x), argnums=(0,), has_aux=True)
    output, residuals, auxiliary = forward(ad.array(3.0))
    close((output, backward(residuals, ad.array(7.0)), auxiliary), (9.0, (42.0,), 15.0))


@behaviour(
    MUST,
    jax("jax.fwd_and_bwd"),
    cases={"in_order": ((0, 1), ([50.0, 500.0], 320.0)), "swapped": ((1, 0), (320.0, [50.0, 500.0]))},
)
def fwd_and_bwd_returns_cotangents_for_argnums(ad, argnums, expected):
    """The backward function of `fwd_and_bwd` returns a cotangent for each argument of `argnums`, in their order and of
    the argument's shape."""
    forward, backward = ad.forward_and_backward(lambda x, y, z: x * y * z, argnums=argnums)
    output, residuals = forward(ad.array([2.0, 3.0]), ad.array(5.0), ad.array(10.0))
    close(output, [100.0, 150.0])
    close(backward(residuals, ad.array([1.0, 10.0])), expected)


@behaviour(MUST, jax("jax.fwd_and_bwd"), aliases=("reuse the backward function",))
def a_backward_function_serves_the_residuals_of_each_call(ad):
    """The backward function of `fwd_and_bwd` can be reused: with the residuals of a call of the forward function, it
    gives the VJP at the point of that call."""
    forward, backward = ad.forward_and_backward(lambda x: x * x, argnums=(0,))
    _, at_two = forward(ad.array(2.0))
    _, at_five = forward(ad.array(5.0))
    close((backward(at_two, ad.array(3.0)), backward(at_five, ad.array(3.0))), ((12.0,), (30.0,)))
    close(backward(at_two, ad.array(7.0)), (28.0,))


@behaviour(MAY, jax("jax.vjp"))
def python_numbers_can_be_cotangents(ad):
    """The pullback of scalar outputs takes Python floats as cotangents."""
    _, pullback = ad.vjp(lambda x, y: (3 * x, x * y), ad.array(2.0), ad.array(5.0))
    close(pullback((-0.5, 10.0)), (48.5, 20.0))


@behaviour(MUST, jax("301/vjp-objects", since="0.11"), aliases=("return vjp function from jit",))
def a_pullback_leaves_and_enters_compiled_functions(ad):
    """A pullback can be returned out of one jit-compiled function and passed into another."""
    x, y = ad.array(2.0), ad.array(5.0)
    make = ad.jit(lambda x, y: ad.vjp(lambda x, y: x * x * y, x, y)[1])
    apply = ad.jit(lambda pullback, cotangent: pullback(cotangent))
    close((apply(make(x, y), ad.array(1.0)), apply(make(y, x), ad.array(3.0))), ((20.0, 4.0), (60.0, 75.0)))


@behaviour(MUST, jax("jax.vjp", since="0.11.1"), aliases=("in_nzs",))
def an_input_declared_as_zero_has_a_zero_cotangent(ad):
    """With in_nzs=(True, False), the pullback of vjp returns a zero cotangent for the second input, and the VJP for the
    first."""
    output, pullback = ad.vjp(lambda x, y: (x * y, 5 * y), ad.array(2.0), ad.array(3.0), in_nzs=(True, False))
    close((output, pullback((ad.array(10.0), ad.array(100.0)))), ((6.0, 15.0), (30.0, 0.0)))
