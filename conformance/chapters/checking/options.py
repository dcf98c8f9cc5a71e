"""Checking: the options of gradcheck and gradgradcheck, and where they fail for a correct gradient."""

from conformance.behaviour import MAY, MUST, behaviour, jax, torch
from conformance.expect import equal, raises

FIRST = "torch.autograd.gradcheck.gradcheck"
SECOND = "torch.autograd.gradcheck.gradgradcheck"
IN_JAX = "jax.test_util.check_grads"


def _check_jvp(ad, factor):
    ad.check_jvp(_cube, lambda xs, ts: (xs[0] ** 3, factor * xs[0] ** 2 * ts[0]), ad.array([1.0, 2.0]))


def _check_vjp(ad, factor):
    ad.check_vjp(_cube, lambda x: (x**3, lambda g: (factor * x**2 * g,)), ad.array([1.0, 2.0]))


def _cube(x):
    return x**3


@behaviour(
    MUST,
    jax("jax.test_util.check_jvp", raises=AssertionError),
    jax("jax.test_util.check_vjp", raises=AssertionError),
    cases={"check_jvp": (_check_jvp,), "check_vjp": (_check_vjp,)},
)
def a_wrong_product_fails_check_jvp_and_check_vjp(ad, check):
    """check_jvp and check_vjp accept a function that computes the JVP or the VJP of x³, and raise AssertionError for
    one with a wrong factor."""
    equal(check(ad, 3.0), None)
    raises(lambda: check(ad, 2.0))


@behaviour(
    MUST,
    jax(IN_JAX),
    jax("jax.custom_vjp", raises=Exception, says="forward-mode"),
    cases={"forward": (("fwd",),), "forward_first": (("fwd", "rev"),), "forward_last": (("rev", "fwd"),)},
    was=("checking.check_grads_checks_the_chosen_modes",),
)
def check_grads_checks_forward_mode_if_chosen(ad, with_forward):
    """check_grads checks forward mode only if "fwd" is in `modes`: for a `custom_vjp` function, which has no forward
    mode, it accepts "rev" alone, and raises an error if "fwd" is among them."""
    square = ad.custom_vjp(lambda x: (x * x, (x,)), lambda saved, g: (2 * saved[0] * g,), primal=lambda x: x * x)
    equal(ad.check_gradients(square, ad.array(3.0), modes=("rev",)), True)
    raises(lambda: ad.check_gradients(square, ad.array(3.0), modes=with_forward))


@behaviour(
    MUST,
    jax(IN_JAX),
    jax("jax.lax.while_loop", raises=Exception, says="reverse-mode"),
    cases={"reverse": (("rev",),), "reverse_first": (("rev", "fwd"),), "reverse_last": (("fwd", "rev"),)},
)
def check_grads_checks_reverse_mode_if_chosen(ad, with_reverse):
    """check_grads checks reverse mode only if "rev" is in `modes`: for a loop that ends by its condition, it
    accepts "fwd" alone, and raises an error if "rev" is among them."""

    def program(x):
        return ad.while_loop(lambda x: x < 10, lambda x: x * x, x)

    equal(ad.check_gradients(program, ad.array(2.0), modes=("fwd",)), True)
    raises(lambda: ad.check_gradients(program, ad.array(2.0), modes=with_reverse))


def _square_with_rules(ad, backward, forward):
    """x², with rules that multiply 2x by these factors, functions of the cotangent and of the tangent."""

    def setup_context(ctx, inputs, output):
        ad.save_for_backward_(ctx, *inputs)
        ad.save_for_forward_(ctx, *inputs)

    def backward_rule(ctx, g):
        return 2 * ad.saved(ctx)[0] * g * backward(g)

    def forward_rule(ctx, t):
        return 2 * ad.saved(ctx)[0] * t * forward(t)

    return ad.custom_function(lambda x: x * x, backward_rule, setup_context, forward_rule)


