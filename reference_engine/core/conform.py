"""Giving a cotangent, or a tangent, the shape and type of the value that it belongs to."""

from __future__ import annotations

from typing import Any

from .. import primitives as o
from .aliases import Shape
from .tape import Traced


def conform(g: Any, form: tuple[Shape, Any]) -> Any:
    """A cotangent in the form of its primal: sum what was broadcast, drop what a real primal cannot have, cast.

    Serves arrays and Tensors. RuntimeError if the shapes cannot have come from broadcasting.
    """
    shape, dtype = form
    array = g.array if isinstance(g, Traced) else g
    if array.shape != shape:
        g = _unbroadcast(g, array.shape, shape)
    if dtype is None:
        return g  # a leaf that takes gradients of any type
    if array.dtype.kind == "c" and dtype.kind != "c":
        # A real value cannot move in the imaginary direction; the rule need not know.
        g = o.real(g)
    return g if array.dtype == dtype else o.cast(g, dtype=dtype)


def _unbroadcast(g: Any, shape: Shape, wanted: Shape) -> Any:
    """Sum over the dimensions along which the primal was repeated."""
    extra = len(shape) - len(wanted)
    fits = extra >= 0 and all(b in (1, a) for a, b in zip(shape[extra:], wanted, strict=False))
    if not fits:
        raise RuntimeError(f"got a gradient of shape {list(shape)}, expected shape compatible with {list(wanted)}")
    repeated = tuple(i for i in range(len(shape)) if i < extra or shape[i] != wanted[i - extra])
    # Every copy of a repeated element passes on its share: the adjoint of repeating is summing.
    return o.reshape(o.sum(g, dim=repeated, keepdim=False), shape=wanted)
