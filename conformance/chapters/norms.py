"""Norms: the gradient of norms, distances and deviations where they are zero."""

from conformance.behaviour import MAY, MUST, behaviour, torch
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
    aliases=("norm nan gradient at zero",),
)
def a_norm_has_gradient_zero_at_zero(ad, norm):
    """The gradient of a vector norm of order 2 or 3, or of the Frobenius norm, at an array of zeros is zero, its
    subgradient of minimum norm."""
    gradient = ad.grad(lambda x: norm(ad, x[:1]) + 3 * norm(ad, x[1:]))
    close(gradient(ad.array([[0.0, 0.0], [0.0, -2.0]])), [[0.0, 0.0], [0.0, -3.0]])


@behaviour(MUST, torch("notes/autograd", KINKS))
def a_one_norm_has_gradient_zero_in_zero_elements(ad):
    """The gradient of the 1-norm is 0 in elements that are 0, and the sign of the element in the others."""
    close(ad.grad(lambda x: 3 * ad.np.norm(x, 1))(ad.array([0.0, -2.0])), [0.0, -3.0])


@behaviour(
    MUST,
    torch("notes/autograd", KINKS),
    cases={
        "greatest": (float("inf"), [2.0, -2.0, 1.0]),
        "least": (float("-inf"), [2.0, -2.0, 3.0]),
    },
)
def an_infinity_norm_splits_its_gradient_among_ties(ad, order, values):
    """The gradient of the norm of order inf or -inf is split evenly among the elements of tied absolute value, each
    with its sign."""
    close(ad.grad(lambda x: 3 * ad.np.norm(x, order))(ad.array(values)), [1.5, -1.5, 0.0])


@behaviour(
    MUST,
    torch("notes/autograd", KINKS),
    cases={
        "two_points": (
            lambda ad, x: ad.np.dist(x[0], x[1]) + ad.np.dist(x[1], x[2]),
            [[0.0, 0.0], [-3.0, -4.0], [3.0, 4.0]],
        ),
        "across": (lambda ad, x: ad.np.sum(ad.np.cdist(x, x[:1])), [[-3.0, -4.0], [0.0, 0.0], [3.0, 4.0]]),
        "among": (lambda ad, x: ad.np.sum(ad.np.pdist(x)), [[-3.0, -4.0], [-3.0, -4.0], [6.0, 8.0]]),
    },
    aliases=("cdist nan gradient",),
)
def a_distance_of_equal_points_has_gradient_zero(ad, distance, gradient):
    """The gradient of the Euclidean distance of two equal points (dist, cdist, pdist) is zero, not NaN."""
    close(ad.grad(lambda x: 5 * distance(ad, x))(ad.array([[1.0, 2.0], [1.0, 2.0], [4.0, 6.0]])), gradient)


@behaviour(MUST, torch("notes/autograd", KINKS), aliases=("std nan gradient",))
def a_deviation_of_equal_elements_has_gradient_zero(ad):
    """The gradient of the standard deviation of equal elements is zero, not NaN."""
    gradient = ad.grad(lambda x: ad.np.std(x[:3]) + 4 * ad.np.std(x[3:]))
    close(gradient(ad.array([2.0, 2.0, 2.0, 1.0, 2.0, 3.0])), [0.0, 0.0, 0.0, -2.0, 0.0, 2.0])


@behaviour(
    MAY,
    torch("notes/autograd", KINKS),
    cases={
        "one": (lambda ad, x: ad.np.sqrt(x[0] * x[0]), [[0.0, 1.0], [0.0, 0.0]]),
        "two": (lambda ad, x: ad.np.sqrt(x[0] * x[0] + x[1] * x[1]), [[0.0, 0.6], [0.0, 0.8]]),
    },
    aliases=("nan gradient of sqrt of sum of squares",),
)
def a_root_of_squares_at_zero_may_have_a_nan_gradient(ad, norm, expected):
    """The gradient at 0 of a norm written out as sqrt(x² + y²) is NaN (0 times infinity) or 0."""
    gradient = ad.grad(lambda x: ad.np.sum(norm(ad, x)))(ad.array([[0.0, 3.0], [0.0, 4.0]]))
    close(ad.np.where(ad.np.isnan(gradient), ad.array([[0.0, 7.0], [0.0, 7.0]]), gradient), expected)


@behaviour(MUST, torch("torch.nn.LPPool1d"))
def power_average_pooling_has_gradient_zero_at_zero(ad):
    """The gradient of power-average pooling (LPPool1d) is zero in a window of zeros, not NaN."""
    gradient = ad.grad(lambda x: 5 * ad.np.sum(ad.np.lp_pool1d(x, 2, 2)))
    close(gradient(ad.array([[0.0, 0.0, 3.0, 4.0]])), [[0.0, 0.0, 3.0, 4.0]])


@behaviour(MUST, torch("notes/autograd", KINKS), aliases=("hypot nan gradient",))
def hypot_has_gradient_zero_at_the_origin(ad):
    """The gradient of hypot, √(x² + y²), at (0, 0) is (0, 0), its subgradient of minimum norm, not NaN."""
    gradients = ad.grad(lambda x, y: 5 * ad.np.sum(ad.np.hypot(x, y)), argnums=(0, 1))
    close(gradients(ad.array([0.0, 3.0]), ad.array([0.0, 4.0])), ([0.0, 3.0], [0.0, 4.0]))


@behaviour(
    MAY,
    torch("notes/autograd", KINKS),
    cases={
        "nuclear_of_zeros": (lambda ad, x: ad.np.nuclear_norm(x), [[0.0, 0.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 0.0]]),
        "nuclear_of_rank_one": (
            lambda ad, x: ad.np.nuclear_norm(x),
            [[-2.0, 0.0], [0.0, 0.0]],
            [[-3.0, 0.0], [0.0, 0.0]],
        ),
        "spectral_of_zeros": (lambda ad, x: ad.np.spectral_norm(x), [[0.0, 0.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 0.0]]),
        "spectral_of_equal": (
            lambda ad, x: ad.np.spectral_norm(x),
            [[-2.0, 0.0], [0.0, 2.0]],
            [[-1.5, 0.0], [0.0, 1.5]],
        ),
    },
    aliases=("nuclear norm gradient at zero",),
)
def a_norm_of_singular_values_has_the_subgradient_of_minimum_norm(ad, norm, matrix, expected):
    """The gradient is the subgradient of minimum norm: of the nuclear norm, zero on the null space of its matrix; of
    the spectral norm, zero at a matrix of zeros, and shared evenly by equal singular values."""
    close(ad.grad(lambda x: 3 * norm(ad, x))(ad.array(matrix)), expected)
