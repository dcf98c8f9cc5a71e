"""Activations, in PyTorch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from conformance.protocol import Spelling, same


def _seeded(torch: Any, seed: int, name: str, *arguments: Any, **options: Any) -> Any:
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return getattr(torch.nn.functional, name)(*arguments, **options)


ACTIVATIONS: Mapping[str, Spelling] = {
    **same("torch", "relu sigmoid"),
    **same(
        "torch.nn.functional",
        "softplus relu6 leaky_relu prelu rrelu threshold elu celu selu gelu silu mish hardtanh hardsigmoid hardswish"
        " softshrink hardshrink softsign tanhshrink logsigmoid dropout",
    ),
    "hardshrink_by_zero": "torch.nn.functional.hardshrink",
    "softplus_with_beta": "torch.nn.functional.softplus",
    "gelu_by_tanh": lambda torch, x: torch.nn.functional.gelu(x, approximate="tanh"),
    "alpha_dropout": lambda torch, x, p: torch.nn.functional.alpha_dropout(x, p, training=True),
    "dropout_from_a_seed": lambda torch, x, p, seed: _seeded(torch, seed, "dropout", x, p),
    "dropout_of_channels": lambda torch, x, p, seed: _seeded(torch, seed, "dropout1d", x, p),
    "alpha_dropout_from_a_seed": lambda torch, x, p, seed: _seeded(torch, seed, "alpha_dropout", x, p, training=True),
    "rrelu_from_a_seed": lambda torch, x, seed: _seeded(torch, seed, "rrelu", x, training=True),
    "glu": lambda torch, x, axis=-1: torch.nn.functional.glu(x, axis),
    "softmax": lambda torch, x, axis=0: torch.softmax(x, axis),
    "log_softmax": lambda torch, x, axis=0: torch.log_softmax(x, axis),
    "softmin": lambda torch, x, axis=0: torch.nn.functional.softmin(x, axis),
    "masked_softmax": lambda torch, x, mask, axis=0: torch.masked.softmax(x, axis, mask=mask),
    "gumbel_softmax": lambda torch, x, hard: torch.nn.functional.gumbel_softmax(x, hard=hard),
}
