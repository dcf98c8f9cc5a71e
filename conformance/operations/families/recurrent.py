"""Recurrent layers: functions of the inputs, the states and the parameters."""

from __future__ import annotations

from typing import Any

from conformance.operations.row import Argument, Operation, array, family, given, row

WEIGHTS = "input_weight, state_weight, input_bias, state_bias"
# The numbers of an input, and of a state.
INPUT, HIDDEN = 2, 2
# The rows of weights for each number of the state.
GATES = {"rnn": 1, "relu_rnn": 1, "gru": 3, "lstm": 4}
MEANINGS = {
    "rnn": "tanh(input_weight x + input_bias + state_weight state + state_bias)",
    "relu_rnn": "max(input_weight x + input_bias + state_weight state + state_bias, 0)",
    "gru": "A step of a gated recurrent unit: (1 - z) n + z state",
    "lstm": "A step of long short-term memory: the state o tanh(c), and the memory c = f memory + i g",
}


def _weights(kind: str, inputs: int = INPUT) -> tuple[Argument, ...]:
    """The parameters of a layer in one direction."""
    rows = GATES[kind] * HIDDEN
    return array(rows, inputs), array(rows, HIDDEN), array(rows), array(rows)


def _states(kind: str, *shape: int) -> tuple[Argument, ...]:
    """The state, and the memory of an LSTM."""
    return (array(*shape),) * (2 if kind == "lstm" else 1)


def _points(kind: str, count: int, **kinks: Any) -> dict[str, Any]:
    """Zeros everywhere, where gates are half open; and gates that are shut or open but for the last digit."""
    zeros = (0.0,) * count
    return (
        {"kinks": {"zero": zeros}} if kind == "relu_rnn" else {"smooth": {"zero": zeros, "saturated": (25.0,) * count}}
    )


def _cell(kind: str) -> Operation:
    arguments = (array(2, INPUT), *_states(kind, 2, HIDDEN), *_weights(kind))
    names = "x, state, memory" if kind == "lstm" else "x, state"
    return row(f"{kind}_cell({names}, {WEIGHTS})", f"{MEANINGS[kind]}.", *arguments, **_points(kind, len(arguments)))


def _layer(kind: str) -> Operation:
    """Time x sample x number."""
    arguments = (array(3, 1, INPUT), *_states(kind, 1, 1, HIDDEN), *_weights(kind))
    names = "x, state, memory" if kind == "lstm" else "x, state"
    meaning = f"{kind}_cell for each time: all states, and the last."
    return row(f"{kind}({names}, {WEIGHTS})", meaning, *arguments, **_points(kind, len(arguments)))


def _numbered(count: int) -> str:
    return ", ".join(f"{name}_{at}" for at in range(count) for name in WEIGHTS.split(", "))


RECURRENT = family(
    "Recurrent layers",
    *map(_cell, GATES),
    *map(_layer, GATES),
    row(
        f"two_layer_lstm(x, state, memory, {_numbered(2)})",
        "lstm of the states of lstm.",
        array(2, 1, INPUT),
        *_states("lstm", 2, 1, HIDDEN),
        *_weights("lstm"),
        *_weights("lstm", HIDDEN),
        smooth={"zero": (0.0,) * 11},
    ),
    row(
        f"bidirectional_gru(x, state, {_numbered(2)})",
        "gru in both directions of time, each with its parameters; the states side by side.",
        array(2, 1, INPUT),
        *_states("gru", 2, 1, HIDDEN),
        *_weights("gru"),
        *_weights("gru"),
        smooth={"zero": (0.0,) * 10},
    ),
    row(
        f"lstm_with_projection(x, state, memory, {WEIGHTS}, projection)",
        "lstm whose state is multiplied by a matrix.",
        array(2, 1, INPUT),
        array(1, 1, 1),
        array(1, 1, HIDDEN),
        array(4 * HIDDEN, INPUT),
        array(4 * HIDDEN, 1),
        array(4 * HIDDEN),
        array(4 * HIDDEN),
        array(1, HIDDEN),
        smooth={"zero": (0.0,) * 8},
    ),
    row(
        "gru_without_bias(x, state, input_weight, state_weight)",
        "gru with biases of zero.",
        array(2, 1, INPUT),
        array(1, 1, HIDDEN),
        *_weights("gru")[:2],
        smooth={"zero": (0.0,) * 4},
    ),
    row(
        f"rnn_of_lengths(x, state, {WEIGHTS}, lengths)",
        "rnn of sequences of these lengths: what comes after is not read, and its states are zero.",
        array(3, 2, INPUT),
        *_states("rnn", 1, 2, HIDDEN),
        *_weights("rnn"),
        given([3, 1]),
        smooth={"zero": (0.0,) * 6},
    ),
)
