"""Operations with the argument `out`, in PyTorch: functions of `out` and of the operation's arguments."""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter
from typing import Any

from adapters.spellings.of_torch import SPELLINGS
from conformance.protocol import Spelling

# Those that PyTorch's table spells with a public name: the function takes `out` as well.
NAMED = (
    # elementwise
    "abs abs_of_complex acos acosh add angle asin asinh atan atan2 atanh ceil clip complex conj_physical copysign cos"
    " cosh deg2rad digamma divide entr erf erfc erfcx erfinv exp exp2 expit expm1 fix float_power floor fmax fmin fmod"
    " frac gammainc gammaincc gammaln gelu hardshrink hypot i0 i0e i1 i1e ldexp lerp lerp_by_number log log10"
    " log1p log2 log_expit log_ndtr logaddexp logaddexp2 logit logsigmoid"
    " mantissa_with_exponent maximum minimum"
    " multigammaln multiply nan_to_num ndtr ndtri negative polar pow pow_of_exponents pow_of_number rad2deg reciprocal"
    " remainder round rsqrt sgn sigmoid sign sin sinc sinh softplus softshrink sqrt square subtract tan tanh trunc"
    " where xlog1py xlogy zeta"
    # of arrays
    " addbmm addmm addmv addr avg_pool2d avg_pool3d baddbmm bmm cholesky cholesky_inverse cholesky_solve column_stack"
    " cond cond_of_norm det dot dstack eigvals eigvalsh householder_product hstack inner inv kron linear masked_select"
    " matmul matrix_norm matrix_norm_of_order matrix_power max min mm msort multi_dot mv norm ormqr outer pinv"
    " quantile_of_levels renorm solve svdvals take take_along_axis tensorinv tensorsolve vdot vstack"
)


def _named(name: str) -> Spelling:
    path = SPELLINGS[name]
    assert isinstance(path, str), f"{name} is spelt with a function: spell it with `out` below"
    function = attrgetter(path.partition(".")[2])
    return lambda torch, out, *args, **options: function(torch)(*args, out=out, **options)


def _transform(name: str) -> Spelling:
    def spelt(torch: Any, out: Any, x: Any, n: Any = None, axis: int = -1, norm: Any = None) -> Any:
        return getattr(torch.fft, name)(x, n=n, dim=axis, norm=norm, out=out)

    return spelt


OUT: Mapping[str, Spelling] = {
    **{name: _named(name) for name in NAMED.split()},
    **{name: _transform(name) for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")},
    "addcdiv": lambda torch, out, x, y, z, value=1: torch.addcdiv(x, y, z, value=value, out=out),
    "addcmul": lambda torch, out, x, y, z, value=1: torch.addcmul(x, y, z, value=value, out=out),
    "amax": lambda torch, out, x, axis, keepdims=False: torch.amax(x, dim=axis, keepdim=keepdims, out=out),
    "amin": lambda torch, out, x, axis, keepdims=False: torch.amin(x, dim=axis, keepdim=keepdims, out=out),
    "concat": lambda torch, out, arrays, axis=0: torch.cat(arrays, axis, out=out),
    "cross": lambda torch, out, x, y, axis=-1: torch.linalg.cross(x, y, dim=axis, out=out),
    "cumprod": lambda torch, out, x, axis=0: torch.cumprod(x, axis, out=out),
    "cumsum": lambda torch, out, x, axis=0: torch.cumsum(x, axis, out=out),
    "diag": lambda torch, out, x, k=0: torch.diag(x, k, out=out),
    "diff": lambda torch, out, x, n=1, axis=-1: torch.diff(x, n=n, dim=axis, out=out),
    "eigh": lambda torch, out, x, UPLO="L": torch.linalg.eigh(x, UPLO, out=out),
    "gather": lambda torch, out, x, indices, axis: torch.gather(x, axis, indices, out=out),
    "index_add": lambda torch, out, x, indices, source, axis, alpha=1: torch.index_add(
        x, axis, indices, source, alpha=alpha, out=out
    ),
    "index_copy": lambda torch, out, x, indices, source, axis: torch.index_copy(x, axis, indices, source, out=out),
    "index_select": lambda torch, out, x, indices, axis: torch.index_select(x, axis, indices, out=out),
    "linspace": lambda torch, out, start, stop, num: torch.linspace(start, stop, num, out=out),
    "log_softmax": lambda torch, out, x, axis=0: torch.log_softmax(x, axis, out=out),
    "logcumsumexp": lambda torch, out, x, axis=0: torch.logcumsumexp(x, axis, out=out),
    "logspace": lambda torch, out, start, stop, num: torch.logspace(start, stop, num, out=out),
    "nuclear_norm": lambda torch, out, x: torch.linalg.matrix_norm(x, "nuc", out=out),
    "one_norm": lambda torch, out, x: torch.linalg.vector_norm(x, 1, out=out),
    "polygamma": lambda torch, out, x, n: torch.polygamma(n, x, out=out),
    "prod_along_axis": lambda torch, out, x, axis: torch.prod(x, dim=axis, out=out),
    "scatter": lambda torch, out, x, indices, source, axis: torch.scatter(x, axis, indices, source, out=out),
    "scatter_add": lambda torch, out, x, indices, source, axis: torch.scatter_add(x, axis, indices, source, out=out),
    "softmax": lambda torch, out, x, axis=0: torch.softmax(x, axis, out=out),
    "sort_with_indices": lambda torch, out, x, axis=-1: torch.sort(x, dim=axis, out=out),
    "spectral_norm": lambda torch, out, x: torch.linalg.matrix_norm(x, 2, out=out),
    "stack": lambda torch, out, arrays, axis=0: torch.stack(arrays, axis, out=out),
    "topk": lambda torch, out, x, k, axis=-1: torch.topk(x, k, dim=axis, out=out),
    "tril": lambda torch, out, x, k=0: torch.tril(x, k, out=out),
    "triu": lambda torch, out, x, k=0: torch.triu(x, k, out=out),
    "vecdot": lambda torch, out, x, y, axis=-1: torch.linalg.vecdot(x, y, dim=axis, out=out),
}
