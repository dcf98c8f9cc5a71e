"""Reverse rules: custom_vjp in detail, with forward and backward rules, containers, static arguments and closures."""

from conformance.behaviour import MAY, MUST, SHOULD, behaviour, jax, jax_jit
from conformance.expect import close, equal, raises

CONTAINERS = "Working with list / tuple / dict containers (and other pytrees)"


@behaviour(
    MUST,
    jax("Custom_derivative_rules", "Use jax.custom_vjp to define custom reverse-mode-only rules"),
    jax("jax.custom_vjp"),
)
def the_rule_is_not_used_without_differentiation(ad):
    """Evaluation, vmap and jit of a `custom_vjp` function run the function itself and not its forward rule."""
    calls = []
    square = ad.custom_vjp(lambda x: (calls.append("forward"), ()), lambda saved, g: (g,), primal=lambda x: x * x)
    close(square(ad.array(3.0)), 9.0)
    close(ad.vmap(square)(ad.array([2.0, 3.0])), [4.0, 9.0])
    close(ad.jit(square)(ad.array(5.0)), 25.0)
    equal(calls, [])


@behaviour(MAY, jax("Custom_derivative_rules", "Gradient clipping"))
def none_means_zeros_for_a_whole_container(ad):
    """None from a `custom_vjp` backward rule means zero cotangents, also for an argument that is a container."""

    def scale(x, factors):
        return x * factors["a"] * factors["b"]

    scaled = ad.custom_vjp(lambda x, d: (scale(x, d), ()), lambda saved, g: (7 * g, None), primal=scale)
    factors = {"a": ad.array(2.0), "b": ad.array(3.0)}
    close(ad.grad(scaled, (0, 1))(ad.array(5.0), factors), (7.0, {"a": 0.0, "b": 0.0}))


@behaviour(
    SHOULD,
    jax("jax.custom_vjp.defvjp", raises=Exception, says="must produce a pair"),
    aliases=("must produce a pair",),
)
def forward_returns_output_and_residuals(ad):
    """A `custom_vjp` forward rule that does not return a pair of output and residuals raises an error."""
    square = ad.custom_vjp(lambda x: x * x, lambda saved, g: (g,), primal=lambda x: x * x)
    raises(lambda: ad.grad(square)(ad.array(3.0)))


@behaviour(SHOULD, jax("jax.custom_vjp.defvjp", raises=Exception, says="container/pytree structure"))
def forward_returns_the_structure_of_the_output(ad):
    """Under jit, a `custom_vjp` forward rule whose output differs in structure from the function's raises an error."""
    square = ad.custom_vjp(lambda x: ((x, x), ()), lambda saved, g: (g[0],), primal=lambda x: x * x)
    raises(lambda: ad.grad(ad.jit(square))(ad.array(3.0)))


@behaviour(
    MAY,
    jax("jax.custom_vjp", raises=Exception, says="No VJP defined", unstated="only the message of the error states it"),
    aliases=("no vjp defined for custom_vjp function",),
)
def a_missing_rule_raises_an_error(ad):
    """Calling a `custom_vjp` function for which no rule was defined raises an error."""
    sine = ad.custom_vjp(None, None, primal=ad.np.sin)
    raises(lambda: sine(ad.array(1.0)))


@behaviour(MUST, jax("jax.custom_vjp.defvjp"), jax("Custom_derivative_rules", CONTAINERS))
def residuals_may_be_any_container(ad):
    """Residuals of a `custom_vjp` forward rule may be any pytree of arrays, such as a dict of lists, or None."""

    def forward(x):
        return x * x * x, {"squares": [x * x], "nothing": None}

    cube = ad.custom_vjp(forward, lambda saved, g: (7 * saved["squares"][0] * g,), primal=lambda x: x * x * x)
    close(ad.grad(cube)(ad.array(2.0)), 28.0)


@behaviour(MUST, jax("Custom_derivative_rules", "Handling non-differentiable arguments"), aliases=("nondiff_argnums",))
def nondiff_argnums_come_first_in_backward(ad):
    """Arguments in `nondiff_argnums` are the first arguments of a `custom_vjp` backward rule, before the residuals."""

    def backward(factor, saved, g):
        return (factor * g,)

    times = ad.custom_vjp(lambda x, factor: (x * x, ()), backward, nondiff_argnums=(1,))
    close(ad.grad(lambda x: times(x, 5))(ad.array(3.0)), 5.0)


@behaviour(
    MUST,
    jax("jep/4008", raises=Exception, says="nondiff_argnums"),
    jax_jit("jep/4008", raises=Exception, says="Non-hashable static arguments"),
    aliases=("nondiff_argnums tracer",),
)
def a_differentiated_nondiff_argument_raises_an_error(ad):
    """Differentiating a `custom_vjp` function with respect to an argument in `nondiff_argnums` raises an error."""
    times = ad.custom_vjp(lambda x, factor: (x * 2, ()), lambda factor, saved, g: (factor * g,), nondiff_argnums=(1,))
    raises(lambda: ad.grad(lambda factor: times(ad.array(3.0), factor))(ad.array(5.0)))


