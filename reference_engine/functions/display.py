"""How a tensor prints: values to four digits, and what autograd knows about it (torch.Tensor, printing)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..core import dtypes, levels
from ..core.tensor import Tensor

_DIGITS = 4
_LINE = 80
_MOST = 1000
"""Of more elements than this, only so many are shown at either end of each dimension:"""
_EDGE = 3


def _style(values: Any) -> Callable[[Any], str]:
    """A function that prints one real number in the style that suits all that are finite and not zero."""
    if values.dtype.kind != "f":
        return str
    sizes = np.abs(values[np.isfinite(values) & (values != 0)]).astype(float)
    whole = bool(np.all(sizes == np.floor(sizes)))
    top, bottom = (sizes.max(), sizes.min()) if sizes.size else (1.0, 1.0)
    if top > 1e8 or top / bottom > 1000 or (bottom < 1e-4 and not whole):
        return lambda v: f"{v:.{_DIGITS}e}"
    if whole:
        return lambda v: f"{v:.0f}." if np.isfinite(v) else str(v)
    return lambda v: f"{v:.{_DIGITS}f}"


def _form(values: Any) -> tuple[Callable[[Any], str], int]:
    """How one of these values prints, and the width that it takes; zero and infinities must do with the others'."""
    if values.dtype.kind == "c":
        (real, first), (imag, second) = _form(values.real), _form(values.imag)
        return lambda v: f"{real(v.real)}{'' if v.imag < 0 else '+'}{imag(v.imag).lstrip()}j", first + second + 1
    style = _style(values)
    counted = values[np.isfinite(values) & (values != 0)] if values.dtype.kind == "f" else values
    width = max((len(style(v)) for v in counted.ravel()), default=1)
    return lambda v: style(v).rjust(width), width


def _ends(array: Any) -> Any:
    """The elements that are shown of a large array."""
    for dim, size in enumerate(array.shape):
        if size > 2 * _EDGE:
            array = array.take([*range(_EDGE), *range(-_EDGE, 0)], dim)
    return array


def _parts(array: Any, show: Callable[[Any], str], dots: str, few: bool) -> list[str]:
    """What there is along the first dimension, with dots for what is left out."""
    if few and len(array) > 2 * _EDGE:
        return [*map(show, array[:_EDGE]), dots, *map(show, array[-_EDGE:])]
    return [*map(show, array)]


def _values(array: Any, indent: int, few: bool, form: Callable[[Any], str], width: int) -> str:
    """The values in brackets, as many on a line as fit behind the indentation."""
    if not array.ndim:
        return form(array[()])
    if array.ndim > 1:
        rows = _parts(array, lambda row: _values(row, indent + 1, few, form, width), "...", few)
        apart: str = "," + "\n" * (array.ndim - 1) + " " * (indent + 1)
        return "[" + apart.join(rows) + "]"
    parts = _parts(array, form, " ...", few)
    each = max(1, (_LINE - indent) // (width + 2))
    lines = [", ".join(parts[i : i + each]) for i in range(0, len(parts), each)]
    return "[" + (",\n" + " " * (indent + 1)).join(lines) + "]"


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
    few = array.size > _MOST
    if not array.size:
        usual, notes = {dtypes.get_default_dtype()}, [f"size={tuple(array.shape)}"] if array.ndim != 1 else []
    text = start + (_values(array, len(start), few, *_form(_ends(array) if few else array)) if array.size else "[]")
    if x.dtype not in usual:
        notes.append(f"dtype={x.dtype}")
    if x.grad_fn is not None:
        notes.append(f"grad_fn=<{type(x.grad_fn).__name__}>")
    elif x.requires_grad:
        notes.append("requires_grad=True")
    level = levels.highest([x])
    if level is not None:
        notes.append(f"tangent={levels.tangent(x, level)!r}")
    return _noted(text, notes, len(start)) + ")"
