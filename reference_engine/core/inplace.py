"""In-place operations: compute out of place, write the numbers, then make the history say what happened.

An in-place operation is its out-of-place primitive followed by a change of memory, so every operation has an
in-place form for free. What makes it delicate are the refusals (a leaf that requires grad would stop being one),
views (their base changes too) and saved values (the version counter tells on us). Sources: notes/autograd,
In-place operations with autograd; In-place correctness checks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import primitives as o
from . import dtypes, levels
from .batched import Batched, batch_levels
from .modes import state
from .nodes import PrimitiveNode
from .per_example import alike
from .tape import Node
from .tensor import Tensor
from .views import Region, ViewLink, replace_region


def inplace(target: Tensor, primitive: Callable[..., Any], *args: Any, **options: Any) -> Tensor:
    """Let `target` become ``primitive(*args)``, where `target` may be among the arguments.

    The result must broadcast to the target's shape and be of no higher category than its dtype; RuntimeError
    otherwise, and for targets that must not change while recording.
    """
    if levels.depth():
        _check_batches(target, [*args, *options.values()])
    watched = (target, *args) if target.link is None else (target, target.link.base, *args)
    recording = state.grad and any(isinstance(a, Tensor) and a.requires_grad for a in watched)
    _check(target, recording)
    # The tape keeps the contents before the change, which are about to be overwritten.
    # A batch may have a history that the example has not, so it is always kept.
    before = _snapshot(target) if recording or isinstance(target, Batched) else target
    # Only in its own place: elsewhere among the arguments it is saved as it is, and the change will be noticed.
    result = primitive(*[before if a is target and not i else a for i, a in enumerate(args)], **options)
    _check_fits(target, result)
    _write(target, result)
    if recording:
        source = args[1] if primitive is o.overwrite else result
        _adopt(target, result, source)
    return target


def _check_batches(target: Tensor, args: Any) -> None:
    """Refuse to write a different value for each example into a tensor that all examples share."""
    missing = {level for a in args for level in batch_levels(a)}.difference(batch_levels(target))
    if missing:
        raise RuntimeError(
            "vmap: inplace arithmetic(self, *extra_args) is not possible because there exists a Tensor `other` in "
            f"extra_args that has more elements than `self`: `other` is vmapped over at level {max(missing)}, and "
            "`self` is not. Use the out-of-place operation, or make `self` of a batched tensor (zeros_like, new_zeros)."
        )


def _snapshot(target: Tensor) -> Tensor:
    twin = target.copied()
    edge = target.edge()
    twin._node, twin.output = edge if edge is not None else (None, 0)
    # The tangents of a view are overwritten too.
    twin.tangents = {level: _snapshot(t) for level, t in target.tangents.items()} if target.tangents else None
    return twin


def _check(target: Tensor, recording: bool) -> None:
    """Refuse targets that cannot be written to, or whose history could not follow."""
    if target.inference and not state.inference:
        raise RuntimeError(
            "Inplace update to inference tensor outside InferenceMode is not allowed: clone() it to get a normal tensor"
        )
    if recording:
        _check_history(target)
    steps = zip(target.array.strides, target.array.shape, strict=False)
    overlaps = target.array.size and any(s == 0 and n > 1 for s, n in steps)
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
    _store(target, result)
    for level, t in (result.tangents or {}).items():
        if target.link is not None:
            own = levels.tangent(target, level)
            own = _tangent_through_base(target, level, t) if own is None else own
            inplace(own, o.overwrite, own, t)
        else:
            levels.attach(target, level, t)
    for level in set(target.tangents or {}) - set(result.tangents or {}):
        assert target.tangents is not None
        target.tangents = {k: t for k, t in target.tangents.items() if k != level}


def _tangent_through_base(view: Tensor, level: int, t: Tensor) -> Tensor:
    """Give a view that carries no tangent the part of its base's that it looks at; zeros at first, if that has none."""
    base, region = view.link.base, view.link.region(view)
    if levels.tangent(base, level) is None:
        zeros = Tensor.of(region.spread(np.zeros(region.base_shape, region.base_dtype)))
        levels.attach(base, level, alike(zeros, t))
    part = _part(base.tangents[level], region)
    levels.attach(view, level, part)
    return part


def _part(whole: Tensor, region: Region) -> Tensor:
    """The region of a tensor as a view of it; of a batch, the region of every example."""
    if isinstance(whole, Batched):
        inside = _part(whole.value, region.in_each(len(whole.value.array)))
        part: Tensor = Batched.wrap(inside, whole.level)
    else:
        part = Tensor.of(region.look(whole.array))
        part.version = whole.version
    part.link = ViewLink(whole, whole.version.value, True)
    return part


def _store(target: Tensor, result: Tensor) -> None:
    if isinstance(target, Batched):
        # The batch is changed by the same means, so its history and version say so too.
        inside = o.overwrite(target, result) if target.array.shape != result.array.shape else result
        inside = inside.value if isinstance(inside, Batched) and inside.level == target.level else inside
        inplace(target.value, o.overwrite, target.value, inside)
    else:
        target.array[...] = result.array
        target.version.value += 1


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
