"""The same gradients in bare NumPy, derived by hand: the lower bound for an engine's time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import problems

Run = Callable[[], Any]


def chain() -> Run:
    problem = problems.chain()

    def run() -> Any:
        x, w, b = problem.x, problem.w, problem.b
        inputs, sines, outputs = [], [], []
        for _ in range(problems.CHAIN_STEPS):
            inputs.append(x)
            sines.append(np.sin(x))
            x = np.tanh(sines[-1] * w + b)
            outputs.append(x)
        g, gw, gb = np.ones_like(x), np.zeros_like(w), np.zeros_like(b)
        for x, s, z in zip(reversed(inputs), reversed(sines), reversed(outputs), strict=True):
            # z is the tanh, whose slope is 1 - z * z.
            g = g * (1 - z * z)
            gb += g
            gw += g * s
            g = g * w * np.cos(x)
        return g, gw, gb

    return run


def hvp() -> Run:
    """Forward over reverse: the tangent of everything that the gradient is computed from, named with a d."""
    problem = problems.chain()

    def run() -> Any:
        x, dx, w = problem.x, problem.v, problem.w
        steps = []
        for _ in range(problems.HVP_STEPS):
            s, c = np.sin(x), np.cos(x)
            z = np.tanh(s * w + problem.b)
            slope = 1 - z * z
            dz = slope * w * c * dx
            steps.append((s, c, z, slope, dx, dz))
            x, dx = z, dz
        g, dg = np.ones_like(x), np.zeros_like(x)
        for s, c, z, slope, dx, dz in reversed(steps):
            # The product rule, line by line: dg first, as it needs g from before.
            dg = (dg * slope - 2 * g * z * dz) * w
            g = g * slope * w
            dg = dg * c - g * s * dx
            g = g * c
        return (dg,)

    return run


def mlp() -> Run:
    problem = problems.mlp()

    def run() -> Any:
        layers = list(zip(problem.parameters[::2], problem.parameters[1::2], strict=True))
        values = [problem.x]
        for w, b in layers[:-1]:
            values.append(np.tanh(values[-1] @ w + b))
        w, b = layers[-1]
        scores = values[-1] @ w + b
        powers = np.exp(scores - scores.max(1, keepdims=True))
        # The slope of the cross-entropy by the scores: probabilities less classes, over the mean of the batch.
        g = (powers / powers.sum(1, keepdims=True) - problem.classes) / problems.BATCH
        gradients: list[Any] = []
        for (w, _), value in zip(reversed(layers), reversed(values), strict=True):
            gradients = [value.T @ g, g.sum(0), *gradients]
            # The images need no gradient.
            if value is not problem.x:
                g = (g @ w.T) * (1 - value * value)
        return gradients

    return run


def softmax(x: Any) -> Any:
    powers = np.exp(x - x.max(0))
    return powers / powers.sum(0)


def mixture() -> Run:
    problem = problems.mixture()
    where, diagonal, below = problems.triangle()
    rows, columns = np.tril_indices(problems.DIMENSIONS, -1)
    size, gamma = problems.DIMENSIONS, problems.WISHART_GAMMA

    def run() -> Any:
        entries = problem.icf[:, where]
        factors = np.exp(entries) * diagonal + entries * below
        logs = problem.icf[:, :size].sum(1)
        centred = problem.x - problem.means[:, None, :]
        whitened = centred @ factors.transpose(0, 2, 1)
        inner = (problem.alphas + logs)[:, None] - 0.5 * (whitened * whitened).sum(2)
        # The slope of logsumexp: how much each component accounts for each point.
        weights = softmax(inner)
        totals = weights.sum(1)
        pulled = weights[:, :, None] * whitened
        of_factors = gamma**2 * factors - pulled.transpose(0, 2, 1) @ centred
        of_icf = np.empty_like(problem.icf)
        scales = np.exp(problem.icf[:, :size])
        # The diagonal is stored as logarithms: times its exponential, and the slope of the sum of logarithms.
        of_icf[:, :size] = of_factors.diagonal(0, 1, 2) * scales + totals[:, None] - problems.WISHART_M
        of_icf[:, size:] = of_factors[:, rows, columns]
        of_alphas = totals - problems.POINTS * softmax(problem.alphas)
        return of_alphas, (pulled @ factors).sum(1), of_icf

    return run


programs: dict[str, Callable[[], Run]] = {"chain": chain, "mlp": mlp, "mixture": mixture, "hvp": hvp}
