"""Random numbers: random keys, and samples drawn from them, in differentiated functions."""

from conformance.behaviour import MUST, SHOULD, behaviour, jax
from conformance.expect import close, raises


@behaviour(
    SHOULD, jax("jax.grad", raises=Exception, says="real- or complex-valued inputs"), aliases=("prng key gradient",)
)
def grad_of_a_random_key_raises(ad):
    """grad with respect to a random key raises an error, as a key is not a floating-point array."""
    gradient = ad.grad(ad.normal)
    raises(lambda: gradient(ad.key(0)))


@behaviour(MUST, jax("random-numbers"), jax("jax.grad"))
def the_same_key_gives_the_same_gradient(ad):
    """The gradient of a function that samples with a random key is the same for the same key."""
    gradient = ad.grad(lambda x, key: 5 * x * ad.normal(key))
    expected = ad.to_numpy(5 * ad.normal(ad.key(7)))
    close(gradient(ad.array(3.0), ad.key(7)), expected)
    close(gradient(ad.array(2.0), ad.key(7)), expected)


@behaviour(MUST, jax("random-numbers"), jax("jax.vjp"))
def forward_and_backward_use_the_same_sample(ad):
    """The VJP of a function that samples with a random key uses the same sample as its forward pass."""
    output, pullback = ad.vjp(lambda x: x * ad.normal(ad.key(7)), ad.array(2.0))
    (cotangent,) = pullback(ad.array(3.0))
    close(2 * cotangent, ad.to_numpy(3 * output))
