"""Special functions, the other half: integrals, zeta and hypergeometric functions, Bessel functions, polynomials."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from conformance.operations.row import Operation, array, given, number, row, under

Truth: TypeAlias = Callable[..., Any]
DEGREE = 4
ROUND = {"zero": 0.0, "large": 10.0, "negative": -1.5}
FAR = {"far": 30.0, "negative": -1.5}
ORDERS = [{"n": 2}, {"n": 0}, {"n": 1}]
REAL_ORDERS = [{"v": 1.5}, {"v": 0.0}, {"v": 2.0}]


def _bessel(kind: str, order: int) -> Truth:
    """A Bessel function in mpmath: J, Y, I or K."""
    return lambda mpmath, x: getattr(mpmath, f"bessel{kind}")(order, x)


def _scaled(kind: str, order: int) -> Truth:
    """A modified Bessel function in mpmath, without its exponential growth or decay."""
    sign = {"i": -1, "k": 1}[kind]
    return lambda mpmath, x: mpmath.exp(sign * abs(x)) * getattr(mpmath, f"bessel{kind}")(order, x)


def _difference(mpmath: Any, x: Any) -> Any:
    """Chebyshev's polynomial V, which is the difference of two U; W is their sum."""
    return mpmath.chebyu(DEGREE, x) - mpmath.chebyu(DEGREE - 1, x)


def _sum(mpmath: Any, x: Any) -> Any:
    return mpmath.chebyu(DEGREE, x) + mpmath.chebyu(DEGREE - 1, x)


def _polynomial(name: str, meaning: str, truth: Truth) -> Operation:
    """A row of a family of orthogonal polynomials."""
    return row(
        f"{name}(x, n)",
        f"{meaning} polynomial of degree n.",
        number(),
        options=[{"n": n} for n in (DEGREE, 0, 1, 2, 7)],
        truth=truth,
        smooth={
            "zero": 0.0,
            "one": 1.0,
            "minus one": -1.0,
            "half": 0.5,
            "beyond one": 3.0,
            "large": 100.0,
            "large and negative": -100.0,
            "zero, of degree zero": under(1, 0.0),
            "zero, of degree one": under(2, 0.0),
            "one, of degree seven": under(4, 1.0),
            "minus one, of degree seven": under(4, -1.0),
        },
    )


