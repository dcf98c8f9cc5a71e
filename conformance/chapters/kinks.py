"""Kinks: the gradient at points where a function has none, and at points that only look so."""

from conformance.behaviour import MUST, behaviour, jax, torch
from conformance.expect import close

KINKS = "Gradients for non-differentiable functions"
FLAT = "Why are gradients zero for functions based on sort order?"


@behaviour(
    MUST,
    torch("notes/autograd", KINKS),
    jax("jax.grad"),
    cases={
        "square": (lambda ad, x: x * x, 3.0, 6.0),
        "softplus": (lambda ad, x: ad.np.softplus(x), 1.0986122886681098, 0.75),
        "rectifier": (lambda ad, x: ad.np.relu(x), 2.0, 1.0),
        "quotient": (lambda ad, x: ad.array(3.0) / x, 2.0, -0.75),
        "reciprocal_root": (lambda ad, x: ad.np.rsqrt(x), 4.0, -0.0625),
        "copied_sign": (lambda ad, x: ad.np.copysign(x, ad.array(-1.0)), 3.0, -1.0),
        "deviation": (lambda ad, x: ad.np.std(ad.np.stack([x, 0 * x])), 2.0, 0.7071067811865476),
        "hardsigmoid": (lambda ad, x: 6 * ad.np.hardsigmoid(x), 1.0, 1.0),
    },
)
def a_smooth_point_has_its_derivative(ad, function, at, slope):
    """Where a function is differentiable its gradient is the derivative, kinks elsewhere or not."""
    close(ad.grad(lambda x: function(ad, x))(ad.array(at)), slope)


@behaviour(
    MUST,
    torch("notes/autograd", KINKS),
    cases={
        "absolute_value": (lambda ad, x: ad.np.abs(x), 0.0),
        "leaky_rectifier": (lambda ad, x: ad.np.leaky_relu(x), 0.01),
    },
)
def a_convex_kink_has_the_smallest_slope(ad, function, slope):
    """Of the slopes on both sides of a convex kink, and those between, the gradient is the one closest to zero."""
    close(ad.grad(lambda x: function(ad, x))(ad.array(0.0)), slope)


@behaviour(
    MUST,
    torch("notes/autograd", KINKS),
    cases={
        "saturation": (lambda ad, x: ad.np.hardtanh(x), 1.0),
        "minus_absolute_value": (lambda ad, x: ad.np.copysign(x, ad.array(-1.0)), 0.0),
    },
)
def a_concave_kink_has_the_smallest_slope(ad, function, at):
    """At a kink of a concave function, too, the gradient is the slope closest to zero: here zero itself."""
    close(ad.grad(lambda x: function(ad, x))(ad.array(at)), 0.0)


@behaviour(MUST, torch("notes/autograd", KINKS), jax("jax.nn.relu"))
def the_rectifier_has_slope_zero_at_zero(ad):
    """The rectifier has the gradient zero at zero, and one above."""
    close(ad.grad(lambda x: ad.np.sum(ad.np.relu(x)))(ad.array([0.0, 2.0])), [0.0, 1.0])


@behaviour(MUST, torch("notes/autograd", KINKS), jax("jax.nn.relu6"))
def relu6_is_flat_at_its_kinks(ad):
    """The rectifier that is cut off at six has the gradient zero at zero and at six."""
    close(ad.grad(lambda x: ad.np.sum(ad.np.relu6(x)))(ad.array([0.0, 3.0, 6.0])), [0.0, 1.0, 0.0])


@behaviour(MUST, torch("notes/autograd", KINKS))
def hardtanh_is_flat_at_its_kinks(ad):
    """The identity that is cut off at -1 and 1 has the gradient zero at both."""
    close(ad.grad(lambda x: ad.np.sum(ad.np.hardtanh(x)))(ad.array([-1.0, 0.5, 1.0])), [0.0, 1.0, 0.0])


@behaviour(MUST, torch("notes/autograd", KINKS))
def hardsigmoid_is_flat_at_its_kinks(ad):
    """The piecewise linear sigmoid has slope zero at its kinks, -3 and 3, which leaves that of the other term, 2 x."""
    gradient = ad.grad(lambda x: ad.np.sum(2 * x + ad.np.hardsigmoid(x)))
    close(gradient(ad.array([-3.0, 3.0])), [2.0, 2.0])


@behaviour(
    MUST,
    torch("notes/autograd", KINKS),
    cases={
        "square_root": (lambda ad, x: ad.np.sqrt(x), float("inf")),
        "reciprocal_root": (lambda ad, x: ad.np.rsqrt(x), float("-inf")),
    },
)
def an_endpoint_has_the_limit_of_the_slope(ad, function, slope):
    """Where the slope grows beyond all bounds towards the end of a domain, the gradient there is infinite."""
    close(ad.grad(lambda x: function(ad, x))(ad.array(0.0)), slope)


@behaviour(
    MUST,
    torch("notes/autograd", KINKS),
    jax("faq", FLAT),
    cases={
        "sign": (lambda ad, x: ad.np.sign(x),),
        "floor": (lambda ad, x: ad.np.floor(x),),
        "ceil": (lambda ad, x: ad.np.ceil(x),),
        "round": (lambda ad, x: ad.np.round(x),),
        "trunc": (lambda ad, x: ad.np.trunc(x),),
    },
)
def a_step_has_slope_zero(ad, function):
    """A function that is constant between its jumps has the gradient zero, at a jump as elsewhere."""
    gradient = ad.grad(lambda x: ad.np.sum(function(ad, x) + 2 * x))
    close(gradient(ad.array([0.0, 0.5, 0.7, 1.0])), [2.0, 2.0, 2.0, 2.0])


