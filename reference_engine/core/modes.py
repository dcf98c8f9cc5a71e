"""Modes: whether operations are recorded, whether anomalies are looked for. Each thread has its own.

`no_grad` and its kin only flip `state.grad`; `record` asks it for every operation. Each works as a context
manager and as a decorator. A decorated *generator* runs with the mode inside its body only, so that the caller's
code between two items is not affected (Locally disabling gradient computation, notes/autograd).
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import threading
import warnings
from collections.abc import Callable, Generator, Iterator
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


class _State(threading.local):
    """What the modes switch, with the values every thread starts from."""

    grad = True
    inference = False
    anomaly = False
    check_nan = True
    transforms = 0  # how many functions given to transforms of `func` are running, one inside the other


state = _State()


class _Mode:
    """A context manager that is also a decorator; subclasses say what is switched."""

    def __init__(self) -> None:
        self._before: list[Any] = []

    def _switch(self) -> Any:
        """Switch the mode on and return what undoes it."""
        raise NotImplementedError

    def _restore(self, before: Any) -> None:
        state.grad = before

    def _again(self) -> _Mode:
        """A fresh context of the same kind, so that decorated functions may recurse."""
        return type(self)()

    def __enter__(self) -> None:
        self._before.append(self._switch())

    def __exit__(self, *error: object) -> None:
        self._restore(self._before.pop())

    def __call__(self, function: F) -> F:
        wrap = _wrap_generator if inspect.isgeneratorfunction(function) else _wrap_function
        return wrap(self._again, function)


def _wrap_function(context: Callable[[], _Mode], function: F) -> F:
    @functools.wraps(function)
    def within(*args: Any, **options: Any) -> Any:
        with context():
            return function(*args, **options)

    return within  # type: ignore[return-value]


def _wrap_generator(context: Callable[[], _Mode], function: F) -> F:
    @functools.wraps(function)
    def within(*args: Any, **options: Any) -> Generator[Any, Any, Any]:
        generator = function(*args, **options)
        resume: Callable[[], Any] = functools.partial(next, generator)
        while True:
            try:
                with context():
                    item = resume()
            except StopIteration as end:
                return end.value
            # The mode is off while the caller has the item, and on again when the body resumes.
            try:
                sent = yield item
                resume = functools.partial(generator.send, sent)
            except GeneratorExit:
                with context():
                    generator.close()
                raise
            except BaseException as error:
                resume = functools.partial(generator.throw, error)

    return within  # type: ignore[return-value]


class _GradMode(_Mode):
    enabled: bool

    def _switch(self) -> bool:
        before = state.grad
        # Nothing is ever recorded in inference mode (torch.inference_mode).
        state.grad = self.enabled and not state.inference
        return before

    def __new__(cls, function: Any = None) -> Any:
        # `@no_grad` without parentheses decorates at once.
        made = super().__new__(cls)
        if function is None:
            return made
        made.__init__()  # type: ignore[misc]
        return made(function)


class no_grad(_GradMode):
    """Nothing inside is recorded; results do not require grad (torch.no_grad)."""

    enabled = False


class enable_grad(_GradMode):
    """Recording is on inside, also within `no_grad` (torch.enable_grad)."""

    enabled = True


class set_grad_enabled(_Mode):
    """Switch recording on or off, from the call onwards or for a block (torch.set_grad_enabled)."""

    def __init__(self, mode: bool) -> None:
        super().__init__()
        self.mode = bool(mode)
        self._called_from = state.grad
        state.grad = self.mode

    def _switch(self) -> bool:
        # The constructor has switched already (for use as a plain call), so leaving restores what it found.
        before, state.grad = self._called_from, self.mode
        self._called_from = before
        return before

    def __repr__(self) -> str:
        return f"set_grad_enabled(mode={self.mode})"

    def _again(self) -> _Mode:
        return set_grad_enabled(self.mode)

    def __call__(self, function: F) -> F:
        state.grad = self._called_from
        return super().__call__(function)


class inference_mode(_Mode):
    """Like `no_grad`, and tensors made inside stay out of autograd for good (torch.inference_mode)."""

    def __new__(cls, mode: Any = True) -> Any:
        made = super().__new__(cls)
        if not callable(mode):
            return made
        made.__init__()  # type: ignore[misc]
        return made(mode)

    def __init__(self, mode: bool = True) -> None:
        super().__init__()
        self.mode = mode

    def _switch(self) -> tuple[bool, bool]:
        before = state.grad, state.inference
        # `inference_mode(False)` inside another brings back normal tensors, and recording with them.
        state.inference, state.grad = self.mode, not self.mode
        return before

    def _restore(self, before: Any) -> None:
        state.grad, state.inference = before

    def _again(self) -> _Mode:
        return inference_mode(self.mode)


class set_detect_anomaly(_Mode):
    """Switch anomaly detection on or off, from the call onwards or for a block (torch.autograd.set_detect_anomaly)."""

    def __init__(self, mode: bool, check_nan: bool = True) -> None:
        super().__init__()
        self.mode, self.check_nan = mode, check_nan
        self._called_from = state.anomaly, state.check_nan
        state.anomaly, state.check_nan = mode, check_nan

    def _switch(self) -> tuple[bool, bool]:
        state.anomaly, state.check_nan = self.mode, self.check_nan
        return self._called_from

    def _restore(self, before: Any) -> None:
        state.anomaly, state.check_nan = before

    def _again(self) -> _Mode:
        return set_detect_anomaly(self.mode, self.check_nan)


class detect_anomaly(set_detect_anomaly):
    """Remember where each operation ran, and refuse a backward that makes NaN (torch.autograd.detect_anomaly)."""

    def __init__(self, check_nan: bool = True) -> None:
        _Mode.__init__(self)
        self.mode, self.check_nan = True, check_nan
        self._called_from = state.anomaly, state.check_nan
        # Two frames up is the caller's own line: the place to look at when the warning shows up in a log.
        warnings.warn("Anomaly Detection has been enabled: it is slow, so use it for debugging only", stacklevel=2)

    def _again(self) -> _Mode:
        again = set_detect_anomaly(state.anomaly, state.check_nan)
        again.mode, again.check_nan = True, self.check_nan
        return again


@contextlib.contextmanager
def transforming() -> Iterator[None]:
    """A block that runs the function given to a transform of `func`, where some parts of `autograd` are refused."""
    state.transforms += 1
    try:
        yield
    finally:
        state.transforms -= 1


def is_grad_enabled() -> bool:
    """Whether operations are being recorded in this thread (torch.is_grad_enabled)."""
    return state.grad


def is_inference_mode_enabled() -> bool:
    """Whether inference mode is on in this thread (torch.is_inference_mode_enabled)."""
    return state.inference


def is_anomaly_check_nan_enabled() -> bool:
    """Whether anomaly detection, if on, also looks for NaN (torch.is_anomaly_check_nan_enabled)."""
    return state.check_nan


def is_anomaly_enabled() -> bool:
    """Whether anomaly detection is on in this thread (torch.is_anomaly_enabled)."""
    return state.anomaly
