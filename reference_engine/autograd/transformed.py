"""Custom functions under `vmap` and forward mode (notes/extending.func).

At every level a custom function is a single operation. Its result is computed a level below (by its `vmap`, by a rule
generated from `forward` and `backward`, or with a tangent by its `jvp`), and gets, for derivatives taken at this
level, a separate history: a context that `setup_context` fills with the arguments as they are seen here. That is
why `setup_context` must be separate: `forward` runs once, contexts are made for as many levels as there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from .. import primitives as o
from ..batching.active import Batch, batch_at, batching
from ..batching.batched import Batched
from ..batching.execution import opened
from ..core import levels
from ..core.modes import no_grad, state
from ..core.tensor import Tensor
from .outputs import attach_tangents, finish


class VmapInfo(NamedTuple):
    """The mapping, as a `vmap` staticmethod receives it (torch.autograd.Function.vmap)."""

    batch_size: int
    randomness: str


def at_level(cls: Any, args: tuple[Any, ...], options: dict[str, Any], level: int) -> Any:
    """Apply a custom function to arguments that carry tangents, or are batches, of a level."""
    batch = batch_at(level)
    raw = _pushed(cls, args, options, level) if batch is None else _mapped(cls, args, options, batch)
    if not (state.now.grad and any(isinstance(a, Tensor) and a.requires_grad for a in args)):
        return raw
    ctx = cls.context(tuple(a.edge() if isinstance(a, Tensor) else None for a in args), args)
    # A second context, with the arguments of this level: that of the level below saved their insides.
    with no_grad():
        cls.setup_context(ctx, args, raw)
    outputs = finish(ctx, raw, args, True)
    return tuple(outputs) if isinstance(raw, tuple) else outputs[0]


def _pushed(cls: Any, args: tuple[Any, ...], options: dict[str, Any], level: int) -> Any:
    """The outputs on primals, with the tangents that `jvp` gives them."""
    # The function itself runs a level below, where it may meet outer levels in turn.
    primals = tuple(levels.primal(a, level) for a in args)
    raw = cls.apply(*primals, **options)
    ctx = cls.context((), primals)
    with no_grad():
        cls.setup_context(ctx, primals, raw)
    ctx._saved = list(ctx._for_forward or ctx._to_save)
    attach_tangents(cls, ctx, _tuple(raw), args, level)
    # What forward changed in place and returns is the argument itself, which has a history at this level.
    changed = [next((a for a, p in zip(args, primals, strict=True) if p is out), out) for out in _tuple(raw)]
    return _like(raw, changed)


def _tuple(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


def _like(raw: Any, values: Sequence[Any]) -> Any:
    return tuple(values) if isinstance(raw, tuple) else values[0]


def _mapped(cls: Any, args: tuple[Any, ...], options: dict[str, Any], batch: Batch) -> Any:
    """The outputs for a batch, by the function's own rule or by a generated rule."""
    own = cls.overrides("vmap")
    if own and cls.generate_vmap_rule:
        raise RuntimeError(
            f"You tried to vmap over {cls.__name__}, but it has both generate_vmap_rule=True and an overriden vmap "
            "staticmethod. Please set generate_vmap_rule=False or delete the overriden vmap staticmethod to avoid "
            "ambiguity."
        )
    if own:
        return _by_own_rule(cls, args, batch)
    if not cls.generate_vmap_rule:
        raise RuntimeError(
            f"You tried to vmap over {cls.__name__}, but it does not have vmap support. Please override and implement "
            "the vmap staticmethod or set generate_vmap_rule=True (notes/extending.func)."
        )
    inside, flags = _opened(args, batch)
    rule = _Generated(cls, batch, flags, options)
    raw = rule.function.apply(*inside)
    return _like(raw, _closed(_tuple(raw), rule.out_flags, batch))


def _opened(values: Sequence[Any], batch: Batch) -> tuple[list[Any], list[bool]]:
    pairs = [opened(v, batch) for v in values]
    return [v for v, _ in pairs], [flag for _, flag in pairs]


def _closed(values: Sequence[Any], flags: Sequence[bool], batch: Batch) -> list[Any]:
    pairs = zip(values, flags, strict=True)
    return [Batched.wrap(v, batch.level) if flag and v is not None else v for v, flag in pairs]


