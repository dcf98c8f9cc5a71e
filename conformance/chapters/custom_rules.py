"""Custom rules: derivatives given by hand, and taken at their word."""

from conformance.behaviour import MAY, MUST, behaviour, document, hips, jax, torch, torch_func
from conformance.expect import an_error, close, equal, one_of, raises

EXTEND = "Extend Autograd by defining your own primitives"


@behaviour(
    MUST,
    torch("notes/extending", "Extending torch.autograd"),
    jax("jax.custom_vjp"),
    document("004"),
    hips("tutorial", EXTEND),
)
def a_rule_given_by_hand_is_used(ad):
    """A function with a rule of its own is differentiated by that rule, whatever it computes."""
    square = ad.custom_vjp(lambda x: (x * x, ()), lambda saved, g: (10 * g,))
    close(ad.grad(square)(ad.array(3.0)), 10.0)


@behaviour(MUST, torch("notes/extending", "Extending torch.autograd"), jax("jax.custom_vjp"))
def a_rule_receives_what_forward_kept(ad):
    """A rule receives the values that its forward function kept for it."""
    square = ad.custom_vjp(lambda x: (x * x, (x,)), lambda saved, g: (7 * saved[0] * g,))
    close(ad.grad(square)(ad.array(3.0)), 21.0)


@behaviour(MUST, torch("torch.autograd.Function.backward"), jax("jax.custom_vjp"))
def a_rule_receives_the_cotangent(ad):
    """A rule receives the gradient of its output: five times a square has five times the gradient."""
    square = ad.custom_vjp(lambda x: (x * x, (x,)), lambda saved, g: (7 * saved[0] * g,))
    close(ad.grad(lambda x: 5 * square(x))(ad.array(3.0)), 105.0)


def _twofold_and_threefold(ad):
    return ad.custom_vjp(lambda x: ((2 * x, 3 * x), ()), lambda saved, g: (7 * g[0] + 5 * g[1],))


@behaviour(MUST, torch("torch.autograd.Function.backward"), jax("jax.custom_vjp.defvjp"))
def a_rule_receives_a_cotangent_for_each_output(ad):
    """The rule of a function with two outputs receives two cotangents, in the order of the outputs."""
    _, pullback = ad.vjp(_twofold_and_threefold(ad), ad.array(1.0))
    close(pullback((ad.array(10.0), ad.array(100.0))), (570.0,))


@behaviour(
    MUST,
    torch("torch.autograd.function.FunctionCtx.set_materialize_grads"),
    jax("jax.custom_vjp.defvjp", "symbolic_zeros"),
)
def an_unused_output_gives_zeros_to_the_rule(ad):
    """A rule receives zeros for an output that was not used, and can compute with them."""
    both = _twofold_and_threefold(ad)
    close(ad.grad(lambda x: both(x)[0])(ad.array(1.0)), 7.0)
    close(ad.grad(lambda x: both(x)[1])(ad.array(1.0)), 5.0)


@behaviour(
    MUST, torch("notes/extending", "Extending torch.autograd"), jax("Custom_derivative_rules", "Gradient clipping")
)
def a_rule_may_have_constant_arguments(ad):
    """A rule answers None for an argument that is a plain number, and the others keep their gradients."""
    times = ad.custom_vjp(lambda x, factor: (x * factor, ()), lambda saved, g: (7 * g, None))
    close(ad.grad(lambda x: times(x, 5.0))(ad.array(3.0)), 7.0)


@behaviour(
    MAY,
    nothing=torch("notes/extending", "Extending torch.autograd"),
    raises=jax("jep/4008"),
)
def a_captured_array_gets_no_gradient(ad):
    """An array that a function with a rule captures from outside has no part in the gradient, or is refused."""

    def program(a):
        times = ad.custom_vjp(lambda x: (a * x, ()), lambda saved, g: (3 * g,))
        return times(2 * a)

    return one_of(lambda: ad.grad(program)(ad.array(5.0)), nothing=6.0, raises=an_error)


@behaviour(
    MUST,
    torch("notes/extending", "Extending torch.autograd"),
    jax("Custom_derivative_rules", "Use jax.custom_vjp to define custom reverse-mode-only rules"),
    hips("tutorial", EXTEND),
)
def a_rule_can_be_differentiated(ad):
    """A rule is differentiated in its turn: 7 x^2 for x cubed gives 42 for the second derivative at 3."""
    cube = ad.custom_vjp(lambda x: (x * x * x, (x,)), lambda saved, g: (7 * saved[0] * saved[0] * g,))
    close(ad.grad(ad.grad(cube))(ad.array(3.0)), 42.0)


@behaviour(MUST, torch("notes/extending", "Forward mode AD"), jax("jax.custom_jvp"))
def a_forward_rule_is_used(ad):
    """In forward mode a function is differentiated by its rule for tangents, whatever it computes."""
    square = ad.custom_jvp(lambda x: x * x, lambda primals, tangents: (primals[0] * primals[0], 10 * tangents[0]))
    close(ad.jvp(square, (ad.array(3.0),), (ad.array(2.0),)), (9.0, 20.0))


