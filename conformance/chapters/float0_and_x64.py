"""Precision: gradients with 64-bit values disabled, and float0, the dtype of gradients of integers."""

from conformance.behaviour import MAY, MUST, behaviour, jax
from conformance.expect import close, raises


@behaviour(MAY, jax("jax.grad", raises=Exception, says="float0"), aliases=("float0",))
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
