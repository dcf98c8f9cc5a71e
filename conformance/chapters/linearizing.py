"""Linearizing: linearize, which returns the output and the JVP at a point as a function of the tangent."""

from conformance.behaviour import MAY, MUST, behaviour, jax, torch_func
from conformance.expect import close, equal, raises


@behaviour(MUST, jax("jax.linearize"), torch_func("torch.func.linearize"))
def linearize_returns_output_and_jvp_function(ad):
    """linearize returns the output and a JVP function: for x³ at 2 the output is 8, and the tangent 3 gives 36."""
    output, linear = ad.linearize(lambda x: x**3, ad.array(2.0))
    close((output, linear(ad.array(3.0)), linear(ad.array(4.0))), (8.0, 36.0, 48.0))


@behaviour(MUST, jax("jax.linearize"), torch_func("torch.func.linearize"), aliases=("linearization reuse jvp",))
def the_jvp_function_does_not_run_the_function_again(ad):
    """The JVP function that linearize returns does not run the Python function again."""
    calls = []
    _, linear = ad.linearize(lambda x: (calls.append(x), x**3)[1], ad.array(2.0))
    before = len(calls)
    close((linear(ad.array(3.0)), linear(ad.array(4.0))), (36.0, 48.0))
    equal(len(calls), before)


@behaviour(
    MUST,
    jax("jax.linearize"),
    torch_func("torch.func.linearize"),
    cases={
        "norm": (lambda ad, x: ad.np.quartic_norm(x), [2.0, 0.0], 3.0),
        "mean": (lambda ad, x: ad.np.nanmean(x), [1.0, 2.0], 4.0),
        "powers_of_two": (lambda ad, x: ad.np.sum(ad.np.ldexp(x, ad.array([1, 2], "int32"))), [1.0, 2.0], 26.0),
    },
)
def the_jvp_function_gives_the_same_again(ad, function, at, tangent):
    """The JVP function that linearize returns gives the JVP in its second call as in its first: of a norm of order 4,
    of a mean without NaN, and of numbers times powers of two."""
    _, linear = ad.linearize(lambda x: function(ad, x), ad.array(at))
    direction = ad.array([3.0, 5.0])
    close((linear(direction), linear(direction)), (tangent, tangent))


@behaviour(
    MAY, jax("jax.linearize", raises=Exception, says="PyTreeDef", unstated="only the message of the error states it")
)
def too_many_tangents_raise_an_error(ad):
    """The JVP function that linearize returns raises an error for more tangents than the function has arguments."""
    _, linear = ad.linearize(lambda x: x**3, ad.array(2.0))
    raises(lambda: linear(ad.array(3.0), ad.array(4.0)))


@behaviour(
    MAY,
    jax(
        "jax.linearize",
        raises=Exception,
        says="inconsistent with the original primal values",
        unstated="only the message of the error states it",
    ),
    cases={"shape": ([1.0, 1.0], "float64"), "precision": (1.0, "float32")},
)
def a_tangent_of_another_shape_or_dtype_raises_an_error(ad, tangent, dtype):
    """linearize's JVP function raises an error for a tangent of another shape or dtype than the primal."""
    _, linear = ad.linearize(lambda x: x**3, ad.array(2.0))
    raises(lambda: linear(ad.array(tangent, dtype)))


@behaviour(MUST, jax("jax.linearize"), torch_func("torch.func.linearize"))
def the_jvp_function_gives_zeros_for_an_independent_output(ad):
    """The JVP function that linearize returns gives zeros for an output that does not depend on the input."""
    _, linear = ad.linearize(lambda x: (5 * x, ad.array([7.0, 8.0])), ad.array(3.0))
    close(linear(ad.array(2.0)), (10.0, [0.0, 0.0]))


@behaviour(
    MUST,
    jax("jax.linear_transpose"),
    jax("jacobian-vector-products", "Vector-Jacobian products (VJPs, a.k.a. reverse-mode autodiff)"),
)
def the_transposed_jvp_function_is_the_pullback(ad):
    """Transposing linearize's JVP function gives the pullback: for (x², xy) at (3, 2) it maps (1, 10) to (26, 30)."""
    x, y = ad.array(3.0), ad.array(2.0)
    _, linear = ad.linearize(lambda x, y: ad.np.stack([x * x, x * y]), x, y)
    close(ad.linear_transpose(linear, x, y)(ad.array([1.0, 10.0])), (26.0, 30.0))


@behaviour(MUST, jax("jax.linearize", since="0.11.1"), aliases=("in_nzs",))
def a_tangent_of_an_input_declared_as_zero_is_ignored(ad):
    """With in_nzs=(True, False), the JVP function that linearize returns treats the tangent of the second input as
    zero."""
    output, pushforward = ad.linearize(lambda x, y: x * y, ad.array(2.0), ad.array(3.0), in_nzs=(True, False))
    close((output, pushforward(ad.array(10.0), ad.array(100.0))), (6.0, 30.0))


@behaviour(MUST, jax("jax.linearize"), aliases=("linearize has_aux",))
def linearize_returns_auxiliary_output_last(ad):
    """With `has_aux`, linearize returns output, JVP function and auxiliary output; the JVP function returns the tangent
    of the output only."""
    output, linear, auxiliary = ad.linearize(lambda x: (x**2, {"a": 5 * x}), ad.array(3.0), has_aux=True)
    close((output, linear(ad.array(7.0)), auxiliary), (9.0, 42.0, {"a": 15.0}))


@behaviour(MUST, jax("jax.linearize"), torch_func("torch.func.linearize"))
def the_jvp_function_takes_a_tangent_for_each_argument(ad):
    """The JVP function that linearize returns takes a tangent for each argument, and returns one for each output."""
    x, y = ad.array([2.0, 3.0]), ad.array(5.0)
    _, linear = ad.linearize(lambda x, y: (x * y, 7 * y), x, y)
    close(linear(ad.array([1.0, 10.0]), ad.array(100.0)), ([205.0, 350.0], 700.0))


@behaviour(MUST, jax("jax.linearize"), torch_func("torch.func.linearize"))
def a_jvp_function_keeps_its_point(ad):
    """The JVP function that linearize returns keeps its point: linearize at another point does not change it."""

    def square(x):
        return x * x

    _, at_two = ad.linearize(square, ad.array(2.0))
    _, at_five = ad.linearize(square, ad.array(5.0))
    close((at_two(ad.array(3.0)), at_five(ad.array(3.0))), (12.0, 30.0))
