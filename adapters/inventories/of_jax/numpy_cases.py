"""Calls of the functions of `jax.numpy` whose signatures do not determine their arguments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import jax.numpy as jnp
import numpy

from adapters.inventories.of_jax.arguments import Case, between, case, complex_numbers, drawn, positive

__all__ = ["CASES"]

MATRIX, OTHER, TALL, VECTOR = drawn(2, 3), drawn(2, 3), drawn(3, 2), drawn(3)
FIRST, LAST = numpy.array([True, False, True]), numpy.array([2, 0])
FLAGS = numpy.array([[True, False, True], [False, True, True]])


def _out_of_place(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Call a function that can write to an array so that it returns a new array."""
    return function(*args, inplace=False, **kwargs)


def _sizes(roots: Any) -> Any:
    """The absolute values of complex numbers, whose order is not determined."""
    return jnp.sort(jnp.abs(roots))


_ELEMENTS: Mapping[str, tuple[Case, ...]] = {
    "append": (case(MATRIX, VECTOR), case(MATRIX, OTHER, axis=0)),
    "choose": (
        case(numpy.array([1, 0, 5]), [VECTOR, drawn(3)], mode="clip"),
        case(numpy.array([3, 0, -1]), [VECTOR, drawn(3)], mode="wrap"),
    ),
    "compress": (case(FIRST, MATRIX, axis=1), case(FIRST, MATRIX, axis=1, size=3, fill_value=2)),
    "delete": (case(MATRIX, 1, axis=1), case(MATRIX, LAST, axis=1)),
    "extract": (case(FLAGS, MATRIX), case(FLAGS, MATRIX, size=5, fill_value=2)),
    "fill_diagonal": (case(drawn(3, 3), VECTOR, through=_out_of_place), case(MATRIX, drawn(), through=_out_of_place)),
    "insert": (case(MATRIX, 1, VECTOR, axis=0), case(MATRIX, LAST, drawn(2, 2), axis=1)),
    "piecewise": (case(VECTOR, [FIRST], [jnp.sin, jnp.exp]),),
    "place": (case(MATRIX, FLAGS, drawn(2), through=_out_of_place),),
    "put": (
        case(MATRIX, LAST, drawn(2), through=_out_of_place),
        case(VECTOR, LAST + 3, drawn(2), mode="wrap", through=_out_of_place),
    ),
    "put_along_axis": (case(MATRIX, numpy.array([[2], [0]]), drawn(2, 1), 1, through=_out_of_place),),
    "select": (case([FLAGS, ~FLAGS[::-1]], [MATRIX, OTHER]), case([FIRST], [VECTOR], default=1.0)),
    "take": (case(MATRIX, LAST), case(MATRIX, numpy.array([[-1, 5]]), axis=1, mode="clip")),
    "take_along_axis": (
        case(MATRIX, numpy.array([[2, 0], [1, 1]])),
        case(MATRIX, numpy.array([[1, 0, 0]]), axis=0),
    ),
    "trim_zeros": (case(VECTOR),),
    "unique": (case(VECTOR, size=3), case(VECTOR, size=4, return_counts=True)),
    "unique_all": (case(VECTOR, size=3),),
    "unique_counts": (case(VECTOR, size=3),),
    "unique_inverse": (case(VECTOR, size=3),),
    "unique_values": (case(VECTOR, size=3),),
    "intersect1d": (case(VECTOR, numpy.array([0.0, 5.0]), size=2, fill_value=0.0),),
    "setdiff1d": (case(VECTOR, numpy.array([0.0, 5.0]), size=3),),
    "setxor1d": (case(VECTOR, drawn(2), size=5),),
    "union1d": (case(VECTOR, drawn(2), size=5),),
    "where": (case(FLAGS, MATRIX, VECTOR), case(FLAGS, MATRIX, 1.0)),
    "partition": (case(MATRIX, 1), case(MATRIX, -1, axis=0)),
}

