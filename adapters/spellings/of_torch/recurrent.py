"""Recurrent layers, in PyTorch: the functions that its modules call with their parameters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from conformance.protocol import Spelling


def _layers(name: str, states: int = 1, *, count: int = 1, bias: bool = True, bidirectional: bool = False) -> Spelling:
    """Without dropout, in training, the time first."""

    def spelt(torch: Any, x: Any, *arrays: Any) -> Any:
        state = arrays[:states] if states > 1 else arrays[0]
        return getattr(torch, name)(x, state, arrays[states:], bias, count, 0.0, True, bidirectional, False)

    return spelt


def _of_lengths(torch: Any, x: Any, state: Any, *arrays: Any) -> Any:
    *weights, lengths = arrays
    packed = torch.nn.utils.rnn.pack_padded_sequence(x, lengths)
    states, last = torch.rnn_tanh(packed.data, packed.batch_sizes, state, weights, True, 1, 0.0, True, False)
    return torch.nn.utils.rnn.pad_packed_sequence(packed._replace(data=states))[0], last


RECURRENT: Mapping[str, Spelling] = {
    "rnn_cell": "torch.rnn_tanh_cell",
    "relu_rnn_cell": "torch.rnn_relu_cell",
    "gru_cell": "torch.gru_cell",
    "lstm_cell": lambda torch, x, state, memory, *weights: torch.lstm_cell(x, (state, memory), *weights),
    "rnn": _layers("rnn_tanh"),
    "relu_rnn": _layers("rnn_relu"),
    "gru": _layers("gru"),
    "lstm": _layers("lstm", 2),
    "two_layer_lstm": _layers("lstm", 2, count=2),
    "bidirectional_gru": _layers("gru", bidirectional=True),
    "lstm_with_projection": _layers("lstm", 2),
    "gru_without_bias": _layers("gru", bias=False),
    "rnn_of_lengths": _of_lengths,
}
