"""Forward rules: custom JVP rules, and reverse mode by their transposition."""

from conformance.behaviour import MAY, MUST, SHOULD, behaviour, jax, jax_jit, torch
from conformance.expect import an_error, close, equal, one_of, raises

RULES = "Custom_derivative_rules"
USE = "Use jax.custom_jvp to define forward-mode (and, indirectly, reverse-mode) rules"
BOOL = "jax.errors.TracerBoolConversionError"
CONTAINERS = "Working with list / tuple / dict containers (and other pytrees)"

# `nondiff_argnums=()` asks for a rule of JAX's form, which returns the primal output and the tangent output, where the
# claim is about this form.


@behaviour(
    MUST,
    transposed=jax(RULES, USE),
    raises=torch("torch.autograd.Function.backward", raises=Exception, says="backward or vjp"),
    aliases=("jvp staticmethod autograd.function", "you must implement either the backward or vjp method"),
)
def a_jvp_rule_is_transposed_for_reverse_mode(ad):
    """Reverse mode through a custom JVP rule transposes it, or raises an error if there is no VJP rule."""
    square = ad.custom_jvp(lambda x: x * x, lambda primals, tangents: (primals[0] * primals[0], 10 * tangents[0]))
    return one_of(lambda: ad.grad(square)(ad.array(3.0)), transposed=10.0, raises=an_error)


@behaviour(
    MUST,
    jax(RULES, USE),
    jax("jax.custom_jvp"),
)
def a_jvp_rule_is_not_called_without_differentiation(ad):
    """A custom JVP rule is not called without differentiation: not by evaluation, jit or vmap."""
    calls = []
    square = ad.custom_jvp(lambda x: x * x, lambda primals, tangents: calls.append("rule"))
    close(ad.jit(square)(ad.array(5.0)), 25.0)
    close(square(ad.array(3.0)), 9.0)
    close(ad.vmap(square)(ad.array([2.0, 3.0])), [4.0, 9.0])
    equal(calls, [])


@behaviour(
    MUST,
    jax("jax.custom_jvp"),
    torch("notes/extending", "Forward mode AD"),
    aliases=("custom_jvp",),
)
def a_jvp_rule_replaces_differentiation_of_the_function(ad):
    """A custom JVP rule is used instead of differentiating the function: sqrt(x)² at 0 gets the JVP of x, not NaN."""

    def root_squared(x):
        return ad.np.sqrt(x) ** 2

    same = ad.custom_jvp(root_squared, lambda primals, tangents: (root_squared(*primals), *tangents))
    close(ad.jvp(same, (ad.array(0.0),), (ad.array(5.0),)), (0.0, 5.0))


@behaviour(
    MUST,
    jax(RULES, USE),
    aliases=("defjvps",),
)
def jvp_rules_per_argument_are_summed(ad):
    """JVP rules given for each argument separately (defjvps) are summed: for x²y one rule for x and one for y."""
    product = ad.custom_jvps(
        lambda x, y: x * x * y,
        lambda tangent, output, x, y: 2 * x * y * tangent,
        lambda tangent, output, x, y: 7 * tangent,
    )
    x, y = ad.array(3.0), ad.array(5.0)
    close(ad.jvp(product, (x, y), (ad.array(2.0), ad.array(10.0))), (45.0, 130.0))
    close(ad.grad(product, (0, 1))(x, y), (30.0, 7.0))


@behaviour(
    MUST,
    jax(RULES, USE),
)
def none_in_defjvps_means_a_zero_derivative(ad):
    """None instead of an argument's JVP rule in defjvps means a derivative of zero for this argument."""
    product = ad.custom_jvps(lambda x, y: x * x * y, lambda tangent, output, x, y: 2 * x * y * tangent, None)
    close(ad.grad(product, (0, 1))(ad.array(3.0), ad.array(5.0)), (30.0, 0.0))


@behaviour(
    MUST,
    jax(RULES, USE),
    aliases=("custom_jvp second derivative",),
)
def a_jvp_rule_that_calls_its_function_is_used_at_every_order(ad):
    """A custom JVP rule that calls its function is used again in higher-order derivatives: f' = 3f gives f'' = 9f."""
    threefold = ad.custom_jvp(
        lambda x: x,
        lambda primals, tangents: (threefold(*primals), 3 * threefold(*primals) * tangents[0]),
        nondiff_argnums=(),
    )
    close(ad.grad(threefold)(ad.array(2.0)), 6.0)
    close(ad.grad(ad.grad(threefold))(ad.array(2.0)), 18.0)


def _steeper_above_zero(primals, tangents):
    x, t = primals[0], tangents[0]
    if x > 0:
        return x * x, 5 * t
    return x * x, 3 * t


