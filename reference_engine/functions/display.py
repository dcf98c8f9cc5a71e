"""Printed tensors: values to four digits, and what autograd knows about them (torch.Tensor, printing)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..core import dtypes, levels
from ..core.aliases import Array
from ..core.tensor import Tensor

_DIGITS = 4
_LINE = 80


def _style(values: Array) -> Callable[[Any], str]:
    """A function that prints a real number in the style that suits all that are finite and not zero."""
    if values.dtype.kind != "f":
        return str
    sizes = np.abs(values[np.isfinite(values) & (values != 0)]).astype(float)
    whole = bool(np.all(sizes == np.floor(sizes)))
    top, bottom = (sizes.max(), sizes.min()) if sizes.size else (1.0, 1.0)
    # PyTorch's limits for scientific notation.
    if top > 1e8 or top / bottom > 1000 or (bottom < 1e-4 and not whole):
        return lambda v: f"{v:.{_DIGITS}e}"
    if whole:
        return lambda v: f"{v:.0f}." if np.isfinite(v) else str(v)
    return lambda v: f"{v:.{_DIGITS}f}"


def _form(values: Array) -> Callable[[Any], str]:
    """The format in which each of these values is printed; zero and infinities must do with the width of the others."""
    if values.dtype.kind == "c":
        real, imag = _form(values.real), _form(values.imag)
        return lambda v: f"{real(v.real)}{'' if v.imag < 0 else '+'}{imag(v.imag).lstrip()}j"
    style = _style(values)
    # Aligned as PyTorch does, by the finite numbers only.
    counted = values[np.isfinite(values) & (values != 0)] if values.dtype.kind == "f" else values
    width = max((len(style(v)) for v in counted.ravel()), default=1)
    return lambda v: style(v).rjust(width)


def _noted(text: str, notes: Sequence[str], indent: int) -> str:
    """The text with notes behind it, each on a new line if it does not fit."""
    room = len(text) - text.rfind("\n") + 1
    for note in notes:
        fits = room + len(note) + 2 <= _LINE
        text += f", {note}" if fits else f",\n{' ' * indent}{note}"
        room = room + len(note) + 2 if fits else indent + len(note)
    return text


def represent(x: Tensor, start: str = "tensor(") -> str:
    """The text of a tensor: values, then the dtype if unusual, then grad_fn or requires_grad."""
    usual = {dtypes.get_default_dtype(), dtypes.default_complex(), dtypes.int64, dtypes.bool_}
    array, notes = x.array, []
    # Nothing shows the dtype of an empty tensor, so every unusual type is noted.
    if not array.size:
        usual, notes = {dtypes.get_default_dtype()}, [f"size={tuple(array.shape)}"] if array.ndim != 1 else []
    shown: Any = {"all": _form(array)} if array.size else None
    text = np.array2string(array, max_line_width=_LINE, separator=", ", prefix=start, formatter=shown)
    text = text.replace(", ..., ", ",  ..., ")
    if x.dtype not in usual:
        notes.append(f"dtype={x.dtype}")
    if x.grad_fn is not None:
        notes.append(f"grad_fn=<{type(x.grad_fn).__name__}>")
    elif x.requires_grad:
        notes.append("requires_grad=True")
    level = levels.highest([x])
    if level is not None:
        notes.append(f"tangent={levels.tangent(x, level)!r}")
    return _noted(start + text, notes, len(start)) + ")"
