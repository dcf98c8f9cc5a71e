"""The modes in which a tape records."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from adapters.tape_like.base import Array, Base

__all__ = ["ModeVerbs"]


class ModeVerbs(Base):
    """The group Modes of the protocol."""

    def no_grad(self) -> AbstractContextManager[Any]:
        mode: AbstractContextManager[Any] = self.torch.no_grad()
        return mode

    def enable_grad(self) -> AbstractContextManager[Any]:
        mode: AbstractContextManager[Any] = self.torch.enable_grad()
        return mode

    def set_grad_enabled(self, flag: bool) -> AbstractContextManager[Any]:
        mode: AbstractContextManager[Any] = self.torch.set_grad_enabled(flag)
        return mode

    def inference_mode(self, flag: bool = True) -> AbstractContextManager[Any]:
        mode: AbstractContextManager[Any] = self.torch.inference_mode(flag)
        return mode

    def decorated_by(self, mode: str, function: Callable[[], Any]) -> Callable[[], Any]:
        decorated: Callable[[], Any] = getattr(self.torch, mode)(function)
        return decorated

    def detect_anomaly(self) -> AbstractContextManager[Any]:
        mode: AbstractContextManager[Any] = self.torch.autograd.detect_anomaly()
        return mode

    def set_detect_anomaly(self, flag: bool) -> AbstractContextManager[Any]:
        mode: AbstractContextManager[Any] = self.torch.autograd.set_detect_anomaly(flag)
        return mode

    def is_recording(self) -> bool:
        return bool(self.torch.is_grad_enabled())

    def is_inference_mode(self) -> bool:
        return bool(self.torch.is_inference_mode_enabled())

    def is_inference(self, x: Array) -> bool:
        return bool(x.is_inference())
