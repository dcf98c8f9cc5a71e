"""Norms: the length of a vector has a kink at zero, and so has everything made of lengths."""

from conformance.behaviour import MUST, behaviour, torch
from conformance.expect import close

KINKS = "Gradients for non-differentiable functions"


@behaviour(
    MUST,
    torch("notes/autograd", KINKS),
    cases={
        "two": (lambda ad, x: ad.np.norm(x, 2),),
        "three": (lambda ad, x: ad.np.norm(x, 3),),
        "frobenius": (lambda ad, x: ad.np.matrix_norm(x),),
    },
)
def a_norm_is_flat_at_zero(ad, norm):
    """The norm of zeros has the gradient zero, the smallest of its subgradients."""
    close(ad.grad(lambda x: norm(ad, x))(ad.array([[0.0, 0.0], [0.0, 0.0]])), [[0.0, 0.0], [0.0, 0.0]])


@behaviour(MUST, torch("notes/autograd", KINKS))
def a_one_norm_is_flat_in_zero_components(ad):
    """The sum of absolute values has the gradient zero in components that are zero, a sign in the others."""
    close(ad.grad(lambda x: ad.np.norm(x, 1))(ad.array([0.0, -2.0])), [0.0, -1.0])


@behaviour(
    MUST,
    torch("notes/autograd", KINKS),
    cases={
        "greatest": (float("inf"), [2.0, -2.0, 1.0]),
        "least": (float("-inf"), [2.0, -2.0, 3.0]),
    },
)
def an_infinity_norm_splits_among_ties(ad, order, values):
    """The greatest or least absolute value shares its gradient among the components that have it, with their signs."""
    close(ad.grad(lambda x: ad.np.norm(x, order))(ad.array(values)), [0.5, -0.5, 0.0])


@behaviour(
    MUST,
    torch("notes/autograd", KINKS),
    cases={
        "two_points": (
            lambda ad, x: ad.np.dist(x[0], x[1]) + ad.np.dist(x[1], x[2]),
            [[0.0, 0.0], [-0.6, -0.8], [0.6, 0.8]],
        ),
        "across": (lambda ad, x: ad.np.sum(ad.np.cdist(x, x[:1])), [[-0.6, -0.8], [0.0, 0.0], [0.6, 0.8]]),
        "among": (lambda ad, x: ad.np.sum(ad.np.pdist(x)), [[-0.6, -0.8], [-0.6, -0.8], [1.2, 1.6]]),
    },
)
def a_distance_of_equal_points_is_flat(ad, distance, gradient):
    """The distance of two points that coincide has the gradient zero; that to a third point has the direction."""
    close(ad.grad(lambda x: distance(ad, x))(ad.array([[1.0, 2.0], [1.0, 2.0], [4.0, 6.0]])), gradient)


@behaviour(MUST, torch("notes/autograd", KINKS))
def a_deviation_of_constant_data_is_flat(ad):
    """The standard deviation of equal numbers has the gradient zero."""
    close(ad.grad(ad.np.std)(ad.array([2.0, 2.0, 2.0])), [0.0, 0.0, 0.0])


@behaviour(
    MUST,
    torch("notes/autograd", KINKS),
    cases={
        "one": (lambda ad, x: ad.np.sqrt(x[0] * x[0]), [float("nan"), 0.0]),
        "two": (lambda ad, x: ad.np.sqrt(x[0] * x[0] + x[1] * x[1]), [float("nan"), float("nan")]),
    },
)
def a_norm_written_out_has_no_gradient_at_zero(ad, norm, gradient):
    """A norm written as a root of squares has the gradient NaN at zero: an infinite slope times zero."""
    close(ad.grad(lambda x: norm(ad, x))(ad.array([0.0, 0.0])), gradient)


@behaviour(MUST, torch("torch.nn.LPPool1d"))
def a_power_average_is_flat_at_zero(ad):
    """Pooling by a norm has the gradient zero where the norm is zero, the direction where it is not."""
    gradient = ad.grad(lambda x: ad.np.sum(ad.np.lp_pool1d(x, 2, 2)))
    close(gradient(ad.array([[0.0, 0.0, 3.0, 4.0]])), [[0.0, 0.0, 0.6, 0.8]])
