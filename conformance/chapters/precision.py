"""Precision: numbers without 64 bits, and cotangents without numbers."""

from conformance.behaviour import MUST, behaviour, jax
from conformance.expect import equal, raises


@behaviour(MUST, jax("jax.dtypes.float0", raises=TypeError, says="float0"))
def an_empty_cotangent_has_no_arithmetic(ad):
    """The empty cotangent of an integer is refused as an operand."""
    empty = ad.grad(lambda i: i * 1.0, allow_int=True)(ad.array(3))
    raises(lambda: ad.np.sin(empty))


@behaviour(MUST, jax("jax.dtypes.float0"))
def an_empty_cotangent_can_be_reshaped(ad):
    """The empty cotangent of an integer has its shape, can be given another, and stays empty."""
    empty = ad.np.reshape(ad.grad(lambda i: i * 1.0, allow_int=True)(ad.array(3)), (1, 1))
    equal((empty.shape, ad.dtype_of(empty)), ((1, 1), "float0"))


@behaviour(MUST, jax("default_dtypes"))
def without_double_precision_everything_is_single(ad):
    """Where 64 bits are switched off a double is taken for a single number, and so is its gradient."""
    double = ad.numpy_of(ad.array(3.0))
    with ad.double_precision(False):
        equal(ad.dtype_of(ad.grad(lambda x: x * x)(double)), "float32")
