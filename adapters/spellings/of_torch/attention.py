"""Attention, and the layers made of it, in PyTorch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adapters.spellings.of_torch.modules import called
from conformance.protocol import Spelling


def _causal(torch: Any, query: Any, key: Any, value: Any, is_causal: bool = False, scale: Any = None) -> Any:
    return torch.nn.functional.scaled_dot_product_attention(query, key, value, is_causal=is_causal, scale=scale)


def _masked(torch: Any, query: Any, key: Any, value: Any, mask: Any) -> Any:
    return torch.nn.functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)


def _with_dropout(torch: Any, query: Any, key: Any, value: Any, p: float, seed: int) -> Any:
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return torch.nn.functional.scaled_dot_product_attention(query, key, value, dropout_p=p)


def _multi_head(torch: Any, query: Any, key: Any, value: Any, *parameters: Any, **options: Any) -> Any:
    in_weight, in_bias, out_weight, out_bias = parameters
    settings = {"bias_k": None, "bias_v": None, "add_zero_attn": False, "dropout_p": 0.0} | options
    heads = settings.pop("heads")
    return torch.nn.functional.multi_head_attention_forward(
        query,
        key,
        value,
        query.shape[-1],
        heads,
        in_weight,
        in_bias,
        out_proj_weight=out_weight,
        out_proj_bias=out_bias,
        **settings,
    )


def _of_widths(torch: Any, query: Any, key: Any, value: Any, a: Any, b: Any, c: Any, *others: Any) -> Any:
    *parameters, heads = others
    weights = {"q_proj_weight": a, "k_proj_weight": b, "v_proj_weight": c, "use_separate_proj_weight": True}
    return _multi_head(torch, query, key, value, None, *parameters, heads=heads, **weights)


def _self_attention(
    torch: Any, x: Any, a: Any, b: Any, c: Any, d: Any, mask: Any, padding: Any, heads: int, need_weights: bool = False
) -> Any:
    return _multi_head(
        torch, x, x, x, a, b, c, d, heads=heads, attn_mask=mask, key_padding_mask=padding, need_weights=need_weights
    )


def _encoder_layer(torch: Any, size: int, heads: int, hidden: int, norm_first: bool, activation: str) -> Any:
    return torch.nn.TransformerEncoderLayer(
        size, heads, hidden, dropout=0.0, activation=activation, norm_first=norm_first, batch_first=True, device="meta"
    )


def _encoded(torch: Any, x: Any, *arguments: Any, norm_first: bool = False, activation: str = "gelu") -> Any:
    *parameters, heads = arguments
    sizes = (x.shape[-1], heads, parameters[4].shape[0], norm_first, activation)
    return called(torch, _encoder_layer, sizes, parameters, x)


def _evaluated_attention(torch: Any, size: int, heads: int) -> Any:
    return torch.nn.MultiheadAttention(size, heads, batch_first=True, device="meta").eval()


def _evaluated_encoder_layer(torch: Any, size: int, heads: int, hidden: int) -> Any:
    return _encoder_layer(torch, size, heads, hidden, norm_first=False, activation="relu").eval()


ATTENTION: Mapping[str, Spelling] = {
    "scaled_dot_product_attention": _causal,
    # A mask of booleans, and numbers that are added.
    "masked_attention": _masked,
    "fully_masked_attention": _masked,
    "biased_attention": lambda torch, query, key, value, bias: _masked(torch, query, key, value, bias),
    "grouped_attention": lambda torch, query, key, value, is_causal=False: (
        torch.nn.functional.scaled_dot_product_attention(query, key, value, is_causal=is_causal, enable_gqa=True)
    ),
    "attention_of_samples": _causal,
    "attention_to_fewer_keys": _causal,
    "attention_with_dropout": _with_dropout,
    "multi_head_attention": lambda torch, query, key, value, a, b, c, d, heads, **options: _multi_head(
        torch, query, key, value, a, b, c, d, heads=heads, **options
    ),
    "multi_head_attention_of_widths": _of_widths,
    "multi_head_self_attention": _self_attention,
    "multi_head_attention_with_a_bias": lambda torch, x, a, b, c, d, key_bias, value_bias, heads: _multi_head(
        torch, x, x, x, a, b, c, d, bias_k=key_bias, bias_v=value_bias, heads=heads, need_weights=False
    ),
    "transformer_encoder_layer": _encoded,
    "multi_head_attention_in_evaluation": lambda torch, x, a, b, c, d, heads: called(
        torch, _evaluated_attention, (x.shape[-1], heads), (a, b, c, d), x, x, x
    ),
    "transformer_encoder_layer_in_evaluation": lambda torch, x, *arguments: called(
        torch, _evaluated_encoder_layer, (x.shape[-1], arguments[-1], arguments[4].shape[0]), arguments[:-1], x
    ),
}
