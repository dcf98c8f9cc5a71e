"""Transposing: linear_transpose, which maps cotangents of a linear function's outputs to cotangents of its inputs."""

from conformance.behaviour import MUST, SHOULD, behaviour, jax
from conformance.expect import close, equal, raises


@behaviour(MUST, jax("jax.linear_transpose"), aliases=("adjoint of a linear operator",))
def a_transpose_swaps_inputs_and_outputs(ad):
    """The transpose of 2x - 3y maps the cotangent 5 to the pair (10, -15)."""
    x, y = ad.array(1.0), ad.array(1.0)
    close(ad.linear_transpose(lambda x, y: 2 * x - 3 * y, x, y)(ad.array(5.0)), (10.0, -15.0))


@behaviour(MUST, jax("jax.linear_transpose"), aliases=("shapedtypestruct",))
def linear_transpose_needs_only_shape_and_dtype(ad):
    """linear_transpose needs only the shape and dtype of the inputs, no values."""
    x = ad.shape_only((2,), "float64")
    close(ad.linear_transpose(lambda x: 3 * x, x)(ad.array([2.0, 5.0])), ([6.0, 15.0],))


@behaviour(MUST, jax("jax.linear_transpose"))
def a_real_input_has_a_real_cotangent(ad):
    """The transpose of multiplying a real input by 2 + 3i returns a real cotangent: the imaginary part is dropped."""
    transpose = ad.linear_transpose(lambda x: (2 + 3j) * x, ad.array(1.0))
    (cotangent,) = transpose(ad.array(1 + 0j))
    close(cotangent, 2.0)
    equal(ad.dtype_of(cotangent), "float64")


@behaviour(
    SHOULD,
    jax("jax.linear_transpose", raises=Exception),
    cases={"square": (lambda ad, x: x * x,), "sine": (lambda ad, x: ad.np.sin(x),)},
)
def a_nonlinear_function_raises_an_error(ad, program):
    """The transpose of x² or sin(x), which are not linear, raises an error."""
    x = ad.array(3.0)
    close(ad.linear_transpose(lambda x: 2 * x, x)(x), (6.0,))
    raises(lambda: ad.linear_transpose(lambda x: program(ad, x), x)(x))


@behaviour(MUST, jax("jax.linear_transpose", raises=Exception, says="only supports"))
def an_integer_input_raises_an_error(ad):
    """The transpose of a function from an integer input to a floating-point output raises an error."""
    raises(lambda: ad.linear_transpose(lambda x: 2.0 * x, ad.array(1))(ad.array(1.0)))


@behaviour(
    SHOULD,
    jax("jax.linear_transpose", raises=Exception, says="does not match function output"),
    cases={"shape": (lambda x: x,), "structure": (lambda x: (x[0], x[1]),)},
)
def a_cotangent_of_another_shape_or_structure_raises_an_error(ad, cotangent):
    """A transpose raises an error for a cotangent of another shape or structure than the output."""
    transpose = ad.linear_transpose(lambda x: 3 * x[0], ad.array([1.0, 2.0]))
    raises(lambda: transpose(cotangent(ad.array([1.0, 1.0]))))


@behaviour(MUST, jax("jax.linear_transpose"))
def an_unused_input_has_a_zero_cotangent(ad):
    """The transpose returns zeros for an input that the function does not use."""
    x, y = ad.array(1.0), ad.array([1.0, 1.0])
    close(ad.linear_transpose(lambda x, y: 2 * x, x, y)(ad.array(5.0)), (10.0, [0.0, 0.0]))


@behaviour(MUST, jax("jax.linear_transpose"))
def a_float32_input_has_a_float32_cotangent(ad):
    """The transpose of a function from float32 to float64 returns float32: the dtype of the input."""
    transpose = ad.linear_transpose(lambda x: 3 * ad.cast(x, "float64"), ad.array([1.0, 1.0], "float32"))
    (cotangent,) = transpose(ad.array([2.0, 5.0]))
    close(cotangent, [6.0, 15.0], dtype="float32")


@behaviour(MUST, jax("jax.linear_transpose"))
def a_transpose_has_the_structure_of_its_inputs(ad):
    """The transpose takes a cotangent with the structure of the output, and returns a tuple with that of the inputs."""
    inputs = {"a": ad.array([1.0, 1.0]), "b": (ad.array(1.0),)}
    transpose = ad.linear_transpose(lambda p, y: (2 * p["a"] + p["b"][0], {"c": 7 * y}), inputs, ad.array(1.0))
    expected = ({"a": [2.0, 20.0], "b": (11.0,)}, 700.0)
    close(transpose((ad.array([1.0, 10.0]), {"c": ad.array(100.0)})), expected)
    close(transpose((ad.array([0.0, 10.0]), {"c": ad.array(0.0)})), ({"a": [0.0, 20.0], "b": (10.0,)}, 0.0))


@behaviour(
    MUST,
    jax("jax.linear_transpose", since="0.11.2"),
    cases={
        "multiple": (lambda ad, x: 3 * x, [5, 7], [15, 21]),
        "matrix_product": (lambda ad, x: ad.array([[1, 2], [3, 4], [5, 6]]) @ x, [1, 10, 100], [531, 642]),
    },
)
def a_function_between_integers_has_a_transpose(ad, program, cotangent, expected):
    """A linear function from integers to integers has a transpose: that of 3x maps 5 to 15, that of the product of a
    matrix A and x maps y to the product of Aᵀ and y."""
    transpose = ad.linear_transpose(lambda x: program(ad, x), ad.array([1, 1]))
    close(transpose(ad.array(cotangent)), (expected,))


def _divided(ad, divisor):
    """Division by `divisor`, whose transpose multiplies by ten as well, so that it can be told apart."""
    return lambda x: ad.linear_call(lambda r, x: x / r, lambda r, t: 10 * t / r, divisor, x)


@behaviour(MUST, jax("jax.custom_derivatives.linear_call"))
def linear_call_calls_the_function(ad):
    """`linear_call` returns the result of its function for the residuals and the linear argument: for x / r, 6 / 2."""
    close(_divided(ad, ad.array(2.0))(ad.array(6.0)), 3.0)


def _transposed(ad, program):
    return lambda x: ad.linear_transpose(program, x)(x)[0]


@behaviour(
    MUST,
    jax("jax.custom_derivatives.linear_call"),
    cases={"once": (lambda ad, f: _transposed(ad, f), 30.0), "twice": (lambda ad, f: _twice(ad, f), 3.0)},
)
def linear_call_has_the_transpose_that_it_is_given(ad, transpose, expected):
    """The transpose of a `linear_call` calls the transpose that it was given; the transpose of that calls the first
    function again."""
    close(transpose(ad, _divided(ad, ad.array(2.0)))(ad.array(6.0)), expected)


def _twice(ad, program):
    return _transposed(ad, _transposed(ad, program))
