"""Functions of elements: arithmetic, comparison, elementary functions, choice, complex parts."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import math
from typing import Any

from .. import primitives as o
from ..batching.per_example import kept
from ..core import dtypes
from ..core.tensor import Tensor


def add(input: Any, other: Any, *, alpha: Any = 1) -> Tensor:
    """``input + alpha * other``, broadcast (torch.add)."""
    return o.add(input, other if alpha == 1 else o.mul(other, alpha))


def sub(input: Any, other: Any, *, alpha: Any = 1) -> Tensor:
    """``input - alpha * other``, broadcast (torch.sub)."""
    return o.sub(input, other if alpha == 1 else o.mul(other, alpha))


def div(input: Any, other: Any, *, rounding_mode: str | None = None) -> Tensor:
    """``input / other``, broadcast; the quotient rounded if `rounding_mode` is "trunc" or "floor" (torch.div)."""
    if rounding_mode is None:
        return o.div(input, other)
    if rounding_mode not in ("trunc", "floor"):
        raise RuntimeError(f"div: expected rounding_mode None, 'trunc' or 'floor', but got {rounding_mode!r}")
    return (o.div_floor if rounding_mode == "floor" else o.div_trunc)(input, other)


def round(input: Tensor, *, decimals: int = 0) -> Tensor:
    """Round half to even, to `decimals` places; the gradient is zero (torch.round)."""
    return o.round(input) if not decimals else o.div(o.round(o.mul(input, 10.0**decimals)), 10.0**decimals)


def deg2rad(input: Tensor) -> Tensor:
    """Degrees as radians (torch.deg2rad)."""
    return o.mul(input, math.pi / 180)


def rad2deg(input: Tensor) -> Tensor:
    """Radians as degrees (torch.rad2deg)."""
    return o.mul(input, 180 / math.pi)


def logit(input: Tensor, eps: float | None = None) -> Tensor:
    """``log(x / (1 - x))``, of x clamped to ``[eps, 1 - eps]`` if eps is given (torch.logit)."""
    return o.logit(input if eps is None else o.clamp(input, min=eps, max=1 - eps))


def nan_to_num(input: Tensor, nan: float | None = None, posinf: Any = None, neginf: Any = None) -> Tensor:
    """NaN as zero and infinities as the greatest finite numbers, or as given, without gradient (torch.nan_to_num)."""
    return o.nan_to_num(input, nan=nan or 0.0, posinf=posinf, neginf=neginf)


def square(input: Tensor) -> Tensor:
    """The square of each element (torch.square)."""
    return o.pow(input, 2)


def clamp(input: Tensor, min: Any = None, max: Any = None) -> Tensor:
    """Each element, but not below `min` nor above `max`; the gradient at a bound is one (torch.clamp).

    Bounds may be numbers or tensors, and broadcast. RuntimeError if there is none.
    """
    if min is None and max is None:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    if not isinstance(min, Tensor) and not isinstance(max, Tensor):
        if not input.dtype.differentiable and (isinstance(min, float) or isinstance(max, float)):
            input = o.cast(input, dtype=dtypes.get_default_dtype().numpy)
        return o.clamp(input, min=min, max=max)
    if min is None or max is None:
        return o.clamp_max(input, max) if min is None else o.clamp_min(input, min)
    return o.clamp_between(input, min, max)


def lerp(input: Tensor, end: Tensor, weight: Any) -> Tensor:
    """``input + weight * (end - input)`` (torch.lerp)."""
    for name, other in (("end", end), ("weight", weight)):
        if isinstance(other, Tensor) and other.dtype is not input.dtype:
            raise RuntimeError(f"expected dtype {input.dtype} for `{name}` but got dtype {other.dtype}")
    return o.lerp(input, end, weight) if isinstance(weight, Tensor) else o.lerp_by(input, end, weight=weight)


def addcmul(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: float = 1) -> Tensor:
    """``input + value * tensor1 * tensor2`` (torch.addcmul)."""
    product = o.mul(tensor1, tensor2)
    return o.add(input, product if value == 1 else o.mul(product, value))


def softplus(input: Tensor, beta: float = 1.0, threshold: float = 20.0) -> Tensor:
    """``log(1 + exp(beta * x)) / beta``, and x itself above the threshold (torch.nn.functional.softplus)."""
    return o.softplus(input, beta=beta, threshold=threshold)


def conj(input: Tensor) -> Tensor:
    """The complex conjugate; a real tensor itself (torch.conj)."""
    return o.conj(input) if input.dtype.is_complex else input


def resolve_conj(input: Tensor) -> Tensor:
    """The tensor itself: conjugates are computed at once here (torch.resolve_conj)."""
    return input


def view_as_real(input: Tensor) -> Tensor:
    """Complex numbers as pairs of real ones along a new last dimension, a view (torch.view_as_real)."""
    if not input.dtype.is_complex:
        raise RuntimeError(f"view_as_real is only supported for complex tensors, but got {input.dtype}")
    return o.view_as_real(input)


def view_as_complex(input: Tensor) -> Tensor:
    """Pairs of real numbers along the last dimension as complex ones, a view (torch.view_as_complex)."""
    if not input.dtype.is_floating_point or not input.ndim or input.shape[-1] != 2:
        raise RuntimeError(f"view_as_complex needs floating pairs; got {input.dtype}, shape {list(input.shape)}")
    return o.view_as_complex(input)


def real(input: Tensor) -> Tensor:
    """The real part, a view; a real tensor itself (torch.real)."""
    return o.real(input) if input.dtype.is_complex else input


def imag(input: Tensor) -> Tensor:
    """The imaginary part, a view; RuntimeError for real tensors (torch.imag)."""
    if not input.dtype.is_complex:
        raise RuntimeError(f"imag is not implemented for tensors with non-complex dtypes, but got {input.dtype}")
    return o.imag(input)


def complex(real: Tensor, imag: Tensor) -> Tensor:
    """The complex tensor with the given parts, of one floating dtype (torch.complex)."""
    if real.dtype != imag.dtype or not real.dtype.is_floating_point:
        raise RuntimeError(f"expected both parts of one floating dtype, but got {real.dtype} and {imag.dtype}")
    return o.complex(real, imag)


def masked_fill(input: Tensor, mask: Tensor, value: Any) -> Tensor:
    """`value` where the mask holds, the input elsewhere (torch.Tensor.masked_fill)."""
    if mask.dtype is not dtypes.bool_:
        raise RuntimeError(f"masked_fill only supports boolean masks, but got mask with dtype {mask.dtype}")
    return o.masked_fill(input, value, mask=kept(mask))
