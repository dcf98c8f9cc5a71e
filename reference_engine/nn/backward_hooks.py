"""Hooks of a module on the backward pass: what enters and what leaves the module passes through nodes that watch.

The node at the outputs sees their gradients first; it calls the hooks before the module and keeps what they return for
the node at the inputs, which calls the hooks with both (torch.nn.Module.register_full_backward_hook).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..autograd.function import Function
from ..core import warn
from ..core.modes import state
from ..core.tensor import Tensor
from ..functions.creation import zeros_like

Gradients = tuple[Any, ...]
Watch = Callable[[Gradients], Gradients]


class BackwardHookFunction(Function):
    """Changes nothing on the way forward; on the way back `watch` may."""

    @staticmethod
    def forward(ctx: Any, watch: Watch, zeros: bool, *values: Tensor) -> Any:
        """The values as they are."""
        ctx.watch = watch
        ctx.set_materialize_grads(zeros)
        return values

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Any:
        """Pass the gradients through `watch`."""
        return None, None, *ctx.watch(gradients)


class BackwardHooks:
    """The hooks of a call of a module, and the gradients of its outputs between the two nodes."""

    def __init__(self, module: Any, before: Sequence[Callable[..., Any]], after: Sequence[Callable[..., Any]]) -> None:
        self.module, self.before, self.after = module, before, after
        self.received: Gradients | None = None

    def enter(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """The arguments of forward, watched."""
        self.arguments = len(args)
        args, self.watches_inputs = _watched(args, self._passed_on, zeros=True)
        return args

    def leave(self, result: Any) -> Any:
        """The result of forward, watched."""
        if isinstance(result, tuple):
            return _watched(result, self._received, zeros=False)[0]
        return _watched((result,), self._received, zeros=False)[0][0]

    def _received(self, gradients: Gradients) -> Gradients:
        for hook in self.before:
            gradients = _replaced(gradients, hook(self.module, gradients), "pre hook", "grad_output")
        self.received = gradients
        if not self.watches_inputs:
            warn.user(
                "Full backward hook is firing when gradients are computed with respect to module outputs since no "
                "inputs require gradients: it is given None for each input."
            )
            self._passed_on((None,) * self.arguments)
        return gradients

    def _passed_on(self, gradients: Gradients) -> Gradients:
        # A second derivative may reach the inputs on a way that does not lead through the outputs.
        if self.received is None:
            return gradients
        for hook in self.after:
            gradients = _replaced(gradients, hook(self.module, gradients, self.received), "hook", "grad_input")
        # The next backward pass starts without.
        self.received = None
        return gradients


def _replaced(gradients: Gradients, answer: Any, who: str, what: str) -> Gradients:
    if answer is None:
        return gradients
    given = answer if isinstance(answer, tuple) else (answer,)
    if len(given) != len(gradients):
        raise RuntimeError(
            f"Backward {who} returned an invalid number of {what}, got {len(given)}, but expected {len(gradients)}"
        )
    return given


def _watched(values: tuple[Any, ...], watch: Watch, zeros: bool) -> tuple[tuple[Any, ...], bool]:
    """The values, those that require grad as views that are watched; and whether there are any.

    A gradient that does not arrive is None for `watch`, or zeros if these are asked for and the value is a tensor.
    """
    places = [i for i, value in enumerate(values) if isinstance(value, Tensor) and value.requires_grad]
    # Without recording there will be no backward pass to watch.
    if not places or not state.now.grad:
        return values, False
    # Hooks see a gradient for every tensor, also for those that require none.
    absent = tuple(zeros_like(v.detach()) if zeros and isinstance(v, Tensor) else None for v in values)

    def watch_all(gradients: Gradients) -> Gradients:
        known = dict(zip(places, gradients, strict=True))
        seen = watch(tuple(known.get(i, none) for i, none in enumerate(absent)))
        return tuple(seen[i] for i in places)

    views = dict(zip(places, BackwardHookFunction.apply(watch_all, zeros, *[values[i] for i in places]), strict=True))
    return tuple(views.get(i, value) for i, value in enumerate(values)), True
