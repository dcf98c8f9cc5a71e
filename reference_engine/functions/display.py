"""How a tensor prints: values to four digits, and what autograd knows about it (torch.Tensor, printing)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core import dtypes, levels
from ..core.tensor import Tensor

_DIGITS = 4


def _number_format(values: Any) -> Any:
    """A function that prints one real number in the style that suits all of them."""
    finite = np.abs(values[np.isfinite(values)]).astype(float)
    nonzero = finite[finite > 0]
    if not nonzero.size:
        return lambda v: f"{v:.0f}." if np.isfinite(v) else str(v)
    top, bottom = nonzero.max(), nonzero.min()
    if np.all(finite == np.floor(finite)):
        scientific = top > 1e8 or top / bottom > 1000
        plain = lambda v: f"{v:.0f}." if np.isfinite(v) else str(v)  # noqa: E731
    else:
        scientific = top > 1e8 or top / bottom > 1000 or bottom < 1e-4
        plain = lambda v: f"{v:.{_DIGITS}f}"  # noqa: E731
    return (lambda v: f"{v:.{_DIGITS}e}") if scientific else plain


def _formatter(array: Any) -> Any:
    kind = array.dtype.kind
    if kind == "c":
        real, imag = _number_format(array.real), _number_format(array.imag)
        return lambda v: f"{real(v.real)}{'' if np.signbit(v.imag) else '+'}{imag(v.imag)}j"
    return _number_format(array) if kind == "f" else str


def _values(array: Any, indent: int) -> str:
    form = _formatter(array)
    if not array.ndim:
        return str(form(array[()]))
    width = max((len(form(v)) for v in array.ravel()), default=0) if array.size <= 1000 else 0
    return np.array2string(
        array,
        separator=", ",
        prefix=" " * indent,
        threshold=1000,
        max_line_width=80,
        formatter={"all": lambda v: form(v).rjust(width)},
    )


def represent(x: Tensor, start: str = "tensor(") -> str:
    """The text of a tensor: values, then the dtype if unusual, then grad_fn or requires_grad."""
    usual = {dtypes.get_default_dtype(), dtypes.default_complex(), dtypes.int64, dtypes.bool_}
    notes = [_values(x.array, len(start))]
    if not x.array.size:
        notes = ["[]"] if x.array.ndim == 1 else ["[]", f"size={tuple(x.array.shape)}"]
    if x.dtype not in usual:
        notes.append(f"dtype={x.dtype}")
    if x.grad_fn is not None:
        notes.append(f"grad_fn=<{type(x.grad_fn).__name__}>")
    elif x.requires_grad:
        notes.append("requires_grad=True")
    level = levels.highest([x])
    if level is not None:
        notes.append(f"tangent={levels.tangent(x, level)!r}")
    return start + ", ".join(notes) + ")"
