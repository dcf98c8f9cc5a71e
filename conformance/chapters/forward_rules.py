"""Forward rules: derivatives given by hand for tangents, which may drive both modes."""

from conformance.behaviour import MAY, MUST, behaviour, jax, jax_jit, torch
from conformance.expect import an_error, close, equal, one_of, raises

# A rule that gives a value as well as a tangent, and may have static arguments, is JAX's: `nondiff_argnums=()` asks for
# such a one where the claim is about its form.


@behaviour(
    MAY,
    transposed=jax(
        "Custom_derivative_rules", "Use jax.custom_jvp to define forward-mode (and, indirectly, reverse-mode) rules"
    ),
    raises=torch("torch.autograd.Function.backward", raises=NotImplementedError, says="backward or vjp"),
)
def a_rule_is_transposed_for_reverse_mode(ad):
    """A rule for tangents also gives the gradient, by transposition, or reverse mode asks for a rule of its own."""
    square = ad.custom_jvp(lambda x: x * x, lambda primals, tangents: (primals[0] * primals[0], 10 * tangents[0]))
    return one_of(lambda: ad.grad(square)(ad.array(3.0)), transposed=10.0, raises=an_error)


@behaviour(
    MUST,
    jax("Custom_derivative_rules", "Use jax.custom_jvp to define forward-mode (and, indirectly, reverse-mode) rules"),
    jax("jax.custom_jvp"),
)
def a_rule_is_not_used_for_evaluation(ad):
    """Evaluating, mapping and compiling a function do not run its rule."""
    calls = []
    square = ad.custom_jvp(lambda x: x * x, lambda primals, tangents: calls.append("rule"))
    close(ad.jit(square)(ad.array(5.0)), 25.0)
    close(square(ad.array(3.0)), 9.0)
    close(ad.vmap(square)(ad.array([2.0, 3.0])), [4.0, 9.0])
    equal(calls, [])


@behaviour(
    MUST,
    jax("Custom_derivative_rules", "Enforcing a differentiation convention"),
    torch("notes/extending", "Forward mode AD"),
)
def a_rule_is_taken_at_its_word(ad):
    """A rule replaces the derivatives of a function's operations: a root squared has 1 at zero, where they give NaN."""

    def root_squared(x):
        return ad.np.sqrt(x) ** 2

    same = ad.custom_jvp(root_squared, lambda primals, tangents: (root_squared(*primals), *tangents))
    close(ad.jvp(same, (ad.array(0.0),), (ad.array(5.0),)), (0.0, 5.0))


@behaviour(
    MUST,
    jax("Custom_derivative_rules", "Use jax.custom_jvp to define forward-mode (and, indirectly, reverse-mode) rules"),
    jax("jax.custom_jvp.defjvps"),
)
def rules_per_argument_add_up(ad):
    """Rules that are given argument by argument add up to the derivative."""
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
    jax("Custom_derivative_rules", "Use jax.custom_jvp to define forward-mode (and, indirectly, reverse-mode) rules"),
)
def none_means_no_derivative(ad):
    """None in the place of an argument's rule means a derivative of zero."""
    product = ad.custom_jvps(lambda x, y: x * x * y, lambda tangent, output, x, y: 2 * x * y * tangent, None)
    close(ad.grad(product, (0, 1))(ad.array(3.0), ad.array(5.0)), (30.0, 0.0))


@behaviour(
    MUST,
    jax("Custom_derivative_rules", "Use jax.custom_jvp to define forward-mode (and, indirectly, reverse-mode) rules"),
)
def a_rule_that_calls_its_function_holds_at_every_order(ad):
    """A rule that calls its own function is used again for the next derivative: f' = 3 f gives f'' = 9 f."""
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
    MAY,
    followed=(
        jax(
            "Custom_derivative_rules", "Use jax.custom_jvp to define forward-mode (and, indirectly, reverse-mode) rules"
        ),
        torch("notes/extending", "Forward mode AD"),
    ),
    raises=jax_jit("errors", raises="jax.errors.TracerBoolConversionError", says="boolean conversion"),
    cases={"above": (2.0, (4.0, 5.0)), "below": (-2.0, (4.0, 3.0))},
)
def a_rule_may_branch_on_values(ad, x, expected):
    """A rule may branch on the values that it is given, unless it is compiled."""
    square = ad.custom_jvp(lambda x: x * x, _steeper_above_zero)
    return one_of(lambda: ad.jvp(square, (ad.array(x),), (ad.array(1.0),)), followed=expected, raises=an_error)


