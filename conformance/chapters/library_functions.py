"""Library functions: derivatives that are easily got wrong in places."""

from conformance.behaviour import MUST, behaviour, jax, torch
from conformance.expect import close


@behaviour(
    MUST,
    jax("jax.scipy.special.spence"),
    cases={
        "forward": (lambda ad, x: ad.jvp(ad.np.spence, (x,), (ad.array(1.0),))[1],),
        "reverse": (lambda ad, x: ad.grad(ad.np.spence)(x),),
    },
)
def forward_and_reverse_agree_on_spence(ad, derivative):
    """The dilogarithm, the integral of log t / (1 - t) from one on, has the slope log 1.2 / (1 - 1.2) at 1.2."""
    close(derivative(ad, ad.array(1.2)), -0.9116077839697731)


@behaviour(MUST, torch("torch.digamma"), jax("jax.scipy.special.digamma"))
def digamma_left_of_zero(ad):
    """The slope of digamma at -9.5 is π²/2 + 4 (1 + 1/9 + 1/25 + ... + 1/361)."""
    close(ad.grad(ad.np.digamma)(ad.array(-9.5)), 9.769687445030232)


@behaviour(MUST, torch("torch.sgn"), jax("jax.numpy.sign"))
def the_sign_of_a_complex_number(ad):
    """The sign z/|z| of a complex number turns with it: at 3 + 4i along i by (-12 + 9i) / 125."""
    sign, tangent = ad.jvp(ad.np.sign, (ad.array(3 + 4j),), (ad.array(1j),))
    close((sign, tangent), (0.6 + 0.8j, -0.096 + 0.072j))