_SHAPES: Mapping[str, tuple[Case, ...]] = {
    "broadcast_arrays": (case(MATRIX, VECTOR),),
    "broadcast_to": (case(VECTOR, (2, 3)),),
    "array_split": (case(MATRIX, 2, axis=1),),
    "split": (case(MATRIX, 2), case(MATRIX, [1], axis=1)),
    "dsplit": (case(drawn(1, 2, 3), 3),),
    "hsplit": (case(MATRIX, 3),),
    "vsplit": (case(MATRIX, 2),),
    "expand_dims": (case(MATRIX, (0, 2)),),
    "full": (case((2, 3), VECTOR),),
    "full_like": (case(numpy.zeros((2, 3)), VECTOR),),
    "ix_": (case(VECTOR, drawn(2)),),
    "meshgrid": (case(VECTOR, drawn(2)), case(VECTOR, drawn(2), indexing="ij", sparse=True)),
    "moveaxis": (case(MATRIX, 0, 1),),
    "pad": tuple(case(MATRIX, ((1, 0), (2, 1)), mode=mode) for mode in ("constant", "reflect", "symmetric", "edge"))
    + tuple(case(MATRIX, 1, mode=mode) for mode in ("wrap", "linear_ramp", "mean", "maximum", "minimum", "median"))
    + (case(MATRIX, 1, constant_values=2.0), case(VECTOR, 2, mode="reflect", reflect_type="odd")),
    "permute_dims": (case(MATRIX, (1, 0)),),
    "repeat": (case(MATRIX, 2), case(MATRIX, numpy.array([2, 0, 1]), axis=1)),
    "reshape": (case(MATRIX, (3, 2)), case(MATRIX, (3, -1), order="F")),
    "resize": (case(MATRIX, (3, 3)), case(MATRIX, (2,))),
    "roll": (case(MATRIX, 1), case(MATRIX, (1, -2), axis=(0, 1))),
    "rollaxis": (case(MATRIX, 1),),
    "squeeze": (case(drawn(1, 3)), case(drawn(1, 3, 1), axis=(0, 2))),
    "swapaxes": (case(MATRIX, 0, 1),),
    "tile": (case(MATRIX, 2), case(VECTOR, (2, 1))),
    "vander": (case(VECTOR), case(VECTOR, N=4, increasing=True)),
}

_REDUCTIONS: Mapping[str, tuple[Case, ...]] = {
    "average": (case(MATRIX), case(MATRIX, weights=positive(3), axis=1, returned=True, keepdims=True)),
    "bincount": (case(numpy.array([2, 0, 2]), weights=VECTOR, length=4),),
    "cov": (case(MATRIX), case(MATRIX, OTHER, rowvar=False, ddof=0), case(MATRIX, aweights=positive(3))),
    "corrcoef": (case(MATRIX), case(TALL, rowvar=False)),
    "cumulative_prod": (case(VECTOR), case(MATRIX, axis=0, include_initial=True)),
    "cumulative_sum": (case(VECTOR), case(MATRIX, axis=0, include_initial=True)),
    "diff": (case(MATRIX), case(drawn(3, 2), n=2, axis=0), case(MATRIX, prepend=drawn(2, 1), append=0.0)),
    "ediff1d": (case(MATRIX), case(VECTOR, to_end=drawn(1), to_begin=drawn(2))),
    "gradient": (case(drawn(3, 3)), case(drawn(3, 3), axis=0), case(VECTOR, numpy.array([0.0, 1.0, 3.0]))),
    "histogram": (case(numpy.array([0.1, 0.7, 0.8]), bins=2, range=(0, 1), weights=VECTOR),),
    "histogram2d": (
        case(numpy.array([0.1, 0.7, 0.8]), numpy.array([0.2, 0.1, 0.9]), bins=2, weights=VECTOR, density=True),
    ),
    "histogram_bin_edges": (case(VECTOR, bins=2),),
    "histogramdd": (case(numpy.array([[0.1, 0.2], [0.7, 0.1], [0.8, 0.9]]), bins=2, weights=VECTOR),),
    "nanpercentile": (case(MATRIX, between(20, 80, 2)), case(MATRIX, 30.0, axis=0, keepdims=True)),
    "nanquantile": (case(MATRIX, between(0.2, 0.8, 2)), case(MATRIX, 0.3, axis=0, keepdims=True)),
    "percentile": (
        case(MATRIX, between(20, 80, 2)),
        *(case(MATRIX, 30.0, axis=1, method=method) for method in ("lower", "midpoint")),
    ),
    "quantile": (
        case(MATRIX, between(0.2, 0.8, 2)),
        case(MATRIX, 0.3, axis=0, keepdims=True),
        case(VECTOR, 0.3, weights=positive(3), method="inverted_cdf"),
    ),
    "std": (case(MATRIX), case(MATRIX, axis=0, keepdims=True, correction=1), case(MATRIX, where=FLAGS, mean=drawn())),
    "var": (case(MATRIX), case(MATRIX, axis=0, keepdims=True, correction=1), case(MATRIX, where=FLAGS, mean=drawn())),
    "nanstd": (case(MATRIX), case(MATRIX, axis=0, keepdims=True, ddof=1), case(MATRIX, where=FLAGS)),
    "nanvar": (case(MATRIX), case(MATRIX, axis=0, keepdims=True, ddof=1), case(MATRIX, where=FLAGS)),
    "trapezoid": (case(MATRIX), case(MATRIX, dx=0.5, axis=0), case(MATRIX, VECTOR)),
}

