"""Modes: whether operations are recorded, whether anomalies are looked for. Each thread has its own.

`no_grad` and its kin only flip `state.now.grad`; `interpret` asks it for every operation. Each works as a context
manager, and those that name no state to switch to also as a decorator (notes/autograd, Locally disabling gradient
computation).
"""

from __future__ import annotations

import contextvars
import functools
import threading
import warnings
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

F = TypeVar("F", bound=Callable[..., Any])


def _quiet() -> Callable[..., Any]:
    """Calls a function in a context where infinities and NaN come without a warning, as they do in PyTorch.

    NumPy keeps its error state in a context variable. To enter a context that has it set costs a tenth of setting
    it, which `np.errstate` would do for every operation.
    """
    context = contextvars.Context()
    context.run(np.seterr, all="ignore")
    return context.run


class Modes:
    """The switches of one thread, with the values that every thread starts from."""

    grad = True
    inference = False
    anomaly = False
    nan_check = True  # whether anomaly detection looks for NaN
    no_save_hooks: str | None = None  # the message of the error where saved-tensor hooks are disabled
    transforms = 0  # number of nested functions given to `vmap` that are running

    def __init__(self) -> None:
        self.levels: dict[int, Any] = {}  # the levels that are open, outermost first (see `levels`)
        self.save_hooks: list[Any] = []  # the saved-tensor hooks in force, innermost last (see `saved`)
        self.creation_hooks: tuple[Callable[[Any], None], ...] = ()  # called with each new node, outermost first
        self.quietly = _quiet()


class _State(threading.local):
    """Each thread's modes. What belongs to a thread is looked up slowly, so an operation does it once."""

    def __init__(self) -> None:
        self.now = Modes()


state = _State()


def _set(values: dict[str, Any]) -> dict[str, Any]:
    """Give this thread's modes other values; returns those that they had."""
    now = state.now
    before = {name: getattr(now, name) for name in values}
    for name, value in values.items():
        setattr(now, name, value)
    return before


class _Mode:
    """A context manager, and a decorator, that gives some of this thread's modes other values."""

    def __new__(cls, *args: Any, **options: Any) -> Any:
        made = super().__new__(cls)
        if not args or not callable(args[0]):
            return made
        # `@no_grad` without parentheses: the argument is the function to decorate.
        made.__init__()  # type: ignore[misc]
        return made(args[0])

    def __init__(self) -> None:
        self._before: list[dict[str, Any]] = []  # a stack, because an object may be entered again while it is in force

    def _wanted(self) -> dict[str, Any]:
        """The attributes and their values within the block."""
        raise NotImplementedError

    def _again(self) -> _Mode:
        """A fresh context of the same kind, so that decorated functions may run in several threads."""
        return type(self)()

    def __enter__(self) -> None:
        self._before.append(_set(self._wanted()))

    def __exit__(self, *error: object) -> None:
        _set(self._before.pop())

    def __call__(self, function: F) -> F:
        @functools.wraps(function)
        def within(*args: Any, **options: Any) -> Any:
            with self._again():
                return function(*args, **options)

        return within  # type: ignore[return-value]


class _AtOnce(_Mode):
    """A mode that its constructor switches on, for use as a plain call; leaving it as a block restores what was."""

    def __init__(self, **wanted: Any) -> None:
        super().__init__()
        self.wanted = wanted
        self._found = _set(wanted)

    def _wanted(self) -> dict[str, Any]:
        return self.wanted

    def __enter__(self) -> None:
        super().__enter__()
        # The state before the block is that before the constructor.
        self._before[-1] = self._found


class no_grad(_Mode):
    """Nothing inside is recorded; results do not require grad (torch.no_grad)."""

    def _wanted(self) -> dict[str, Any]:
        return {"grad": False}


class enable_grad(_Mode):
    """Recording is on inside, also within `no_grad` (torch.enable_grad)."""

    def _wanted(self) -> dict[str, Any]:
        # Nothing is ever recorded in inference mode (torch.inference_mode).
        return {"grad": not state.now.inference}


class set_grad_enabled(_AtOnce):
    """Switch recording on or off, from the call onwards or for a block (torch.set_grad_enabled)."""

    def __init__(self, mode: bool) -> None:
        # Nothing is ever recorded in inference mode.
        super().__init__(grad=bool(mode) and not state.now.inference)


class inference_mode(_Mode):
    """Like `no_grad`, and tensors made inside stay out of autograd for good (torch.inference_mode)."""

    def __init__(self, mode: bool = True) -> None:
        super().__init__()
        self.mode = mode

    def _wanted(self) -> dict[str, Any]:
        # `inference_mode(False)` inside another brings back normal tensors, and recording with them.
        return {"inference": self.mode, "grad": not self.mode}

    def _again(self) -> _Mode:
        return inference_mode(self.mode)


class set_detect_anomaly(_AtOnce):
    """Switch anomaly detection on or off, from the call onwards or for a block (torch.autograd.set_detect_anomaly)."""

    def __init__(self, mode: bool, check_nan: bool = True) -> None:
        super().__init__(anomaly=mode, nan_check=check_nan)


class detect_anomaly(_Mode):
    """Remember where each operation ran; a backward that makes NaN raises an error (torch.autograd.detect_anomaly).

    Unless `check_nan` is off.
    """

    def __init__(self, check_nan: bool = True) -> None:
        super().__init__()
        self.check_nan = check_nan
        # Two frames up is the caller's own line: the place to look at when the warning shows up in a log.
        warnings.warn("Anomaly Detection has been enabled: it is slow, so use it for debugging only", stacklevel=2)

    def _wanted(self) -> dict[str, Any]:
        return {"anomaly": True, "nan_check": self.check_nan}


class transforming(_Mode):
    """A block that runs the function given to `vmap`, where some parts of `autograd` raise an error."""

    def _wanted(self) -> dict[str, Any]:
        return {"transforms": state.now.transforms + 1}


def is_grad_enabled() -> bool:
    """Whether operations are being recorded in this thread (torch.is_grad_enabled)."""
    return state.now.grad


def is_inference_mode_enabled() -> bool:
    """Whether inference mode is on in this thread (torch.is_inference_mode_enabled)."""
    return state.now.inference


def is_anomaly_enabled() -> bool:
    """Whether anomaly detection is on in this thread (torch.is_anomaly_enabled)."""
    return state.now.anomaly


def is_anomaly_check_nan_enabled() -> bool:
    """Whether anomaly detection looks for NaN in this thread (torch.is_anomaly_check_nan_enabled)."""
    return state.now.nan_check
