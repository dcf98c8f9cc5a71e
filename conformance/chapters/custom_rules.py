"""Custom rules: functions with a user-defined derivative, by autograd.Function, custom_vjp or custom_jvp."""

from conformance.behaviour import MAY, MUST, SHOULD, behaviour, hips, jax, torch, torch_func
from conformance.expect import an_error, close, equal, one_of, raises

EXTEND = "Extend Autograd by defining your own primitives"
AUTOGRAD = "Extending torch.autograd"
REVERSE_ONLY = "Use jax.custom_vjp to define custom reverse-mode-only rules"


@behaviour(
    MUST,
    torch("notes/extending", AUTOGRAD),
    jax("jax.custom_vjp"),
    hips("tutorial", EXTEND),
    aliases=("torch.autograd.function", "straight-through estimator custom gradient"),
)
def a_custom_vjp_rule_is_used(ad):
    """Reverse mode differentiates a function by its custom VJP rule, even if that is not the true derivative."""
    square = ad.custom_vjp(lambda x: (x * x, ()), lambda saved, g: (10 * g,))
    close(ad.grad(square)(ad.array(3.0)), 10.0)


@behaviour(
    MUST,
    torch("torch.autograd.Function.backward"),
    jax("jax.custom_vjp.defvjp"),
    aliases=("save_for_backward residuals",),
)
def a_rule_receives_what_forward_saved(ad):
    """A custom backward rule receives the values that its forward rule saved (residuals, `save_for_backward`)."""
    square = ad.custom_vjp(lambda x: (x * x, (x,)), lambda saved, g: (7 * saved[0] * g,))
    close(ad.grad(square)(ad.array(3.0)), 21.0)


@behaviour(MUST, torch("torch.autograd.Function.backward"), jax("jax.custom_vjp.defvjp"))
def a_rule_receives_the_cotangent(ad):
    """A custom backward rule receives the cotangent of its output (grad_output): 5 if the output is multiplied by 5."""
    square = ad.custom_vjp(lambda x: (x * x, (x,)), lambda saved, g: (7 * saved[0] * g,))
    close(ad.grad(lambda x: 5 * square(x))(ad.array(3.0)), 105.0)


def _twofold_and_threefold(ad):
    return ad.custom_vjp(lambda x: ((2 * x, 3 * x), ()), lambda saved, g: (7 * g[0] + 5 * g[1],))


@behaviour(MUST, torch("torch.autograd.Function.backward"), jax("jax.custom_vjp.defvjp"))
def a_rule_receives_a_cotangent_for_each_output(ad):
    """The custom backward rule of a function with two outputs receives two cotangents, in the order of the outputs."""
    _, pullback = ad.vjp(_twofold_and_threefold(ad), ad.array(1.0))
    close(pullback((ad.array(10.0), ad.array(100.0))), (570.0,))


@behaviour(
    MUST,
    torch("torch.autograd.function.FunctionCtx.set_materialize_grads"),
    jax("jax.custom_vjp.defvjp", "symbolic_zeros"),
    aliases=("set_materialize_grads",),
)
def an_unused_output_gives_zeros_to_the_rule(ad):
    """By default, a custom backward rule receives zeros, not None, as the cotangent of an output that was not used."""
    both = _twofold_and_threefold(ad)
    close(ad.grad(lambda x: both(x)[0])(ad.array(1.0)), 7.0)
    close(ad.grad(lambda x: both(x)[1])(ad.array(1.0)), 5.0)


@behaviour(MUST, torch("notes/extending", AUTOGRAD), jax("Custom_derivative_rules", "Gradient clipping"))
def a_rule_may_have_constant_arguments(ad):
    """A custom backward rule may return None for a constant argument, a number or an array of integers; the other
    arguments get their gradients."""
    times = ad.custom_vjp(lambda x, factor: (x * factor, ()), lambda saved, g: (7 * g, None))
    close(ad.grad(lambda x: times(x, 5.0))(ad.array(3.0)), 7.0)
    product = ad.custom_vjp(lambda n, x: (n * x, ()), lambda saved, g: (None, 11 * g))
    close(ad.grad(lambda x: product(ad.array(5), x))(ad.array(3.0)), 11.0)


