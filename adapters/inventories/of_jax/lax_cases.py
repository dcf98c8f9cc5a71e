"""Calls of the functions of `jax.lax` whose signatures do not determine their arguments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import jax
import jax.numpy as jnp
import numpy
from jax import lax

from adapters.inventories.of_jax.arguments import Case, between, case, complex_numbers, drawn, positive, square

__all__ = ["CASES"]

MATRIX, OTHER, TALL, VECTOR = drawn(2, 3), drawn(2, 3), drawn(3, 2), drawn(3)
ROW = drawn(1, 2, 5)
FLAGS = numpy.array([[True, False, True], [False, True, True]])
# Rows 2 and 0 of a matrix, or what is written there.
ROWS = numpy.array([[2], [0]])
GATHERED = lax.GatherDimensionNumbers(offset_dims=(1,), collapsed_slice_dims=(0,), start_index_map=(0,))
SCATTERED = lax.ScatterDimensionNumbers(
    update_window_dims=(1,), inserted_window_dims=(0,), scatter_dims_to_operand_dims=(0,)
)


def _mapped(function: Callable[..., Any], x: Any, *args: Any, **kwargs: Any) -> Any:
    """Functions of a named axis are called under vmap."""
    return jax.vmap(lambda each: function(each, "rows", *args, **kwargs), axis_name="rows")(x)


_ARRAYS: Mapping[str, tuple[Case, ...]] = {
    "approx_max_k": (case(MATRIX, 2),),
    "approx_min_k": (case(MATRIX, 2),),
    "batch_matmul": (case(drawn(2, 3, 2), drawn(2, 2, 3)),),
    "broadcast": (case(VECTOR, (2,)),),
    "broadcast_in_dim": (case(VECTOR, (3, 2), (0,)),),
    "broadcast_like": (case(VECTOR, numpy.zeros((2, 3))),),
    "broadcast_to_rank": (case(VECTOR, 2),),
    "clamp": (case(-0.5, MATRIX, 0.5), case(between(-2, -0.6, 2, 3), MATRIX, positive(2, 3))),
    "collapse": (case(drawn(2, 1, 3), 0, 2),),
    "concatenate": (case([MATRIX, drawn(2, 1)], 1),),
    "conj": (case(complex_numbers(3)),),
    "convert_element_type": (case(MATRIX, "float64"),),
    **{name: (case(positive(2, 3)), case(MATRIX, axis=1, reverse=True)) for name in ("cumprod", "cummax", "cummin")},
    **{name: (case(MATRIX), case(MATRIX, axis=1, reverse=True)) for name in ("cumsum", "cumlogsumexp")},
    "dot": (case(MATRIX, VECTOR), case(MATRIX, TALL)),
    "dot_general": (case(drawn(2, 3, 2), drawn(2, 1, 3), (((1,), (2,)), ((0,), (0,)))),),
    "dynamic_index_in_dim": (case(MATRIX, 1), case(MATRIX, -1, axis=1, keepdims=False)),
    "dynamic_slice": (case(MATRIX, (0, 1), (2, 2)), case(MATRIX, (1, 2), (2, 2))),
    "dynamic_slice_in_dim": (case(MATRIX, 1, 2, axis=1),),
    "dynamic_update_index_in_dim": (case(MATRIX, drawn(2), 1, 1),),
    "dynamic_update_slice": (case(MATRIX, drawn(1, 2), (1, 0)), case(MATRIX, drawn(2, 2), (1, 2))),
    "dynamic_update_slice_in_dim": (case(MATRIX, drawn(2, 1), 1, 1),),
    "expand_dims": (case(MATRIX, (0,)),),
    "fft": (
        case(complex_numbers(3), "fft", (3,)),
        case(MATRIX, "rfft", (3,)),
        case(complex_numbers(3), "irfft", (4,)),
        case(complex_numbers(2, 3), "ifft", (2, 3)),
    ),
    "full": (case((2, 3), drawn()),),
    "full_like": (case(numpy.zeros((2, 3)), drawn()),),
    "gather": (
        case(drawn(3, 2), ROWS, GATHERED, (1, 2)),
        case(drawn(3, 2), ROWS + 1, GATHERED, (1, 2), mode="fill", fill_value=2.0),
        case(drawn(3, 2), ROWS + 1, GATHERED, (1, 2), mode="clip"),
    ),
    "imag": (case(complex_numbers(3)),),
    "index_in_dim": (case(MATRIX, 1), case(MATRIX, -1, axis=1, keepdims=False)),
    "index_take": (case(MATRIX, (numpy.array([2, 0]),), (1,)),),
    "integer_pow": (case(MATRIX, 3), case(MATRIX, -2)),
    "optimization_barrier": (case(MATRIX),),
    "pad": (case(MATRIX, drawn(), ((1, 0, 0), (2, 1, 1))), case(MATRIX, drawn(), ((-1, 0, 0), (0, -1, 0)))),
    "ragged_dot": (case(drawn(3, 2), drawn(2, 2, 3), numpy.array([1, 2], "int32")),),
    "ragged_dot_general": (
        case(
            drawn(3, 2),
            drawn(2, 2, 3),
            numpy.array([1, 2], "int32"),
            lax.RaggedDotDimensionNumbers((((1,), (1,)), ((), ())), [0], [0]),
        ),
    ),
    "real": (case(complex_numbers(3)),),
    "reduce_precision": (case(MATRIX, 11, 52),),
    **{f"reduce_{name}": (case(MATRIX, (0,)), case(MATRIX, (0, 1))) for name in ("max", "min", "sum", "prod")},
    "rem": (case(MATRIX, between(3.1, 4, 2, 3)),),
    "reshape": (case(MATRIX, (3, 2)), case(MATRIX, (3, 2), dimensions=(1, 0))),
    "rev": (case(MATRIX, (0, 1)),),
    "scaled_dot": (case(MATRIX, TALL),),
    **{
        f"scatter{name}": (
            case(drawn(3, 2), ROWS, drawn(2, 2), SCATTERED),
            case(drawn(3, 2), ROWS + 1, drawn(2, 2), SCATTERED, mode="clip"),
        )
        for name in ("", "_add", "_sub", "_max", "_min")
    },
    "scatter_mul": (case(drawn(3, 2), ROWS, drawn(2, 2), SCATTERED, unique_indices=True),),
    "scatter_apply": (case(drawn(3, 2), ROWS, jnp.sin, SCATTERED, update_shape=(2, 2), unique_indices=True),),
    "select": (case(FLAGS, MATRIX, OTHER),),
    "select_n": (case(numpy.array([2, 0, 1]), VECTOR, drawn(3), drawn(3)),),
    "slice": (case(MATRIX, (0, 1), (2, 3)), case(MATRIX, (0, 0), (2, 3), (1, 2))),
    "slice_in_dim": (case(MATRIX, 0, 3, stride=2, axis=1), case(MATRIX, -2, -1, axis=1)),
    "sort": (case(MATRIX), case(MATRIX, dimension=0), case((VECTOR, drawn(3)), num_keys=1)),
    "sort_key_val": (case(MATRIX, OTHER), case(MATRIX, OTHER, dimension=0)),
    "split": (case(MATRIX, (1, 2), axis=1),),
    "squeeze": (case(drawn(1, 3), (0,)),),
    "stack": (case([MATRIX, OTHER], axis=1),),
    "tile": (case(MATRIX, (2, 1)),),
    "top_k": (case(MATRIX, 2), case(MATRIX, 1, axis=0)),
    "transpose": (case(MATRIX, (1, 0)),),
    "zeta": (case(numpy.array([2.0, 3.0, 1.5]), positive(3)),),
    "polygamma": (case(numpy.array([1.0, 2.0, 0.0]), positive(3)),),
}

_CONVOLUTIONS: Mapping[str, tuple[Case, ...]] = {
    "conv": (case(ROW, drawn(3, 2, 2), (1,), "VALID"), case(ROW, drawn(3, 2, 2), (2,), "SAME")),
    "conv_general_dilated": (
        case(ROW, drawn(3, 2, 2), (2,), [(1, 1)]),
        case(ROW, drawn(3, 2, 2), (1,), [(-1, 2)], lhs_dilation=(2,), rhs_dilation=(2,)),
        case(ROW, drawn(4, 1, 2), (1,), "SAME", feature_group_count=2),
        case(drawn(2, 2, 5), drawn(4, 2, 2), (1,), "VALID", batch_group_count=2),
        case(drawn(1, 4, 2), drawn(2, 2, 3), (1,), "SAME", dimension_numbers=("NWC", "WIO", "NWC")),
    ),
    "conv_general_dilated_local": (case(ROW, drawn(3, 4, 4), (1,), "VALID", (2,)),),
    "conv_general_dilated_patches": (case(ROW, (2,), (2,), "SAME"),),
    "conv_transpose": (
        case(drawn(1, 3, 2), drawn(2, 2, 3), (2,), "SAME", dimension_numbers=("NWC", "WIO", "NWC")),
        case(
            drawn(1, 3, 2),
            drawn(2, 3, 2),
            (2,),
            "VALID",
            dimension_numbers=("NWC", "WIO", "NWC"),
            transpose_kernel=True,
        ),
    ),
    "conv_with_general_padding": (case(ROW, drawn(3, 2, 2), (1,), [(1, 0)], (2,), (1,)),),
    "reduce_window": (
        case(MATRIX, 0.0, lax.add, (1, 2), (1, 1), "SAME"),
        case(MATRIX, -numpy.inf, lax.max, (1, 2)),
        case(MATRIX, numpy.inf, lax.min, (2, 2), padding=((1, 0), (0, 1))),
        case(MATRIX, 1.0, lax.mul, (1, 2)),
    ),
}

_OF_FUNCTIONS: Mapping[str, tuple[Case, ...]] = {
    "associative_scan": (case(jnp.multiply, MATRIX), case(jnp.add, MATRIX, reverse=True, axis=1)),
    "composite": (case(VECTOR, through=lambda f, x: f(jnp.sin, "tests.sine")(x)),),
    "cond": (case(True, jnp.sin, jnp.cos, VECTOR), case(False, jnp.sin, jnp.exp, VECTOR)),
    "custom_linear_solve": (
        case(
            square(),
            VECTOR,
            through=lambda f, a, b: f(
                lambda x: a @ x,
                b,
                solve=lambda _, y: jnp.linalg.solve(a, y),
                transpose_solve=lambda _, y: jnp.linalg.solve(a.T, y),
            ),
        ),
    ),
    "custom_root": (
        case(
            positive(3),
            through=lambda f, a: f(
                lambda x: x * x - a,
                jax.lax.stop_gradient(a),
                solve=lambda g, x: jax.lax.fori_loop(0, 30, lambda _, y: y - g(y) / (2 * y), x),
                tangent_solve=lambda g, y: y / g(jnp.ones_like(y)),
            ),
        ),
    ),
    "fori_loop": (case(0, 3, lambda i, x: jnp.sin(x) * (i + 1), VECTOR),),
    "map": (case(jnp.cumprod, MATRIX), case(jnp.cumprod, MATRIX, batch_size=1)),
    "platform_dependent": (case(VECTOR, default=jnp.sin),),
    "reduce": (
        case(MATRIX, 0.0, lax.add, (1,)),
        case(MATRIX, 1.0, lax.mul, (0,)),
        case(MATRIX, -numpy.inf, lax.max, (0, 1)),
        case(positive(2, 3), 0.5, lambda x, y: jnp.logaddexp(x, y), (1,)),
    ),
    "scan": (
        case(lambda carry, x: (carry * x, jnp.sin(carry)), drawn(), VECTOR),
        case(lambda carry, x: (jnp.tanh(carry + x), carry), drawn(3), MATRIX, reverse=True, unroll=2),
    ),
    "switch": (case(1, [jnp.sin, jnp.exp, jnp.cos], VECTOR),),
    "while_loop": (
        case(VECTOR, through=lambda f, x: f(lambda c: c[0] < 3, lambda c: (c[0] + 1, jnp.sin(c[1])), (0, x))[1]),
    ),
}

_ALONG_A_NAME: Mapping[str, tuple[Case, ...]] = {
    **{name: (case(MATRIX, through=_mapped),) for name in ("pmax", "pmean", "pmin", "psum", "all_gather")},
    "all_to_all": (case(drawn(2, 2, 3), 0, 1, through=_mapped),),
    "ppermute": (case(MATRIX, [(0, 1), (1, 0)], through=_mapped),),
    "pshuffle": (case(MATRIX, [1, 0], through=_mapped),),
    "psum_scatter": (case(drawn(2, 2), through=_mapped),),
    "pswapaxes": (case(drawn(2, 2, 3), 0, through=_mapped),),
}

_OPS: Mapping[str, tuple[Case, ...]] = {
    f"jax.ops.segment_{name}": (
        case(drawn(3, 2), numpy.array([1, 0, 1]), num_segments=2),
        case(drawn(3, 2), numpy.array([0, 1, 1]), num_segments=2, indices_are_sorted=True),
    )
    for name in ("sum", "prod", "max", "min")
}

CASES: Mapping[str, tuple[Case, ...]] = {
    **{
        f"jax.lax.{name}": cases
        for table in (_ARRAYS, _CONVOLUTIONS, _OF_FUNCTIONS, _ALONG_A_NAME)
        for name, cases in table.items()
    },
    **_OPS,
}
