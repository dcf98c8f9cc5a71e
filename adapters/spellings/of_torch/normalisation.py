"""Normalisation by statistics of the array, in PyTorch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from conformance.protocol import Spelling


def _layer_norm(torch: Any, x: Any, weight: Any, bias: Any, eps: float = 1e-5) -> Any:
    return torch.nn.functional.layer_norm(x, tuple(weight.shape), weight, bias, eps)


def _batch_norm(torch: Any, x: Any, weight: Any = None, bias: Any = None, eps: float = 1e-5) -> Any:
    return torch.nn.functional.batch_norm(x, None, None, weight, bias, training=True, eps=eps)


def _instance_norm(torch: Any, x: Any, weight: Any = None, bias: Any = None, eps: float = 1e-5) -> Any:
    return torch.nn.functional.instance_norm(x, weight=weight, bias=bias, eps=eps)


NORMALISATION: Mapping[str, Spelling] = {
    "local_response_norm": "torch.nn.functional.local_response_norm",
    "standardize": lambda torch, x, eps=1e-5: torch.nn.functional.layer_norm(x, tuple(x.shape[-1:]), eps=eps),
    "layer_norm": _layer_norm,
    "layer_norm_over_two_axes": _layer_norm,
    "batch_norm": lambda torch, x, eps=1e-5: _batch_norm(torch, x, eps=eps),
    "affine_batch_norm": _batch_norm,
    "batch_norm_of_rows": lambda torch, x, eps=1e-5: _batch_norm(torch, x, eps=eps),
    "batch_norm_by_running_statistics": lambda torch, x, mean, variance, weight, bias, eps=1e-5: (
        torch.nn.functional.batch_norm(x, mean, variance, weight, bias, eps=eps)
    ),
    "instance_norm": lambda torch, x, eps=1e-5: _instance_norm(torch, x, eps=eps),
    "affine_instance_norm": _instance_norm,
    "instance_norm_by_running_statistics": lambda torch, x, mean, variance, weight, bias, eps=1e-5: (
        torch.nn.functional.instance_norm(x, mean, variance, weight, bias, use_input_stats=False, eps=eps)
    ),
    "group_norm": lambda torch, x, groups, eps=1e-5: torch.nn.functional.group_norm(x, groups, eps=eps),
    "affine_group_norm": lambda torch, x, weight, bias, groups, eps=1e-5: torch.nn.functional.group_norm(
        x, groups, weight, bias, eps
    ),
    "rms_norm": lambda torch, x, eps=1e-5: torch.nn.functional.rms_norm(x, tuple(x.shape[-1:]), eps=eps),
    "weighted_rms_norm": lambda torch, x, weight, eps=1e-5: torch.nn.functional.rms_norm(
        x, tuple(weight.shape), weight, eps
    ),
}
