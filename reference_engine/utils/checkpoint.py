"""Checkpointing: computing saved values anew in backward instead of keeping them (torch.utils.checkpoint).

Two ways. The *non-reentrant* one records as usual, but its saved-tensor hooks keep a number in place of each value;
the first time one is needed the function runs again, and what it saves the second time is handed out by number. The
*reentrant* one is a custom function that records nothing, and in its backward runs the function with recording on
and calls backward on the result: a backward inside a backward, which cannot know that only some inputs are wanted.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..autograd.function import Function
from ..autograd.gradients import backward
from ..autograd.graph import saved_tensors_hooks
from ..core import engine, warn
from ..core.modes import enable_grad
from ..core.tensor import Tensor
from ..functions.random import get_rng_state, set_rng_state


class CheckpointError(RuntimeError):
    """The function did something else when it ran again."""


def checkpoint(
    function: Callable[..., Any],
    *args: Any,
    use_reentrant: bool | None = None,
    preserve_rng_state: bool = True,
    **options: Any,
) -> Any:
    """Run the function, keeping no saved values: backward runs it again (torch.utils.checkpoint.checkpoint).

    `use_reentrant` chooses the way (see the module) and should be given; the reentrant one refuses `autograd.grad`
    and ``backward(inputs=...)`` with RuntimeError, and takes no keyword arguments (ValueError).
    """
    if use_reentrant is None:
        warn.user(
            "torch.utils.checkpoint: the use_reentrant parameter should be passed explicitly: False is recommended"
        )
        use_reentrant = True
    if not use_reentrant:
        return _Recomputed(function, args, options, preserve_rng_state).run()
    if options:
        raise ValueError(
            f"Unexpected keyword arguments: {', '.join(options)}: with use_reentrant=True only positional ones"
        )
    if not any(isinstance(a, Tensor) and a.requires_grad for a in args):
        warn.user("None of the inputs have requires_grad=True. Gradients will be None")
    return _Reentrant.apply(function, preserve_rng_state, *args)


class _Recomputed:
    """One non-reentrant checkpoint: the function, and the values that its second run saved."""

    def __init__(self, function: Any, args: Any, options: Any, preserve_rng_state: bool) -> None:
        self.function, self.args, self.options = function, args, options
        self.random = get_rng_state() if preserve_rng_state else None
        self.shapes: list[Any] = []
        self.values: list[Tensor] | None = None

    def run(self) -> Any:
        with saved_tensors_hooks(self._number, self._value):
            return self.function(*self.args, **self.options)

    def _number(self, value: Tensor) -> int:
        self.shapes.append((tuple(value.shape), value.dtype))
        return len(self.shapes) - 1

    def _value(self, number: int) -> Tensor:
        if self.values is None:
            self._again()
        assert self.values is not None
        return self.values[number]

    def _again(self) -> None:
        """Run the function a second time, from the same random state, and collect what it saves."""
        collected: list[Tensor] = []
        keep = lambda value: collected.append(value) or value  # type: ignore[func-returns-value]  # noqa: E731
        with _random_state(self.random), enable_grad(), saved_tensors_hooks(keep, lambda value: value):
            self.function(*self.args, **self.options)
        if [(tuple(v.shape), v.dtype) for v in collected] != self.shapes:
            raise CheckpointError(
                "torch.utils.checkpoint: A different number of tensors was saved during the original forward and "
                f"recomputation, or they differ in shape or dtype. Saved at first: {len(self.shapes)}; again: "
                f"{len(collected)}. The function must do the same both times."
            )
        self.values = collected


class _random_state:
    """Within the block the random generator is in a given state; afterwards where it was."""

    def __init__(self, state: Any) -> None:
        self.state = state

    def __enter__(self) -> None:
        self.before = get_rng_state()
        if self.state is not None:
            set_rng_state(self.state)

    def __exit__(self, *error: object) -> None:
        if self.state is not None:
            set_rng_state(self.before)


class _Reentrant(Function):
    """The reentrant checkpoint, as a custom function."""

    @staticmethod
    def forward(ctx: Any, function: Any, preserve_rng_state: bool, *args: Any) -> Any:
        ctx.function, ctx.args = function, args
        ctx.random = get_rng_state() if preserve_rng_state else None
        ctx.save_for_backward(*[a for a in args if isinstance(a, Tensor)])
        return function(*args)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        if not engine.reaches_every_leaf():
            raise RuntimeError(
                "When use_reentrant=True, torch.utils.checkpoint is incompatible with .grad() or passing an `inputs` "
                "parameter to .backward(). Use use_reentrant=False, or call .backward() without inputs."
            )
        saved = iter(ctx.saved_tensors)
        args = [_restarted(next(saved)) if isinstance(a, Tensor) else a for a in ctx.args]
        with _random_state(ctx.random), enable_grad():
            result = ctx.function(*args)
        outputs = result if isinstance(result, tuple) else (result,)
        pairs = [
            (out, g) for out, g in zip(outputs, grads, strict=False) if isinstance(out, Tensor) and out.requires_grad
        ]
        if not pairs:
            raise RuntimeError("none of output has requires_grad=True, this checkpoint() is not necessary")
        backward([out for out, _ in pairs], [g for _, g in pairs])
        return (None, None, *[a._grad if isinstance(a, Tensor) else None for a in args])


def _restarted(value: Tensor) -> Tensor:
    """A leaf with the value of an input, to collect its gradient."""
    return value.detach().requires_grad_(value.requires_grad)
