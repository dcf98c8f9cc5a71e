"""Activations, in JAX."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from conformance.protocol import Spelling, same


def _attention(jax: Any, *arrays: Any, **options: Any) -> Any:
    """JAX has the heads after the rows: (rows, heads, columns)."""
    query, key, value = (jax.numpy.swapaxes(x, 0, 1) for x in arrays)
    return jax.numpy.swapaxes(jax.nn.dot_product_attention(query, key, value, **options), 0, 1)


def _masked_attention(jax: Any, query: Any, key: Any, value: Any, mask: Any) -> Any:
    return _attention(jax, query, key, value, mask=mask[None])  # the same for all heads


ACTIVATIONS: Mapping[str, Spelling] = {
    **same(
        "jax.nn",
        "softplus relu relu6 leaky_relu elu celu selu silu mish sigmoid squareplus sparse_plus sparse_sigmoid"
        " log1mexp glu",
    ),
    "hardtanh": "jax.nn.hard_tanh",
    "hardsigmoid": "jax.nn.hard_sigmoid",
    "hardswish": "jax.nn.hard_swish",
    "softsign": "jax.nn.soft_sign",
    "logsigmoid": "jax.nn.log_sigmoid",
    "gelu": lambda jax, x: jax.nn.gelu(x, approximate=False),
    "gelu_by_tanh": lambda jax, x: jax.nn.gelu(x, approximate=True),
    "softmax": lambda jax, x, axis=0: jax.nn.softmax(x, axis),
    "log_softmax": lambda jax, x, axis=0: jax.nn.log_softmax(x, axis),
    "masked_softmax": lambda jax, x, mask, axis=0: jax.nn.softmax(x, axis, where=mask),
    "scaled_dot_product_attention": lambda jax, query, key, value, is_causal=False: _attention(
        jax, query, key, value, is_causal=is_causal
    ),
    "masked_attention": _masked_attention,
    "fully_masked_attention": _masked_attention,
    "biased_attention": lambda jax, query, key, value, bias: _attention(jax, query, key, value, bias=bias),
}
