"""Arithmetic: elementwise functions of two or three real numbers, in PyTorch."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling, same

ARITHMETIC: Mapping[str, Spelling] = {
    **same(
        "torch",
        "floor_divide remainder fmod pow float_power ldexp maximum minimum fmax fmin where"
        " copysign heaviside hypot atan2 logaddexp logaddexp2 lerp",
    ),
    "add": "torch.add",
    "subtract": "torch.sub",
    "multiply": "torch.mul",
    "divide": "torch.div",
    "add_scaled": lambda torch, x, y, alpha: torch.add(x, y, alpha=alpha),
    "subtract_scaled": lambda torch, x, y, alpha: torch.sub(x, y, alpha=alpha),
    "trunc_divide": lambda torch, x, y: torch.divide(x, y, rounding_mode="trunc"),
    "pow_of_exponents": "torch.pow",
    "clip": "torch.clamp",
    "lerp_by_number": "torch.lerp",
    "addcmul": lambda torch, x, y, z, value=1: torch.addcmul(x, y, z, value=value),
    "addcdiv": lambda torch, x, y, z, value=1: torch.addcdiv(x, y, z, value=value),
}
