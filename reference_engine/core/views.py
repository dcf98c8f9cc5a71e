"""Views: tensors that share memory, and what that means for their histories.

A view and its base share a version counter, so nodes that saved either notice a write to the other. They must also
agree on history: after ``v.mul_(2)`` the *base* has changed, so the base's history is rewritten to "what it was,
with the region that v looks at replaced" (the node CopySlices), and every view of it, v included, is from then on
a region of the new base (notes/autograd, In-place operations; Tensor Views).

Where a view looks is a `Region`: an offset and strides in its base's memory, by any chain of slices and
transposes. Other views than that written to notice the change by the version, when next asked for their history.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .aliases import Array, Options
from .modes import enable_grad, state
from .overlap import meets_itself
from .primitive import Primitive, record
from .regions import Region, Steps, address
from .tape import Edge
from .tensor import Tensor


class ViewPrimitive(Primitive):
    """An operation whose result shares the memory of its first argument."""

    def interpret(self, args: tuple[Any, ...], options: Options) -> Tensor:
        """Carry out the operation, and link the result to the base whose memory it shares."""
        result = super().interpret(args, options)
        relate(result, args)
        return result


def _region(x: Array, region: Region) -> Array:
    return region.look(region.spread(x)).copy()


def _replace(x: Array, y: Any, region: Region) -> Array:
    memory = region.spread(x)
    region.look(memory)[...] = y
    return np.array(memory)


# How the base of a view sees a write through the view, and the view the base.
region = Primitive("region", _region, node="AsStridedBackward0")
replace = Primitive("replace", _replace, node="CopySlices")
as_strided = ViewPrimitive("as_strided", lambda x, steps: steps.look(x))


class ViewLink:
    """The link from a view to its base."""

    def __init__(self, base: Tensor, seen: int, recorded: bool) -> None:
        self.base = base
        self.seen = seen
        self.recorded = recorded
        self.one_of_many: str | None = None

    def region(self, view: Tensor) -> Region:
        """Where in the base the view looks."""
        return Region.between(self.base.array, view.array)

    def refresh(self, view: Tensor) -> None:
        """If the shared memory was written to since, derive the view's history from the base's present history.

        RuntimeError for a view that cannot have a history: made while nothing was recorded, or among several outputs.
        """
        if self.seen == view.version.value or not (self.base.requires_grad or view.history):
            return
        self.check("had its base, or another view of its base, modified inplace")
        self.seen = view.version.value
        if self.base.requires_grad:
            old = view.history
            rebuild(view)
            move_retained(view, old)

    def refresh_tangents(self, view: Tensor) -> None:
        """Let the view carry what its base has come to carry since: of each tangent the part that it looks at."""
        for level, tangent in (self.base.tangents or {}).items():
            if level not in (view.tangents or {}):
                view.tangents = {**(view.tangents or {}), level: region_of(tangent, self.region(view))}

    def check(self, what: str) -> None:
        """RuntimeError saying what happened to a view whose history cannot follow a change."""
        if not self.recorded:
            raise RuntimeError(
                f"A view was created in no_grad mode and {what} with grad mode enabled: whether the change should be "
                "recorded is ambiguous. Make the view and change it both inside no_grad, or both outside."
            )
        if self.one_of_many:
            raise RuntimeError(
                f"Output 0 of {self.one_of_many} is a view and {what}. It comes from a function that returns multiple "
                "views, or from a custom Function, which do not allow the output views to be modified inplace: replace "
                "the in-place operation by an out-of-place one, or index the tensor instead."
            )


def region_of(whole: Tensor, region: Region) -> Tensor:
    """The region of a tensor as a view of it."""
    part = whole.part(region)
    part.link = ViewLink(whole, whole.version.value, True)
    return part


def move_retained(target: Tensor, old: Edge | None) -> None:
    """A kept gradient is that of the tensor as it is now, not as it was (notes/autograd, Backward hooks)."""
    if not target.retains_grad or old is None:
        return
    before, output = old
    kept = (before.retained or {}).pop(output, None)
    if kept is not None and target.history is not None:
        node, output = target.history
        node.retained = {**(node.retained or {}), output: kept}


def relate(view: Tensor, args: Sequence[Any]) -> None:
    """Make the result of a view operation a view of its argument's base, if it does share memory."""
    source = args[0]
    if not np.may_share_memory(view.memory, source.memory) and not _is_empty_part(view.memory, source.memory):
        return
    # A view of a view has the same base, so there is a single history to rewrite.
    base = source if source.link is None else source.link.base
    # A view made without recording has no derivable history; to write to it while recording raises an error.
    recorded = state.now.grad and (source.link is None or source.link.recorded)
    view.version, view.inference = source.version, source.inference
    view.link = ViewLink(base, view.version.value, recorded)
    view.link.one_of_many = None if source.link is None else source.link.one_of_many


def _is_empty_part(view: Any, source: Any) -> bool:
    """Whether an array without elements, which shares no memory with any, was yet made by looking at another."""
    return view.size == 0 and view.base is not None and view.base is (source if source.base is None else source.base)


def rebuild(view: Tensor) -> None:
    """Give a view the history "this region of the base as it is now"."""
    base, array = view.link.base.array, view.array
    with enable_grad():
        if type(array) is np.ndarray and array.dtype == base.dtype and meets_itself(array):
            record(as_strided, (view.link.base,), {"steps": _steps(base, array)}, view)
            return
        record(region, (view.link.base,), {"region": view.link.region(view)}, view)


def _steps(base: Any, view: Any) -> Steps:
    """Where in the base an array looks that may name a place several times, so that cotangents add up there."""
    steps = tuple(s // view.itemsize for s in view.strides)
    return Steps.of(base, view.shape, steps, (address(view) - address(base)) // view.itemsize)


def replace_region(view: Tensor, part: Any) -> None:
    """Rewrite the base's history after `part` was written into the view."""
    base = view.link.base
    old = base.history
    record(replace, (base, part), {"region": view.link.region(view)}, base)
    # Other views notice by the version, when they are next asked.
    view.link.seen = view.version.value
    if base.history is not old:
        # It was written to, so it is the result of an operation now and no leaf.
        base._requires_grad = False
        move_retained(base, old)
        rebuild(view)