@behaviour(
    MUST,
    nothing=torch("notes/extending", AUTOGRAD),
    raises=jax("jep/4008", raises=Exception),
    aliases=("closed-over value custom_vjp",),
)
def a_captured_array_gets_no_gradient(ad):
    """A value captured by closure in a function with a custom rule gets no gradient, or grad raises an error."""

    def program(a):
        times = ad.custom_vjp(lambda x: (a * x, ()), lambda saved, g: (3 * g,))
        return times(2 * a)

    return one_of(lambda: ad.grad(program)(ad.array(5.0)), nothing=6.0, raises=an_error)


@behaviour(
    MUST,
    torch("notes/extending", AUTOGRAD),
    jax("Custom_derivative_rules", "Implicit function differentiation of iterative implementations"),
    hips("tutorial", EXTEND),
    aliases=("double backward custom function",),
)
def a_rule_can_be_differentiated(ad):
    """A custom backward rule of differentiable operations is differentiable: 7x² has the derivative 42 at 3."""
    cube = ad.custom_vjp(lambda x: (x * x * x, (x,)), lambda saved, g: (7 * saved[0] * saved[0] * g,))
    close(ad.grad(ad.grad(cube))(ad.array(3.0)), 42.0)


@behaviour(
    MUST,
    torch("notes/extending", AUTOGRAD),
    torch_func("notes/extending.func"),
    hips("tutorial", EXTEND),
    aliases=("grad_output tracks history", "gradient penalty through a custom function"),
)
def a_rule_can_be_differentiated_by_its_cotangent(ad):
    """A custom backward rule of differentiable operations is also differentiable by the cotangent that it receives: if
    f has the rule 7g, the derivative of x f(y) by y is 7x, and the derivative of that by x is 7."""
    double = ad.custom_vjp(lambda y: (2 * y, ()), lambda saved, g: (7 * g,))

    def by_y(x):
        return ad.grad(lambda y: x * double(y))(ad.array(5.0))

    close((by_y(ad.array(3.0)), ad.grad(by_y)(ad.array(3.0))), (21.0, 7.0))


@behaviour(MUST, torch("torch.autograd.Function.jvp"), jax("jax.custom_jvp"))
def a_custom_jvp_rule_is_used(ad):
    """Forward mode differentiates a function by its custom JVP rule, even if it is not the true derivative."""
    square = ad.custom_jvp(lambda x: x * x, lambda primals, tangents: (primals[0] * primals[0], 10 * tangents[0]))
    close(ad.jvp(square, (ad.array(3.0),), (ad.array(2.0),)), (9.0, 20.0))


def _tangent(ad, program):
    return ad.jvp(program, (ad.array(3.0),), (ad.array(1.0),))


def _jacobian(ad, program):
    return ad.jacfwd(program)(ad.array(3.0))


@behaviour(
    MUST,
    torch("notes/extending.func", "torch.func.jvp Support", raises=Exception, says="must implement the jvp"),
    jax("Custom_derivative_rules", REVERSE_ONLY, raises=Exception, says="to a custom_vjp function"),
    cases={"tangent": (_tangent,), "jacobian": (_jacobian,)},
    aliases=("can't apply forward-mode autodiff (jvp) to a custom_vjp function",),
)
def a_custom_vjp_has_no_forward_mode(ad, derivative):
    """Forward mode through a function that has only a custom VJP rule raises an error."""
    square = ad.custom_vjp(lambda x: (x * x, (x,)), lambda saved, g: (2 * saved[0] * g,))
    raises(lambda: derivative(ad, square))