_PRODUCTS: Mapping[str, tuple[Case, ...]] = {
    "convolve": (case(VECTOR, drawn(2)), case(VECTOR, drawn(2), mode="same"), case(drawn(2), VECTOR, mode="valid")),
    "correlate": (case(VECTOR, drawn(2)), case(drawn(2), VECTOR, mode="same"), case(drawn(2), VECTOR, mode="full")),
    "cross": (case(MATRIX, VECTOR), case(TALL, MATRIX, axisa=0, axisb=1, axisc=0)),
    "dot": (case(MATRIX, VECTOR), case(MATRIX, TALL)),
    "einsum": (
        case("ij,jk,k->i", MATRIX, drawn(3, 3), VECTOR),
        case("ii->i", drawn(3, 3)),
        case("ij,ij", MATRIX, OTHER),
    ),
    "matmul": (case(MATRIX, VECTOR), case(VECTOR, drawn(2, 3, 2))),
    "tensordot": (case(MATRIX, OTHER), case(MATRIX, TALL, axes=1), case(MATRIX, TALL, axes=[[0], [1]])),
    "vdot": (case(MATRIX, OTHER), case(complex_numbers(3), complex_numbers(3))),
    "vecdot": (case(MATRIX, VECTOR), case(MATRIX, OTHER, axis=0)),
    "vecmat": (case(VECTOR, TALL),),
}

_NUMBERS: Mapping[str, tuple[Case, ...]] = {
    "angle": (case(complex_numbers(3)), case(complex_numbers(3), deg=True)),
    "clip": (case(MATRIX, -0.5, 0.5), case(MATRIX, between(-2, -0.6, 3), positive(3))),
    "conj": (case(complex_numbers(3)),),
    "geomspace": (
        case(positive(3), positive(3), num=4),
        case(positive(3), positive(), num=4, endpoint=False, axis=1),
    ),
    # A quotient that is far from an integer.
    **dict.fromkeys(
        ("divmod", "floor_divide", "fmod", "mod", "remainder"),
        (case(MATRIX, between(3.1, 4, 3)), case(between(4.5, 5.5, 2, 3), between(3.1, 4, 3))),
    ),
    "imag": (case(complex_numbers(3)),),
    "interp": (
        case(between(0.2, 1.8, 3), numpy.array([0.0, 1.0, 2.0]), VECTOR),
        case(between(-1, 3, 3), numpy.array([0.1, 1.0, 2.0]), VECTOR, left=drawn(), right=1.0),
        case(between(0.1, 3, 3), numpy.array([0.0, 1.0, 2.0]), VECTOR, period=3.5),
    ),
    "kaiser": (case(4, positive()),),
    "ldexp": (case(MATRIX, numpy.array([1, 0, -2])),),
    "linspace": (
        case(VECTOR, drawn(3), num=4),
        case(VECTOR, drawn(), num=4, endpoint=False, retstep=True, axis=1),
    ),
    "logspace": (
        case(VECTOR, drawn(3), num=4),
        case(VECTOR, drawn(), num=4, endpoint=False, base=positive(), axis=1),
    ),
    "nan_to_num": (case(MATRIX),),
    "real": (case(complex_numbers(3)),),
    "sort_complex": (case(VECTOR), case(complex_numbers(3))),
    "unwrap": (case(MATRIX), case(MATRIX, period=1.3, axis=0)),
}

