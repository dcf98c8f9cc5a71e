"""The numbers that every contender of the engine's bench computes with: float64, from a fixed seed."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np

CHAIN_STEPS = 250  # of four operations each
HVP_STEPS = 50
LAYERS = (64, 256, 256, 10)
BATCH = 128
DIMENSIONS, COMPONENTS, POINTS = 10, 25, 1000
WISHART_GAMMA, WISHART_M = 1.0, 0


@dataclass(frozen=True)
class Chain:
    """x, w and b of ``x = tanh(sin(x) * w + b)``, which a chain repeats; v is the vector of the Hessian product."""

    x: Any
    w: Any
    b: Any
    v: Any


def chain() -> Chain:
    """Vectors of eight elements: so small that the engine's own time is nearly all of it."""
    return Chain(*np.random.default_rng(0).uniform(0.3, 0.9, (4, 8)))


@dataclass(frozen=True)
class Mlp:
    """Images, their classes (one-hot), and weights and biases in turn, for each layer."""

    x: Any
    classes: Any
    parameters: list[Any]


def mlp() -> Mlp:
    """A classifier with two hidden layers of tanh and a cross-entropy loss."""
    random = np.random.default_rng(1)
    parameters: list[Any] = []
    for inputs, outputs in itertools.pairwise(LAYERS):
        # Divided by the root of the inputs, so that sums stay where tanh has a slope.
        parameters += [random.normal(size=(inputs, outputs)) / np.sqrt(inputs), np.zeros(outputs)]
    classes = np.eye(LAYERS[-1])[random.integers(0, LAYERS[-1], BATCH)]
    return Mlp(random.normal(size=(BATCH, LAYERS[0])), classes, parameters)


@dataclass(frozen=True)
class Mixture:
    """Points, and the parameters of a Gaussian mixture as ADBench has them.

    `icf` holds, for each component, the logarithms of the diagonal of a lower triangular factor of the inverse
    covariance, then the elements below its diagonal, row by row.
    """

    x: Any
    alphas: Any
    means: Any
    icf: Any


def mixture() -> Mixture:
    """A random mixture of the size that the constants above say."""
    random = np.random.default_rng(2)
    size = DIMENSIONS * (DIMENSIONS + 1) // 2
    return Mixture(
        random.normal(size=(POINTS, DIMENSIONS)),
        random.normal(size=COMPONENTS),
        random.normal(size=(COMPONENTS, DIMENSIONS)),
        random.normal(size=(COMPONENTS, size)) * 0.3,
    )


def triangle() -> tuple[Any, Any, Any]:
    """For each place of a D by D matrix the entry of `icf` that goes there; and where it counts: diagonal, below."""
    where = np.zeros((DIMENSIONS, DIMENSIONS), int)
    below = np.tril_indices(DIMENSIONS, -1)
    where[below] = DIMENSIONS + np.arange(len(below[0]))
    np.fill_diagonal(where, np.arange(DIMENSIONS))
    return where, np.eye(DIMENSIONS), np.tril(np.ones((DIMENSIONS, DIMENSIONS)), -1)
