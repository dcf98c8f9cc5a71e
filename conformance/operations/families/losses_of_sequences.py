"""Losses of sequences: the connectionist temporal classification of log-probabilities by time, sample and class."""

from __future__ import annotations

from conformance.operations.row import INFINITY, array, given, row

REDUCTIONS = [{}, {"reduction": "sum"}, {"reduction": "none"}]

OF_SEQUENCES = (
    row(
        "ctc_loss(x, target, lengths, target_lengths, reduction='mean', zero_infinity=False)",
        "-log of the probability of all alignments of the target's labels, of log-probabilities (time, sample, class).",
        array(5, 2, 3, enters=lambda ad, x: ad.np.log_softmax(x, axis=2)),
        given([[1, 2], [1, 1]]),
        given([5, 4]),
        given([2, 2]),
        options=[*REDUCTIONS, {"zero_infinity": True}],
        smooth={
            "equal": 0.0,
            "saturated": [[[40.0, -40.0, 0.0]] * 2, [[-300.0, 1.0, 0.0]] * 2, *[[[1.0, 2.0, 0.0]] * 2] * 3],
            "class of probability zero": [
                [[0.5, 1.0, 0.0]] * 2,
                [[0.5, 1.0, -INFINITY]] * 2,
                *[[[1.0, 2.0, 0.0]] * 2] * 3,
            ],
        },
    ),
    row(
        "ctc_loss_of_a_single_alignment(x, target, lengths, target_lengths, blank, reduction='mean')",
        "ctc_loss of targets that fill their input: between equal labels is a blank, here the last class.",
        array(3, 2, 3, enters=lambda ad, x: ad.np.log_softmax(x, axis=2)),
        given([[1, 1, 0], [0, 1, 0]]),
        given([3, 3]),
        given([2, 3]),
        options=[{"blank": 2}, {"blank": 2, "reduction": "sum"}, {"blank": 2, "reduction": "none"}],
        smooth={"equal": 0.0},
    ),
    row(
        "ctc_loss_of_an_empty_target(x, target, lengths, target_lengths, reduction='mean')",
        "ctc_loss where a target has no label: all of its input is blank.",
        array(3, 2, 3, enters=lambda ad, x: ad.np.log_softmax(x, axis=2)),
        given([[1, 2], [1, 1]]),
        given([3, 3]),
        given([2, 0]),
        options=REDUCTIONS,
        smooth={"equal": 0.0},
    ),
    row(
        "ctc_loss_longer_than_its_input(x, target, lengths, target_lengths, zero_infinity, reduction='mean')",
        "ctc_loss where a target has no alignment: with `zero_infinity` its infinite loss counts as zero.",
        array(3, 2, 3, enters=lambda ad, x: ad.np.log_softmax(x, axis=2)),
        given([[1, 2, 1], [1, 1, 2]]),
        given([2, 3]),
        given([3, 2]),
        options=[{"zero_infinity": True}, {"zero_infinity": True, "reduction": "none"}],
        smooth={"equal": 0.0},
    ),
)
