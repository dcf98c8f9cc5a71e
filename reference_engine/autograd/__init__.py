"""torch.autograd: asking for gradients, custom rules, and everything that looks into the tape."""

from ..core.modes import (
    detect_anomaly,
    enable_grad,
    inference_mode,
    no_grad,
    set_detect_anomaly,
    set_grad_enabled,
)
from .gradients import backward, grad
from .variable import Variable, variable

from . import anomaly_mode, forward_ad, function, functional, grad_mode, graph, profiler, transformed  # isort: skip
from .function import Function
from .gradcheck import GradcheckError, gradcheck, gradgradcheck

__all__ = [
    "Function",
    "GradcheckError",
    "Variable",
    "anomaly_mode",
    "backward",
    "detect_anomaly",
    "enable_grad",
    "forward_ad",
    "function",
    "functional",
    "grad",
    "grad_mode",
    "gradcheck",
    "gradgradcheck",
    "graph",
    "inference_mode",
    "no_grad",
    "profiler",
    "set_detect_anomaly",
    "set_grad_enabled",
    "transformed",
    "variable",
]
