"""Activations."""

from __future__ import annotations

from conformance.operations.row import family, row

ACTIVATIONS = family(
    "Activations",
    row("relu(x)", "max(x, 0)."),
    row("relu6(x)", "min(max(x, 0), 6)."),
    row("leaky_relu(x)", "x above 0, 0.01 x below."),
    row("hardtanh(x)", "x limited to [-1, 1]."),
    row("hardsigmoid(x)", "relu6(x + 3) / 6."),
    row("sigmoid(x)", "1 / (1 + exp(-x))."),
    row("softplus(x)", "log(1 + exp(x))."),
    row("softmax(x)", "exp(x) / sum(exp(x)) of a vector."),
    row("log_softmax(x)", "log(softmax(x)) of a vector."),
    row(
        "gumbel_softmax(x, hard)", "Softmax of a vector plus random Gumbel noise; with `hard`, one-hot at its maximum."
    ),
    row("dropout(x, p)", "Each element zeroed with probability p, the others divided by 1 - p."),
)