@behaviour(MAY, jax("jax.custom_jvp", raises=AttributeError, says="No JVP defined"))
def a_missing_rule_is_refused(ad):
    """A function that was declared to have a forward rule, and was given none, is refused when it is called."""
    sine = ad.custom_jvp(ad.np.sin, None, nondiff_argnums=())
    raises(lambda: sine(ad.array(1.0)))


@behaviour(MUST, jax("jax.custom_jvp.defjvp", raises=TypeError, says="must produce a pair"))
def a_rule_gives_value_and_tangent(ad):
    """A rule that returns anything but a pair of value and tangent is refused."""
    square = ad.custom_jvp(lambda x: x * x, lambda primals, tangents: primals[0] * primals[0], nondiff_argnums=())
    raises(lambda: ad.jvp(square, (ad.array(3.0),), (ad.array(1.0),)))


@behaviour(MUST, jax("jax.custom_jvp.defjvp", raises=TypeError, says="equal container"))
def a_tangent_has_the_structure_of_the_value(ad):
    """A rule whose tangent has another structure than its value is refused."""
    square = ad.custom_jvp(
        lambda x: x * x, lambda primals, tangents: (primals[0] * primals[0], tangents + tangents), nondiff_argnums=()
    )
    raises(lambda: ad.jvp(square, (ad.array(3.0),), (ad.array(1.0),)))


@behaviour(
    MUST,
    jax("jax.custom_jvp.defjvp", raises=TypeError, says="corresponding shapes and dtypes"),
    cases={"shape": ([1.0, 1.0], "float64"), "precision": (1.0, "float32")},
)
def a_tangent_has_the_type_of_the_value(ad, tangent, dtype):
    """A rule whose tangent has another shape or precision than its value is refused."""
    wrong = ad.array(tangent, dtype=dtype)
    square = ad.custom_jvp(
        lambda x: x * x, lambda primals, tangents: (primals[0] * primals[0], wrong), nondiff_argnums=()
    )
    raises(lambda: ad.jvp(square, (ad.array(3.0),), (ad.array(1.0),)))


@behaviour(MUST, jax("jax.custom_jvp.defjvp", raises=TypeError, says="primal output"))
def a_rule_gives_the_value_of_its_function(ad):
    """A rule whose value is of another precision than the function's is refused."""

    def rule(primals, tangents):
        return ad.cast(primals[0], "float32"), ad.cast(tangents[0], "float32")

    ruled = ad.jit(ad.custom_jvp(lambda x: x, rule))
    raises(lambda: ad.jvp(ruled, (ad.array(3.0),), (ad.array(1.0),)))


@behaviour(
    MUST,
    jax("Custom_derivative_rules", "Use jax.custom_jvp to define forward-mode (and, indirectly, reverse-mode) rules"),
)
def a_rule_that_is_not_linear_has_no_transpose(ad):
    """A rule that is not linear in the tangent is refused in reverse mode."""
    square = ad.custom_jvp(
        lambda x: x * x,
        lambda primals, tangents: (primals[0] * primals[0], tangents[0] * tangents[0]),
        nondiff_argnums=(),
    )
    raises(lambda: ad.grad(square)(ad.array(3.0)))


@behaviour(
    MUST,
    jax("Custom_derivative_rules", "Use jax.custom_jvp to define forward-mode (and, indirectly, reverse-mode) rules"),
)
def arguments_may_come_by_keyword(ad):
    """Keywords and defaults of a function with a forward rule find their positions among its primals."""

    def product(x, y=5.0):
        return x * y

    def rule(primals, tangents):
        return primals[0] * primals[1], 3 * primals[1] * tangents[0]

    ruled = ad.custom_jvp(product, rule, nondiff_argnums=())
    close(ad.grad(lambda x: ruled(x))(ad.array(2.0)), 15.0)
    close(ad.grad(lambda x: ruled(y=7.0, x=x))(ad.array(2.0)), 21.0)


