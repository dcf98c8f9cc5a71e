"""Losses."""

from __future__ import annotations

from conformance.operations.families import truths
from conformance.operations.families.losses_of_margins import OF_MARGINS, TAIL, near
from conformance.operations.families.losses_of_sequences import OF_SEQUENCES
from conformance.operations.reasons import LINEAR
from conformance.operations.row import INFINITY, array, family, given, number, row, under

REDUCTIONS = [{}, {"reduction": "sum"}, {"reduction": "none"}]
MEANS = [{}, {"reduction": "sum"}]


# Differences that are below and above 1/2, 1 and 2, the joints.
DIFFERENCES = (near([[0.0] * 3] * 2), near([[0.25, -0.75, 1.5], [-0.25, 0.75, -2.5]]))
EQUAL = ([[0.0] * 3] * 2, [[0.0, -0.75, 1.5], [-0.25, 0.75, -2.5]])
FAR = ([[0.0] * 3] * 2, [[1e200, -0.75, 1.5], [-1e200, 0.75, -2.5]])
CLASSES = given([1, 0, 3])
WEIGHTS = given([0.5, 1.0, 2.0, 0.25])
LABELS = given([[1.0, 0.0, 1.0], [0.0, 0.0, 1.0]])
SATURATED = [[40.0, -40.0, 0.0, 1.0], [500.0, 1.0, 2.0, 3.0], [1.0, 2.0, 3.0, -500.0]]
# Classes without a probability; none of them is a target. In the second row, the target is certain.
IMPOSSIBLE = [[0.5, 1.0, -INFINITY, 0.3], [0.7, -INFINITY, -INFINITY, -INFINITY], [-INFINITY, 1.0, 2.0, 0.5]]
# Logits of up to 800.
STEEP, STEEP_WEIGHT = [[40.0, 0.0], [0.5, -0.5], [0.0, -20.0]], [[20.0, 1.0], [-20.0, 0.0], [0.0, 40.0], [1.0, 0.0]]
LOGITS = [[40.0, -40.0, 0.0], [300.0, -300.0, 1.0]]
LOSSES = family(
    "Losses",
    # Of differences.
    row(
        "l1_loss(x, target, reduction='mean')",
        "Mean of abs(x - target).",
        *DIFFERENCES,
        options=REDUCTIONS,
        kinks={"equal": EQUAL},
        complex=True,
        degree=1,
    ),
    row(
        "mse_loss(x, target, reduction='mean')",
        "Mean of (x - target)^2.",
        number(),
        number(),
        options=REDUCTIONS,
        truth=lambda mp, x, target: (x - target) ** 2,
        smooth={"equal": (0.7, 0.7), "zero": (0.0, 0.0)},
        degree=2,
    ),
    row(
        "smooth_l1_loss(x, target, reduction='mean', beta=1.0)",
        "Mean of d^2 / (2 beta) for differences d below beta, of abs(d) - beta / 2 above.",
        *DIFFERENCES,
        options=[*REDUCTIONS, {"beta": 0.5}, {"beta": 2.0}, {"beta": 0.0}],
        smooth={"equal": EQUAL, "square overflows": FAR},
        kinks={"joint": ([[0.0] * 3] * 2, [[1.0, -0.75, 1.5], [-0.25, 0.75, -2.5]])},
        degree=[None, None, None, None, None, 1],
        truth=truths.smooth_l1_loss,
    ),
    row(
        "huber_loss(x, target, reduction='mean', delta=1.0)",
        "Mean of d^2 / 2 for differences d below delta, of delta * (abs(d) - delta / 2) above.",
        *DIFFERENCES,
        options=[*REDUCTIONS, {"delta": 0.5}, {"delta": 2.0}],
        smooth={"equal": EQUAL, "square overflows": FAR},
        kinks={"joint": ([[0.0] * 3] * 2, [[1.0, -0.75, 1.5], [-0.25, 0.75, -2.5]])},
        truth=truths.huber_loss,
    ),
    # Of probabilities of two classes.
    row(
        "binary_cross_entropy(x, target, reduction='mean')",
        "Mean of -log of the probability that x gives to a target of 0 or 1, or in between.",
        array(2, 3, low=0, high=1),
        array(2, 3, low=0, high=1),
        options=REDUCTIONS,
        smooth={"equal": (0.5, 0.5)},
        truth=truths.binary_cross_entropy,
    ),
    row(
        "weighted_binary_cross_entropy(x, target, weight, reduction='mean')",
        "binary_cross_entropy with a weight for each element.",
        array(2, 3, low=0, high=1),
        LABELS,
        given([[0.5, 1.0, 0.0], [2.0, 0.25, 1.0]]),
        options=MEANS,
        smooth={"half": 0.5},
        truth=truths.binary_cross_entropy,
    ),
    row(
        "binary_cross_entropy_with_logits(x, target, reduction='mean')",
        "binary_cross_entropy of sigmoid(x).",
        array(2, 3),
        array(2, 3, low=0, high=1),
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
        "binary_cross_entropy_with_logits_and_weight(x, target, pos_weight, reduction='mean')",
        "The same, where a target of 1 counts `pos_weight` times.",
        array(2, 3),
        LABELS,
        given([0.5, 2.0, 3.0]),
        options=MEANS,
        smooth={"zero": 0.0, "saturated": LOGITS},
        truth=truths.of_positive_logits,
    ),
    row(
        "multilabel_soft_margin_loss(x, target, reduction='mean')",
        "Mean over rows and classes of binary_cross_entropy_with_logits.",
        array(2, 3),
        LABELS,
        options=MEANS,
        smooth={"zero": 0.0, "saturated": LOGITS, "tail": [[0.5, -40.0, 0.3], [-300.0, -650.0, 0.5]]},
        truth=truths.multilabel_soft_margin_loss,
    ),
    # Of probabilities of classes.
    row(
        "nll_loss(x, target, ignore_index=-100, reduction='mean')",
        "Mean of -x at the target's index, for a row of log-probabilities.",
        array(3, 4),
        CLASSES,
        options=[*REDUCTIONS, {"ignore_index": 0}],
        smooth={
            "impossible classes": [[-INFINITY, -0.5, -1.0, -2.0], [-0.7, -INFINITY, -1.5, -0.1], [0.0, -1, -2, -3]]
        },
        degree=1,
    ),
    row(
        "nll_loss_of_images(x, target, ignore_index=-100, reduction='mean')",
        "nll_loss of each pixel; the classes are along the second axis.",
        array(2, 3, 2, 2),
        given([[[1, 0], [2, 2]], [[0, 1], [0, 2]]]),
        options=[*REDUCTIONS, {"ignore_index": 0}],
        ordinary=LINEAR,
    ),
    row(
        "weighted_nll_loss(x, target, weight, reduction='mean')",
        "nll_loss with a weight for each class; the mean is over the sum of the weights.",
        array(3, 4),
        CLASSES,
        WEIGHTS,
        options=REDUCTIONS,
        ordinary=LINEAR,
    ),
    row(
        "cross_entropy(x, target, ignore_index=-100, reduction='mean')",
        "Mean over rows of -log_softmax(x) at the target's index; rows with `ignore_index` do not count.",
        array(3, 4),
        CLASSES,
        options=[*REDUCTIONS, {"ignore_index": 0}],
        smooth={
            "equal": 0.0,
            "saturated": SATURATED,
            "impossible classes": IMPOSSIBLE,
            "saturated and ignored": under(3, SATURATED),
            "tail": [[0.0, 0.3, -40.0, -300.0], [0.5, 0.0, -650.0, -1.0], [-50.0, 0.0, -1.0, 0.2]],
        },
        truth=truths.cross_entropy,
    ),
    row(
        "weighted_cross_entropy(x, target, weight, reduction='mean')",
        "cross_entropy with a weight for each class; the mean is over the sum of the weights.",
        array(3, 4),
        CLASSES,
        WEIGHTS,
        options=REDUCTIONS,
        smooth={
            "equal": 0.0,
            "saturated": SATURATED,
            "impossible classes": IMPOSSIBLE,
            "tail": [[0.0, 0.3, -40.0, -300.0], [0.5, 0.0, -650.0, -1.0], [-50.0, 0.0, -1.0, 0.2]],
        },
        truth=truths.cross_entropy,
    ),
    row(
        "cross_entropy_with_label_smoothing(x, target, label_smoothing, reduction='mean')",
        "cross_entropy, where the target's probability is shared among all classes to that part.",
        array(3, 4),
        CLASSES,
        options=[{"label_smoothing": 0.1}, {"label_smoothing": 1.0, "reduction": "sum"}],
        smooth={"equal": 0.0, "saturated": SATURATED},
        truth=truths.cross_entropy,
    ),
    row(
        "cross_entropy_of_probabilities(x, target, reduction='mean')",
        "Mean over rows of -sum(target * log_softmax(x)).",
        array(3, 4),
        array(3, 4, low=0, high=1),
        options=REDUCTIONS,
        smooth={"certain": (0.5, [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]])},
        truth=truths.cross_entropy_of_probabilities,
    ),
    row(
        "linear_cross_entropy(x, weight, target, ignore_index=-100, reduction='mean')",
        "cross_entropy of x weight^T.",
        array(3, 2),
        array(4, 2),
        CLASSES,
        options=[*MEANS, {"ignore_index": 0}],
        smooth={
            "zero": (0.0, 1.0),
            "both zero": (0.0, 0.0),
            "saturated": (STEEP, STEEP_WEIGHT),
            "saturated and ignored": under(2, (STEEP, STEEP_WEIGHT)),
        },
        truth=truths.linear_cross_entropy,
    ),
    *OF_SEQUENCES,
    # Of distributions.
    row(
        "categorical_log_prob(probs, value)",
        "log of the probability of each value; the probabilities of a row are divided by their sum.",
        array(2, 3, low=0.0),
        given([2, 0]),
        smooth={"equal": 1.0},
        degree=0,
        truth=truths.categorical_log_prob,
    ),
    row(
        "normal_log_prob(x, mean, deviation)",
        "log of the density of the normal distribution.",
        number(),
        number(),
        number(0),
        truth=lambda mp, x, mean, deviation: mp.log(mp.npdf(x, mean, deviation)),
        smooth={"equal": (0.7, 0.7, 1.5)},
    ),
    row(
        "kl_div_loss(x, target, reduction='mean')",
        "Mean of target * (log(target) - x).",
        number(),
        number(0),
        options=[*REDUCTIONS, {"reduction": "batchmean"}],
        truth=lambda mp, x, target: target * (mp.log(target) - x),
        smooth={"target one": (0.0, 1.0)},
    ),
    row(
        "kl_div_of_logs(x, target, reduction='mean')",
        "Mean of exp(target) * (target - x).",
        number(),
        number(),
        options=REDUCTIONS,
        truth=lambda mp, x, target: mp.exp(target) * (target - x),
        smooth={"zero": (0.0, 0.0), "equal": (0.5, 0.5)},
    ),
    row(
        "poisson_nll_loss(x, target, reduction='mean')",
        "Mean of exp(x) - target * x.",
        number(),
        number(),
        options=REDUCTIONS,
        truth=lambda mp, x, target: mp.exp(x) - target * x,
        smooth={"zero": (0.0, 0.0)},
    ),
    row(
        "poisson_nll_loss_of_rates(x, target, eps=1e-08, reduction='mean')",
        "Mean of x - target * log(x + eps).",
        number(0),
        number(),
        options=[{"eps": 0.5}, {}],
        smooth={"zero": (0.0, 1.0), "target zero": (1.0, 0.0)},
        truth=lambda mp, x, target: x - target * mp.log(x + 0.5),
    ),
    row(
        "full_poisson_nll_loss(x, target, reduction='mean')",
        "Mean of exp(x) - target * x, and of Stirling's formula for log(target!) where the target is above 1.",
        array(4),
        near([0.3, 0.6, 2.0, 5.0]),
        options=REDUCTIONS,
        smooth={"target zero": ([0.5, -0.5, 1.0, 1.5], [0.0, 0.5, 2.0, 3.0])},
    ),
    row(
        "gaussian_nll_loss(x, target, var, eps, full=False, reduction='mean')",
        "Mean of (log(v) + (x - target)^2 / v) / 2, v = max(var, eps); `full` adds log(2 pi) / 2.",
        number(),
        number(),
        number(0),
        options=[{"eps": 1e-6}, {"eps": 1e-6, "full": True, "reduction": "sum"}],
        truth=lambda mp, x, target, var: (mp.log(var) + (x - target) ** 2 / var) / 2,
        smooth={"equal": (0.7, 0.7, 1.0)},
    ),
    *OF_MARGINS,
)
