"""Activations, in PyTorch."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling, same

ACTIVATIONS: Mapping[str, Spelling] = {
    **same("torch", "relu sigmoid"),
    **same("torch.nn.functional", "softplus relu6 leaky_relu hardtanh hardsigmoid dropout"),
    "softmax": lambda torch, x: torch.softmax(x, 0),
    "log_softmax": lambda torch, x: torch.log_softmax(x, 0),
    "gumbel_softmax": lambda torch, x, hard: torch.nn.functional.gumbel_softmax(x, hard=hard),
}
