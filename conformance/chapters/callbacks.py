"""Callbacks: pure_callback, io_callback and debug.callback inside a differentiated function."""

from conformance.behaviour import MAY, MUST, behaviour, jax
from conformance.expect import close, raises


def _gradient(ad, program):
    return ad.grad(program)(ad.array(3.0))


def _tangent(ad, program):
    return ad.jvp(program, (ad.array(3.0),), (ad.array(1.0),))


@behaviour(
    MUST,
    jax("external-callbacks", raises=Exception, says="do not support JVP"),
    cases={"reverse": (_gradient,), "forward": (_tangent,)},
    aliases=("pure callbacks do not support jvp", "call numpy or scipy inside grad"),
)
def pure_callback_is_not_differentiable(ad, derivative):
    """`pure_callback` raises an error if its argument depends on a differentiated variable, in reverse mode and in
    forward mode, unless a custom rule is given."""
    raises(lambda: derivative(ad, lambda x: ad.pure_callback(lambda value: 2 * value, x, x)))


@behaviour(
    MUST,
    jax("external-callbacks", raises=Exception, says="do not support JVP"),
    aliases=("io callbacks do not support jvp",),
)
def io_callback_takes_no_differentiated_variable(ad):
    """`io_callback` raises an error if its argument depends on a differentiated variable."""
    raises(lambda: _gradient(ad, lambda x: ad.io_callback(lambda value: value, x, x)))


@behaviour(MUST, jax("external-callbacks"))
def io_callback_runs_on_constants(ad):
    """`io_callback` runs once inside a differentiated function if its argument does not depend on the variable."""
    seen = []
    constant = ad.array(5.0)

    def effect(value):
        seen.append(value)
        return 7 * value

    close(ad.grad(lambda x: x * ad.io_callback(effect, constant, constant))(ad.array(3.0)), 35.0)
    close(tuple(seen), (5.0,))


@behaviour(
    MUST,
    jax("external-callbacks"),
    jax("debugging/print_breakpoint", "Printing under jax.grad"),
    jax("jax.debug.callback"),
    aliases=("print value inside grad",),
)
def debug_callback_does_not_change_the_gradient(ad):
    """Under grad, `debug.callback` is called on the forward pass, with the value of a differentiated variable, and does
    not change the gradient."""
    seen = []

    def square(x):
        ad.debug_callback(lambda value: seen.append(value), x)
        return x * x

    close(ad.grad(square)(ad.array(3.0)), 6.0)
    close(seen[0], 3.0)


@behaviour(
    MUST,
    jax("ffi", raises=Exception, says="cannot be differentiated"),
    cases={
        "reverse": (lambda ad, f, x: ad.grad(f)(x),),
        "forward": (lambda ad, f, x: ad.jvp(f, (x,), (x,)),),
    },
    aliases=("ffi_call gradient",),
)
def a_foreign_function_is_not_differentiable(ad, differentiate):
    """Differentiating a call of a foreign function (`ffi_call`) raises an error: JAX does not know its derivative."""
    x = ad.array(3.0)
    raises(lambda: differentiate(ad, lambda x: ad.foreign_call("no_such_target", x, x), x))


@behaviour(MUST, jax("external-callbacks", "Example: pure_callback with custom_jvp"))
def a_custom_rule_makes_pure_callback_differentiable(ad):
    """A custom JVP rule makes a function by `pure_callback` differentiable, here xⁿ with an integer n, whose tangent
    the rule does not use."""

    def rule(primals, tangents):
        n, x = primals
        return power(n, x), n * power(n - 1, x) * tangents[1]

    power = ad.custom_jvp(lambda n, x: ad.pure_callback(lambda n, x: x**n, x, n, x), rule)
    n, x = ad.array(3), ad.array(5.0)
    close(ad.jvp(lambda x: power(n, x), (x,), (ad.array(2.0),)), (125.0, 150.0))
    close(ad.grad(lambda x: power(n, x))(x), 75.0)


@behaviour(MUST, jax("external-callbacks", "Exploring debug.callback"))
def debug_callback_works_in_forward_mode_and_under_vmap(ad):
    """A function that calls `debug.callback` can be differentiated by jvp and by vmap of grad: the callback does not
    change what they compute."""

    def square(x):
        ad.debug_callback(lambda value: 7 * value, x)
        return x * x

    close(ad.jvp(square, (ad.array(3.0),), (ad.array(5.0),)), (9.0, 30.0))
    close(ad.vmap(ad.grad(square))(ad.array([2.0, 7.0])), [4.0, 14.0])


@behaviour(MAY, jax("debugging/print_breakpoint", "Printing under jax.grad"), aliases=("print a gradient",))
def debug_callback_in_a_rule_shows_the_cotangent(ad):
    """`debug.callback` in the backward rule of a `custom_vjp` identity is called in the backward pass, with the
    cotangent: 7 for 7x."""
    seen = []

    def backward(saved, g):
        ad.debug_callback(lambda value: seen.append(value), g)
        return (g,)

    shown = ad.custom_vjp(lambda x: (x, ()), backward, primal=lambda x: x)
    close(ad.grad(lambda x: 7 * shown(5 * x))(ad.array(3.0)), 35.0)
    close(tuple(seen), (7.0,))
