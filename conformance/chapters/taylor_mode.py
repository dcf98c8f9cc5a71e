"""Taylor mode: jet, which propagates truncated Taylor series, and so derivatives of higher order."""

from conformance.behaviour import MAY, MUST, behaviour, jax
from conformance.expect import close, raises

JET = "jax.experimental.jet"


@behaviour(
    MUST,
    jax(JET),
    cases={
        "first": ((3.0,), (12.0,)),
        "second": ((3.0, 5.0), (12.0, 38.0)),
        "third": ((3.0, 5.0, 7.0), (12.0, 38.0, 118.0)),
    },
    aliases=("faa di bruno", "taylor-mode automatic differentiation"),
)
def jet_gives_the_derivatives_of_a_composition(ad, series, expected):
    """jet of f maps the value and derivatives of an inner function h to those of f(h): (2, 3, 5, 7) to (4, 12, 38, 118)
    for f = y²."""
    close(ad.jet(lambda y: y * y, (ad.array(2.0),), (series,)), (4.0, expected))


@behaviour(MUST, jax(JET), aliases=("nth derivative",))
def jet_of_a_line_gives_all_derivatives(ad):
    """jet along a line, with the series (1, 0, 0), gives the value and the first three derivatives: 125 and (75, 30,
    6) for x³ at 5."""
    close(ad.jet(lambda x: x**3, (ad.array(5.0),), ((1.0, 0.0, 0.0),)), (125.0, (75.0, 30.0, 6.0)))


@behaviour(MUST, jax(JET), aliases=("factorial_scaled",))
def jet_without_factorials_gives_taylor_coefficients(ad):
    """jet with factorial_scaled=False takes and returns Taylor coefficients: (2 + 3t + 5t² + 7t³)² = 4 + 12t + 29t² +
    58t³ + ..."""
    found = ad.jet(lambda y: y * y, (ad.array(2.0),), ((3.0, 5.0, 7.0),), factorial_scaled=False)
    close(found, (4.0, (12.0, 29.0, 58.0)))


@behaviour(MUST, jax(JET))
def jet_takes_a_series_for_each_argument(ad):
    """jet takes a series of derivatives for each argument: for xy² at (2, 5) with (3, 1) and (7, 4) it gives the
    derivatives 215 and 721."""
    found = ad.jet(lambda x, y: x * y * y, (ad.array(2.0), ad.array(5.0)), ((3.0, 1.0), (7.0, 4.0)))
    close(found, (50.0, (215.0, 721.0)))


@behaviour(MAY, jax(JET))
def jet_returns_containers(ad):
    """The function under jet may return a container, such as a dictionary: each entry has a series."""
    value, series = ad.jet(lambda x: {"a": x * x, "b": 5 * x}, (ad.array(2.0),), ((3.0, 1.0),))
    close((value, series), ({"a": 4.0, "b": 10.0}, {"a": (12.0, 22.0), "b": (15.0, 5.0)}))


@behaviour(MAY, jax(JET))
def jet_accepts_containers(ad):
    """The arguments of a function under jet may be containers, such as a dictionary of arrays."""
    value, series = ad.jet(lambda p: p["a"] * p["a"], ({"a": ad.array(2.0)},), (({"a": 3.0}, {"a": 1.0}),))
    close((value, series), (4.0, (12.0, 22.0)))


@behaviour(
    MAY,
    jax(
        JET,
        raises=Exception,
        says="cholesky",
        unstated="the page asks for rules that are missing; only the message of the error names the operation",
    ),
)
def jet_of_an_operation_without_a_rule_raises_an_error(ad):
    """jet of an operation that it has no rule for, here the Cholesky factorization, raises an error."""
    x = ad.array([[4.0, 0.0], [0.0, 9.0]])
    close(ad.np.cholesky(x), [[2.0, 0.0], [0.0, 3.0]])
    raises(lambda: ad.jet(lambda x: ad.np.cholesky(x), (x,), ((x, x),)))
