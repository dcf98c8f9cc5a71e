"""In-place operations: compute out of place, write the numbers, then make the history say what happened.

An in-place operation is its out-of-place primitive followed by a change of memory, so every operation has an
in-place form for free. What makes it delicate are the refusals (a leaf that requires grad would stop being one),
views (their base changes too) and saved values (the version counter tells on us). Sources: notes/autograd,
In-place operations with autograd; In-place correctness checks.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import primitives as o
from . import dtypes, levels
from .modes import state
from .nodes import PrimitiveNode
from .primitive import Primitive
from .tape import Node
from .tensor import Tensor
from .views import replace_region


def inplace(target: Tensor, primitive: Primitive, *args: Any, **options: Any) -> Tensor:
    """Let `target` become ``primitive(*args)``, where `target` may be among the arguments.

    The result must broadcast to the target's shape and be of no higher category than its dtype; RuntimeError
    otherwise, and for targets that must not change while recording.
    """
    watched = (target, *args) if target.link is None else (target, target.link.base, *args)
    recording = state.grad and any(isinstance(a, Tensor) and a.requires_grad for a in watched)
    _check(target, recording)
    # The tape keeps the contents before the change, which are about to be overwritten.
    before = _snapshot(target) if recording else target
    result = primitive(*[before if a is target else a for a in args], **options)
    _check_fits(target, result)
    _write(target, result)
    if recording:
        source = args[1] if primitive is o.overwrite else result
        _adopt(target, result, source)
    return target


def _snapshot(target: Tensor) -> Tensor:
    twin = Tensor.of(target.array.copy())
    edge = target.edge()
    twin._node, twin.output = edge if edge is not None else (None, 0)
    twin.tangents = target.tangents
    return twin


def _check(target: Tensor, recording: bool) -> None:
    """Refuse targets that cannot be written to, or whose history could not follow."""
    if target.inference and not state.inference:
        raise RuntimeError(
            "Inplace update to inference tensor outside InferenceMode is not allowed: clone() it to get a normal tensor"
        )
    if recording:
        _check_history(target)
    overlaps = any(s == 0 and n > 1 for s, n in zip(target.array.strides, target.array.shape, strict=False))
    if overlaps or not target.array.flags.writeable:
        raise RuntimeError(
            "unsupported operation: more than one element of the written-to tensor refers to a single memory "
            "location (it was expanded). clone() it before writing."
        )


def _check_history(target: Tensor) -> None:
    if target.link is not None:
        _check_view(target)
    if target.requires_grad and target.is_leaf:
        raise RuntimeError(
            "a leaf Variable that requires grad is being used in an in-place operation: its gradient would be that of "
            "a value it no longer has. Update parameters under torch.no_grad(), or use the out-of-place operation."
        )


def _check_view(target: Tensor) -> None:
    base = target.link.base
    if not target.link.recorded:
        raise RuntimeError(
            "A view was created in no_grad mode and is being modified inplace with grad mode enabled: whether the "
            "change should be recorded is ambiguous. Make the view and change it both inside no_grad, or both outside."
        )
    if target.link.one_of_many:
        raise RuntimeError(
            f"Output 0 of {target.link.one_of_many} is a view and is being modified inplace. It comes from a "
            "function that returns multiple views, which do not allow the output views to be modified inplace: "
            "replace the in-place operation by an out-of-place one, or index the tensor instead."
        )
    if base.requires_grad and base.is_leaf:
        raise RuntimeError(
            "a view of a leaf Variable that requires grad is being used in an in-place operation: the leaf itself "
            "would change. Update parameters under torch.no_grad(), or clone() the leaf first."
        )


def _check_fits(target: Tensor, result: Any) -> None:
    if np.broadcast_shapes(result.array.shape, target.array.shape) != target.array.shape:
        raise RuntimeError(
            f"output with shape {list(target.shape)} doesn't match the broadcast shape {list(result.shape)}: "
            "an in-place operation cannot change the shape of its target"
        )
    if dtypes.category(result.array) > dtypes.category(target.array):
        raise RuntimeError(
            f"result type {result.dtype} can't be cast to the desired output type {target.dtype}: "
            "convert the target first, or use the out-of-place operation"
        )


def _write(target: Tensor, result: Tensor) -> None:
    """Change the memory, and the tangent's memory with it."""
    target.array[...] = result.array
    target.version.value += 1
    for level, t in (result.tangents or {}).items():
        own = levels.tangent(target, level)
        if own is not None and target.link is not None:
            inplace(own, o.overwrite, own, t)
        else:
            levels.attach(target, level, t)
    for level in set(target.tangents or {}) - set(result.tangents or {}):
        assert target.tangents is not None
        target.tangents = {k: t for k, t in target.tangents.items() if k != level}


def _adopt(target: Tensor, result: Tensor, source: Any) -> None:
    """Make the result's history the target's: directly, or through its base if the target is a view."""
    old = target._node
    node = result._node
    if target.link is not None:
        replace_region(target, source)
    elif node is not None:
        target._node, target.output, target._requires_grad = node, result.output, False
    if isinstance(node, PrimitiveNode) and node.saved and "z" in node.saved:
        node.saved["z"].moved_to(target)
    if target.retains_grad and old is not None:
        _move_retained(target, old)


def _move_retained(target: Tensor, old: Node) -> None:
    """A kept gradient is that of the tensor as it is now, not as it was (notes/autograd, Backward hooks)."""
    kept = (old.retained or {}).pop(target.output, None)
    node = target.grad_fn
    if kept is not None and node is not None:
        node.retained = {**(node.retained or {}), target.output: kept}