_POLYNOMIALS: Mapping[str, tuple[Case, ...]] = {
    "poly": (case(VECTOR), case(drawn(3, 3))),
    "polyadd": (case(VECTOR, drawn(2)),),
    "polyder": (case(VECTOR), case(VECTOR, m=2)),
    "polydiv": (case(VECTOR, drawn(2)),),
    "polyfit": (case(numpy.array([0.0, 1.0, 3.0]), VECTOR, 1), case(VECTOR, drawn(3, 2), 1, w=positive(3))),
    "polyint": (case(VECTOR), case(VECTOR, m=2, k=drawn(2))),
    "polymul": (case(VECTOR, drawn(2)),),
    "polysub": (case(drawn(2), VECTOR),),
    "polyval": (case(VECTOR, drawn(2)), case(VECTOR, drawn(2), unroll=1)),
    "roots": (case(VECTOR, seen=_sizes), case(VECTOR, strip_zeros=False, seen=_sizes)),
}

_OF_FUNCTIONS: Mapping[str, tuple[Case, ...]] = {
    "apply_along_axis": (case(jnp.cumprod, 1, MATRIX),),
    "apply_over_axes": (case(jnp.sum, MATRIX, (0, 1)),),
    "frompyfunc": (case(VECTOR, drawn(3), through=lambda f, x, y: f(jnp.multiply, nin=2, nout=1)(x, y)),),
    "vectorize": (case(MATRIX, VECTOR, through=lambda f, x, y: f(jnp.dot, signature="(n),(n)->()")(x, y)),),
}

_FFT: Mapping[str, tuple[Case, ...]] = {
    **{
        name: (case(MATRIX), case(complex_numbers(2, 3), norm="ortho"), case(complex_numbers(3), n=4))
        for name in ("fft", "ifft")
    },
    **{
        name: (case(MATRIX), case(complex_numbers(2, 3), norm="ortho"), case(drawn(3, 2, 3), axes=(0, 1)))
        for name in ("fft2", "fftn", "ifft2", "ifftn")
    },
    **{name: (case(MATRIX), case(MATRIX, n=4), case(MATRIX, axis=0, norm="forward")) for name in ("rfft", "ihfft")},
    **{
        name: (case(complex_numbers(2, 3)), case(complex_numbers(3), n=3), case(complex_numbers(3), norm="ortho"))
        for name in ("irfft", "hfft")
    },
    **{name: (case(complex_numbers(2, 3)), case(complex_numbers(2, 3), s=(3, 3))) for name in ("irfft2", "irfftn")},
    **{name: (case(MATRIX), case(MATRIX, s=(3, 4), norm="ortho")) for name in ("rfft2", "rfftn")},
}

CASES: Mapping[str, tuple[Case, ...]] = {
    **{
        f"jax.numpy.{name}": cases
        for table in (_ELEMENTS, _SHAPES, _REDUCTIONS, _PRODUCTS, _NUMBERS, _POLYNOMIALS, _OF_FUNCTIONS)
        for name, cases in table.items()
    },
    **{f"jax.numpy.fft.{name}": cases for name, cases in _FFT.items()},
}
