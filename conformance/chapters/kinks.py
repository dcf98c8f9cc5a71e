"""Kinks: the gradient at points where a function is not differentiable, and at points that only look so."""

from conformance.behaviour import MAY, MUST, behaviour, jax, torch
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
    aliases=("non-differentiable functions",),
)
def a_differentiable_point_has_its_derivative(ad, function, at, slope):
    """Where an elementary operation is differentiable, its gradient is the derivative, also if the operation has kinks
    elsewhere."""
    close(ad.grad(lambda x: function(ad, x))(ad.array(at)), slope)


@behaviour(
    MUST,
    torch("notes/autograd", KINKS),
    cases={
        "absolute_value": (lambda ad, x: ad.np.abs(x), 0.0),
        "leaky_rectifier": (lambda ad, x: ad.np.leaky_relu(x), 0.01),
        "shrinkage": (lambda ad, x: ad.np.softshrink(x + 0.5), 0.0),
    },
    aliases=("subgradient", "gradient of abs at zero"),
)
def a_convex_kink_has_the_subgradient_of_minimum_norm(ad, function, slope):
    """At a convex kink of an elementary operation the gradient is the subgradient of minimum norm: 0 for abs at 0 and
    softshrink at its threshold 0.5, and 0.01 for leaky_relu of slope 0.01 at 0."""
    close(ad.grad(lambda x: function(ad, x))(ad.array(0.0)), slope)


@behaviour(
    MUST,
    torch("notes/autograd", KINKS),
    cases={
        "copied_sign": (lambda ad, x: ad.np.copysign(x, ad.array(-1.0)),),
        "shrinkage": (lambda ad, x: ad.np.softshrink(x - 0.5),),
    },
)
def a_concave_kink_has_the_supergradient_of_minimum_norm(ad, function):
    """At a concave kink of an elementary operation the gradient is the supergradient of minimum norm: 0 for copysign(x,
    -1) = -|x| at 0, and for softshrink at its threshold -0.5."""
    close(ad.grad(lambda x: function(ad, x))(ad.array(0.0)), 0.0)


@behaviour(
    MUST,
    torch("notes/autograd", KINKS),
    torch("torch.autograd.forward_ad.make_dual"),
    cases={
        "absolute_value": (lambda ad, x: ad.np.abs(x), 0.0, 0.0),
        "rectifier": (lambda ad, x: ad.np.relu(x), 0.0, 0.0),
        "leaky_rectifier": (lambda ad, x: ad.np.leaky_relu(x), 0.0, 0.02),
        "saturation": (lambda ad, x: ad.np.hardtanh(x), 1.0, 0.0),
        "square_root": (lambda ad, x: ad.np.sqrt(x), 0.0, float("inf")),
    },
)
def the_jvp_at_a_kink_uses_the_slope_of_the_gradient(ad, function, at, tangent):
    """The JVP at a kink of an elementary operation multiplies the tangent by the same derivative that the gradient
    uses: 0 for relu and infinity for sqrt, both at 0."""
    close(ad.jvp(lambda x: function(ad, x), (ad.array(at),), (ad.array(2.0),))[1], tangent)


@behaviour(MUST, torch("notes/autograd", KINKS), jax("jax.nn.relu"), jax("jax.grad"), aliases=("relu at zero",))
def relu_has_gradient_zero_at_zero(ad):
    """The gradient of relu at 0 is 0, its subgradient of minimum norm, and 1 at positive inputs."""
    close(ad.grad(lambda x: 3 * ad.np.sum(ad.np.relu(x)))(ad.array([0.0, 2.0])), [0.0, 3.0])


@behaviour(MUST, torch("notes/autograd", KINKS), jax("jax.nn.relu6"), jax("jax.grad"))
def relu6_has_gradient_zero_at_its_kinks(ad):
    """The gradient of relu6 is 0 at its kinks 0 and 6, and 1 between them."""
    close(ad.grad(lambda x: 3 * ad.np.sum(ad.np.relu6(x)))(ad.array([0.0, 2.0, 6.0])), [0.0, 3.0, 0.0])


@behaviour(MUST, torch("notes/autograd", KINKS))
def hardtanh_has_gradient_zero_at_its_kinks(ad):
    """The gradient of hardtanh with its default bounds is 0 at its kinks -1 and 1, and 1 between them."""
    close(ad.grad(lambda x: 3 * ad.np.sum(ad.np.hardtanh(x)))(ad.array([-1.0, 0.5, 1.0])), [0.0, 3.0, 0.0])


@behaviour(MUST, torch("notes/autograd", KINKS))
def hardsigmoid_has_gradient_zero_at_its_kinks(ad):
    """The gradient of hardsigmoid is 0 at its kinks -3 and 3."""
    gradient = ad.grad(lambda x: ad.np.sum(2 * x + ad.np.hardsigmoid(x)))
    close(gradient(ad.array([-3.0, 3.0])), [2.0, 2.0])


