"""In-place operations: compute out of place, write the numbers, then make the history say what happened.

An in-place operation is its out-of-place primitive followed by a change of memory, so every operation has an
in-place form for free. What makes it delicate are targets that must not change (a leaf that requires grad would become
a non-leaf), views (their base changes too) and saved values (the version counter shows the change). Sources:
notes/autograd, In-place operations with autograd; In-place correctness checks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import primitives as o
from . import dtypes, levels
from .modes import state
from .overlap import check_sources, check_writable
from .primitive import PrimitiveNode
from .regions import Region
from .tensor import Tensor
from .views import move_retained, replace_region


def inplace(target: Tensor, primitive: Callable[..., Any], *args: Any, **options: Any) -> Tensor:
    """Let `target` become ``primitive(*args)``, where `target` may be among the arguments.

    The result must broadcast to the target's shape and be of no higher category than its dtype; RuntimeError
    otherwise, and for targets that must not change while recording.
    """
    if state.now.levels:
        _check_batches(target, [*args, *options.values()])
    recording = _recording(target, *args)
    name = getattr(primitive, "name", None) or primitive.__name__
    _check(target, recording, name)
    if target.level is None:
        check_sources(target.array, args[1:], name)
    # The tape keeps the contents before the change, which are about to be overwritten.
    # A batch may have a history that the example has not, so it is always kept.
    before = _snapshot(target) if recording or target.level is not None else target
    # What is copied may be a view of the target, whose history until now the write is about to change.
    source = _snapshot(args[1]) if recording and primitive is o.overwrite and _shares_memory(target, args[1]) else None
    # Only in its own place: elsewhere among the arguments it is saved as it is, and the change will be noticed.
    result = primitive(*[before if a is target and not i else a for i, a in enumerate(args)], **options)
    _check_fits(target, result)
    _write(target, result)
    if recording:
        adopt(target, result, source if source is not None else (args[1] if primitive is o.overwrite else result))
    return target


def _shares_memory(target: Tensor, other: Any) -> bool:
    """Whether both are views of the same base, be it of different parts."""
    return isinstance(other, Tensor) and other.version is target.version


def _recording(target: Tensor, *args: Any) -> bool:
    watched = (target, *args) if target.link is None else (target, target.link.base, *args)
    return state.now.grad and any(isinstance(a, Tensor) and a.requires_grad for a in watched)


def _check_batches(target: Tensor, args: Any) -> None:
    """RuntimeError for writing a different value for each example into a tensor that all examples share."""
    missing = levels.batched_at(args) - target.batches()
    if missing:
        raise RuntimeError(
            "vmap: inplace arithmetic(self, *extra_args) is not possible because there exists a Tensor `other` in "
            f"extra_args that has more elements than `self`: `other` is vmapped over at level {max(missing)}, and "
            "`self` is not. Use the out-of-place operation, or make `self` of a batched tensor (zeros_like, new_zeros)."
        )


def _snapshot(target: Tensor) -> Tensor:
    twin = target.copied()
    # The contents until now are what the history until now has computed.
    twin.history = target.edge()
    # The tangents of a view are overwritten too.
    twin.tangents = {level: _snapshot(t) for level, t in target.tangents.items()} if target.tangents else None
    return twin


def _check(target: Tensor, recording: bool, name: str) -> None:
    """RuntimeError for targets that cannot be written to, or whose history could not follow."""
    if target.inference and not state.now.inference:
        raise RuntimeError(
            "Inplace update to inference tensor outside InferenceMode is not allowed: clone() it to get a normal tensor"
        )
    if recording:
        _check_history(target)
    check_writable(target.array, name)


def _check_history(target: Tensor) -> None:
    if target.link is not None:
        _check_view(target)
    if target.requires_grad and target.is_leaf:
        raise RuntimeError(
            "a leaf Variable that requires grad is being used in an in-place operation: its gradient would be that of "
            "a value it no longer has. Update parameters under torch.no_grad(), or use the out-of-place operation."
        )


def _check_view(target: Tensor) -> None:
    target.link.check("is being modified inplace")
    # The leaf may also be a view between the base and this view: the base then knows nothing of it.
    if target.requires_grad and target.link.base.is_leaf:
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
    # The memory is typed: what would be lost in writing raises an error.
    if dtypes.category(result.array) > dtypes.category(target.array):
        raise RuntimeError(
            f"result type {result.dtype} can't be cast to the desired output type {target.dtype}: "
            "convert the target first, or use the out-of-place operation"
        )


def _write(target: Tensor, result: Tensor) -> None:
    """Change the memory, and the tangents' memory with it, so that views see both changes."""
    target.store(result)
    for level, t in (result.tangents or {}).items():
        own = _own_tangent(target, level, t)
        inplace(own, o.overwrite, own, t)
    for level in set(target.tangents or {}) - set(result.tangents or {}):
        assert target.tangents is not None
        target.tangents = {k: t for k, t in target.tangents.items() if k != level}


def _own_tangent(target: Tensor, level: int, t: Tensor) -> Tensor:
    """The tangent that a target carries, for t to be written there; zeros at first, of all its base, if it has none."""
    own = levels.tangent(target, level)
    if own is not None:
        return own
    base = target if target.link is None else target.link.base
    region = Region.between(base.array, base.array)
    # What has no tangent does not move: its tangent is zero. In its order in memory, where views find their part.
    zeros = Tensor.of(region.spread(np.zeros(region.base_shape, region.base_dtype)))
    levels.attach(base, level, t.expanded_to_batch(zeros))
    made = levels.tangent(target, level)
    assert made is not None
    return made


def adopt(target: Tensor, result: Tensor, source: Any) -> None:
    """Make the result's history the target's: directly, or through its base if the target is a view."""
    old, new = target.history, result.history
    node = None if new is None else new[0]
    if target.link is not None:
        replace_region(target, source)
    elif new is not None:
        target.history, target._requires_grad = new, False
        if result.form != target.form:
            # The result was of a wider type than the target, or smaller, but its cotangent will be the target's.
            new[0].forms = [target.form]
    if isinstance(node, PrimitiveNode) and node.saved and "z" in node.saved:
        node.saved["z"].moved_to(target)
    move_retained(target, old)