def _by_own_rule(cls: Any, args: tuple[Any, ...], batch: Batch) -> Any:
    """Apply the function's `vmap` to the whole batch, which is along dimension 0 of the mapped arguments."""
    inside, flags = _opened(args, batch)
    in_dims = tuple(0 if flag else None for flag in flags)
    result = cls.vmap(VmapInfo(batch.size, batch.randomness), in_dims, *inside)
    if not isinstance(result, tuple) or len(result) != 2:
        raise RuntimeError(
            f"Expected the vmap staticmethod of {cls.__name__} to have two returns, an output and its out_dims, got "
            f"{type(result).__name__}"
        )
    raw, dims = result
    dims = dims if isinstance(dims, tuple) else (dims,) * len(_tuple(raw))
    wrapped = [_from_dim(v, d, batch) for v, d in zip(_tuple(raw), dims, strict=True)]
    return _like(raw, wrapped)


def _from_dim(value: Any, dim: int | None, batch: Batch) -> Any:
    if dim is None:
        return value
    # The engine keeps batches in front, wherever the user's rule placed its dimension.
    order = list(range(value.array.ndim))
    order.insert(0, order.pop(dim))
    return Batched.wrap(o.permute(value, dims=tuple(order)), batch.level)


class _Generated:
    """A custom function a level below: each of its parts is the part of the original, mapped over the batch."""

    def __init__(self, cls: Any, batch: Batch, flags: list[bool], options: dict[str, Any]) -> None:
        self.cls, self.batch, self.flags, self.options = cls, batch, flags, options
        # Known only after forward ran: which outputs differ from example to example.
        self.out_flags: list[bool] = []
        parts = {name: staticmethod(getattr(self, "_" + name)) for name in ("forward", "setup_context", "backward")}
        self.function: Any = type(
            cls.__name__, (cls.base(),), {**parts, "jvp": staticmethod(self._jvp), "generate_vmap_rule": True}
        )

    def _level(self) -> Any:
        return batching(self.batch.size, self.batch.randomness)

    def _forward(self, *inputs: Any) -> Any:
        with self._level() as inner:
            raw = self.cls.forward(*_closed(inputs, self.flags, inner), **self.options)
            values, self.out_flags = _opened(_tuple(raw), inner)
            return _like(raw, values)

    def _setup_context(self, ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
        with self._level() as inner:
            given = tuple(_closed(inputs, self.flags, inner))
            outs = _closed(_tuple(output), self.out_flags, inner)
            own = self.cls.context((), given)
            # Inside the level nothing requires grad: the flags come from the outer context.
            own.needs_input_grad = ctx.needs_input_grad
            self.cls.setup_context(own, given, _like(output, outs))
            if own._dirty:
                raise RuntimeError(
                    "Some elements marked as dirty during the forward method were not returned as output: a rule "
                    "that is generated for vmap cannot change its inputs inplace (mark_dirty)"
                )
            # What is saved leaves the level, so batches are opened, and marked to be closed again in backward.
            saved, ctx.saved_flags = _opened(own._to_save, inner)
            for_forward, ctx.forward_flags = _opened(own._for_forward, inner)
        constant = [v for v, w in zip(_tuple(output), outs, strict=True) if any(w is c for c in own._constant)]
        ctx.own = own
        ctx.save_for_backward(*saved)
        ctx.save_for_forward(*for_forward)
        ctx.mark_non_differentiable(*constant)
        ctx.set_materialize_grads(own._materialize)

    def _backward(self, ctx: Any, *grads: Any) -> Any:
        with self._level() as inner:
            ctx.own._saved = _closed(ctx.saved_tensors, ctx.saved_flags, inner)
            results = _tuple(self.cls.pulled(ctx.own, _closed(grads, self.out_flags, inner)))
            return tuple(_for_input(r, flag, inner) for r, flag in zip(results, self.flags, strict=False))

    def _jvp(self, ctx: Any, *tangents: Any) -> Any:
        with self._level() as inner:
            flags = ctx.forward_flags or ctx.saved_flags
            ctx.own._saved = _closed(ctx.saved_tensors, flags, inner)
            results = _tuple(self.cls.jvp(ctx.own, *_closed(tangents, self.flags, inner)))
            return tuple(_for_input(r, flag, inner) for r, flag in zip(results, self.out_flags, strict=False))


def _for_input(g: Any, mapped: bool, batch: Batch) -> Any:
    """A gradient a level below: summed over the examples that share the argument."""
    if g is None:
        return None
    inside, is_batch = opened(g, batch)
    # The examples share an argument that is not mapped, so its gradient is the sum of theirs.
    if is_batch and not mapped:
        return o.sum(inside, dim=0, keepdim=False)
    return inside if is_batch or not mapped else o.expand(inside, shape=(batch.size, *inside.array.shape))
