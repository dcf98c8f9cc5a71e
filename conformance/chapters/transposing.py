"""Transposing: linear programs run from their outputs to their inputs."""

from conformance.behaviour import MAY, MUST, behaviour, jax
from conformance.expect import close, equal, raises


@behaviour(MUST, jax("jax.linear_transpose"))
def a_transpose_swaps_inputs_and_outputs(ad):
    """The transpose of 2 x - 3 y takes a cotangent of 5 to 10 and -15."""
    x, y = ad.array(1.0), ad.array(1.0)
    close(ad.linear_transpose(lambda x, y: 2 * x - 3 * y, x, y)(ad.array(5.0)), (10.0, -15.0))


@behaviour(MUST, jax("jax.linear_transpose"))
def a_shape_and_a_dtype_suffice(ad):
    """Of the inputs, a transpose needs no more than shape and dtype."""
    x = ad.shape_only((2,), "float64")
    close(ad.linear_transpose(lambda x: 3 * x, x)(ad.array([2.0, 5.0])), ([6.0, 15.0],))


@behaviour(MUST, jax("jax.linear_transpose"))
def a_real_input_has_a_real_transpose(ad):
    """A real input of a complex function has a real cotangent: the imaginary part is dropped."""
    transpose = ad.linear_transpose(lambda x: (2 + 3j) * x, ad.array(1.0))
    (cotangent,) = transpose(ad.array(1 + 0j))
    close(cotangent, 2.0)
    equal(ad.dtype_of(cotangent), "float64")


@behaviour(
    MAY,
    jax("jax.linear_transpose"),
    cases={"square": (lambda ad, x: x * x,), "sine": (lambda ad, x: ad.np.sin(x),)},
)
def what_is_not_linear_has_no_transpose(ad, program):
    """A function that is not linear is refused."""
    x = ad.array(3.0)
    raises(lambda: ad.linear_transpose(lambda x: program(ad, x), x)(x))


@behaviour(MUST, jax("jax.linear_transpose", raises=TypeError, says="only supports"))
def integers_and_floats_do_not_mix(ad):
    """The transpose of a function from integers to floating-point numbers is refused."""
    raises(lambda: ad.linear_transpose(lambda x: 2.0 * x, ad.array(1))(ad.array(1.0)))


@behaviour(
    MUST,
    jax("jax.linear_transpose", raises=TypeError, says="does not match function output"),
    cases={"shape": (lambda x: x,), "structure": (lambda x: (x[0], x[1]),)},
)
def a_cotangent_matches_the_output(ad, cotangent):
    """A transpose refuses a cotangent of another shape or structure than the output's."""
    transpose = ad.linear_transpose(lambda x: 3 * x[0], ad.array([1.0, 2.0]))
    raises(lambda: transpose(cotangent(ad.array([1.0, 1.0]))))


@behaviour(MAY, jax("jax.linear_transpose"))
def an_ignored_input_has_a_zero_cotangent(ad):
    """An input that the function ignores has a cotangent of zeros."""
    x, y = ad.array(1.0), ad.array([1.0, 1.0])
    close(ad.linear_transpose(lambda x, y: 2 * x, x, y)(ad.array(5.0)), (10.0, [0.0, 0.0]))
