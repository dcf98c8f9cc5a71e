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
