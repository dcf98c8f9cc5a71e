"""Losses."""

from __future__ import annotations

from conformance.operations.row import family, row

LOSSES = family(
    "Losses",
    row("l1_loss(x, target)", "Mean of abs(x - target)."),
    row("smooth_l1_loss(x, target)", "Mean of d^2 / 2 for differences d below 1, of abs(d) - 1/2 above."),
    row("huber_loss(x, target)", "The same, under the name of the Huber loss, with delta 1."),
    row("binary_cross_entropy(x, target)", "Mean of -log of the probability that x gives to a target of 0 or 1."),
    row("gaussian_nll_loss(x, target, var, eps)", "Mean of (log(v) + (x - target)^2 / v) / 2, v = max(var, eps)."),
    row(
        "cross_entropy(x, target, ignore_index)",
        "Mean over rows of -log_softmax(x) at the target's index; rows with `ignore_index` do not count.",
    ),
)
