"""Operations that move elements and compute nothing."""

import builtins
from typing import Any

import numpy as np

from ..core.aliases import Array
from ..core.primitive import Primitive
from ..core.views import ViewPrimitive
from .kinds import in_rows

__all__ = [
    "cat", "diagonal", "diagonal_backward", "expand", "flip", "permute", "reshape", "roll", "slice",
    "split", "squeeze", "stack", "t", "transpose", "tril", "triu", "unbind", "unsqueeze", "view",
]  # fmt: skip


def _view(x: Array, shape: Any) -> Any:
    view = x.reshape(shape)
    if x.size and not np.may_share_memory(view, x):
        raise ValueError("the elements do not lie in memory as the shape needs them")
    return view


def _flip(x: Array, dim: Any) -> Any:
    # A copy: PyTorch has no negative strides, so its flip is no view.
    return np.flip(x, axis=dim if x.ndim else ()).copy()


def _look(x: Array, index: Any) -> Any:
    # With an ellipsis NumPy gives a view even of a single element, where it would copy it out.
    return x[index if Ellipsis in index else (*index, ...)]


view = ViewPrimitive("view", _view)
reshape = ViewPrimitive("reshape", lambda x, shape: np.reshape(x, shape), node="ViewBackward0")
permute = ViewPrimitive("permute", lambda x, dims: np.transpose(x, dims))
transpose = ViewPrimitive("transpose", lambda x, dim0, dim1: np.swapaxes(x, dim0, dim1))
t = ViewPrimitive("t", np.transpose)
expand = ViewPrimitive("expand", lambda x, shape: np.broadcast_to(x, shape))
squeeze = ViewPrimitive("squeeze", lambda x, dim: np.squeeze(x, axis=dim))
unsqueeze = ViewPrimitive("unsqueeze", lambda x, dim: np.expand_dims(x, dim))
flip = Primitive("flip", _flip)
roll = Primitive("roll", in_rows(lambda x, shifts, dims: np.roll(x, shifts, axis=dims)))
tril = Primitive("tril", lambda x, diagonal: np.tril(x, diagonal))
triu = Primitive("triu", lambda x, diagonal: np.triu(x, diagonal))


def _joined(join: Any) -> Any:
    """In rows, for parts in any order."""
    return lambda *xs, dim: np.ascontiguousarray(join(xs, axis=dim))


cat = Primitive("cat", _joined(np.concatenate), letters="*", promotes="together")
stack = Primitive("stack", _joined(np.stack), letters="*", promotes="together")


def _last_step(options: dict[str, Any]) -> str:
    """The node's name: PyTorch indexes step by step, with a node for each; here a single node has the last name."""
    index = options["index"]
    # What takes all of a dimension is no step, unless it is all that there is.
    steps = [p for p in index if p is not Ellipsis and (p != builtins.slice(None) or len(index) == 1)]
    if not steps:
        return "AliasBackward0"
    if steps[-1] is None:
        return "UnsqueezeBackward0"
    return "SliceBackward0" if isinstance(steps[-1], builtins.slice) else "SelectBackward0"


# One primitive for every way of looking at part of a tensor by integers, slices, None and ...
slice = ViewPrimitive("slice", _look, node=_last_step)
unbind = ViewPrimitive("unbind", _look)
split = ViewPrimitive("split", _look)


def _diagonal(x: Array, offset: Any, dim1: Any, dim2: Any) -> Any:
    view = np.diagonal(x, offset, dim1, dim2)
    view.flags.writeable = x.flags.writeable
    return view


def _diagonal_matrix(x: Array, offset: Any, dim1: Any, dim2: Any, shape: Any) -> Any:
    out = np.zeros(shape, x.dtype)
    _diagonal(out, offset, dim1, dim2)[...] = x
    return out


diagonal = ViewPrimitive("diagonal", _diagonal)
diagonal_backward = Primitive("diagonal_backward", _diagonal_matrix)
