"""Making tensors: from values, filled, in sequence.

Values given by the program are copied; Python floats become the default dtype and Python integers int64. What is
made here is always a leaf: building a tensor from *computed* scalars copies their values and cuts the graph.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core import dtypes, warn
from ..core.aliases import Array
from ..core.modes import state
from ..core.tensor import Tensor
from .call_forms import sizes

Dtype = dtypes.dtype | None


def finish(array: Any, dtype: Dtype, requires_grad: bool) -> Tensor:
    """A leaf of the array, converted to the dtype if there is any; RuntimeError if it cannot require grad."""
    if dtype is not None:
        array = np.asarray(array).astype(dtype.numpy, copy=False)
    result = Tensor.of(array)
    if requires_grad and not result.dtype.differentiable:
        raise RuntimeError(
            "Only Tensors of floating point and complex dtype can require gradients, but the values given make a "
            f"tensor of dtype {result.dtype}: write 1.0 rather than 1, or give a floating dtype"
        )
    # Leaves made in inference mode stay out of autograd, as results do.
    result.inference = state.now.inference
    result._requires_grad = requires_grad
    return result


def _inferred(values: Any) -> Array:
    """Nested lists of numbers and tensors as an array of the dtype that PyTorch infers."""
    if isinstance(values, (list, tuple)):
        values = _unwrapped(values)
        array = np.array(values)
        # Arrays among the numbers keep their type; Python's numbers take the default type.
        if not _has_arrays(values) and (array.dtype.kind in "fc" or not array.size):
            target = dtypes.default_complex() if array.dtype.kind == "c" else dtypes.get_default_dtype()
            return array.astype(target.numpy)
        return array
    if isinstance(values, (bool, int, float, complex)) and not hasattr(values, "dtype"):
        return np.array(values, dtype=dtypes.of_number(values).numpy)
    return np.array(values)


def _unwrapped(values: Any) -> Any:
    if isinstance(values, (list, tuple)):
        return [_unwrapped(v) for v in values]
    return values.array if isinstance(values, Tensor) else values


def _has_arrays(values: Any) -> bool:
    return any(_has_arrays(v) if isinstance(v, list) else isinstance(v, (np.ndarray, np.generic)) for v in values)


def tensor(data: Any, *, dtype: Dtype = None, requires_grad: bool = False, device: object = None) -> Tensor:
    """A leaf with a copy of the values: a number, nested sequences of numbers, an array or a tensor (torch.tensor).

    RuntimeError if it should require grad and is not floating or complex; ValueError for ragged sequences.
    """
    if isinstance(data, Tensor):
        warn.user(
            "To copy construct from a tensor, say tensor.detach().clone(): torch.tensor(tensor) looks as if it kept "
            "the graph, and does not"
        )
        data = data.array
    array = _inferred(data) if dtype is None else np.array(_unwrapped(data), dtype=dtype.numpy)
    return finish(array, dtype, requires_grad)


def as_tensor(data: Any, dtype: Dtype = None, device: object = None) -> Tensor:
    """The tensor itself, a tensor that shares an array's memory, or a copy of other values (torch.as_tensor)."""
    if isinstance(data, Tensor):
        return data if dtype is None else data.to(dtype)
    return finish(data, dtype, False) if isinstance(data, np.ndarray) else tensor(data, dtype=dtype)


def asarray(obj: Any, *, dtype: Dtype = None, requires_grad: bool | None = None) -> Tensor:
    """The same memory where possible, with its history, or outside the graph if the flag is False (torch.asarray)."""
    made = as_tensor(obj, dtype)
    # A different flag needs another tensor, as that of the argument must not change.
    if requires_grad is None or requires_grad is made.requires_grad:
        return made
    return made.alias().requires_grad_(requires_grad)


def _filled(shape: Any, value: Any, dtype: Dtype, requires_grad: bool) -> Tensor:
    target = dtype or dtypes.get_default_dtype()
    return finish(np.full(shape, value, dtype=target.numpy), None, requires_grad)


def zeros(*size: Any, dtype: Dtype = None, requires_grad: bool = False, device: object = None) -> Tensor:
    """Zeros of a shape (torch.zeros)."""
    return _filled(sizes(size), 0, dtype, requires_grad)


def ones(*size: Any, dtype: Dtype = None, requires_grad: bool = False, device: object = None) -> Tensor:
    """Ones of a shape (torch.ones)."""
    return _filled(sizes(size), 1, dtype, requires_grad)


def zeros_like(input: Tensor, *, dtype: Dtype = None, requires_grad: bool = False, device: object = None) -> Tensor:
    """Zeros of another tensor's shape and dtype (torch.zeros_like)."""
    return input.expanded_to_batch(_filled(input.array.shape, 0, dtype or input.dtype, requires_grad))


def ones_like(input: Tensor, *, dtype: Dtype = None, requires_grad: bool = False, device: object = None) -> Tensor:
    """Ones of another tensor's shape and dtype (torch.ones_like)."""
    return input.expanded_to_batch(_filled(input.array.shape, 1, dtype or input.dtype, requires_grad))


def empty_like(input: Tensor, *, dtype: Dtype = None, requires_grad: bool = False, device: object = None) -> Tensor:
    """An uninitialised tensor of another's shape and dtype (torch.empty_like)."""
    return zeros_like(input, dtype=dtype, requires_grad=requires_grad)


def full_like(input: Tensor, fill_value: Any, *, dtype: Dtype = None, requires_grad: bool = False) -> Tensor:
    """One value everywhere, in another tensor's shape and dtype (torch.full_like)."""
    return input.expanded_to_batch(_filled(input.array.shape, fill_value, dtype or input.dtype, requires_grad))


def arange(start: Any, end: Any = None, step: Any = 1, *, dtype: Dtype = None, requires_grad: bool = False) -> Tensor:
    """Numbers from start (default 0) up to but not including end (torch.arange)."""
    values = np.arange(start) if end is None else np.arange(start, end, step)
    target = dtype or (dtypes.get_default_dtype() if values.dtype.kind == "f" else dtypes.int64)
    return finish(values, target, requires_grad)


def eye(
    n: int, m: int | None = None, *, dtype: Dtype = None, device: object = None, requires_grad: bool = False
) -> Tensor:
    """Ones on the diagonal, zeros elsewhere (torch.eye)."""
    return finish(np.eye(n, m), dtype or dtypes.get_default_dtype(), requires_grad)


def new_tensor(
    self: Tensor, data: Any, *, dtype: Dtype = None, device: object = None, requires_grad: bool = False
) -> Tensor:
    """A leaf of values, of this tensor's dtype unless another is given (torch.Tensor.new_tensor)."""
    return tensor(data, dtype=dtype or self.dtype, requires_grad=requires_grad)