@behaviour(
    MUST,
    followed=(
        jax(RULES, USE),
        torch("notes/extending", "Forward mode AD"),
        torch("notes/autograd", "How autograd encodes the history"),
    ),
    raises=jax_jit("errors", BOOL, raises=BOOL),
    cases={"above": (2.0, (4.0, 5.0)), "below": (-2.0, (4.0, 3.0))},
)
def a_jvp_rule_can_branch_on_values(ad, x, expected):
    """A custom JVP rule can branch on primal values with a Python `if`, which raises an error under jit."""
    square = ad.custom_jvp(lambda x: x * x, _steeper_above_zero)
    return one_of(lambda: ad.jvp(square, (ad.array(x),), (ad.array(1.0),)), followed=expected, raises=an_error)


@behaviour(
    MAY,
    jax("jax.custom_jvp", raises=Exception, says="No JVP defined", unstated="only the message of the error states it"),
    aliases=("no jvp defined for custom_jvp function",),
)
def a_missing_jvp_rule_raises_an_error(ad):
    """Calling a custom_jvp function for which no JVP rule was defined raises an error."""
    sine = ad.custom_jvp(ad.np.sin, None, nondiff_argnums=())
    raises(lambda: sine(ad.array(1.0)))


@behaviour(SHOULD, jax("jax.custom_jvp.defjvp", raises=Exception, says="pair"))
def a_jvp_rule_returns_a_pair(ad):
    """A custom_jvp rule that does not return a pair of primal output and tangent output raises an error."""
    square = ad.custom_jvp(lambda x: x * x, lambda primals, tangents: primals[0] * primals[0], nondiff_argnums=())
    raises(lambda: ad.jvp(square, (ad.array(3.0),), (ad.array(1.0),)))


@behaviour(SHOULD, jax(RULES, CONTAINERS, raises=Exception, says="structure"))
def the_tangent_output_has_the_structure_of_the_primal_output(ad):
    """A custom_jvp rule raises an error if its tangent output has another structure (pytree) than its primal output."""
    square = ad.custom_jvp(
        lambda x: x * x, lambda primals, tangents: (primals[0] * primals[0], tangents + tangents), nondiff_argnums=()
    )
    raises(lambda: ad.jvp(square, (ad.array(3.0),), (ad.array(1.0),)))


@behaviour(
    SHOULD,
    jax(RULES, USE, raises=Exception, says="dtypes"),
    cases={"shape": ([1.0, 1.0], "float64"), "precision": (1.0, "float32")},
)
def the_tangent_output_has_the_shape_and_dtype_of_the_primal_output(ad, tangent, dtype):
    """A custom_jvp rule raises an error if its tangent output has another shape or dtype than its floating-point primal
    output."""
    wrong = ad.array(tangent, dtype=dtype)
    square = ad.custom_jvp(
        lambda x: x * x, lambda primals, tangents: (primals[0] * primals[0], wrong), nondiff_argnums=()
    )
    raises(lambda: ad.jvp(square, (ad.array(3.0),), (ad.array(1.0),)))


@behaviour(SHOULD, jax(RULES, USE, raises=Exception, says="primal output"))
def the_primal_output_has_the_dtype_of_the_function(ad):
    """Under jit, a custom_jvp rule whose primal output has another dtype than the function's output raises an error."""

    def rule(primals, tangents):
        return ad.cast(primals[0], "float32"), ad.cast(tangents[0], "float32")

    ruled = ad.jit(ad.custom_jvp(lambda x: x, rule))
    raises(lambda: ad.jvp(ruled, (ad.array(3.0),), (ad.array(1.0),)))


@behaviour(MUST, jax(RULES, USE, raises=Exception))
def a_jvp_rule_that_is_not_linear_cannot_be_transposed(ad):
    """Reverse mode by transposing a custom JVP rule raises an error if the rule is not linear in the tangent."""
    square = ad.custom_jvp(
        lambda x: x * x,
        lambda primals, tangents: (primals[0] * primals[0], tangents[0] * tangents[0]),
        nondiff_argnums=(),
    )
    close(ad.jvp(square, (ad.array(3.0),), (ad.array(5.0),)), (9.0, 25.0))
    raises(lambda: ad.grad(square)(ad.array(3.0)))


@behaviour(
    MUST,
    jax(RULES, USE),
    aliases=("custom_jvp keyword arguments",),
)
def custom_jvp_accepts_keyword_arguments(ad):
    """A custom_jvp function accepts keyword arguments and defaults; the rule gets them as positional primals."""

    def product(x, y=5.0):
        return x * y

    def rule(primals, tangents):
        return primals[0] * primals[1], 3 * primals[1] * tangents[0]

    ruled = ad.custom_jvp(product, rule, nondiff_argnums=())
    close(ad.grad(lambda x: ruled(x))(ad.array(2.0)), 15.0)
    close(ad.grad(lambda x: ruled(y=7.0, x=x))(ad.array(2.0)), 21.0)


