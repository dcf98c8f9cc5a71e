"""Forward rules: symbolic zeros, and the orders at which a rule is used."""

from conformance.behaviour import MUST, behaviour, jax
from conformance.expect import close, equal

RULES = "Custom_derivative_rules"
USE = "Use jax.custom_jvp to define forward-mode (and, indirectly, reverse-mode) rules"


@behaviour(MUST, jax("jax.custom_jvp.defjvp"), aliases=("symboliczero",))
def an_argument_that_is_not_differentiated_has_a_symbolic_zero(ad):
    """With symbolic_zeros=True, a custom JVP rule gets a symbolic zero as the tangent of an argument that is not
    differentiated, and an array for one that is."""
    seen = []

    def rule(primals, tangents):
        seen.append((ad.is_symbolic_zero(tangents[0]), ad.is_symbolic_zero(tangents[1])))
        return primals[0] * primals[1], 7 * tangents[seen[-1][0]]

    product = ad.custom_jvp(lambda x, y: x * y, rule, symbolic_zeros=True)
    x, y = ad.array(2.0), ad.array(5.0)
    close(ad.jvp(lambda x: product(x, y), (x,), (ad.array(10.0),)), (10.0, 70.0))
    close(ad.grad(product, 1)(x, y), 7.0)
    equal((seen[0], seen[-1]), ((False, True), (True, False)))


@behaviour(MUST, jax(RULES, USE))
def a_jvp_rule_that_does_not_call_its_function_is_used_once(ad):
    """A custom JVP rule that does not call its function is used for the first derivative only: for f = x² with a rule
    that gives 5x² as f', f'' is the derivative of that, 10x."""
    square = ad.custom_jvp(
        lambda x: x * x,
        lambda primals, tangents: (primals[0] * primals[0], 5 * primals[0] * primals[0] * tangents[0]),
        nondiff_argnums=(),
    )
    close(ad.grad(square)(ad.array(3.0)), 45.0)
    close(ad.grad(ad.grad(square))(ad.array(3.0)), 30.0)