BESSEL: tuple[Operation, ...] = (
    # Integrals.
    row(
        "sinc(x)",
        "sin(pi x) / (pi x), and 1 at 0.",
        number(),
        truth="sincpi",
        smooth={"zero": 0.0, "one": 1.0, "small": 1e-6, "smaller": 1e-16},
    ),
    row(
        "exp1(x)", "Exponential integral E1.", number(0), truth="e1", smooth={"one": 1.0, "tail": 30.0, "small": 1e-10}
    ),
    row(
        "expi(x)", "Exponential integral Ei.", number(0), truth="ei", smooth={"one": 1.0, "large": 30.0, "small": 1e-10}
    ),
    row(
        "expn(x, n)",
        "Exponential integral En.",
        number(0),
        options=[{"n": 2}, {"n": 1}, {"n": 0}, {"n": 3}],
        smooth={"one": 1.0, "large": 30.0, "one, of order one": under(1, 1.0)},
    ),
    row("sici(x)", "A pair: sine and cosine integral.", number(0), smooth={"one": 1.0, "large": 10.0}),
    row(
        "spence(x)",
        "Dilogarithm, in SciPy's form, which is 0 at 1.",
        number(0),
        truth=lambda mpmath, x: mpmath.polylog(2, 1 - x),
        smooth={"one": 1.0, "near one": 1.0001, "half": 0.5, "two": 2.0, "small": 1e-10, "large": 1e6},
    ),
    # Zeta and hypergeometric functions.
    row(
        "zeta(s, q)",
        "Hurwitz zeta function.",
        number(1.2, 4),
        number(0),
        truth="zeta",
        smooth={"ones": (2.0, 1.0), "integers": (3.0, 2.0), "large": (3.9, 20.0)},
    ),
    row(
        "zeta_in_q(q, s)",
        "Hurwitz zeta function, of a number s.",
        number(0),
        options=[{"s": 2.0}, {"s": 1.5}],
        smooth={"one": 1.0, "large": 30.0},
    ),
    row(
        "hyp1f1(a, b, x)",
        "Confluent hypergeometric function.",
        number(0),
        number(0),
        number(),
        truth="hyp1f1",
        smooth={"zero": (1.5, 0.7, 0.0), "equal": (1.5, 1.5, 0.7), "ones": (1.0, 1.0, 1.0)},
    ),
    row(
        "hyp2f1(a, b, c, x)",
        "Gauss's hypergeometric function.",
        number(0.2, 2),
        number(0.2, 2),
        number(0.5, 3),
        number(-0.7, 0.7),
        truth="hyp2f1",
        smooth={"zero": (1.5, 0.7, 1.2, 0.0), "equal": (1.5, 0.7, 0.7, 0.3)},
    ),
    # Bessel functions and their kin.
    row("j0(x)", "Bessel function J of order 0.", number(), truth=_bessel("j", 0), smooth={"zero": 0.0, "large": 20.0}),
    row("j1(x)", "Bessel function J of order 1.", number(), truth=_bessel("j", 1), smooth={"zero": 0.0, "large": 20.0}),
    row("y0(x)", "Bessel function Y of order 0.", number(0), truth=_bessel("y", 0), smooth={"large": 20.0}),
    # No value by mpmath: its third derivative takes seconds.
    row("y1(x)", "Bessel function Y of order 1.", number(0), smooth={"large": 20.0}),
    row("i0(x)", "Modified Bessel function I of order 0.", number(), truth=_bessel("i", 0), smooth=ROUND),
    row("i1(x)", "Modified Bessel function I of order 1.", number(), truth=_bessel("i", 1), smooth=ROUND),
    row("modified_bessel_i0(x)", "i0, in another implementation.", number(), truth=_bessel("i", 0), smooth=ROUND),
    row("modified_bessel_i1(x)", "i1, in another implementation.", number(), truth=_bessel("i", 1), smooth=ROUND),
    row("i0e(x)", "exp(-abs(x)) i0(x).", number(), truth=_scaled("i", 0), smooth=FAR, kinks={"zero": 0.0}),
    # At zero its second derivative jumps.
    row("i1e(x)", "exp(-abs(x)) i1(x).", number(), truth=_scaled("i", 1), smooth=FAR),
    row("k0(x)", "Modified Bessel function K of order 0.", number(0), truth=_bessel("k", 0), smooth={"tail": 20.0}),
    row("k1(x)", "Modified Bessel function K of order 1.", number(0), truth=_bessel("k", 1), smooth={"tail": 20.0}),
    row("k0e(x)", "exp(x) k0(x).", number(0), truth=_scaled("k", 0), smooth={"large": 20.0}),
    row("k1e(x)", "exp(x) k1(x).", number(0), truth=_scaled("k", 1), smooth={"one": 1.0, "large": 8.0}),
    row(
        "jn(x, n)",
        "Bessel function J of integer order.",
        number(),
        options=ORDERS,
        smooth={
            "zero": 0.0,
            "large": 20.0,
            "negative": -1.5,
            "zero, of order zero": under(1, 0.0),
            "zero, of order one": under(2, 0.0),
        },
    ),
    row(
        "yn(x, n)",
        "Bessel function Y of integer order.",
        number(0),
        options=ORDERS,
        smooth={"one": 1.0, "large": 20.0, "small": 0.2},
    ),
    row(
        "iv(x, v)",
        "Modified Bessel function I of real order.",
        number(0),
        options=REAL_ORDERS,
        smooth={"one": 1.0, "large": 20.0},
    ),
    row("ive(x, v)", "exp(-abs(x)) iv(x, v).", number(0), options=REAL_ORDERS, smooth={"one": 1.0, "large": 20.0}),
    row("spherical_j0(x)", "sin(x) / x, and 1 at 0.", number(), truth="sinc", smooth={"zero": 0.0, "small": 1e-9}),
    row(
        "airy_ai(x)", "Airy function Ai.", number(), truth="airyai", smooth={"zero": 0.0, "tail": 8.0, "negative": -5.0}
    ),
    row(
        "sph_harm_y(n, m, theta, phi)",
        "Spherical harmonic of degree n and order m, at polar angle theta and azimuth phi: complex.",
        given([1, 2, 3]),
        given([0, 1, 2]),
        array(3, low=0, high=3),
        array(3),
        smooth={"pole": (0.0, 0.3), "equator": (1.5707963267948966, 0.0), "no azimuth": (0.7, 0.0)},
    ),
    row("wofz(x)", "Faddeeva function exp(-x^2) erfc(-i x): complex.", number(), smooth={"zero": 0.0, "large": 10.0}),
    # Orthogonal polynomials.
    _polynomial("chebyshev_polynomial_t", "Chebyshev T", lambda mpmath, x: mpmath.chebyt(DEGREE, x)),
    _polynomial("chebyshev_polynomial_u", "Chebyshev U", lambda mpmath, x: mpmath.chebyu(DEGREE, x)),
    _polynomial("chebyshev_polynomial_v", "Chebyshev V", _difference),
    _polynomial("chebyshev_polynomial_w", "Chebyshev W", _sum),
    _polynomial(
        "shifted_chebyshev_polynomial_t", "Shifted Chebyshev T", lambda mpmath, x: mpmath.chebyt(DEGREE, 2 * x - 1)
    ),
    _polynomial(
        "shifted_chebyshev_polynomial_u", "Shifted Chebyshev U", lambda mpmath, x: mpmath.chebyu(DEGREE, 2 * x - 1)
    ),
    _polynomial(
        "shifted_chebyshev_polynomial_v", "Shifted Chebyshev V", lambda mpmath, x: _difference(mpmath, 2 * x - 1)
    ),
    _polynomial("shifted_chebyshev_polynomial_w", "Shifted Chebyshev W", lambda mpmath, x: _sum(mpmath, 2 * x - 1)),
    _polynomial("hermite_polynomial_h", "Hermite H", lambda mpmath, x: mpmath.hermite(DEGREE, x)),
    _polynomial("hermite_polynomial_he", "Hermite He", lambda mpmath, x: x**4 - 6 * x**2 + 3),
    _polynomial("laguerre_polynomial_l", "Laguerre L", lambda mpmath, x: mpmath.laguerre(DEGREE, 0, x)),
    _polynomial("legendre_polynomial_p", "Legendre P", lambda mpmath, x: mpmath.legendre(DEGREE, x)),
)
