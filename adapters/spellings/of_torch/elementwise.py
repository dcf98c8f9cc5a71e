"""Elementwise functions of real numbers, in PyTorch."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling, same

ELEMENTWISE: Mapping[str, Spelling] = {
    **same(
        "torch",
        "exp expm1 log log1p sqrt rsqrt square reciprocal abs sin cos tan tanh"
        " floor ceil round trunc isnan signbit pow maximum minimum copysign hypot logaddexp atan2 where",
    ),
    "sign": "torch.sgn",
    "clip": "torch.clamp",
}