def _tangent(ad, program):
    return ad.jvp(program, (ad.array(3.0),), (ad.array(1.0),))


def _jacobian(ad, program):
    return ad.jacfwd(program)(ad.array(3.0))


@behaviour(
    MUST,
    torch("torch.autograd.Function.jvp", raises=NotImplementedError, says="jvp"),
    jax(
        "Custom_derivative_rules",
        "Use jax.custom_vjp to define custom reverse-mode-only rules",
        raises=TypeError,
        says="forward-mode",
    ),
    cases={"tangent": (_tangent,), "jacobian": (_jacobian,)},
)
def a_reverse_rule_refuses_forward_mode(ad, derivative):
    """Forward mode is refused through a function that has a rule for reverse mode only."""
    square = ad.custom_vjp(lambda x: (x * x, (x,)), lambda saved, g: (2 * saved[0] * g,))
    raises(lambda: derivative(ad, square))


@behaviour(
    MAY,
    differentiated=jax("Custom_derivative_rules", "Use jax.custom_vjp to define custom reverse-mode-only rules"),
    raises=torch("torch.autograd.Function.jvp", raises=NotImplementedError, says="jvp"),
)
def forward_mode_passes_through_the_rule(ad):
    """Forward mode over a gradient differentiates the operations of the rule, or is refused."""
    cube = ad.custom_vjp(lambda x: (x * x * x, (x,)), lambda saved, g: (7 * saved[0] * saved[0] * g,))
    x, along = ad.array(5.0), ad.array(10.0)
    return one_of(lambda: ad.jvp(ad.grad(cube), (x,), (along,)), differentiated=(175.0, 700.0), raises=an_error)


def _noted(order, name, value):
    order.append(name)
    return value


@behaviour(
    MUST,
    torch("notes/extending", "Extending torch.autograd"),
    jax("Custom_derivative_rules", "Use jax.custom_vjp to define custom reverse-mode-only rules"),
)
def a_rule_runs_when_it_is_needed(ad):
    """The forward of a rule runs with the program, and its backward only with the pullback."""
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
    MUST,
    torch("torch.autograd.Function.backward", raises=RuntimeError, says="incorrect number of gradients"),
    jax("jax.custom_vjp", raises=TypeError, says="must produce an output with the same container"),
    cases={"too_many": (3,), "too_few": (1,)},
)
def a_rule_answers_for_each_input(ad, count):
    """A rule that returns more or fewer gradients than its function has inputs is refused."""
    product = ad.custom_vjp(lambda x, y: (x * y, ()), lambda saved, g: (g,) * count)
    raises(lambda: ad.grad(product)(ad.array(3.0), ad.array(2.0)))


@behaviour(
    MAY,
    zero=(jax("Custom_derivative_rules", "Gradient clipping"), torch_func("torch.func.grad")),
    raises=torch("torch.autograd.grad", raises=RuntimeError, says="not have been used"),
)
def a_rule_may_answer_none(ad):
    """None from a rule means a gradient of zero, or that the input was not used."""
    product = ad.custom_vjp(lambda x, y: (x * y, ()), lambda saved, g: (5 * g, None))
    x, y = ad.array(3.0), ad.array(2.0)
    return one_of(lambda: ad.grad(product, argnums=(0, 1))(x, y), zero=(5.0, 0.0), raises=an_error)


@behaviour(
    MUST,
    torch("notes/extending", "Extending torch.autograd", raises=RuntimeError, says="invalid gradient"),
    jax("jax.custom_vjp.defvjp", raises=ValueError, says="as the args tuple"),
)
def a_rule_returns_a_gradient_of_the_shape_of_its_input(ad):
    """A gradient that a rule returns in another shape than that of its input is refused."""
    wrong = ad.array([1.0, 2.0, 3.0])
    total = ad.custom_vjp(lambda x: (ad.np.sum(x), ()), lambda saved, g: (g * wrong,))
    raises(lambda: ad.grad(total)(ad.array([3.0, 4.0])))


@behaviour(MUST, jax("jax.grad"))
def a_gradient_of_another_dtype(ad):
    """A gradient has the precision of its input, whatever the precision in which a rule returns it."""
    square = ad.custom_vjp(lambda x: (x * x, ()), lambda saved, g: (ad.cast(7 * g, "float32"),))
    gradient = ad.grad(square)(ad.array(3.0))
    equal(ad.dtype_of(gradient), "float64")
    close(gradient, 7.0)


@behaviour(
    MAY,
    understood=torch("torch.autograd.Function.backward"),
    raises=jax("jax.custom_vjp.defvjp", raises=TypeError, says="same container"),
)
def a_rule_answers_without_a_tuple(ad):
    """A rule for one input that returns its gradient without a tuple is understood, or refused."""
    square = ad.custom_vjp(lambda x: (x * x, ()), lambda saved, g: 5 * g)
    return one_of(lambda: ad.grad(square)(ad.array(3.0)), understood=5.0, raises=an_error)