@behaviour(
    MUST,
    torch(FIRST),
    cases={
        "by_default": (1.0, 3.0, {}, True),
        "wrong_reverse_by_default": (3.0, 1.0, {}, False),
        "wrong_forward": (1.0, 3.0, {"forward": True}, False),
        "wrong_forward_alone": (1.0, 3.0, {"forward": True, "reverse": False}, False),
        "wrong_reverse": (3.0, 1.0, {"forward": True}, False),
        "reverse_left_out": (3.0, 1.0, {"forward": True, "reverse": False}, True),
        "both_right": (1.0, 1.0, {"forward": True}, True),
    },
    aliases=("check_forward_ad, check_backward_ad",),
)
def gradcheck_compares_the_chosen_modes(ad, backward, forward, modes, expected):
    """gradcheck checks reverse mode unless check_backward_ad=False, and forward mode only if check_forward_ad=True."""
    square = _square_with_rules(ad, lambda g: backward, lambda t: forward)
    equal(ad.gradcheck(square, ad.leaf([1.0, 2.0]), raises=False, **modes), expected)


def _one(ad, x):
    return 1.0


def _one_of_an_item(ad, x):
    return 1.0 + 0.0 * ad.number_of(ad.np.sum(x))


@behaviour(
    MUST,
    torch(FIRST),
    cases={
        "reverse_by_default": (_one_of_an_item, {}, True),
        "reverse": (_one_of_an_item, {"batched": True}, False),
        "reverse_with_vmap": (_one, {"batched": True}, True),
        "forward_by_default": (_one_of_an_item, {"forward": True, "reverse": False}, True),
        "forward": (_one_of_an_item, {"forward": True, "reverse": False, "batched_forward": True}, False),
        "forward_with_vmap": (_one, {"forward": True, "reverse": False, "batched_forward": True}, True),
    },
    aliases=("check_batched_grad",),
)
def gradcheck_can_check_gradients_under_vmap(ad, one, options, expected):
    """With check_batched_grad=True, gradcheck fails for gradients that cannot be computed under vmap, and with
    check_batched_forward_grad=True for such forward gradients. By default, it does not check this."""
    square = _square_with_rules(ad, lambda g: one(ad, g), lambda t: one(ad, t))
    equal(ad.gradcheck(square, ad.leaf([1.0, 2.0]), raises=False, **options), expected)


@behaviour(
    MUST,
    torch(FIRST),
    cases={
        "right": (1.0, [1.0, 2.0], True),
        "wrong": (3.0, [1.0, 2.0], False),
        "right_complex": (1.0, [1 + 2j], True),
        "wrong_complex": (3.0, [1 + 2j], False),
    },
    was=("checking.gradcheck_has_a_fast_mode",),
)
def gradcheck_in_fast_mode_finds_a_wrong_gradient(ad, factor, point, expected):
    """With fast_mode=True also, gradcheck passes for a correct gradient and fails for a wrong one, of a real function
    and of a complex one."""
    square = ad.custom_vjp(lambda x: (x * x, (x,)), lambda saved, g: (2 * factor * ad.np.conj(saved[0]) * g,))
    equal(ad.gradcheck(square, ad.leaf(point), raises=False, fast=True), expected)


@behaviour(
    MUST,
    torch(FIRST),
    cases={
        "by_default": ({}, False),
        "exactly": ({"nondet_tol": 0.0}, False),
        "above_a_tolerance": ({"nondet_tol": 1e-9}, False),
        "within_a_tolerance": ({"nondet_tol": 1e-3}, True),
    },
)
def gradcheck_runs_backward_twice(ad, options, expected):
    """gradcheck fails if the gradients of two runs with the same input differ by more than nondet_tol, by default
    0.0."""
    seen = []
    square = _square_with_rules(ad, lambda g: 1 + 1e-7 * len([*seen, seen.append(g)]), None)
    equal(ad.gradcheck(square, ad.leaf(1.0), raises=False, **options), expected)


def _twice_or(ad, for_none, g):
    return ad.array(for_none) if g is None else 2 * g


