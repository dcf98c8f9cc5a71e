"""In-place forms of operations, in PyTorch: functions that write the result into their first argument."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from conformance.protocol import NotOffered, Spelling

# Methods of the tensor under the operation's name, with an underscore.
METHODS = (
    "abs acos acosh add asin asinh atan atanh atan2 ceil conj_physical copysign cos cosh cumprod cumsum deg2rad digamma"
    " erf erfc erfinv exp exp2 expm1 fix float_power floor floor_divide fmod frac hypot i0 ldexp lerp log log10 log1p"
    " log2 logit masked_fill masked_scatter nan_to_num polygamma pow rad2deg reciprocal relu remainder renorm round"
    " rsqrt sgn sigmoid sin sinc sinh sqrt square swapaxes tan tanh tril triu trunc xlogy"
    " addmm addmv addr baddbmm addbmm"
)
# Functions of torch.nn.functional with a flag.
FLAGGED = "celu elu hardsigmoid hardswish hardtanh leaky_relu mish relu6 selu silu threshold"


def _flagged(name: str) -> Spelling:
    return lambda torch, x, *args, **options: getattr(torch.nn.functional, name)(x, *args, inplace=True, **options)


def _method(torch: Any, name: str) -> Any:
    """The method of tensors, to be called with the tensor first. Raises NotOffered where they have none."""
    found = getattr(torch.Tensor, name, None)
    if found is None:
        raise NotOffered(f"{torch.__name__}.Tensor has no {name}")
    return found


IN_PLACE: Mapping[str, Spelling] = {
    **{name: f"torch.Tensor.{name}_" for name in METHODS.split()},
    **{name: _flagged(name) for name in FLAGGED.split()},
    "add_scaled": lambda torch, x, y, alpha: _method(torch, "add_")(x, y, alpha=alpha),
    "addcdiv": lambda torch, x, y, z, value=1: _method(torch, "addcdiv_")(x, y, z, value=value),
    "addcmul": lambda torch, x, y, z, value=1: _method(torch, "addcmul_")(x, y, z, value=value),
    "at_add": lambda torch, x, indices, values: _method(torch, "index_put_")(x, (indices,), values, True),
    "at_set": lambda torch, x, indices, values: _method(torch, "index_put_")(x, (indices,), values),
    "clip": "torch.Tensor.clamp_",
    "clip_by_numbers": lambda torch, x, lowest=None, highest=None: _method(torch, "clamp_")(x, lowest, highest),
    "cumprod": lambda torch, x, axis=0: _method(torch, "cumprod_")(x, axis),
    "cumsum": lambda torch, x, axis=0: _method(torch, "cumsum_")(x, axis),
    "divide": "torch.Tensor.div_",
    "expand_dims": "torch.Tensor.unsqueeze_",
    "gammainc": "torch.Tensor.igamma_",
    "gammaincc": "torch.Tensor.igammac_",
    "gammaln": "torch.Tensor.lgamma_",
    "index_add": lambda torch, x, indices, source, axis, alpha=1: _method(torch, "index_add_")(
        x, axis, indices, source, alpha=alpha
    ),
    "index_copy": lambda torch, x, indices, source, axis: _method(torch, "index_copy_")(x, axis, indices, source),
    "index_fill": lambda torch, x, indices, value, axis: _method(torch, "index_fill_")(x, axis, indices, value),
    "index_put": lambda torch, x, i, j, values, accumulate=False: _method(torch, "index_put_")(
        x, (i, j), values, accumulate
    ),
    "lerp_by_number": "torch.Tensor.lerp_",
    "multigammaln": "torch.Tensor.mvlgamma_",
    "multiply": "torch.Tensor.mul_",
    "negative": "torch.Tensor.neg_",
    "pow_of_exponents": "torch.Tensor.pow_",
    "pow_of_number": "torch.Tensor.pow_",
    "round_to": lambda torch, x, decimals: _method(torch, "round_")(x, decimals=decimals),
    "scatter": lambda torch, x, indices, source, axis: _method(torch, "scatter_")(x, axis, indices, source),
    "scatter_add": lambda torch, x, indices, source, axis: _method(torch, "scatter_add_")(x, axis, indices, source),
    "scatter_number": lambda torch, x, indices, axis, value: _method(torch, "scatter_")(x, axis, indices, value),
    "sign": "torch.Tensor.sgn_",
    "squeeze": lambda torch, x, axis=None: (
        _method(torch, "squeeze_")(x) if axis is None else _method(torch, "squeeze_")(x, axis)
    ),
    "subtract": "torch.Tensor.sub_",
    "subtract_scaled": lambda torch, x, y, alpha: _method(torch, "sub_")(x, y, alpha=alpha),
    "transpose": lambda torch, x: _method(torch, "transpose_")(x, 0, 1),
    "tril": lambda torch, x, k=0: _method(torch, "tril_")(x, k),
    "triu": lambda torch, x, k=0: _method(torch, "triu_")(x, k),
    "trunc_divide": lambda torch, x, y: _method(torch, "divide_")(x, y, rounding_mode="trunc"),
}