@behaviour(
    SHOULD,
    differentiated=jax("thinking_in_jax", "Taking derivatives with jax.grad"),
    raises=torch("notes/extending.func", "torch.func.jvp Support", raises=Exception, says="must implement the jvp"),
)
def forward_over_reverse_through_a_custom_vjp(ad):
    """jvp of grad (forward over reverse) differentiates a custom backward rule in forward mode, or raises an error."""
    cube = ad.custom_vjp(lambda x: (x * x * x, (x,)), lambda saved, g: (7 * saved[0] * saved[0] * g,))
    x, along = ad.array(5.0), ad.array(10.0)
    return one_of(lambda: ad.jvp(ad.grad(cube), (x,), (along,)), differentiated=(175.0, 700.0), raises=an_error)


def _noted(order, name, value):
    order.append(name)
    return value


@behaviour(
    MUST,
    torch("notes/autograd", "How autograd encodes the history"),
    jax("Custom_derivative_rules", REVERSE_ONLY),
)
def a_backward_rule_runs_in_the_backward_pass(ad):
    """A custom backward rule runs in the backward pass, not before the pullback is called."""
    order = []
    square = ad.custom_vjp(
        lambda x: _noted(order, "forward", (x * x, (x,))),
        lambda saved, g: _noted(order, "backward", (2 * saved[0] * g,)),
    )
    _, pullback = ad.vjp(square, ad.array(3.0))
    equal("backward" in order, False)
    close(pullback(ad.array(5.0)), (30.0,))
    equal(order[-2:], ["forward", "backward"])


@behaviour(
    SHOULD,
    torch("torch.autograd.Function.backward", raises=Exception),
    jax("jax.custom_vjp.defvjp", raises=Exception, says="must produce an output with the same container"),
    cases={"too_many": (3,), "too_few": (1,)},
    aliases=("returned an incorrect number of gradients",),
)
def a_rule_returns_a_gradient_for_each_input(ad, count):
    """A custom backward rule that returns fewer gradients than the function has inputs, or more that are not None,
    raises an error."""
    product = ad.custom_vjp(lambda x, y: (x * y, ()), lambda saved, g: (g,) * count)
    raises(lambda: ad.grad(product)(ad.array(3.0), ad.array(2.0)))


@behaviour(
    MAY,
    zero=(
        jax("Custom_derivative_rules", "Gradient clipping"),
        torch_func("torch.func.grad", unstated="no page has None from a rule together with this function"),
    ),
    raises=torch(
        "torch.autograd.grad",
        raises=Exception,
        says="not have been used",
        unstated="no page has None from a rule together with this function",
    ),
    aliases=("none vs zero",),
)
def a_rule_may_return_none(ad):
    """None from a custom backward rule is a zero gradient, or grad raises an error as for an unused input."""
    product = ad.custom_vjp(lambda x, y: (x * y, ()), lambda saved, g: (5 * g, None))
    x, y = ad.array(3.0), ad.array(2.0)
    return one_of(lambda: ad.grad(product, argnums=(0, 1))(x, y), zero=(5.0, 0.0), raises=an_error)


@behaviour(
    SHOULD,
    torch("torch.autograd.Function.backward", raises=Exception, says="invalid gradient"),
    jax("Custom_derivative_rules", REVERSE_ONLY, raises=Exception, says="as the args tuple"),
    aliases=("returned an invalid gradient",),
)
def a_gradient_of_an_irreducible_shape_raises_an_error(ad):
    """A custom rule's gradient of shape (3,) for an input of shape (2,) raises an error."""
    wrong = ad.array([1.0, 2.0, 3.0])
    total = ad.custom_vjp(lambda x: (ad.np.sum(x), ()), lambda saved, g: (g * wrong,))
    raises(lambda: ad.grad(total)(ad.array([3.0, 4.0])))


@behaviour(
    SHOULD,
    understood=torch("notes/extending", AUTOGRAD),
    raises=jax("jax.custom_vjp.defvjp", raises=Exception, says="same container"),
)
def a_rule_returns_a_gradient_without_a_tuple(ad):
    """A custom backward rule that returns a single gradient without a tuple is accepted, or raises an error."""
    square = ad.custom_vjp(lambda x: (x * x, ()), lambda saved, g: 5 * g)
    return one_of(lambda: ad.grad(square)(ad.array(3.0)), understood=5.0, raises=an_error)