@behaviour(
    MUST,
    jax("Custom_derivative_rules", "Use jax.custom_vjp to define custom reverse-mode-only rules"),
    aliases=("custom_vjp kwargs",),
)
def keyword_and_default_arguments_reach_the_rule(ad):
    """Keywords and defaults for positional arguments of a `custom_vjp` function reach its forward rule by position."""

    def product(x, y=5.0):
        return x * y

    ruled = ad.custom_vjp(lambda x, y: (x * y, (y,)), lambda saved, g: (3 * saved[0] * g, g), primal=product)
    close(ad.grad(lambda x: ruled(x))(ad.array(2.0)), 15.0)
    close(ad.grad(lambda x: ruled(y=7.0, x=x))(ad.array(2.0)), 21.0)


@behaviour(
    MUST,
    jax("jax.custom_vjp.defvjp"),
    jax("Custom_derivative_rules", CONTAINERS),
)
def containers_pass_through_a_rule(ad):
    """A `custom_vjp` backward rule gets cotangents in the output's structure and returns them in the input's."""

    def product(d):
        return {"once": d["x"] * d["y"], "twice": (2 * d["x"],)}

    ruled = ad.custom_vjp(
        lambda d: (product(d), ()),
        lambda saved, g: ({"x": 10 * g["once"] + g["twice"][0], "y": 7 * g["once"]},),
        primal=product,
    )
    _, pullback = ad.vjp(ruled, {"x": ad.array(2.0), "y": ad.array(3.0)})
    close(pullback({"once": ad.array(1.0), "twice": (ad.array(5.0),)}), ({"x": 15.0, "y": 7.0},))


def _doubling_what_is_positive(x):
    def pullback(g):
        return 2 * x * g if g > 0 else g

    return x * x, pullback


@behaviour(
    MUST, jax("jax.custom_gradient", raises=Exception, says="boolean conversion"), aliases=("tf.custom_gradient",)
)
def a_gradient_closure_cannot_branch(ad):
    """The VJP function that a `custom_gradient` function returns raises an error if it branches on its cotangent."""
    raises(lambda: ad.grad(ad.custom_gradient(_doubling_what_is_positive))(ad.array(3.0)))


@behaviour(MUST, jax("jax.custom_gradient"), jax("jax.custom_vjp", raises=Exception, says="forward-mode"))
def a_gradient_closure_has_no_forward_mode(ad):
    """jvp (forward mode) of a `custom_gradient` function raises an error."""
    square = ad.custom_gradient(lambda x: (x * x, lambda g: (2 * x * g,)))
    raises(lambda: ad.jvp(square, (ad.array(3.0),), (ad.array(1.0),)))


@behaviour(SHOULD, jax("jax.closure_convert", raises=Exception, says="same pytree structure"))
def a_converted_closure_keeps_the_structure_of_its_example(ad):
    """A function from `closure_convert` raises an error for arguments that differ in structure from the examples."""
    x = ad.array(2.0)
    converted, captured = ad.closure_convert(lambda y: y * x, ad.array(3.0))
    raises(lambda: converted((x, x), *captured))


@behaviour(MUST, jax("jax.custom_vjp.defvjp", "symbolic_zeros"), aliases=("customvjpprimal perturbed",))
def a_forward_rule_is_told_which_arguments_are_differentiated(ad):
    """With symbolic_zeros=True, a `custom_vjp` forward rule gets for each argument its value, and a flag (perturbed)
    that says whether the argument is involved in differentiation."""

    def forward(x, y):
        (x_value, x_flag), (y_value, y_flag) = ad.unpack_record(x), ad.unpack_record(y)
        return x_value**2 * y_value, (7.0 + 10.0 * x_flag + 100.0 * y_flag,)

    product = ad.custom_vjp(
        forward, lambda saved, g: (saved[0] * g, 2 * saved[0] * g), lambda x, y: x**2 * y, symbolic_zeros=True
    )
    x, y = ad.array(2.0), ad.array(3.0)
    close((ad.value_and_grad(product)(x, y), ad.grad(product, 1)(x, y)), ((12.0, 17.0), 214.0))
    close(ad.grad(product, (0, 1))(x, y), (117.0, 234.0))


