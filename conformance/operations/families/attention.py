"""Attention, and the layers made of it: functions of their inputs and parameters."""

from __future__ import annotations

from conformance.operations.row import INFINITY, array, family, given, row, under

# Heads x rows x columns.
SIX = (array(2, 3, 2), array(2, 3, 2), array(2, 3, 2))
# Logits of 140 and more apart, whose softmax is one-hot in double precision.
SATURATED = ([[[40.0, 0.0]] * 3] * 2, [[[5.0, 1.0], [-5.0, 2.0], [0.0, -1.0]]] * 2, [[[1.0, 2.0]] * 3] * 2)
# Parameters of attention over vectors of four numbers: of the inputs, and of the output.
PROJECTIONS = "in_weight, in_bias, out_weight, out_bias"
PROJECTED = (array(12, 4), array(12), array(4, 4), array(4))
# Of a transformer's layer: two linear maps, two layer norms.
FORWARDS = "weight_1, bias_1, weight_2, bias_2, scale_1, shift_1, scale_2, shift_2"
FORWARDED = (array(3, 4), array(3), array(4, 3), array(4), array(4), array(4), array(4), array(4))

ATTENTION = family(
    "Attention",
    row(
        "scaled_dot_product_attention(query, key, value, is_causal=False, scale=None)",
        "softmax(query key^T * scale) value, by default 1 / sqrt(columns); `is_causal`: row i sees the keys up to i.",
        *SIX,
        options=[{}, {"is_causal": True}, {"scale": 0.3}, {"scale": 2.0, "is_causal": True}],
        smooth={
            "equal": (0.5, 0.5, 1.0),
            "zero query": (0.0, 1.0, 2.0),
            "zero query, causal": under(1, (0.0, 1.0, 2.0)),
            "saturated": SATURATED,
        },
    ),
    row(
        "masked_attention(query, key, value, mask)",
        "scaled_dot_product_attention, where a query sees only the keys at which the mask is true.",
        *SIX,
        given([[True, False, True], [True, True, True], [False, True, False]]),
        smooth={"equal": (0.5, 0.5, 1.0), "saturated": SATURATED},
    ),
    row(
        "fully_masked_attention(query, key, value, mask)",
        "The same, where a query sees no key at all: its row is zero, or the mean of all values, by engine.",
        *SIX,
        given([[True, False, True], [False, False, False], [False, True, False]]),
        smooth={"equal": (0.5, 0.5, 1.0)},
    ),
    row(
        "biased_attention(query, key, value, bias)",
        "softmax(query key^T / sqrt(columns) + bias) value.",
        *SIX,
        array(2, 3, 3),
        smooth={"masked": (0.5, 1.0, 2.0, [[0.0, 0.0, -INFINITY], [0.0, -INFINITY, -INFINITY], [1.0, 0.0, 0.0]])},
    ),
    row(
        "grouped_attention(query, key, value, is_causal=False)",
        "scaled_dot_product_attention with two heads of queries for each head of keys and values.",
        array(4, 2, 2),
        array(2, 3, 2),
        array(2, 3, 2),
        options=[{}, {"is_causal": True}],
        smooth={"equal": (0.5, 0.5, 1.0), "zero query": (0.0, 1.0, 2.0), "causal": under(1, (0.0, 1.0, 2.0))},
    ),
    row(
        "attention_of_samples(query, key, value, is_causal=False)",
        "scaled_dot_product_attention of samples x heads x rows x columns.",
        array(1, 2, 3, 2),
        array(1, 2, 3, 2),
        array(1, 2, 3, 2),
        options=[{}, {"is_causal": True}],
        smooth={
            "equal": (0.5, 0.5, 1.0),
            "zero query": (0.0, 1.0, 2.0),
            "zero query, causal": under(1, (0.0, 1.0, 2.0)),
            "saturated": SATURATED,
        },
    ),
    row(
        "attention_to_fewer_keys(query, key, value, is_causal=False)",
        "scaled_dot_product_attention with more queries than keys.",
        array(2, 3, 2),
        array(2, 2, 2),
        array(2, 2, 2),
        options=[{}, {"is_causal": True}],
        smooth={"equal": (0.5, 0.5, 1.0)},
    ),
    row(
        "attention_with_dropout(query, key, value, p, seed)",
        "scaled_dot_product_attention, whose weights are zeroed with probability p; the others are divided by 1 - p.",
        *SIX,
        options=[{"p": 0.5, "seed": 0}],
        smooth={"equal": (0.5, 0.5, 1.0)},
    ),
    row(
        "attention_of_lengths(query, key, value, query_lengths, key_lengths)",
        "scaled_dot_product_attention of the first rows and keys; the other rows are zero.",
        *SIX,
        given([2]),
        given([2]),
        smooth={"equal": (0.5, 0.5, 1.0)},
    ),
    row(
        "local_attention(query, key, value, window)",
        "scaled_dot_product_attention, where row i sees the keys from i - left to i + right.",
        *SIX,
        options=[{"window": (1, 0)}, {"window": (0, 0)}],
        smooth={"equal": (0.5, 0.5, 1.0)},
    ),
    # Layers.
    row(
        f"multi_head_attention(query, key, value, {PROJECTIONS}, heads, need_weights=True, add_zero_attn=False,"
        " average_attn_weights=True)",
        "Attention in heads between linear maps, and its weights; `add_zero_attn`: a key and a value of zeros more.",
        array(2, 1, 4),
        array(3, 1, 4),
        array(3, 1, 4),
        *PROJECTED,
        options=[
            {"heads": 2},
            {"heads": 1, "need_weights": False},
            {"heads": 2, "average_attn_weights": False},
            {"heads": 2, "add_zero_attn": True},
        ],
        smooth={"zero": (0.0,) * 7, "equal": (0.5,) * 7, "zero beside zeros": under(3, (0.0,) * 7)},
    ),
    row(
        "multi_head_attention_of_widths(query, key, value, query_weight, key_weight, value_weight, in_bias, out_weight,"
        " out_bias, heads)",
        "multi_head_attention to keys and values of other widths.",
        array(2, 1, 4),
        array(3, 1, 3),
        array(3, 1, 2),
        array(4, 4),
        array(4, 3),
        array(4, 2),
        array(12),
        array(4, 4),
        array(4),
        options=[{"heads": 2}],
        smooth={"zero": (0.0,) * 9},
    ),
    row(
        f"multi_head_self_attention(x, {PROJECTIONS}, mask, padding, heads, need_weights=False)",
        "multi_head_attention of an array to itself, without the keys where the mask, or the padding, is true.",
        array(3, 2, 4),
        *PROJECTED,
        given([[False, True, True], [False, False, True], [False, False, False]]),
        given([[False, False, True], [False, False, False]]),
        options=[{"heads": 2}, {"heads": 2, "need_weights": True}],
        smooth={"zero": (0.0,) * 5, "equal": (0.5,) * 5},
    ),
    row(
        f"multi_head_attention_with_a_bias(x, {PROJECTIONS}, key_bias, value_bias, heads)",
        "multi_head_attention of an array to itself, to a key more with a value.",
        array(3, 1, 4),
        *PROJECTED,
        array(1, 1, 4),
        array(1, 1, 4),
        options=[{"heads": 2}],
        smooth={"zero": (0.0,) * 7},
    ),
    row(
        f"multi_head_attention_in_evaluation(x, {PROJECTIONS}, heads)",
        "multi_head_attention of an array to itself by a module that is not in training; samples come first.",
        array(1, 3, 4),
        *PROJECTED,
        options=[{"heads": 2}],
        smooth={"zero": (0.0,) * 5},
    ),
    row(
        f"transformer_encoder_layer(x, {PROJECTIONS}, {FORWARDS}, heads, norm_first=False, activation='gelu')",
        "Self-attention and two linear maps, each added to its input, with layer norms after or before.",
        array(1, 2, 4),
        *PROJECTED,
        *FORWARDED,
        options=[{"heads": 2}, {"heads": 2, "norm_first": True}, {"heads": 1, "activation": "relu"}],
        smooth={"zero weights": ([1.0, -1.0, 2.0, 0.5], *(0.0,) * 8, 1.0, 0.0, 1.0, 0.0)},
    ),
    row(
        f"transformer_encoder_layer_in_evaluation(x, {PROJECTIONS}, {FORWARDS}, heads)",
        "transformer_encoder_layer by a module that is not in training, with relu.",
        array(1, 2, 4),
        *PROJECTED,
        *FORWARDED,
        options=[{"heads": 2}],
        # A bias keeps relu from its kink.
        smooth={"zero weights": ([1.0, -1.0, 2.0, 0.5], *(0.0,) * 5, 1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0)},
    ),
)
