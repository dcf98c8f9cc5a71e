"""Derivative functions, rules: several arguments of custom rules, checkpoints and transposes, and their derivatives."""

from conformance.behaviour import MUST, behaviour, jax
from conformance.expect import close

DERIVATIVES = "Taking derivatives with jax.grad"
STARTING = "Starting with grad"


def _product(ad):
    """The product xy, with 3y and 5x for its derivatives."""
    return ad.custom_vjp(lambda x, y: (x * y, (x, y)), lambda kept, g: (3 * g * kept[1], 5 * g * kept[0]))


@behaviour(MUST, jax("jax.custom_vjp"), jax("jax.custom_vjp.defvjp"), jax("jax.vjp"))
def a_custom_rule_has_a_cotangent_for_each_argument(ad):
    """vjp of a function with a custom VJP rule returns the output, and a pullback that returns the cotangents of the
    backward rule, one for each argument, in each call: 6 and (3y, 5x) for xy at (2, 3)."""
    output, pullback = ad.vjp(_product(ad), ad.array(2.0), ad.array(3.0))
    close((output, pullback(ad.array(1.0))), (6.0, (9.0, 10.0)))
    close(pullback(ad.array(2.0)), (18.0, 20.0))


@behaviour(
    MUST,
    jax("jax.custom_vjp"),
    jax("autodiff_cookbook", STARTING),
    cases={
        "first_by_second": (lambda ad, f, x, y: ad.grad(lambda y: ad.grad(f, 0)(x, y))(y), 3.0),
        "second_by_first": (lambda ad, f, x, y: ad.grad(lambda x: ad.grad(f, 1)(x, y))(x), 5.0),
    },
)
def a_custom_rule_is_differentiated_by_each_argument(ad, second, expected):
    """A gradient by one argument that a custom VJP rule gives can be differentiated by the other argument: 3y by y, and
    5x by x."""
    close(second(ad, _product(ad), ad.array(2.0), ad.array(3.0)), expected)


@behaviour(MUST, jax("jax.custom_gradient"))
def custom_gradient_has_a_value_and_a_cotangent_for_each(ad):
    """If f returns a pair (value, vjp), custom_gradient(f) has that value, also in float32, and its gradients are the
    cotangents that vjp returns: 3y and 5x for the value xy at (2, 3)."""
    product = ad.custom_gradient(lambda x, y: (x * y, lambda g: (3 * g * y, 5 * g * x)))
    x, y = ad.array(2.0), ad.array(3.0)
    close((product(x, y), product(x, 2 * y)), (6.0, 12.0))
    close(product(ad.array(2.0, "float32"), ad.array(3.0, "float32")), 6.0, dtype="float32")
    close(ad.grad(product, argnums=(0, 1))(x, y), (9.0, 10.0))
    close(ad.grad(lambda x: product(x, y) ** 2)(x), 108.0)


@behaviour(MUST, jax("jax.closure_convert"))
def values_closed_over_are_differentiated(ad):
    """The function that closure_convert returns takes values from the closure as arguments, and the gradients flow
    through these: here five times each value, of txy² at t = 10 and (2, 3)."""

    def value(x, y):
        pure, closed = ad.closure_convert(lambda t: t * x * y**2, x)
        return pure(ad.array(10.0), 5 * closed[0], 5 * closed[1])

    found = ad.value_and_grad(value, argnums=(0, 1))(ad.array(2.0), ad.array(3.0))
    close(found, (22500.0, (11250.0, 15000.0)))


@behaviour(MUST, jax("jax.checkpoint"))
def a_checkpointed_function_has_several_arguments_and_outputs(ad):
    """A function under checkpoint returns all outputs of the function, also in float32, and they have the same
    gradients: of (xy², x³) at (2, 3) the sum of the first and five times the second."""
    program = ad.checkpoint(lambda x, y: (x * y**2, x**3))
    x, y = ad.array(2.0), ad.array(3.0)
    close(program(x, y), (18.0, 8.0))
    close(program(ad.array(2.0, "float32"), ad.array(3.0, "float32")), (18.0, 8.0), dtype="float32")
    close(ad.grad(lambda x, y: program(x, y)[0] + 5 * program(x, y)[1], argnums=(0, 1))(x, y), (69.0, 12.0))


@behaviour(MUST, jax("jax.linear_transpose"), jax("thinking_in_jax", DERIVATIVES))
def a_transpose_is_called_again_and_differentiated(ad):
    """The function that linear_transpose returns gives a cotangent for each primal in every call, and can be
    differentiated by its argument: that of 2x + 3y."""
    transpose = ad.linear_transpose(lambda x, y: 2 * x + 3 * y, ad.array(1.0), ad.array(1.0))
    close(transpose(ad.array(1.0)), (2.0, 3.0))
    close(transpose(ad.array(5.0)), (10.0, 15.0))
    close(ad.grad(lambda v: transpose(v)[0] ** 2 + 5 * transpose(v)[1])(ad.array(2.0)), 31.0)


@behaviour(
    MUST,
    jax("jax.lax.stop_gradient"),
    cases={
        "in_vmap": (lambda ad, f, x: ad.vmap(f)(x),),
        "in_single_precision": (lambda ad, f, x: f(ad.cast(x, "float32")),),
    },
)
def a_stopped_factor_is_a_constant(ad, compose):
    """In a gradient stop_gradient(x) is a constant, also under vmap and in float32: the gradient of stop_gradient(x)
    times x is x."""
    gradient = ad.grad(lambda x: ad.np.sum(compose(ad, lambda v: ad.detach(v) * v, x)))
    close(gradient(ad.array([2.0, 3.0])), [2.0, 3.0])