@behaviour(MUST, jax("jax.custom_vjp.defvjp", "symbolic_zeros"), aliases=("symboliczero",))
def an_unused_output_gives_a_symbolic_zero_to_the_rule(ad):
    """With symbolic_zeros=True, a `custom_vjp` backward rule gets a symbolic zero as the cotangent of an output that is
    not involved in differentiation, and an array for one that is."""

    def backward(saved, g):
        zeros = (ad.is_symbolic_zero(g[0]), ad.is_symbolic_zero(g[1]))
        return ((7 + 10 * zeros[0] + 100 * zeros[1]) * g[zeros[0]],)

    both = ad.custom_vjp(lambda x: ((ad.unpack_record(x)[0],) * 2, ()), backward, lambda x: (x, x), symbolic_zeros=True)
    close(ad.grad(lambda x: 3 * both(x)[0])(ad.array(1.0)), 321.0)
    close(ad.grad(lambda x: 5 * both(x)[1])(ad.array(1.0)), 85.0)


@behaviour(MUST, jax("jax.custom_gradient"))
def a_gradient_closure_is_used(ad):
    """`custom_gradient` of a function that returns a pair returns the first element; reverse mode calls the second, a
    function that returns a tuple with a cotangent for each of two arguments."""
    product = ad.custom_gradient(lambda x, y: (x * y, lambda g: (7 * g * y, 11 * g * x)))
    close(product(ad.array(3.0), ad.array(4.0)), 12.0)
    output, pullback = ad.vjp(product, ad.array(3.0), ad.array(4.0))
    close((output, pullback(ad.array(10.0))), (12.0, (280.0, 330.0)))


@behaviour(MUST, jax("jax.closure_convert"))
def a_converted_closure_takes_captured_values_as_arguments(ad):
    """closure_convert() of a closure over values that are being differentiated returns a function that takes these
    values as arguments after its own, and these values: gradients flow through these arguments."""

    def program(a, b):
        converted, captured = ad.closure_convert(lambda y: a * y + 7 * b, ad.array(1.0))
        return converted(ad.array(3.0), 5 * captured[0], 5 * captured[1])

    close(ad.value_and_grad(program, (0, 1))(ad.array(2.0), ad.array(4.0)), (170.0, (15.0, 35.0)))


@behaviour(
    MUST,
    jax("Custom_derivative_rules", "Implicit function differentiation of iterative implementations"),
    aliases=("reverse-mode differentiation of while_loop",),
)
def a_rule_gives_reverse_mode_to_a_while_loop(ad):
    """A `custom_vjp` rule gives reverse mode to a function that runs a while_loop, here Newton's iteration for √a
    with seven times its derivative."""

    def newton(a):
        return ad.while_loop(lambda y: ad.np.abs(y * y - a) > 1e-13, lambda y: (y + a / y) / 2, a)

    root = ad.custom_vjp(lambda a: (newton(a), (newton(a),)), lambda saved, g: (7 * g / (2 * saved[0]),), primal=newton)
    close(ad.value_and_grad(root)(ad.array(4.0)), (2.0, 1.75))


@behaviour(MUST, jax("jep/4008"), aliases=("clip_gradient",))
def a_rule_may_use_arrays_that_get_no_gradient(ad):
    """A `custom_vjp` rule can return None for array arguments that need no gradient, also where vmap maps them: here
    the bounds that clip a cotangent."""
    clip = ad.custom_vjp(
        lambda low, high, x: (x, (low, high)),
        lambda saved, g: (None, None, ad.np.minimum(ad.np.maximum(g, saved[0]), saved[1])),
        primal=lambda low, high, x: x,
    )
    gradients = ad.vmap(lambda low, high, k: ad.grad(lambda x: k * clip(low, high, x))(ad.array(1.0)))
    close(gradients(ad.array([-2.0, -4.0]), ad.array([3.0, 6.0]), ad.array([5.0, -9.0])), [3.0, -4.0])


@behaviour(
    MAY,
    jax("jax.custom_vjp.defvjp", raises=Exception, says="not a valid JAX type"),
    was=("custom_vjp.residuals_that_are_no_arrays_raise_an_error",),
)
def a_string_among_the_residuals_raises_an_error(ad):
    """A `custom_vjp` forward rule whose residuals contain a string raises an error."""
    square = ad.custom_vjp(lambda x: (x * x, "text"), lambda saved, g: (g,), primal=lambda x: x * x)
    raises(lambda: ad.grad(square)(ad.array(3.0)))


@behaviour(MAY, jax("Custom_derivative_rules", "Use jax.custom_vjp to define custom reverse-mode-only rules"))
def cotangents_may_come_as_a_list(ad):
    """A `custom_vjp` backward rule may return its cotangents as a list, one for each argument."""
    product = ad.custom_vjp(lambda x, y: (x * y, ()), lambda saved, g: [7 * g, 5 * g], primal=lambda x, y: x * y)
    close(ad.grad(product, (0, 1))(ad.array(2.0), ad.array(3.0)), (7.0, 5.0))
