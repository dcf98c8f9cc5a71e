"""Special functions: gamma, beta, error and Bessel functions, and their kin, in JAX."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling, same

SPECIAL: Mapping[str, Spelling] = {
    "betaln_of_negative": "jax.scipy.special.betaln",
    **same(
        "jax.scipy.special",
        "gamma gammaln loggamma gammasgn digamma multigammaln beta betaln betainc gammainc gammaincc poch factorial"
        " erf erfc erfcx erfinv ndtr ndtri log_ndtr dawsn fresnel owens_t expit logit entr rel_entr kl_div xlogy"
        " xlog1py boxcox boxcox1p exp1 expi sici spence zeta hyp1f1 hyp2f1 i0 i0e i1 i1e wofz",
    ),
    "polygamma": lambda jax, x, n: jax.scipy.special.polygamma(n, x),
    "trigamma": lambda jax, x: jax.scipy.special.polygamma(1, x),
    "betainc_in_x": lambda jax, x, a, b: jax.scipy.special.betainc(a, b, x),
    "gammainc_in_x": lambda jax, x, a: jax.scipy.special.gammainc(a, x),
    "gammaincc_in_x": lambda jax, x, a: jax.scipy.special.gammaincc(a, x),
    "zeta_in_q": lambda jax, q, s: jax.scipy.special.zeta(s, q),
    "log_expit": "jax.nn.log_sigmoid",
    "expn": lambda jax, x, n: jax.scipy.special.expn(n, x),
    "jn": lambda jax, x, n: jax.scipy.special.bessel_jn(x, v=n)[n],
    "sph_harm_y": lambda jax, n, m, theta, phi: jax.scipy.special.sph_harm_y(n, m, theta, phi, n_max=3),
    # The Hurwitz zeta function has no derivative rule by its first argument.
    "underived": lambda jax, x: jax.lax.zeta(x, jax.numpy.ones_like(x)),
}
