"""Reductions of an array, or of one of its axes."""

from __future__ import annotations

from conformance.operations.row import family, row

REDUCTIONS = family(
    "Reductions",
    row("sum(x)", "Sum of all elements."),
    row("mean(x)", "Mean of all elements."),
    row("prod(x)", "Product of all elements."),
    row("std(x)", "Standard deviation of all elements, with n - 1."),
    row("max(x)", "Maximum of all elements."),
    row("min(x)", "Minimum of all elements."),
    row("amax(x, axis)", "Maxima along an axis."),
    row("amin(x, axis)", "Minima along an axis."),
    row("logsumexp(x)", "log(sum(exp(x))) of a vector."),
    row("count_nonzero(x)", "Number of elements that are not zero."),
)
