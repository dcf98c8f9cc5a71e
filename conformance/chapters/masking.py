"""Masking: what a NaN or an infinite derivative reaches, although its value is masked out."""

from conformance.behaviour import MAY, MUST, behaviour, jax, torch
from conformance.expect import close

KINKS = "Gradients for non-differentiable functions"
ZERO = "Division by Zero in Autograd"
WHERE = "Gradients contain NaN where using where"


@behaviour(
    MAY,
    torch("notes/autograd", ZERO),
    jax("faq", WHERE),
    cases={
        "index": (lambda ad, quotient, mask: quotient[mask],),
        "where": (lambda ad, quotient, mask: ad.np.where(mask, quotient, ad.array([0.0, 0.0])),),
    },
    aliases=("division by zero nan gradient",),
)
def a_mask_after_a_division_by_zero_may_leave_nan(ad, keep):
    """If x / 0 is masked out after the division, the gradient of x there is NaN (0 times infinity) or 0."""
    divisor, mask = ad.array([0.0, 2.0]), ad.array([False, True])
    gradient = ad.grad(lambda x: ad.np.sum(keep(ad, x / divisor, mask)))(ad.array([1.0, 1.0]))
    close(ad.np.where(ad.np.isnan(gradient), ad.array([0.0, 7.0]), gradient), [0.0, 0.5])


@behaviour(
    MUST,
    torch("notes/autograd", ZERO),
    jax("faq", WHERE),
    cases={
        "index": (lambda ad, x, mask: x[mask],),
        "where": (lambda ad, x, mask: ad.np.where(mask, x, ad.array([1.0, 1.0])),),
    },
    aliases=("safe divide",),
)
def a_mask_before_the_division_leaves_no_nan(ad, keep):
    """If zeros in a divisor are masked out before the division, their gradient is 0, not NaN."""
    mask = ad.array([False, True])
    gradient = ad.grad(lambda d: ad.np.sum(1 / keep(ad, d, mask)))
    close(gradient(ad.array([0.0, 2.0])), [0.0, -0.25])


@behaviour(
    MAY,
    torch("notes/autograd", ZERO),
    jax("faq", WHERE),
    jax("jax.numpy.where"),
    cases={
        "root": (lambda ad, x: ad.np.where(x > 0, ad.np.sqrt(x), ad.array([0.0, 0.0])), [0.0, 4.0], [0.0, 0.25]),
        "overflow": (lambda ad, x: ad.np.where(x < 1, ad.np.exp(x), ad.array([1.0, 1.0])), [1000.0, 0.0], [0.0, 1.0]),
    },
    aliases=("where nan gradient",),
)
def where_differentiates_both_branches(ad, program, at, expected):
    """The gradient of where may be NaN (0 times infinity) if the branch that is not selected has an infinite
    derivative."""
    gradient = ad.grad(lambda x: ad.np.sum(program(ad, x)))(ad.array(at))
    close(ad.np.where(ad.np.isnan(gradient), ad.array([0.0, 7.0]), gradient), expected)


@behaviour(MUST, torch("notes/autograd", KINKS), jax("faq", WHERE), aliases=("double where trick",))
def a_double_where_leaves_no_nan(ad):
    """A double where, where(c, sqrt(where(c, x, 1)), 0) with c = x > 0, keeps NaN out of the gradient."""
    zero, one = ad.array([0.0, 0.0]), ad.array([1.0, 1.0])
    gradient = ad.grad(lambda x: ad.np.sum(ad.np.where(x > 0, ad.np.sqrt(ad.np.where(x > 0, x, one)), zero)))
    close(gradient(ad.array([-1.0, 4.0])), [0.0, 0.25])


@behaviour(MAY, torch("notes/autograd", ZERO), aliases=("masked loss nan",))
def a_product_with_a_mask_may_keep_a_nan(ad):
    """Multiplying by a mask of zeros and ones may leave NaN in the gradient: 0 times an infinite derivative."""
    gradient = ad.grad(lambda x: ad.np.sum(ad.np.sqrt(x) * ad.array([0.0, 1.0])))(ad.array([0.0, 4.0]))
    close(ad.np.where(ad.np.isnan(gradient), ad.array([0.0, 7.0]), gradient), [0.0, 0.25])