@behaviour(
    MUST,
    torch(FIRST),
    cases={
        "other_than_zeros": (7.0, {"undefined": True}, False),
        "zeros": (0.0, {"undefined": True}, True),
        "left_out": (7.0, {"undefined": False}, True),
    },
)
def gradcheck_checks_missing_output_gradients(ad, for_none, options, expected):
    """With check_undefined_grad=True, gradcheck fails if backward does not treat an undefined (None) gradient of an
    output as zeros; with check_undefined_grad=False, it does not check this."""

    def setup_context(ctx, inputs, output):
        ad.set_materialize_grads_(ctx, False)

    double = ad.custom_function(lambda x: 2 * x, lambda ctx, g: _twice_or(ad, for_none, g), setup_context)
    equal(ad.gradcheck(double, ad.leaf(1.0), raises=False, **options), expected)


@behaviour(
    MUST,
    torch(FIRST),
    cases={
        "constant": (lambda ad, x, y: ad.array([7.0]),),
        "integer": (lambda ad, x, y: ad.cast(x, "int64"),),
        "one_input": (lambda ad, x, y: x * x,),
    },
)
def gradcheck_passes_for_gradients_of_zero(ad, program):
    """gradcheck returns True where gradients are zero: of a constant output, of an output converted to integers, and of
    an output that depends on one of two inputs."""
    equal(ad.gradcheck(lambda x, y: program(ad, x, y), (ad.leaf(1.5), ad.leaf(2.5))), True)


@behaviour(MAY, torch(FIRST))
def gradcheck_fails_in_single_precision(ad):
    """gradcheck with its default tolerances fails for a correct gradient of a float32 input, here of x³; for float64 it
    succeeds."""
    equal(ad.gradcheck(lambda x: x**3, ad.leaf([1.0, 2.0], "float32"), raises=False), False)
    equal(ad.gradcheck(lambda x: x**3, ad.leaf([1.0, 2.0]), raises=False), True)


@behaviour(MAY, torch(FIRST))
def gradcheck_fails_at_a_kink(ad):
    """gradcheck fails for relu at 0, where finite differences, if central, give 1/2, and passes at 1."""
    equal(ad.gradcheck(ad.np.relu, ad.leaf(0.0), raises=False), False)
    equal(ad.gradcheck(ad.np.relu, ad.leaf(1.0), raises=False), True)


@behaviour(MAY, torch(FIRST, raises=Exception, says="overlapping"))
def gradcheck_fails_for_overlapping_memory(ad):
    """gradcheck raises an error for an input that requires grad and whose elements share memory, as those of an
    expanded one do."""
    expanded = ad.view_by(ad.leaf([2.0]), "expand", 3)
    raises(lambda: ad.gradcheck(lambda x: x**3, expanded))


@behaviour(
    MUST,
    torch(SECOND),
    cases={
        "cube": (lambda x: x**3,),
        "linear": (lambda x: 2 * x,),
        "two_outputs": (lambda x: (x * x, x * x * x),),
    },
)
def gradgradcheck_returns_true(ad, program):
    """gradgradcheck returns True for a smooth function whose second derivative is correct, in double precision, also
    where it is zero."""
    equal(ad.gradgradcheck(program, ad.leaf([1.0, 2.0])), True)


@behaviour(MUST, torch(SECOND), cases={"zeros": ([0.0, 0.0], True), "others": ([0.0, 5.0], False)})
def gradgradcheck_uses_the_given_gradients(ad, gradients, expected):
    """gradgradcheck differentiates the first derivative for the given grad_outputs: with zeros, a wrong second
    derivative passes; with (0, 5) it does not."""
    square = ad.custom_vjp(lambda x: (x * x, (x,)), lambda saved, g: (2 * ad.detach(saved[0]) * g,))
    equal(ad.gradgradcheck(square, ad.leaf([1.0, 2.0]), ad.array(gradients), raises=False), expected)
