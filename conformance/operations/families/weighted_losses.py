"""Losses with weights of elements or classes, and of classes of pixels."""

from __future__ import annotations

from conformance.operations.families import truths
from conformance.operations.families.losses_of_margins import TAIL, near
from conformance.operations.reasons import LINEAR
from conformance.operations.row import array, family, given, row, under

REDUCTIONS = [{}, {"reduction": "sum"}, {"reduction": "none"}]
MEANS = [{}, {"reduction": "sum"}]

# Differences that are below and above 1, the joint.
DIFFERENCES = (near([[0.0] * 3] * 2), near([[0.25, -0.75, 1.5], [-0.25, 0.75, -2.5]]))
EQUAL = ([[0.0] * 3] * 2, [[0.0, -0.75, 1.5], [-0.25, 0.75, -2.5]], 1.5)
JOINT = ([[0.0] * 3] * 2, [[1.0, -0.75, 1.5], [-0.25, 0.75, -2.5]], 1.5)
WEIGHTED = [[0.0, 1.0, 2.0], [0.5, 0.0, 1.0]]
CLASSES = given([1, 0, 3])
WEIGHTS = given([0.5, 1.0, 2.0, 0.25])
PIXELS = given([[[1, 0], [2, 2]], [[0, 1], [0, 2]]])
LABELS = given([[1.0, 0.0, 1.0], [0.0, 0.0, 1.0]])
LOGITS = [[40.0, -40.0, 0.0], [300.0, -300.0, 1.0]]
SATURATED = [[40.0, -40.0, 0.0, 1.0], [500.0, 1.0, 2.0, 3.0], [1.0, 2.0, 3.0, -500.0]]

