"""Checkpointing: computing saved values anew in backward instead of keeping them (torch.utils.checkpoint).

Two ways. A *non-reentrant* checkpoint records as usual, but its saved-tensor hooks keep a number in place of each
value; the first time a backward needs a value the function runs again, and what it saves then is handed out by number.
A *reentrant* checkpoint is a custom function that records nothing, and in its backward runs the function with recording
on and calls backward on the result: a backward inside a backward, which cannot know that only some inputs are wanted.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import contextlib
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..autograd.function import Function
from ..autograd.gradients import backward
from ..autograd.graph import saved_tensors_hooks
from ..core import engine, warn
from ..core.modes import enable_grad, state
from ..core.tape import SavedTensor
from ..core.tensor import Tensor
from ..functions.random import get_rng_state, set_rng_state


class CheckpointError(RuntimeError):
    """The function did something else when it ran again."""


class _Enough(Exception):
    """The function, run again, has saved as many values as the first time: the rest of it is not needed."""


def checkpoint(
    function: Callable[..., Any],
    *args: Any,
    use_reentrant: bool,
    preserve_rng_state: bool = True,
    determinism_check: str = "default",
    early_stop: bool = True,
    **options: Any,
) -> Any:
    """Run the function, keeping no saved values: backward runs it again (torch.utils.checkpoint.checkpoint).

    `use_reentrant` chooses the way (see the module); a reentrant checkpoint raises RuntimeError for `autograd.grad` and
    ``backward(inputs=...)``, and ValueError for keyword arguments. The non-reentrant way raises
    CheckpointError if the second run saves other values, unless `determinism_check` is "none". With `early_stop` it
    ends the second run once all values are there; `set_checkpoint_early_stop` overrides it.
    """
    if not use_reentrant:
        stops = early_stop if _scopes.stops is None else _scopes.stops
        return _Recomputed(function, preserve_rng_state, determinism_check, stops).run(args, options)
    if options:
        raise ValueError(
            f"Unexpected keyword arguments: {', '.join(options)}: with use_reentrant=True only positional ones"
        )
    if not any(isinstance(a, Tensor) and a.requires_grad for a in args):
        warn.user("None of the inputs have requires_grad=True. Gradients will be None")
    return _Reentrant.apply(function, preserve_rng_state, *args)


def checkpoint_sequential(functions: Sequence[Callable[..., Any]], segments: int, input: Any, **options: Any) -> Any:
    """Call the functions in a chain, in segments of which all but the last are checkpoints."""
    # The last segment is recorded as usual: backward needs its values at once.
    size = len(functions) // segments
    for start in range(0, size * (segments - 1), size):
        input = checkpoint(_Composed(functions[start : start + size]), input, **options)
    return _Composed(functions[size * (segments - 1) :])(input)


class _Composed:
    """A chain of functions, each called with the result of the previous."""

    def __init__(self, functions: Sequence[Callable[..., Any]]) -> None:
        self.functions = functions

    def __call__(self, value: Any) -> Any:
        for function in self.functions:
            value = function(value)
        return value


class _Scopes(threading.local):
    """The scopes around a call: whether checkpoints stop early, and which group of backward passes runs."""

    stops: bool | None = None
    group: GraphExecGroup | None = None


_scopes = _Scopes()


@contextlib.contextmanager
def set_checkpoint_early_stop(enable: bool) -> Iterator[None]:
    """Checkpoints that are made within the block stop early or not, whatever `early_stop` they are given."""
    before, _scopes.stops = _scopes.stops, enable
    try:
        yield
    finally:
        _scopes.stops = before


class GraphExecGroup:
    """Backward passes within this block run a checkpoint again once, and use each of its saved values once."""

    def __enter__(self) -> GraphExecGroup:
        if _scopes.group is not None:
            raise RuntimeError("GraphExecGroup contexts cannot be nested")
        _scopes.group = self
        return self

    def __exit__(self, *args: object) -> None:
        _scopes.group = None


class _Recomputed:
    """One non-reentrant checkpoint: the function, its arguments, and, for each backward, what its second run saved."""

    def __init__(self, function: Any, preserve_rng_state: bool, determinism_check: str, stops: bool) -> None:
        if determinism_check not in ("default", "none"):
            raise ValueError(f"determinism_check must be 'default' or 'none', but got {determinism_check!r}")
        self.function = function
        self.compares = determinism_check == "default"
        self.stops = stops
        # So that dropout within the function drops the same elements the second time.
        self.random = get_rng_state() if preserve_rng_state else None
        self.forms: list[Any] = []
        # Keyed by what shares a second run: a pass, or all passes of a group.
        self.values: weakref.WeakKeyDictionary[engine.Pass | GraphExecGroup, list[SavedTensor]]
        self.values = weakref.WeakKeyDictionary()
        self.used: weakref.WeakKeyDictionary[GraphExecGroup, set[int]] = weakref.WeakKeyDictionary()

    def name(self) -> str:
        """The name of the node that keeps the arguments, for the message if they were changed in place."""
        return "checkpoint"

    def run(self, args: Sequence[Any], options: dict[str, Any]) -> Any:
        """The first run."""
        # Saved like any value, so that the hooks around this checkpoint (of an outer checkpoint, say) apply to them.
        self.args = [_kept(a) for a in args] if state.now.grad else []
        self.options = options
        with saved_tensors_hooks(self._number, self._value):
            return self.function(*args, **options)

    def _number(self, value: Tensor) -> int:
        # The number stands for the value; its form is kept to compare with the second run.
        self.forms.append(_form(value))
        return len(self.forms) - 1

    def _value(self, number: int) -> Tensor:
        # Values are shared within a pass, and computed anew for the next, as the graph may be retained.
        this = _scopes.group or engine.innermost()
        if this is None:
            return self._again()[number].unpack(self)
        if isinstance(this, GraphExecGroup):
            self._use(this, number)
        if this not in self.values:
            self.values[this] = self._again()
        return self.values[this][number].unpack(self)

    def _use(self, group: GraphExecGroup, number: int) -> None:
        used = self.used.setdefault(group, set())
        if number in used:
            raise CheckpointError(
                "torch.utils.checkpoint: a saved value is needed a second time within one GraphExecGroup: its backward "
                "passes may not overlap"
            )
        used.add(number)

    def _again(self) -> list[SavedTensor]:
        """Run the function a second time, from the same random state, and return what it saves.

        With the version that it has then: PyTorch does not notice that the function goes on to write into it.
        """
        collected: list[SavedTensor] = []

        def keep(value: Tensor) -> Tensor:
            # With its history, as a second derivative goes through the recomputed graph.
            collected.append(SavedTensor(value, value.edge()))
            # By an exception, because only it can leave the middle of the user's function.
            if self.stops and len(collected) == len(self.forms):
                raise _Enough
            return value

        args = [a.unpack(self) if isinstance(a, SavedTensor) else a for a in self.args]
        saving = saved_tensors_hooks(keep, lambda value: value)
        with _random_state(self.random), enable_grad(), contextlib.suppress(_Enough), saving:
            self.function(*args, **self.options)
        self._check(collected)
        return collected

    def _check(self, collected: list[SavedTensor]) -> None:
        if len(collected) != len(self.forms):
            raise CheckpointError(
                "torch.utils.checkpoint: A different number of tensors was saved during the original forward and "
                f"recomputation: {len(self.forms)} at first, {len(collected)} again. The function must do the same "
                "both times."
            )
        for number, (before, saved) in enumerate(zip(self.forms, collected, strict=True)):
            if self.compares and before != (now := _form(saved.tensor)):
                raise CheckpointError(
                    "torch.utils.checkpoint: Recomputed values have different metadata than during the forward pass: "
                    f"the saved value {number} had shape and dtype {before}, and has {now} now"
                )


def _form(value: Tensor) -> tuple[Any, ...]:
    return tuple(value.shape), value.dtype


def _kept(value: Any) -> Any:
    if not isinstance(value, Tensor) or value.inference:
        return value
    return SavedTensor(value, value.edge()).hooked(value)


@contextlib.contextmanager
def _random_state(before: Any) -> Iterator[None]:
    """Within the block the random generator is in the given state, if any; afterwards in its former state."""
    after = get_rng_state()
    if before is not None:
        set_rng_state(before)
    try:
        yield
    finally:
        if before is not None:
            set_rng_state(after)


class _Reentrant(Function):
    """The reentrant checkpoint, as a custom function."""

    @staticmethod
    def forward(ctx: Any, function: Any, preserve_rng_state: bool, *args: Any) -> Any:
        ctx.function, ctx.args = function, [None if isinstance(a, Tensor) else a for a in args]
        ctx.random = get_rng_state() if preserve_rng_state else None
        ctx.save_for_backward(*[a if isinstance(a, Tensor) else None for a in args])
        return function(*args)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        if not engine.reaches_every_leaf():
            raise RuntimeError(
                "When use_reentrant=True, torch.utils.checkpoint is incompatible with .grad() or passing an `inputs` "
                "parameter to .backward(). Use use_reentrant=False, or call .backward() without inputs."
            )
        # New leaves: their gradients are those of the inputs, and nothing flows past this node.
        saved = [None if s is None else _restarted(s) for s in ctx.saved_tensors]
        args = [a if s is None else s for a, s in zip(ctx.args, saved, strict=True)]
        with _random_state(ctx.random), enable_grad():
            result = ctx.function(*args)
        outputs = result if isinstance(result, tuple) else (result,)
        # Outputs without history have nothing to run backward.
        pairs = [
            (out, g) for out, g in zip(outputs, grads, strict=False) if isinstance(out, Tensor) and out.requires_grad
        ]
        if not pairs:
            raise RuntimeError("none of output has requires_grad=True, this checkpoint() is not necessary")
        # Accumulates into all leaves that the function uses, also those from its closure.
        backward([out for out, _ in pairs], [g for _, g in pairs])
        return (None, None, *[None if s is None else s._grad for s in saved])


def _restarted(value: Tensor) -> Tensor:
    """A leaf with the value of an input, to collect its gradient."""
    return value.detach().requires_grad_(value.requires_grad)
