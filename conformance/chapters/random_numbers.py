"""Random numbers: draws that follow from a key, within differentiated programs."""

from conformance.behaviour import MAY, MUST, behaviour, jax
from conformance.expect import close, raises


@behaviour(
    MUST,
    jax("jep/9263-typed-keys", "Safe PRNG key use", raises=TypeError, says="real- or complex-valued inputs"),
    jax("jax.grad", raises=TypeError, says="real- or complex-valued inputs"),
)
def a_random_key_has_no_gradient(ad):
    """The gradient with respect to a random key is refused."""
    gradient = ad.grad(ad.normal)
    raises(lambda: gradient(ad.key(0)))


@behaviour(MUST, jax("random-numbers"))
def one_key_gives_one_gradient(ad):
    """A gradient that depends on a draw is the same for the same key: 5 x times a draw has five times the draw."""
    gradient = ad.grad(lambda x, key: 5 * x * ad.normal(key))
    expected = ad.to_numpy(5 * ad.normal(ad.key(7)))
    close(gradient(ad.array(3.0), ad.key(7)), expected)
    close(gradient(ad.array(2.0), ad.key(7)), expected)


@behaviour(MAY, jax("random-numbers"))
def forward_and_backward_share_the_draw(ad):
    """The pullback uses the draw that the value was computed with."""
    output, pullback = ad.vjp(lambda x: x * ad.normal(ad.key(7)), ad.array(2.0))
    (cotangent,) = pullback(ad.array(3.0))
    close(2 * cotangent, ad.to_numpy(3 * output))
