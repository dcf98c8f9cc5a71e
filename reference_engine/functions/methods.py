"""Everything that a program can say with a dot: methods, in-place methods and the remaining operators of Tensor.

A method is a function with the tensor first; its in-place form is the same primitive written back. So this module
is mostly two lists of names.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import primitives as o
from ..core import warn
from ..core.inplace import inplace, become_view
from ..core.primitive import Primitive
from ..core.tensor import Tensor
from . import (
    arranging,
    collecting,
    comparing,
    counting,
    creation,
    decomposing,
    indexing,
    info,
    norms,
    ordering,
    pointwise,
    products,
    random,
    reducing,
    shaping,
    special,
    striding,
)
from .calling import ORDINARY, overriding

_METHODS = {
    pointwise: """
        abs absolute acos acosh add addcdiv addcmul angle arccos arccosh arcsin arcsinh arctan arctan2 arctanh asin
        asinh atan atan2 atanh ceil clamp clamp_max clamp_min clip clone conj conj_physical copysign cos cosh deg2rad
        div divide erf erfc exp exp2 expm1 fix floor floor_divide fmax fmin fmod frac heaviside hypot lerp log log10
        log1p log2 logaddexp logit masked_fill maximum minimum mul multiply nan_to_num neg negative positive pow
        rad2deg reciprocal relu remainder resolve_conj round rsqrt sgn sigmoid sign sin sinc sinh sqrt square sub
        subtract tan tanh true_divide trunc xlogy""",
    counting: "bincount gcd histc isin lcm unique unique_consecutive",
    collecting: "cov nanmedian nanquantile put quantile renorm scatter_reduce",
    special: "digamma erfinv float_power ldexp lgamma logaddexp2 logcumsumexp mvlgamma",
    comparing: """
        allclose bitwise_and bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor eq equal ge
        greater greater_equal gt isclose isfinite isinf isnan isneginf isposinf isreal le less less_equal logical_and
        logical_not logical_or logical_xor lt ne not_equal signbit""",
    reducing: """
        all amax amin any count_nonzero cumprod cumsum log_softmax logsumexp mean nanmean nansum prod softmax sum""",
    ordering: "aminmax argmax argmin argsort cummax cummin kthvalue max median min mode msort sort topk",
    norms: "dist norm std var",
    shaping: """
        chunk diagonal expand flatten flip narrow permute reshape roll select split squeeze t transpose tril triu
        unbind unsqueeze view""",
    arranging: """
        broadcast_to dsplit hsplit vsplit diag diag_embed diagflat diff fliplr flipud moveaxis movedim ravel repeat
        repeat_interleave rot90 swapaxes swapdims tensor_split tile unflatten""",
    indexing: """
        argwhere gather index_add index_copy index_fill index_put index_select masked_scatter masked_select nonzero
        scatter scatter_add take take_along_dim""",
    striding: "as_strided as_strided_scatter diagonal_scatter select_scatter slice_scatter unfold",
    products: """
        addbmm addmm addmv addr baddbmm bmm cross dot ger inner kron matmul mm mv outer trace vdot""",
    decomposing: "adjoint cholesky det inverse logdet matrix_power pinverse qr slogdet",
    creation: "new_empty new_full new_ones new_tensor new_zeros",
    info: "is_complex is_floating_point is_nonzero",
}
# In place: a primitive where one does it all, else the function.
_INPLACE = {
    o: """
        abs acos acosh asin asinh atan atan2 atanh bitwise_and bitwise_left_shift bitwise_not bitwise_or
        bitwise_right_shift bitwise_xor ceil clamp_max clamp_min copysign cos cosh eq erf erfc exp exp2 expm1 floor
        floor_divide fmod frac ge gt heaviside hypot le log log10 log1p log2 logical_and logical_not logical_or
        logical_xor lt mul ne neg pow reciprocal relu remainder rsqrt sigmoid sign sin sinc sinh sqrt tan tanh trunc
        xlogy""",
    pointwise: """
        absolute addcdiv addcmul arccos arccosh arcsin arcsinh arctan arctan2 arctanh clamp clip conj_physical deg2rad
        div divide fix lerp logit multiply nan_to_num negative rad2deg round sgn square sub subtract true_divide
        masked_fill add""",
    special: "digamma erfinv float_power ldexp lgamma mvlgamma",
    comparing: "greater greater_equal less less_equal not_equal",
    reducing: "cumprod cumsum",
    shaping: "tril triu",
    indexing: "index_add index_copy index_fill index_put masked_scatter scatter scatter_add",
    collecting: "put renorm scatter_reduce",
    products: "addbmm addmm addmv addr baddbmm",
}


def _inplace_method(name: str, operation: Callable[..., Tensor]) -> Callable[..., Tensor]:
    def method(self: Tensor, *args: Any, **options: Any) -> Tensor:
        return inplace(self, operation, self, *args, **options)

    method.__name__ = name + "_"
    method.__doc__ = f"{name} in place; RuntimeError on a leaf that requires grad (torch.Tensor.{name}_)."
    return method


def copy_(self: Tensor, src: Any, non_blocking: bool = False) -> Tensor:
    """Take over the values of `src`, broadcast and converted; recorded (torch.Tensor.copy_)."""
    return inplace(self, o.overwrite, self, src)


def fill_(self: Tensor, value: Any) -> Tensor:
    """Become one value everywhere (torch.Tensor.fill_)."""
    return inplace(self, o.fill, self, value)


def zero_(self: Tensor) -> Tensor:
    """Become zero everywhere (torch.Tensor.zero_)."""
    return inplace(self, o.zero, self)


def where(self: Tensor, condition: Tensor, other: Any) -> Tensor:
    """The elements where the condition holds, those of `other` elsewhere (torch.Tensor.where)."""
    return o.where(condition, self, other)


def transpose_(self: Tensor, dim0: int, dim1: int) -> Tensor:
    """Exchange two dimensions of the tensor itself (torch.Tensor.transpose_)."""
    return become_view(self, shaping.transpose, dim0=dim0, dim1=dim1)


def t_(self: Tensor) -> Tensor:
    """Transpose the matrix itself (torch.Tensor.t_)."""
    return become_view(self, shaping.t)


def squeeze_(self: Tensor, dim: Any = None) -> Tensor:
    """Drop dimensions of size one from the tensor itself (torch.Tensor.squeeze_)."""
    return become_view(self, shaping.squeeze, dim=dim)


def unsqueeze_(self: Tensor, dim: int) -> Tensor:
    """Put a dimension of size one into the tensor itself (torch.Tensor.unsqueeze_)."""
    return become_view(self, shaping.unsqueeze, dim=dim)


swapaxes_ = swapdims_ = transpose_


def as_strided_(self: Tensor, size: Any, stride: Any, storage_offset: int | None = None) -> Tensor:
    """Look at the own memory in any steps (torch.Tensor.as_strided_)."""
    start = 0 if storage_offset is None else storage_offset - striding.storage_offset(self)
    return become_view(self, striding.strided, size=size, stride=stride, start=start)


def fill_diagonal_(self: Tensor, fill_value: float, wrap: bool = False) -> Tensor:
    """Put a value on the main diagonal, in place (torch.Tensor.fill_diagonal_)."""
    if self.ndim > 2 and len(set(self.shape)) > 1:
        raise RuntimeError(f"all dimensions of input must be of equal length, but got shape {list(self.shape)}")
    fill_(o.diagonal(self, offset=0, dim1=0, dim2=1), fill_value)
    return self


def uniform_(self: Tensor, from_: float = 0, to: float = 1, *, generator: Any = None) -> Tensor:
    """Become random numbers, uniform between two (torch.Tensor.uniform_)."""
    drawn = random.rand(tuple(self.shape), dtype=self.dtype, generator=generator)
    return inplace(self, o.overwrite, self, drawn * (to - from_) + from_)


def normal_(self: Tensor, mean: float = 0, std: float = 1, *, generator: Any = None) -> Tensor:
    """Become random numbers, normally distributed (torch.Tensor.normal_)."""
    drawn = random.randn(tuple(self.shape), dtype=self.dtype, generator=generator)
    return inplace(self, o.overwrite, self, drawn * std + mean)


def detach(self: Tensor) -> Tensor:
    """The same memory and version counter, outside the graph (torch.Tensor.detach)."""
    if not isinstance(self, Tensor):
        raise TypeError(f"detach applies to a Tensor, but got {type(self).__name__}: make one with torch.tensor")
    return self.alias()


def detach_(self: Tensor) -> Tensor:
    """Take the tensor itself out of the graph: from now on a leaf that does not require grad (torch.Tensor.detach_)."""
    if self.link is not None:
        raise RuntimeError("Can't detach views in-place: the base would still have the history. Use detach() instead.")
    self.history, self._requires_grad, self.retains_grad = None, False, False
    return self


def _data(self: Tensor) -> Tensor:
    """The same memory outside the graph and out of the version counter's sight (torch.Tensor.data)."""
    return Tensor.of(self.array)


