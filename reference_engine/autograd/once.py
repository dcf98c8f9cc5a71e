"""Gradients that must not be differentiated themselves (torch.autograd.function.once_differentiable)."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from ..core.modes import no_grad, state
from ..core.tape import Node
from ..core.tensor import Tensor


def once_differentiable(backward: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a `backward` that must not be differentiated itself; doing so raises RuntimeError.

    Source: torch.autograd.function.once_differentiable.
    """

    @functools.wraps(backward)
    def once(ctx: Any, *grads: Any) -> Any:
        with no_grad():
            results = backward(ctx, *grads)
        if not state.now.grad or not any(isinstance(g, Tensor) and g.requires_grad for g in grads):
            return results
        as_tuple = results if isinstance(results, tuple) else (results,)
        barred = tuple(r if r is None else r.alias((_Barrier((), [r.form]), 0)) for r in as_tuple)
        return barred if isinstance(results, tuple) else barred[0]

    return once


class _Barrier(Node):
    """The history of a gradient that has no derivative."""

    def pullback(self, cotangents: list[Any], recording: bool) -> Sequence[Any]:
        raise RuntimeError(
            "trying to differentiate twice a function that was marked with @once_differentiable: its backward is not "
            "recorded. Write it in differentiable operations and take the decorator off."
        )