@behaviour(
    MAY,
    jax(
        "Custom_derivative_rules",
        "Use jax.custom_jvp to define forward-mode (and, indirectly, reverse-mode) rules",
        raises=TypeError,
        says="could not be resolved",
    ),
)
def arguments_that_do_not_fit_are_refused(ad):
    """A keyword that a function with a rule does not know is refused."""
    double = ad.custom_jvp(lambda x: 2 * x, lambda primals, tangents: (2 * primals[0], 2 * tangents[0]))
    raises(lambda: double(ad.array(1.0), z=2.0))


@behaviour(MUST, jax("Custom_derivative_rules", "Handling non-differentiable arguments"))
def static_arguments_come_first(ad):
    """Static arguments come first in the rule, wherever they stand in the call."""

    def rule(outer, factor, primals, tangents):
        return outer(primals[0]) * factor, 3 * factor * tangents[0]

    ruled = ad.custom_jvp(lambda outer, x, factor: outer(x) * factor, rule, nondiff_argnums=(0, 2))
    close(ad.grad(lambda x: ruled(ad.np.sin, x, 5))(ad.array(2.0)), 15.0)


@behaviour(MUST, jax("jax.custom_jvp.defjvps", raises=TypeError, says="nondiff_argnums"))
def rules_per_argument_allow_no_static_arguments(ad):
    """Rules that are given argument by argument are refused beside static arguments."""
    raises(lambda: ad.custom_jvps(lambda x, y: x * y, lambda t, output, x, y: y * t, None, nondiff_argnums=(1,)))


@behaviour(MUST, jax("jax.custom_jvp.defjvp"), torch("torch.autograd.function.FunctionCtx.set_materialize_grads"))
def a_constant_argument_has_a_tangent_of_zeros(ad):
    """A rule gets zeros for the tangent of an argument that is held fixed."""

    def rule(primals, tangents):
        return primals[0] * primals[1], 3 * tangents[0] + 7 * tangents[1]

    product = ad.custom_jvp(lambda x, y: x * y, rule)
    y = ad.array(5.0)
    close(ad.jvp(lambda x: product(x, y), (ad.array(2.0),), (ad.array(10.0),)), (10.0, 30.0))


@behaviour(MUST, jax("jep/4008", raises="jax.errors.UnexpectedTracerError"))
def a_captured_variable_is_refused(ad):
    """Differentiating a function that has a rule and captures the variable of the differentiation is refused."""

    def program(a):
        times = ad.custom_jvp(
            lambda x: a * x, lambda primals, tangents: (a * primals[0], 3 * tangents[0]), nondiff_argnums=()
        )
        return times(ad.array(2.0))

    raises(lambda: ad.grad(program)(ad.array(5.0)))


@behaviour(
    MUST,
    jax("jax.custom_jvp.defjvp"),
    jax("Custom_derivative_rules", "Working with list / tuple / dict containers (and other pytrees)"),
)
def containers_are_carried_through(ad):
    """Containers pass through function and rule: tangents come in the input's, and leave in the output's."""

    def product(d):
        return {"xy": d["x"] * d["y"]}

    def rule(primals, tangents):
        return product(primals[0]), {"xy": 3 * tangents[0]["x"] + 7 * tangents[0]["y"]}

    ruled = ad.custom_jvp(product, rule, nondiff_argnums=())
    point, along = {"x": ad.array(2.0), "y": ad.array(3.0)}, {"x": ad.array(1.0), "y": ad.array(10.0)}
    close(ad.jvp(ruled, (point,), (along,)), ({"xy": 6.0}, {"xy": 73.0}))


@behaviour(MUST, jax("jep/2026"))
def a_rule_holds_inside_a_loop(ad):
    """A rule is used in each step of a scan: with a factor of 3, two steps give 9."""
    same = ad.custom_jvp(lambda x: x, lambda primals, tangents: (primals[0], 3 * tangents[0]))
    twice = ad.array([0.0, 0.0])
    close(ad.grad(lambda x: ad.scan(lambda carry, _: (same(carry), carry), x, twice)[0])(ad.array(2.0)), 9.0)
