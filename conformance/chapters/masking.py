"""Masking: a value that is masked out may still make the gradient NaN."""

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
    """No NaN comes from an infinite derivative behind a stop_gradient (detach): log(stop_gradient(x)) + 3x has gradient
    3 at 0."""
    close(ad.grad(lambda x: ad.np.log(ad.detach(x)) + 3 * x)(ad.array(0.0)), 3.0)
