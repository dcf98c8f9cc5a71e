"""Losses with weights of elements or classes, in PyTorch."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from adapters.spellings.of_torch.modules import called
from conformance.protocol import NotOffered, Spelling


def _of_elements(name: str) -> Spelling:
    def spelt(torch: Any, x: Any, target: Any, weight: Any, **options: Any) -> Any:
        loss = getattr(torch.nn.functional, name)
        # The reference engine has some of them without weights.
        if "weight" not in inspect.signature(loss).parameters:
            raise NotOffered(f"{torch.__name__}'s {name} takes no weights")
        return loss(x, target, weight=weight, **options)

    return spelt


def _of_classes(torch: Any, x: Any, target: Any, weight: Any, *smoothing: float, **options: Any) -> Any:
    if smoothing:
        options["label_smoothing"] = smoothing[0]
    return torch.nn.functional.cross_entropy(x, target, weight, **options)


def _adaptive(torch: Any, size: int, frequent: int, classes: int) -> Any:
    return torch.nn.AdaptiveLogSoftmaxWithLoss(size, classes, [frequent], div_value=2.0, device="meta")


def _adaptive_log_softmax(torch: Any, x: Any, head: Any, inner: Any, outer: Any, target: Any) -> Any:
    frequent = head.shape[0] - 1
    sizes = (x.shape[1], frequent, frequent + outer.shape[0])
    return called(torch, _adaptive, sizes, (head, inner, outer), x, target).output


WEIGHTED_LOSSES: Mapping[str, Spelling] = {
    "weighted_mse_loss": _of_elements("mse_loss"),
    "weighted_l1_loss": _of_elements("l1_loss"),
    "weighted_huber_loss": _of_elements("huber_loss"),
    "binary_cross_entropy_with_logits_and_weights": _of_elements("binary_cross_entropy_with_logits"),
    "weighted_multilabel_soft_margin_loss": _of_elements("multilabel_soft_margin_loss"),
    "weighted_multi_margin_loss": _of_elements("multi_margin_loss"),
    "weighted_nll_loss_of_images": _of_elements("nll_loss"),
    "cross_entropy_of_images": "torch.nn.functional.cross_entropy",
    "cross_entropy_of_ignored_rows": lambda torch, x, target, reduction: torch.nn.functional.cross_entropy(
        x, target, reduction=reduction
    ),
    "weighted_smoothed_cross_entropy": _of_classes,
    "weighted_cross_entropy_of_probabilities": _of_classes,
    "gaussian_nll_loss_of_rows": lambda torch, x, target, var, eps, reduction="mean": (
        torch.nn.functional.gaussian_nll_loss(x, target, var, eps=eps, reduction=reduction)
    ),
    "adaptive_log_softmax": _adaptive_log_softmax,
}
