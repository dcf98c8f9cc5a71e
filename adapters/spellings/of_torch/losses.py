"""Losses, in PyTorch."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling, same

LOSSES: Mapping[str, Spelling] = {
    **same(
        "torch.nn.functional",
        "l1_loss mse_loss smooth_l1_loss huber_loss binary_cross_entropy binary_cross_entropy_with_logits nll_loss"
        " cross_entropy soft_margin_loss multilabel_soft_margin_loss ctc_loss"
        " poisson_nll_loss hinge_embedding_loss margin_ranking_loss multi_margin_loss"
        " multilabel_margin_loss triplet_margin_loss triplet_margin_with_distance_loss cosine_embedding_loss",
    ),
    "categorical_log_prob": lambda torch, probs, value: torch.distributions.Categorical(probs).log_prob(value),
    "normal_log_prob": lambda torch, x, mean, deviation: torch.distributions.Normal(mean, deviation).log_prob(x),
    "weighted_binary_cross_entropy": lambda torch, x, target, weight, reduction="mean": (
        torch.nn.functional.binary_cross_entropy(x, target, weight, reduction=reduction)
    ),
    "binary_cross_entropy_with_logits_and_weight": lambda torch, x, target, pos_weight, reduction="mean": (
        torch.nn.functional.binary_cross_entropy_with_logits(x, target, pos_weight=pos_weight, reduction=reduction)
    ),
    "nll_loss_of_images": "torch.nn.functional.nll_loss",
    "weighted_nll_loss": lambda torch, x, target, weight, reduction="mean": torch.nn.functional.nll_loss(
        x, target, weight, reduction=reduction
    ),
    "weighted_cross_entropy": lambda torch, x, target, weight, reduction="mean": torch.nn.functional.cross_entropy(
        x, target, weight, reduction=reduction
    ),
    "cross_entropy_of_probabilities": "torch.nn.functional.cross_entropy",
    "cross_entropy_with_label_smoothing": lambda torch, x, target, label_smoothing, reduction="mean": (
        torch.nn.functional.cross_entropy(x, target, label_smoothing=label_smoothing, reduction=reduction)
    ),
    "linear_cross_entropy": lambda torch, x, weight, target, ignore_index=-100, reduction="mean": (
        torch.nn.functional.linear_cross_entropy(x, weight, target, ignore_index=ignore_index, reduction=reduction)
    ),
    "kl_div_loss": "torch.nn.functional.kl_div",
    "kl_div_of_logs": lambda torch, x, target, reduction="mean": torch.nn.functional.kl_div(
        x, target, reduction=reduction, log_target=True
    ),
    "poisson_nll_loss_of_rates": lambda torch, x, target, eps=1e-8, reduction="mean": (
        torch.nn.functional.poisson_nll_loss(x, target, log_input=False, eps=eps, reduction=reduction)
    ),
    "full_poisson_nll_loss": lambda torch, x, target, reduction="mean": torch.nn.functional.poisson_nll_loss(
        x, target, full=True, reduction=reduction
    ),
    "ctc_loss_of_a_single_alignment": lambda torch, x, target, lengths, sizes, blank, reduction="mean": (
        torch.nn.functional.ctc_loss(x, target, lengths, sizes, blank, reduction)
    ),
    "ctc_loss_of_an_empty_target": lambda torch, x, target, lengths, sizes, reduction="mean": (
        torch.nn.functional.ctc_loss(x, target, lengths, sizes, reduction=reduction)
    ),
    "ctc_loss_longer_than_its_input": lambda torch, x, target, lengths, sizes, zero_infinity, reduction="mean": (
        torch.nn.functional.ctc_loss(x, target, lengths, sizes, 0, reduction, zero_infinity)
    ),
    "gaussian_nll_loss": lambda torch, x, target, var, eps, full=False, reduction="mean": (
        torch.nn.functional.gaussian_nll_loss(x, target, var, full=full, eps=eps, reduction=reduction)
    ),
}