WEIGHTED_LOSSES = family(
    "Weighted losses",
    row(
        "weighted_mse_loss(x, target, weight, reduction='mean')",
        "(x - target)^2 times the weight; the mean is over the sum of the weights.",
        array(2, 3),
        array(2, 3),
        array(2, 3, low=0),
        options=REDUCTIONS,
        smooth={"equal": (0.7, 0.7, 1.5), "zero weights": (0.7, -0.5, WEIGHTED)},
        degree=[2, 3, 3],
        truth=truths.mse_loss,
    ),
    row(
        "weighted_l1_loss(x, target, weight, reduction='mean')",
        "abs(x - target) times the weight; the mean is over the sum of the weights.",
        *DIFFERENCES,
        array(2, 3, low=0),
        options=REDUCTIONS,
        smooth={"zero weights": (0.7, -0.5, WEIGHTED)},
        kinks={"equal": EQUAL},
        degree=[1, 2, 2],
    ),
    row(
        "weighted_huber_loss(x, target, weight, reduction='mean', delta=1.0)",
        "huber_loss of each element times its weight; the mean is over their number.",
        *DIFFERENCES,
        array(2, 3, low=0),
        options=[*REDUCTIONS, {"delta": 0.5}],
        smooth={"equal": EQUAL, "zero weights": (0.7, 0.1, WEIGHTED)},
        kinks={"joint": JOINT},
        truth=truths.huber_loss,
    ),
    row(
        "binary_cross_entropy_with_logits_and_weights(x, target, weight, reduction='mean')",
        "binary_cross_entropy_with_logits of each element times its weight; the mean is over their number.",
        array(2, 3),
        array(2, 3, low=0, high=1),
        given(WEIGHTED),
        options=REDUCTIONS,
        smooth={
            "zero": (0.0, 0.5),
            "saturated": (LOGITS, [[1.0, 1.0, 0.0], [0.0, 1.0, 0.5]]),
            "tail": TAIL,
            "tail of single losses": under(2, TAIL),
        },
        truth=truths.of_logits,
    ),
    row(
        "weighted_multilabel_soft_margin_loss(x, target, weight, reduction='mean')",
        "multilabel_soft_margin_loss with a weight for each class.",
        array(2, 3),
        LABELS,
        given([0.5, 0.0, 2.0]),
        options=REDUCTIONS,
        smooth={"zero": 0.0, "saturated": LOGITS, "tail": [[0.5, -40.0, 0.3], [-300.0, -650.0, 0.5]]},
        truth=truths.multilabel_soft_margin_loss,
    ),
    row(
        "weighted_multi_margin_loss(x, target, weight, p=1, margin=1.0, reduction='mean')",
        "multi_margin_loss, each row times the weight of its target.",
        near([[0.2, 1.5, -0.7, 0.9], [0.0, -0.4, 0.3, 0.6]]),
        given([1, 0]),
        given([0.5, 2.0, 0.0, 1.0]),
        options=[*REDUCTIONS, {"p": 2}],
        kinks={"margin": [[0.5, 1.5, -0.7, 0.9], [0.0, -0.4, 0.3, 0.6]]},
    ),
    row(
        "weighted_nll_loss_of_images(x, target, weight, ignore_index=-100, reduction='mean')",
        "nll_loss_of_images with a weight for each class.",
        array(2, 3, 2, 2),
        PIXELS,
        given([0.5, 1.0, 0.0]),
        options=[*REDUCTIONS, {"ignore_index": 0}],
        ordinary=LINEAR,
    ),
    row(
        "cross_entropy_of_images(x, target, ignore_index=-100, reduction='mean', label_smoothing=0.0)",
        "cross_entropy of each pixel; the classes are along the second axis.",
        array(2, 3, 2, 2),
        PIXELS,
        options=[*REDUCTIONS, {"ignore_index": 2}, {"label_smoothing": 0.1}],
        smooth={"equal": 0.0},
    ),
    row(
        "cross_entropy_of_ignored_rows(x, target, reduction)",
        "cross_entropy of rows that do not count: zero.",
        array(2, 3),
        given([-100, -100]),
        options=[{"reduction": "sum"}, {"reduction": "none"}],
        smooth={"equal": 0.0, "saturated": LOGITS},
    ),
    row(
        "weighted_smoothed_cross_entropy(x, target, weight, label_smoothing, ignore_index=-100, reduction='mean')",
        "cross_entropy_with_label_smoothing with a weight for each class.",
        array(3, 4),
        CLASSES,
        WEIGHTS,
        options=[
            {"label_smoothing": 0.1},
            {"label_smoothing": 0.5, "ignore_index": 0},
            {"label_smoothing": 0.1, "reduction": "sum"},
        ],
        smooth={
            "equal": 0.0,
            "saturated": SATURATED,
            "tail": [[0.0, 0.3, -40.0, -300.0], [0.5, 0.0, -650.0, -1.0], [-50.0, 0.0, -1.0, 0.2]],
        },
        truth=truths.cross_entropy,
    ),
    row(
        "weighted_cross_entropy_of_probabilities(x, target, weight, label_smoothing=0.0, reduction='mean')",
        "cross_entropy_of_probabilities with a weight for each class.",
        array(3, 4),
        array(3, 4, low=0, high=1),
        WEIGHTS,
        options=[*REDUCTIONS, {"label_smoothing": 0.1}],
        smooth={"certain": (0.5, [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]])},
    ),
    row(
        "gaussian_nll_loss_of_rows(x, target, var, eps, reduction='mean')",
        "gaussian_nll_loss with a variance for each row.",
        array(2, 3),
        array(2, 3),
        array(2, 1, low=0),
        options=[{"eps": 1e-6}, {"eps": 1e-6, "reduction": "sum"}],
        smooth={"equal": (0.7, 0.7, 1.0)},
        truth=truths.gaussian_nll_loss,
    ),
    row(
        "adaptive_log_softmax(x, head, inner, outer, target)",
        "log_softmax at the target; a rare class has the probability of their cluster times that within it.",
        array(3, 4),
        array(3, 4),
        array(2, 4),
        array(2, 2),
        given([0, 3, 2]),
        smooth={"zero": (0.0,) * 4, "equal": (0.5,) * 4},
    ),
)
