"""The modes in which a tape records."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adapters.tape_like.base import Base
from conformance.protocol.types import Array, Mode

__all__ = ["ModeVerbs"]


class ModeVerbs(Base):
    """The group Modes of the protocol."""

    def no_grad(self) -> Mode:
        return self.torch.no_grad()

    def enable_grad(self) -> Mode:
        return self.torch.enable_grad()

    def set_grad_enabled(self, flag: bool) -> Mode:
        return self.torch.set_grad_enabled(flag)

    def inference_mode(self, flag: bool = True) -> Mode:
        return self.torch.inference_mode(flag)

    def decorated_by(self, mode: str, function: Callable[[], Any]) -> Callable[[], Any]:
        return getattr(self.torch, mode)(function)

    def detect_anomaly(self) -> Mode:
        return self.torch.autograd.detect_anomaly()

    def set_detect_anomaly(self, flag: bool) -> Mode:
        return self.torch.autograd.set_detect_anomaly(flag)

    def is_recording(self) -> bool:
        return bool(self.torch.is_grad_enabled())

    def is_inference_mode(self) -> bool:
        return bool(self.torch.is_inference_mode_enabled())

    def is_inference(self, x: Array) -> bool:
        return bool(x.is_inference())