@behaviour(MUST, torch("notes/autograd", KINKS), aliases=("sqrt gradient inf nan at zero",))
def the_gradient_of_sqrt_at_zero_is_infinite(ad):
    """The gradient of sqrt at 0, the end of its domain, is the limit of the derivative: infinity."""
    close(ad.grad(ad.np.sqrt)(ad.array(0.0)), float("inf"))


@behaviour(
    MUST,
    torch("notes/autograd", KINKS),
    cases={
        "asin": (lambda ad, x: ad.np.asin(x), 1.0, float("inf")),
        "acos": (lambda ad, x: ad.np.acos(x), -1.0, float("-inf")),
        "acosh": (lambda ad, x: ad.np.acosh(x), 1.0, float("inf")),
        "entr": (lambda ad, x: ad.np.entr(x), 0.0, float("inf")),
    },
)
def the_gradient_at_the_end_of_a_domain_is_the_limit_of_the_derivative(ad, function, end, slope):
    """The gradient at the end of a domain that includes it is the limit of the derivative if that is infinite: for entr
    at 0, asin and acosh at 1, and acos at -1."""
    gradient = ad.grad(lambda x: ad.np.sum(function(ad, x)))(ad.np.stack([ad.array(end), ad.array(end)]))
    close(gradient, [slope, slope])


@behaviour(MAY, torch("notes/autograd", KINKS), aliases=("gradient of log at zero",))
def the_gradient_of_log_at_zero_is_infinite(ad):
    """The gradient of log at 0, where its value is minus infinity, is the limit of the derivative: infinity."""
    close(ad.grad(lambda x: 3 * ad.np.sum(ad.np.log(x)))(ad.array([0.0, 2.0])), [float("inf"), 1.5])


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
    aliases=("gradient of round is zero",),
)
def a_step_function_has_gradient_zero(ad, function):
    """The gradient of a step function (sign, floor, ceil, round, trunc) is 0, between its jumps and at them."""
    gradient = ad.grad(lambda x: ad.np.sum(function(ad, x) + 2 * x))
    close(gradient(ad.array([0.0, 0.5, 0.7, 1.0])), [2.0, 2.0, 2.0, 2.0])


@behaviour(MUST, torch("notes/autograd", KINKS), aliases=("gradient of frac, fmod 1",))
def the_fractional_part_has_gradient_one(ad):
    """The gradient of frac, x - trunc(x), is 1, also at its jumps, where both one-sided limits of it are 1."""
    gradient = ad.grad(lambda x: 3 * ad.np.sum(ad.np.frac(x)))
    close(gradient(ad.array([-1.0, 0.0, 0.5, 1.0])), [3.0, 3.0, 3.0, 3.0])


@behaviour(MUST, torch("notes/autograd", KINKS))
def prelu_at_zero_has_gradient_zero_by_its_weight(ad):
    """The gradient of prelu by its weight is 0 at the input 0, and the input where that is negative."""
    gradient = ad.grad(lambda weight, x: 3 * ad.np.sum(ad.np.prelu(x, weight)))
    close(gradient(ad.array([0.25]), ad.array([[0.0], [0.0]])), [0.0])
    close(gradient(ad.array([0.25]), ad.array([[0.0], [-2.0]])), [-6.0])


@behaviour(MUST, torch("notes/autograd", KINKS), jax("jax.grad"), aliases=("clamp gradient",))
def clip_passes_the_gradient_inside_its_bounds_only(ad):
    """The gradient of clip (clamp) is 1 inside the interval and 0 outside it."""
    gradient = ad.grad(lambda x: 3 * ad.np.sum(ad.np.clip(x, 0.0, 1.0)))
    close(gradient(ad.array([-1.0, 0.5, 2.0])), [0.0, 3.0, 0.0])


@behaviour(
    MUST,
    torch("notes/autograd", KINKS),
    cases={"lower": (0.0, None), "upper": (None, 0.0)},
    aliases=("clamp gradient at boundary",),
)
def clip_has_gradient_zero_at_a_bound(ad, lowest, highest):
    """The gradient of clip (clamp) is 0 where the input equals a scalar bound: the subgradient (at an upper bound the
    supergradient) of minimum norm."""
    close(ad.grad(lambda x: ad.np.clip(x, lowest, highest))(ad.array(0.0)), 0.0)


@behaviour(
    MUST,
    torch("notes/autograd", KINKS),
    cases={
        "lower": (lambda ad, x, bound: ad.np.clip(x, bound, None), (3.0, 0.0), (0.0, 3.0)),
        "upper": (lambda ad, x, bound: ad.np.clip(x, None, bound), (0.0, 3.0), (3.0, 0.0)),
    },
)
def clip_shares_its_gradient_with_an_equal_bound(ad, clipped, above, below):
    """The gradient of clip (clamp) goes to the input or a bound that is an array, whichever is taken, half to each if
    they are equal: the subgradient (at an upper bound the supergradient) of minimum norm of a function of both."""
    gradients = ad.grad(lambda x, bound: 3 * clipped(ad, x, bound), argnums=(0, 1))
    close(gradients(ad.array(2.0), ad.array(2.0)), (1.5, 1.5))
    close((gradients(ad.array(5.0), ad.array(2.0)), gradients(ad.array(1.0), ad.array(2.0))), (above, below))


