"""Normalisation by statistics of the array, in PyTorch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adapters.spellings.of_torch.modules import called
from conformance.protocol import Spelling


def _layer_norm(torch: Any, x: Any, weight: Any, bias: Any, eps: float = 1e-5) -> Any:
    return torch.nn.functional.layer_norm(x, tuple(weight.shape), weight, bias, eps)


def _batch_norm(torch: Any, x: Any, weight: Any = None, bias: Any = None, eps: float = 1e-5) -> Any:
    return torch.nn.functional.batch_norm(x, None, None, weight, bias, training=True, eps=eps)


def _instance_norm(torch: Any, x: Any, weight: Any = None, bias: Any = None, eps: float = 1e-5) -> Any:
    return torch.nn.functional.instance_norm(x, weight=weight, bias=bias, eps=eps)


def _linear(torch: Any, kind: str, *sizes: int) -> Any:
    """A linear map with a parametrisation of its weight."""
    parametrized = getattr(torch.nn.utils.parametrizations, kind)
    return parametrized(torch.nn.Linear(*sizes, bias=False, device="meta")).eval()


def _orthogonal_linear(torch: Any, kind: str, size: int) -> Any:
    orthogonal = torch.nn.utils.parametrizations.orthogonal
    linear = torch.nn.Linear(size, size, bias=False, device="meta")
    return orthogonal(linear, orthogonal_map=kind, use_trivialization=False)


def _orthogonal(kind: str) -> Spelling:
    return lambda torch, x, matrix: called(torch, _orthogonal_linear, (kind, matrix.shape[0]), (matrix,), x)


def _with_weight_norm(torch: Any, x: Any, length: Any, direction: Any) -> Any:
    sizes = ("weight_norm", direction.shape[1], direction.shape[0])
    return called(torch, _linear, sizes, (length, direction), x)


def _with_spectral_norm(torch: Any, x: Any, weight: Any, left: Any, right: Any) -> Any:
    names = {"original": weight, "0._u": left, "0._v": right}
    numbers = {f"parametrizations.weight.{name}": value for name, value in names.items()}
    return called(torch, _linear, ("spectral_norm", weight.shape[1], weight.shape[0]), numbers, x)


NORMALISATION: Mapping[str, Spelling] = {
    "local_response_norm": "torch.nn.functional.local_response_norm",
    "standardize": lambda torch, x, eps=1e-5: torch.nn.functional.layer_norm(x, tuple(x.shape[-1:]), eps=eps),
    "layer_norm": _layer_norm,
    "layer_norm_over_two_axes": _layer_norm,
    "batch_norm": lambda torch, x, eps=1e-5: _batch_norm(torch, x, eps=eps),
    "affine_batch_norm": _batch_norm,
    "batch_norm_of_rows": lambda torch, x, eps=1e-5: _batch_norm(torch, x, eps=eps),
    "affine_batch_norm_of_rows": _batch_norm,
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
    "group_norm_of_one_element": lambda torch, x, groups, eps=1e-5: (
        x + torch.nn.functional.group_norm(x, groups, eps=eps)
    ),
    "standardize_one_element": lambda torch, x, eps=1e-5: x + torch.nn.functional.layer_norm(x, (1,), eps=eps),
    "weight_norm": _with_weight_norm,
    "spectral_norm_of_weight": _with_spectral_norm,
    "orthogonal_weight_by_exponential": _orthogonal("matrix_exp"),
    "orthogonal_weight_by_cayley": _orthogonal("cayley"),
    "orthogonal_weight_by_householder": _orthogonal("householder"),
    "rms_norm": lambda torch, x, eps=1e-5: torch.nn.functional.rms_norm(x, tuple(x.shape[-1:]), eps=eps),
    "weighted_rms_norm": lambda torch, x, weight, eps=1e-5: torch.nn.functional.rms_norm(
        x, tuple(weight.shape), weight, eps
    ),
}