@behaviour(MUST, torch("notes/autograd", KINKS), jax("jax.grad"))
def where_gives_its_gradient_to_the_selected_elements(ad):
    """The gradient of where(c, x, y) goes to x where c is true and to y where it is false; none flows through c."""
    weights = ad.array([3.0, 5.0])
    gradients = ad.grad(lambda x, y: ad.np.sum(weights * ad.np.where(x > 1, x, y)), argnums=(0, 1))
    close(gradients(ad.array([2.0, 0.0]), ad.array([7.0, 7.0])), ([3.0, 0.0], [0.0, 5.0]))


@behaviour(MAY, torch("torch.nan_to_num"), jax("jax.numpy.nan_to_num"), aliases=("replace nan gradient",))
def nan_to_num_has_gradient_zero_where_it_replaces(ad):
    """The gradient of nan_to_num is 0 in elements that are NaN or infinite, which it replaces, and 1 in the others."""
    gradient = ad.grad(lambda x: 3 * ad.np.sum(ad.np.nan_to_num(x)))
    close(gradient(ad.array([float("nan"), 1.0, float("inf"), float("-inf")])), [0.0, 3.0, 0.0, 0.0])


@behaviour(MUST, torch("torch.Tensor.detach"), jax("jax.lax.stop_gradient"))
def a_stop_before_an_infinite_derivative_leaves_no_nan(ad):
    """A function whose derivative is infinite, applied to stop_gradient(x) (detach), causes no NaN in the gradient by
    x: log(stop_gradient(x)) + 3x has the gradient 3 at 0."""
    close(ad.grad(lambda x: ad.np.log(ad.detach(x)) + 3 * x)(ad.array(0.0)), 3.0)


@behaviour(
    MAY,
    torch("notes/autograd", KINKS),
    cases={
        "root": (lambda ad, x: ad.np.sqrt(x), -1.0, 0.25),
        "logarithm": (lambda ad, x: ad.np.log(x), -1.0, 0.25),
        "rectifier": (lambda ad, x: ad.np.relu(x), float("nan"), 1.0),
        "absolute_value": (lambda ad, x: ad.np.abs(x), float("nan"), 1.0),
        "saturation": (lambda ad, x: ad.np.clip(x, 0.0, 9.0), float("nan"), 1.0),
    },
    aliases=("gradient of nan input",),
)
def an_element_without_a_value_leaves_the_other_gradients_alone(ad, function, outside, slope):
    """Where an elementary operation is not defined, as sqrt and log at -1 and most at NaN, an error may be raised;
    otherwise its gradient there is arbitrary, and is the derivative in the other elements."""
    gradient = ad.grad(lambda x: ad.np.sum(function(ad, x)))(ad.array([outside, 4.0]))
    close(gradient[1], slope)


@behaviour(
    MUST,
    torch("notes/autograd", KINKS, since="2.14"),
    cases={
        "product": (lambda ad, x: 3 * x, [float("nan"), 30.0]),
        "rectifier": (lambda ad, x: ad.np.relu(x), [float("nan"), 10.0]),
        "root": (lambda ad, x: ad.np.sqrt(x), [float("nan"), 2.5]),
    },
    aliases=("nan gradient propagates",),
)
def a_nan_cotangent_is_propagated(ad, function, expected):
    """A NaN in the cotangent makes the gradient NaN in the elements that it flows to, and in no others."""
    _, pullback = ad.vjp(lambda x: function(ad, x), ad.array([1.0, 4.0]))
    close(pullback(ad.array([float("nan"), 10.0]))[0], expected)


@behaviour(
    MUST,
    torch("notes/autograd", KINKS, since="2.14"),
    cases={
        "rectifier": (lambda ad, x: ad.np.relu(x), [-1.0, 4.0]),
        "saturation": (lambda ad, x: ad.np.hardtanh(x), [5.0, 0.5]),
        "clip": (lambda ad, x: ad.np.clip(x, 0.0, 5.0), [-1.0, 4.0]),
        "where": (lambda ad, x: ad.np.where(x > 0, x, ad.array([0.0, 0.0])), [-1.0, 4.0]),
        "step": (lambda ad, x: ad.np.stack([ad.np.floor(x[0]), x[1]]), [0.5, 4.0]),
    },
    aliases=("nan times zero gradient",),
)
def a_nan_cotangent_does_not_reach_an_inactive_element(ad, function, at):
    """A NaN in the cotangent does not reach an element that is inactive in an operation (relu at -1, hardtanh and clip
    beyond a limit, the branch of where that is not selected, floor): its gradient is 0."""
    _, pullback = ad.vjp(lambda x: function(ad, x), ad.array(at))
    close(pullback(ad.array([float("nan"), 10.0]))[0], [0.0, 10.0])