@behaviour(MUST, torch("notes/autograd", KINKS), jax("jax.grad"))
def a_clip_passes_the_gradient_inside_only(ad):
    """Clipping to an interval has slope one inside it and zero outside."""
    gradient = ad.grad(lambda x: ad.np.sum(ad.np.clip(x, 0.0, 1.0)))
    close(gradient(ad.array([-1.0, 0.5, 2.0])), [0.0, 1.0, 0.0])


@behaviour(MUST, torch("notes/autograd", KINKS), cases={"lower": (0.0, None), "upper": (None, 0.0)})
def a_bound_has_the_smallest_slope(ad, lowest, highest):
    """Of a number that is bounded on one side, a convex or concave function, the slope at the bound is zero."""
    close(ad.grad(lambda x: ad.np.clip(x, lowest, highest))(ad.array(0.0)), 0.0)


@behaviour(
    MUST,
    torch("torch.clamp"),
    jax("jax.numpy.clip"),
    cases={
        "neither": ((3.0, 1.0, 5.0), (1.0, 0.0, 0.0)),
        "lower": ((0.0, 1.0, 5.0), (0.0, 1.0, 0.0)),
        "upper": ((4.0, 1.0, 2.0), (0.0, 0.0, 1.0)),
        "crossed": ((1.0, 3.0, 2.0), (0.0, 0.0, 1.0)),
    },
)
def an_active_bound_gets_the_gradient(ad, values, slopes):
    """The bound that clips a value gets its gradient, the upper one if they are crossed; else the value itself does."""
    gradients = ad.grad(ad.np.clip, argnums=(0, 1, 2))
    close(gradients(ad.array(values[0]), ad.array(values[1]), ad.array(values[2])), slopes)


@behaviour(
    MUST,
    torch("notes/autograd", KINKS),
    cases={
        "absolute": (lambda ad, x, y: ad.np.l1_loss(x, y),),
        "smooth": (lambda ad, x, y: ad.np.smooth_l1_loss(x, y),),
        "huber": (lambda ad, x, y: ad.np.huber_loss(x, y),),
    },
)
def a_penalty_has_slope_zero_at_equality(ad, penalty):
    """The L1, smooth L1 and Huber losses have slope zero where prediction and target agree, and 1 or -1 far away."""
    gradients = ad.grad(lambda x, y: 2 * penalty(ad, x, y), argnums=(0, 1))
    close(gradients(ad.array([1.0, 5.0]), ad.array([1.0, 2.0])), ([0.0, 1.0], [0.0, -1.0]))


@behaviour(MUST, torch("notes/autograd", KINKS), jax("jax.numpy.sinc"))
def a_removable_singularity_has_its_limit(ad):
    """The function sin(πx) / (πx), which is one at zero, has the gradient zero there, and -1 at one."""
    close(ad.grad(lambda x: ad.np.sum(ad.np.sinc(x)))(ad.array([0.0, 1.0])), [0.0, -1.0])


@behaviour(
    MUST,
    jax("jax.numpy.sinc"),
    cases={
        "second": (lambda ad: ad.grad(ad.grad(ad.np.sinc)), -3.289868133696453),
        "third": (lambda ad: ad.grad(ad.grad(ad.grad(ad.np.sinc))), 0.0),
        "fourth": (lambda ad: ad.grad(ad.grad(ad.grad(ad.grad(ad.np.sinc)))), 19.481818206800487),
    },
)
def sinc_is_smooth_at_zero(ad, derivative, value):
    """The higher derivatives of sin(πx) / (πx) at zero are -π²/3, 0 and π⁴/5."""
    close(derivative(ad)(ad.array(0.0)), value)


@behaviour(
    MUST,
    torch("notes/autograd", KINKS),
    cases={
        "zero": (0.0, 0.0),
        "one": (1.0, 1.0),
        "two": (2.0, 0.0),
        "half": (0.5, float("inf")),
        "minus_one": (-1.0, float("-inf")),
    },
)
def powers_at_zero_have_their_limits(ad, exponent, slope):
    """A power of x has at zero the limit of its slope from above, be it finite or not."""
    close(ad.grad(lambda x: x**exponent)(ad.array(0.0)), slope)


@behaviour(MUST, torch("notes/autograd", KINKS), jax("jax.numpy.power"), jax("jax.grad"))
def the_zeroth_power_is_flat(ad):
    """An integer exponent of zero makes a constant, which has slope zero, at zero too."""
    close(ad.grad(lambda x: ad.np.sum(x**0 + 2 * x))(ad.array([0.0, 3.0])), [2.0, 2.0])


@behaviour(
    MUST,
    torch("notes/autograd", KINKS),
    jax("Custom_derivative_rules", "Enforcing a differentiation convention"),
)
def a_root_at_zero_spoils_the_ratio(ad):
    """At zero x / (1 + √x) has slope one, but its gradient, put together from the root's, is NaN."""
    close(ad.grad(lambda x: x / (1 + ad.np.sqrt(x)))(ad.array(0.0)), float("nan"))
