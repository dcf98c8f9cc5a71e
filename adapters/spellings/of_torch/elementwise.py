"""Elementwise functions of one real number, in PyTorch."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling, same

ELEMENTWISE: Mapping[str, Spelling] = {
    **same(
        "torch",
        "exp exp2 expm1 log log2 log10 log1p sqrt rsqrt square reciprocal"
        " sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh deg2rad rad2deg"
        " positive abs floor ceil round trunc fix frac isnan signbit nan_to_num",
    ),
    "pow_of_number": "torch.pow",
    "pow_of_base": lambda torch, x, base: torch.pow(base, x),
    "negative": "torch.neg",
    "sign": "torch.sgn",
    "round_to": lambda torch, x, decimals: torch.round(x, decimals=decimals),
    "mantissa_with_exponent": "torch.frexp",
    "clip_by_numbers": lambda torch, x, lowest=None, highest=None: torch.clamp(x, lowest, highest),
}
