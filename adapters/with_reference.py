"""The reference engine: PyTorch's public names on NumPy alone, held to what PyTorch documents of its tape."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import reference_engine
from adapters.absences.of_torch import (
    FUNCTION_LIMITATIONS,
    NUMPY_FEATURES,
    RECORDED_FEATURES,
    TAPE_LIMITATIONS,
    TRACED_FEATURES,
)
from adapters.tape_like import TapeLike
from conformance import __version__
from conformance.protocol import Absence, Adapter, Limitation


class ReferenceAdapter(TapeLike, Adapter):
    """The executable specification."""

    name: ClassVar[str] = "reference"
    absences: ClassVar[tuple[Absence, ...]] = RECORDED_FEATURES + TRACED_FEATURES + NUMPY_FEATURES
    limitations: ClassVar[tuple[Limitation, ...]] = TAPE_LIMITATIONS + FUNCTION_LIMITATIONS
    torch: ClassVar[Any] = reference_engine

    @property
    def version(self) -> str:
        return __version__

    @property
    def held_to(self) -> Mapping[str, str]:
        return {"torch": "2.13"}

    def global_state(self) -> Mapping[str, Any]:
        return {
            "grad mode": self.torch.is_grad_enabled(),
            "inference mode": self.torch.is_inference_mode_enabled(),
            "anomaly mode": self.torch.is_anomaly_enabled(),
            "anomaly check": self.torch.is_anomaly_check_nan_enabled(),
            "default dtype": self.torch.get_default_dtype(),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        self.torch.set_grad_enabled(state["grad mode"])
        # Inference mode has no switch: only a block changes it, which ends by itself.
        self.torch.autograd.set_detect_anomaly(state["anomaly mode"], state["anomaly check"])
        self.torch.set_default_dtype(state["default dtype"])
