"""Precision: gradients with 64-bit values disabled, and float0, the dtype of gradients of integers."""

from conformance.behaviour import MAY, MUST, SHOULD, behaviour, jax
from conformance.expect import close, equal, raises


@behaviour(
    MAY,
    jax("jax.grad", raises=Exception, says="float0", unstated="only the message of the error states it"),
    aliases=("float0",),
)
def arithmetic_with_float0_raises(ad):
    """An operation on the gradient of an integer input, an array with the dtype float0, raises an error."""
    empty = ad.grad(lambda i: i * 1.0, allow_int=True)(ad.array(3))
    raises(lambda: ad.np.sin(empty))


@behaviour(MUST, jax("default_dtypes"), jax("changelog", "JAX 0.8.0", since="0.8"), aliases=("jax_enable_x64",))
def gradients_are_float32_without_x64(ad):
    """With 64-bit values disabled (jax_enable_x64), float64 inputs are converted to float32, and their gradients are
    float32."""
    double = ad.numpy_of(ad.array(3.0))
    with ad.double_precision(False):
        close(ad.grad(lambda x: x * x)(double), 6.0, dtype="float32")


INTEGERS = {"uint8": (3, "uint8"), "int16": (-3, "int16")}


@behaviour(MUST, jax("jax.grad", "allow_int"), cases=INTEGERS)
def every_integer_dtype_has_a_float0_gradient(ad, value, dtype):
    """With allow_int=True, the gradient of an integer input, signed or unsigned, has dtype float0, beside the gradient
    of a floating-point input."""
    gradient = ad.grad(lambda x, i: 7 * x * i, argnums=(0, 1), allow_int=True)
    of_float, of_integer = gradient(ad.array([2.0, 5.0])[0], ad.array(value, dtype))
    close(of_float, 7.0 * value)
    equal(ad.dtype_of(of_integer), "float0")


@behaviour(
    MAY,
    jax("jax.grad", "allow_int", unstated="the parameter is about integers; Booleans are not mentioned"),
    aliases=("gradient of a boolean input",),
)
def a_boolean_input_has_a_float0_gradient(ad):
    """With allow_int=True, the gradient of a Boolean input has dtype float0, as that of an integer input."""
    gradient = ad.grad(lambda x, b: 7 * x * b, argnums=(0, 1), allow_int=True)
    of_float, of_boolean = gradient(ad.array(2.0), ad.array(True))
    close(of_float, 7.0)
    equal(ad.dtype_of(of_boolean), "float0")


@behaviour(
    SHOULD,
    jax("jax.grad", raises=Exception, says="real- or complex-valued inputs"),
    cases={"boolean": (True, None), **INTEGERS},
)
def grad_of_an_integer_or_boolean_input_raises(ad, value, dtype):
    """By default, grad with respect to an input of an integer or Boolean dtype raises an error."""
    gradient = ad.grad(lambda x, i: 7 * x * i, argnums=1)
    raises(lambda: gradient(ad.array(2.0), ad.array(value, dtype)))