@behaviour(SHOULD, jax(RULES, USE, raises=Exception, says="keyword argument"))
def an_unknown_keyword_argument_raises_an_error(ad):
    """Calling a custom_jvp function with an unknown keyword argument raises an error."""
    double = ad.custom_jvp(lambda x: 2 * x, lambda primals, tangents: (2 * primals[0], 2 * tangents[0]))
    raises(lambda: double(ad.array(1.0), z=2.0))


@behaviour(MUST, jax(RULES, "Handling non-differentiable arguments"), aliases=("nondiff_argnums",))
def nondiff_arguments_come_first_in_the_rule(ad):
    """A custom JVP rule gets the arguments in nondiff_argnums first, wherever they are in the call."""

    def rule(outer, factor, primals, tangents):
        return outer(primals[0]) * factor, 3 * factor * tangents[0]

    ruled = ad.custom_jvp(lambda outer, x, factor: outer(x) * factor, rule, nondiff_argnums=(0, 2))
    close(ad.grad(lambda x: ruled(ad.np.sin, x, 5))(ad.array(2.0)), 15.0)


@behaviour(MUST, jax("jax.custom_jvp.defjvps", raises=Exception, says="defjvps`` with"))
def defjvps_does_not_allow_nondiff_argnums(ad):
    """JVP rules for each argument separately (defjvps) together with nondiff_argnums raise an error."""
    raises(lambda: ad.custom_jvps(lambda x, y: x * y, lambda t, output, x, y: y * t, None, nondiff_argnums=(1,)))


@behaviour(
    MUST,
    jax("jax.custom_jvp.defjvp"),
    torch("torch.autograd.function.FunctionCtx.set_materialize_grads"),
    aliases=("symbolic zeros",),
)
def an_argument_that_is_not_differentiated_has_a_zero_tangent(ad):
    """By default, a custom JVP rule gets a tangent of zeros for an argument that is not differentiated."""

    def rule(primals, tangents):
        return primals[0] * primals[1], 3 * tangents[0] + 7 * tangents[1]

    product = ad.custom_jvp(lambda x, y: x * y, rule)
    y = ad.array(5.0)
    close(ad.jvp(lambda x: product(x, y), (ad.array(2.0),), (ad.array(10.0),)), (10.0, 30.0))


@behaviour(
    MUST,
    jax("jep/4008", raises=Exception),
    aliases=(
        "detected differentiation of a custom_jvp function with respect to a closed-over value",
        "unexpectedtracererror custom_jvp",
    ),
)
def differentiating_a_closed_over_value_raises_an_error(ad):
    """Differentiation with respect to a value that a custom_jvp function closes over raises an error."""

    def program(a):
        times = ad.custom_jvp(
            lambda x: a * x, lambda primals, tangents: (a * primals[0], 3 * tangents[0]), nondiff_argnums=()
        )
        return times(ad.array(2.0))

    close(program(ad.array(5.0)), 10.0)
    raises(lambda: ad.grad(program)(ad.array(5.0)))


@behaviour(
    MUST,
    jax("jax.custom_jvp.defjvp"),
    jax(RULES, CONTAINERS),
)
def jvp_rules_accept_containers(ad):
    """A custom_jvp rule accepts containers (pytrees): tangents have the structure of the primals and of the outputs."""

    def product(d):
        return {"xy": d["x"] * d["y"]}

    def rule(primals, tangents):
        return product(primals[0]), {"xy": 3 * tangents[0]["x"] + 7 * tangents[0]["y"]}

    ruled = ad.custom_jvp(product, rule, nondiff_argnums=())
    point, along = {"x": ad.array(2.0), "y": ad.array(3.0)}, {"x": ad.array(1.0), "y": ad.array(10.0)}
    close(ad.jvp(ruled, (point,), (along,)), ({"xy": 6.0}, {"xy": 73.0}))


@behaviour(MUST, jax("jep/2026"))
def a_jvp_rule_is_used_inside_scan(ad):
    """A custom JVP rule is used in each step of scan: a rule with the factor 3 gives 9 after two steps."""
    same = ad.custom_jvp(lambda x: x, lambda primals, tangents: (primals[0], 3 * tangents[0]))
    twice = ad.array([0.0, 0.0])
    close(ad.grad(lambda x: ad.scan(lambda carry, _: (same(carry), carry), x, twice)[0])(ad.array(2.0)), 9.0)
