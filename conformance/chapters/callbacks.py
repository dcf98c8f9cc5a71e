"""Callbacks: Python called back from a program that the engine cannot see into."""

from conformance.behaviour import MUST, behaviour, jax
from conformance.expect import close, equal, raises


def _gradient(ad, program):
    return ad.grad(program)(ad.array(3.0))


def _tangent(ad, program):
    return ad.jvp(program, (ad.array(3.0),), (ad.array(1.0),))


@behaviour(
    MUST,
    jax("external-callbacks", raises=ValueError, says="do not support JVP"),
    cases={"reverse": (_gradient,), "forward": (_tangent,)},
)
def an_opaque_function_has_no_derivative(ad, derivative):
    """A function of the host, into which the engine cannot see, is refused in either mode."""
    raises(lambda: derivative(ad, lambda x: ad.pure_callback(lambda value: 2 * value, x, x)))


@behaviour(MUST, jax("external-callbacks", raises=ValueError, says="do not support JVP"))
def an_effect_takes_no_variable(ad):
    """A callback with side effects is refused, and not called, where its argument is being differentiated."""
    seen = []

    def effect(value):
        seen.append(value)
        return value

    raises(lambda: ad.grad(lambda x: ad.io_callback(effect, x, x))(ad.array(3.0)))
    equal(seen, [])


@behaviour(MUST, jax("external-callbacks"))
def an_effect_without_variables_runs(ad):
    """A function with effects runs once beside what is differentiated, on values that are not."""
    seen = []
    constant = ad.array(5.0)

    def effect(value):
        seen.append(value)
        return 7 * value

    close(ad.grad(lambda x: x * ad.io_callback(effect, constant, constant))(ad.array(3.0)), 35.0)
    close(tuple(seen), (5.0,))


@behaviour(MUST, jax("external-callbacks"), jax("jax.debug.callback"))
def an_observer_changes_nothing(ad):
    """An observer is called once with the value that is differentiated, and changes no gradient."""
    seen = []

    def square(x):
        ad.debug_callback(lambda value: seen.append(value), x)
        return x * x

    close(ad.grad(square)(ad.array(3.0)), 6.0)
    close(tuple(seen), (3.0,))
