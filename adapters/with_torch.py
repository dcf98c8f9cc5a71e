"""PyTorch in eager mode, spoken to through its tape; and what all columns of PyTorch share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import torch
import torch.utils.checkpoint

from adapters.absences.of_torch import FUNCTION_LIMITATIONS, RECORDED_FEATURES, TAPE_LIMITATIONS, TRACED_FEATURES
from adapters.tape_like import TapeLike
from conformance.protocol import Absence, Adapter, Inventory, Limitation, OwnFunctions


class TorchProcess(Adapter):
    """PyTorch in this process: its version, its switches, and numbers out of its tensors."""

    torch: ClassVar[Any] = torch

    def __init__(self, parameters: Mapping[str, str] | None = None) -> None:
        super().__init__(parameters)
        # Warnings that PyTorch gives once per process would reach the first check that looks, and no other.
        torch.set_warn_always(True)

    @classmethod
    def inventory(cls) -> Inventory:
        # Imported here: it takes as long as PyTorch itself.
        from adapters.inventories import of_torch

        return of_torch.inventory()

    @classmethod
    def own_functions(cls) -> OwnFunctions:
        from adapters.own_functions.of_torch import TorchFunctions

        return TorchFunctions()

    @property
    def version(self) -> str:
        return str(torch.__version__)

    def to_numpy(self, x: Any) -> Any:
        return x.numpy(force=True)  # off the graph and the device, and with lazy conjugates carried out

    def global_state(self) -> Mapping[str, Any]:
        return {
            "grad mode": torch.is_grad_enabled(),
            "inference mode": torch.is_inference_mode_enabled(),
            "anomaly mode": torch.is_anomaly_enabled(),
            "anomaly check": torch.is_anomaly_check_nan_enabled(),
            "default dtype": torch.get_default_dtype(),
            "dual level": torch.autograd.forward_ad._current_level,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        torch.set_grad_enabled(state["grad mode"])
        torch.autograd.set_detect_anomaly(state["anomaly mode"], state["anomaly check"])
        torch.set_default_dtype(state["default dtype"])
        # A check that raised within a dual level leaves it open; there is no other way to close it.
        while torch.autograd.forward_ad._current_level > state["dual level"]:
            torch.autograd.forward_ad.exit_dual_level()


class TorchAdapter(TorchProcess, TapeLike):
    """PyTorch, CPU."""

    name: ClassVar[str] = "torch"
    absences: ClassVar[tuple[Absence, ...]] = RECORDED_FEATURES + TRACED_FEATURES
    limitations: ClassVar[tuple[Limitation, ...]] = TAPE_LIMITATIONS + FUNCTION_LIMITATIONS
    variants: ClassVar[Mapping[str, str]] = {
        "compile": "adapters.with_torch_compile:TorchCompileAdapter",
        "functionalize": "adapters.with_torch_functionalize:TorchFunctionalizeAdapter",
    }

    @property
    def held_to(self) -> Mapping[str, str]:
        return {"torch": self.version}
