"""Special functions: gamma, beta, error and Bessel functions, and their kin, in PyTorch."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling, same

SPECIAL: Mapping[str, Spelling] = {
    **same("torch", "sinc digamma"),
    **same(
        "torch.special",
        "gammaln multigammaln gammainc gammaincc erf erfc erfcx erfinv ndtr ndtri log_ndtr expit logit entr xlogy"
        " xlog1py zeta i0 i0e i1 i1e modified_bessel_i0 modified_bessel_i1 airy_ai chebyshev_polynomial_t"
        " chebyshev_polynomial_u chebyshev_polynomial_v chebyshev_polynomial_w shifted_chebyshev_polynomial_t"
        " shifted_chebyshev_polynomial_u shifted_chebyshev_polynomial_v shifted_chebyshev_polynomial_w"
        " hermite_polynomial_h hermite_polynomial_he laguerre_polynomial_l legendre_polynomial_p",
    ),
    "polygamma": lambda torch, x, n: torch.polygamma(n, x),
    "trigamma": lambda torch, x: torch.polygamma(1, x),
    "gammainc_in_x": lambda torch, x, a: torch.special.gammainc(torch.full_like(x, a), x),
    "gammaincc_in_x": lambda torch, x, a: torch.special.gammaincc(torch.full_like(x, a), x),
    "zeta_in_q": lambda torch, q, s: torch.special.zeta(s, q),
    "log_expit": "torch.nn.functional.logsigmoid",
    "j0": "torch.special.bessel_j0",
    "j1": "torch.special.bessel_j1",
    "y0": "torch.special.bessel_y0",
    "y1": "torch.special.bessel_y1",
    "k0": "torch.special.modified_bessel_k0",
    "k1": "torch.special.modified_bessel_k1",
    "k0e": "torch.special.scaled_modified_bessel_k0",
    "k1e": "torch.special.scaled_modified_bessel_k1",
    "spherical_j0": "torch.special.spherical_bessel_j0",
    # The incomplete gamma function has no derivative in its first argument.
    "underived": lambda torch, x: torch.special.gammainc(x, torch.ones_like(x)),
}
