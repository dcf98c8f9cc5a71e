"""Activations, in PyTorch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from conformance.protocol import Spelling, same


def _masked_attention(torch: Any, query: Any, key: Any, value: Any, mask: Any) -> Any:
    return torch.nn.functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)


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
    "glu": lambda torch, x, axis=-1: torch.nn.functional.glu(x, axis),
    "softmax": lambda torch, x, axis=0: torch.softmax(x, axis),
    "log_softmax": lambda torch, x, axis=0: torch.log_softmax(x, axis),
    "softmin": lambda torch, x, axis=0: torch.nn.functional.softmin(x, axis),
    "masked_softmax": lambda torch, x, mask, axis=0: torch.masked.softmax(x, axis, mask=mask),
    "gumbel_softmax": lambda torch, x, hard: torch.nn.functional.gumbel_softmax(x, hard=hard),
    "scaled_dot_product_attention": lambda torch, query, key, value, is_causal=False: (
        torch.nn.functional.scaled_dot_product_attention(query, key, value, is_causal=is_causal)
    ),
    # A mask of booleans, and numbers that are added.
    "masked_attention": _masked_attention,
    "fully_masked_attention": _masked_attention,
    "biased_attention": lambda torch, query, key, value, bias: _masked_attention(torch, query, key, value, bias),
}