@behaviour(
    MUST,
    torch("notes/autograd", KINKS),
    torch("torch.clamp"),
    jax("jax.grad"),
    jax("jax.numpy.clip"),
    cases={
        "neither": ((3.0, 1.0, 5.0), (1.0, 0.0, 0.0)),
        "lower": ((0.0, 1.0, 5.0), (0.0, 1.0, 0.0)),
        "upper": ((4.0, 1.0, 2.0), (0.0, 0.0, 1.0)),
        "crossed": ((1.0, 3.0, 2.0), (0.0, 0.0, 1.0)),
    },
)
def the_active_bound_of_clip_gets_the_gradient(ad, values, slopes):
    """The gradient of clip (clamp) goes to the input strictly between the bounds, and to the bound that is exceeded
    outside them; if min > max, it goes to max."""
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
def l1_losses_have_gradient_zero_at_equality(ad, penalty):
    """The gradient of the L1, smooth L1 and Huber loss of an element (beta and delta 1, the default) is 0 where input
    and target are equal, and 1 or -1 where they differ by more than 1."""
    gradients = ad.grad(lambda x, y: 2 * penalty(ad, x, y), argnums=(0, 1))
    close(gradients(ad.array([1.0, 5.0]), ad.array([1.0, 2.0])), ([0.0, 1.0], [0.0, -1.0]))


@behaviour(MUST, torch("notes/autograd", KINKS), jax("jax.numpy.sinc"))
def sinc_has_gradient_zero_at_zero(ad):
    """The gradient of sinc, sin(πx) / (πx), at its removable singularity 0 is 0, the limit of its derivative."""
    close(ad.grad(lambda x: 3 * ad.np.sum(ad.np.sinc(x)))(ad.array([0.0, 1.0])), [0.0, -3.0])


@behaviour(
    MUST,
    torch("notes/autograd", KINKS),
    jax("jax.numpy.sinc"),
    cases={
        "second": (lambda ad: ad.grad(ad.grad(ad.np.sinc)), -3.289868133696453),
        "third": (lambda ad: ad.grad(ad.grad(ad.grad(ad.np.sinc))), 0.0),
        "fourth": (lambda ad: ad.grad(ad.grad(ad.grad(ad.grad(ad.np.sinc)))), 19.481818206800487),
    },
    aliases=("sinc nan second derivative",),
)
def higher_derivatives_of_sinc_at_zero(ad, derivative, value):
    """At 0 the second, third and fourth derivatives of sinc, sin(πx) / (πx), are -π²/3, 0 and π⁴/5."""
    close(derivative(ad)(ad.array(0.0)), value)


@behaviour(
    MUST,
    torch("notes/autograd", KINKS),
    cases={
        "zero": (0.0, 0.0),
        "one": (1.0, 1.0),
        "two": (2.0, 0.0),
        "half": (0.5, float("inf")),
    },
    aliases=("pow nan gradient zero",),
)
def the_gradient_of_a_power_at_zero(ad, exponent, slope):
    """The gradient of x**p at 0 is the limit of its derivative from above: 0 if p is 0 or 2, 1 if p is 1, infinity if p
    is 1/2."""
    close(ad.grad(lambda x: x**exponent)(ad.array(0.0)), slope)


@behaviour(
    MUST,
    torch("notes/autograd", KINKS),
    jax("jax.grad"),
    cases={"number": (lambda ad: 0,), "array": (lambda ad: ad.array([0, 0, 0]),)},
)
def the_zeroth_power_has_gradient_zero(ad, exponent):
    """The gradient of x**0, with an integer exponent, is 0 everywhere, also at 0."""
    close(ad.grad(lambda x: ad.np.sum(x ** exponent(ad) + 2 * x))(ad.array([-3.0, 0.0, 3.0])), [2.0, 2.0, 2.0])


@behaviour(MUST, torch("notes/autograd", KINKS), jax("jax.grad"))
def a_power_of_zero_has_gradient_zero_by_its_exponent(ad):
    """The gradient of 0**p by a positive exponent p is 0, not NaN; that of 2**p at p = 1 is 2 log(2)."""
    gradient = ad.grad(lambda p: ad.np.sum(ad.array([0.0, 0.0, 2.0]) ** p))
    close(gradient(ad.array([2.0, 0.5, 1.0])), [0.0, 0.0, 1.3862943611198906])


@behaviour(MAY, jax("Custom_derivative_rules", "Enforcing a differentiation convention"))
def a_ratio_with_sqrt_at_zero_has_a_nan_gradient(ad):
    """The gradient of x / (1 + √x) at 0, whose derivative is 1, may be NaN, from 0 times infinity in the chain rule."""
    gradient = ad.grad(lambda x: ad.np.sum(x / (1 + ad.np.sqrt(x))))(ad.array([0.0, 4.0]))
    close(ad.np.where(ad.np.isnan(gradient), ad.array([1.0, 7.0]), gradient), [1.0, 2 / 9])
