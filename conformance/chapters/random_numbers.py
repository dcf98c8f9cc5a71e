"""Random numbers: random keys, and samples drawn from them, in differentiated functions."""

from conformance.behaviour import MUST, SHOULD, behaviour, jax, torch
from conformance.expect import close, raises

KINKS = "Gradients for non-differentiable functions"


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


@behaviour(
    MUST,
    torch("notes/autograd", KINKS, raises=RuntimeError, says="does not require grad"),
    cases={
        "bernoulli": (lambda ad, x: ad.np.bernoulli(x),),
        "normal": (lambda ad, x: ad.np.normal(x),),
        "uniform": (lambda ad, x: ad.np.rand_like(x),),
    },
    aliases=("gradient of bernoulli, multinomial, normal",),
)
def backward_through_a_random_sample_raises(ad, draw):
    """backward() through numbers that an operation draws at random, given a tensor that requires grad, raises an error:
    the operation is marked as non-differentiable."""
    sample = draw(ad, ad.leaf([0.5, 0.25]) * 1)
    raises(lambda: ad.backward(ad.np.sum(sample)))


@behaviour(MUST, torch("distributions", "Pathwise derivative"), aliases=("reparameterization trick, rsample",))
def a_reparameterised_sample_is_differentiable(ad):
    """A sample by rsample() is differentiable in the parameters of its distribution: for Normal(m, s), the gradient is
    1 by m and e by s, if the sample is m + s e."""

    def sample(mean, deviation):
        ad.seed_(0)
        return ad.np.normal_rsample(mean, deviation)

    mean, deviation = ad.array(3.0), ad.array(2.0)
    slope, noise = ad.grad(sample, argnums=(0, 1))(mean, deviation)
    close(slope, 1.0)
    close(mean + deviation * noise, ad.to_numpy(sample(mean, deviation)))


@behaviour(MUST, torch("distributions", raises=RuntimeError, says="does not require grad"))
def backward_through_a_plain_sample_raises(ad):
    """backward() through sample() of a distribution raises an error, even if its parameters require grad."""
    sample = ad.np.normal_sample(ad.leaf(3.0), ad.leaf(2.0))
    raises(lambda: ad.backward(sample))