def _set_data(self: Tensor, value: Any) -> None:
    """Exchange the memory; TypeError for no tensor, RuntimeError for integers where a gradient is wanted."""
    if not isinstance(value, Tensor):
        raise TypeError(f"Variable data has to be a tensor, but got {type(value).__name__}")
    if self.requires_grad and not value.dtype.differentiable:
        raise RuntimeError(
            f"data set to a tensor that requires gradients must be floating point or complex, but got {value.dtype}"
        )
    if value.dtype != self.dtype:
        # The present accumulator expects cotangents of the type that the tensor had until now.
        self._accumulator = Tensor._accumulator
    self.array = value.array


def _volatile(self: Tensor) -> bool:
    """Always False: the flag was removed in PyTorch 0.4. Reading it warns."""
    warn.user("volatile was removed (Variable.volatile is always False): use `with torch.no_grad():` instead")
    return False


def _set_volatile(self: Tensor, value: Any) -> None:
    warn.user("volatile was removed and now has no effect. Use `with torch.no_grad():` instead.")


def _deferring(operation: Callable[..., Any]) -> Callable[..., Any]:
    """An operator that lets the other operand's class take over, or try its own reflected operator."""

    name = operation.name if isinstance(operation, Primitive) else operation.__name__

    def operator(self: Tensor, other: Any) -> Any:
        if type(other) in ORDINARY:
            return operation(self, other)
        if overriding(other):
            return type(other).__torch_function__(operator, (type(other),), (self, other), {})
        if isinstance(other, (Tensor, bool, int, float, complex, np.ndarray, np.generic)):
            return operation(self, other)
        return NotImplemented

    operator.__name__ = name
    return operator


def _reversed(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda self, other: function(other, self)
