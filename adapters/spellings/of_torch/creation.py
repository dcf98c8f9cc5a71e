"""Making arrays, in PyTorch."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling, same

CREATION: Mapping[str, Spelling] = {
    **same("torch", "zeros_like ones_like full_like rand_like bernoulli poisson"),
    "normal": lambda torch, mean: torch.normal(mean, 1.0),
    "normal_sample": lambda torch, mean, deviation: torch.distributions.Normal(mean, deviation).sample(),
    "normal_rsample": lambda torch, mean, deviation: torch.distributions.Normal(mean, deviation).rsample(),
    # PyTorch's default dtype is float32; checks count in float64.
    "zeros": lambda torch, shape: torch.zeros(shape, dtype=torch.float64),
    "eye": lambda torch, n: torch.eye(n, dtype=torch.float64),
    "linspace": lambda torch, start, stop, num: torch.linspace(start, stop, num, dtype=start.dtype),
    "logspace": lambda torch, start, stop, num: torch.logspace(start, stop, num, dtype=start.dtype),
}
