"""Attention, in JAX."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from conformance.protocol import Spelling


def _attention(jax: Any, *arrays: Any, **options: Any) -> Any:
    """JAX has the heads after the rows: (rows, heads, columns)."""
    query, key, value = (jax.numpy.swapaxes(x, -3, -2) for x in arrays)
    return jax.numpy.swapaxes(jax.nn.dot_product_attention(query, key, value, **options), -3, -2)


def _masked(jax: Any, query: Any, key: Any, value: Any, mask: Any) -> Any:
    return _attention(jax, query, key, value, mask=mask[None])  # the same for all heads


def _of_lengths(jax: Any, query: Any, key: Any, value: Any, query_lengths: Any, key_lengths: Any) -> Any:
    """The lengths are those of each sample, here one, in 32 bits."""
    lengths = [array.astype(jax.numpy.int32) for array in (query_lengths, key_lengths)]
    return _attention(jax, query, key, value, query_seq_lengths=lengths[0], key_value_seq_lengths=lengths[1])


def _causal(jax: Any, query: Any, key: Any, value: Any, is_causal: bool = False, scale: Any = None) -> Any:
    return _attention(jax, query, key, value, is_causal=is_causal, scale=scale)


ATTENTION: Mapping[str, Spelling] = {
    "scaled_dot_product_attention": _causal,
    "grouped_attention": _causal,
    "attention_of_samples": _causal,
    "attention_to_fewer_keys": _causal,
    "masked_attention": _masked,
    "fully_masked_attention": _masked,
    "biased_attention": lambda jax, query, key, value, bias: _attention(jax, query, key, value, bias=bias),
    "attention_of_lengths": _of_lengths,
    "local_attention": lambda jax, query, key, value, window: _attention(
        jax, query, key, value, local_window_size=window
    ),
}
