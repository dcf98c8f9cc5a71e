"""Small programs that show what an engine does instead of a feature it lacks: they return where that holds.

A probe raises AssertionError where it does not hold. It is no `assert` statement, so that `python -O` runs it too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy

from conformance.protocol import Ad
from conformance.protocol.types import Array, Program


def require(condition: bool, otherwise: str) -> None:
    """AssertionError with what was observed instead, unless the condition holds."""
    if not condition:
        raise AssertionError(otherwise)


def _require_raising(kind: type[Exception], says: str, action: Callable[[], Any], otherwise: str) -> None:
    """The action raises an error of that kind, whose message contains `says`."""
    try:
        action()
    except kind as error:
        require(says in str(error), f"raised for another reason: {error}")
        return
    raise AssertionError(otherwise)


# Transforms of functions, as in JAX and HIPS autograd.


def _shown_traced(ad: Ad, differentiate: Callable[[Program, Array], Any]) -> None:
    seen: list[type] = []

    def program(x: Array) -> Array:
        seen.append(type(x))
        return x * x

    x = ad.array(3.0)
    differentiate(program, x)
    # A program that never ran would show nothing.
    require(bool(seen) and type(x) not in seen, f"the program was given a {type(x).__name__}, as any other caller is")


def a_program_is_traced(ad: Ad) -> None:
    """A program under `grad` receives a tracer, not the array itself or another of its type."""
    _shown_traced(ad, lambda program, x: ad.grad(program)(x))


def a_tangent_is_traced(ad: Ad) -> None:
    """A program under `jvp` is given a tracer that carries the tangent, and not an array that does."""
    _shown_traced(ad, lambda program, x: ad.jvp(program, (x,), (x,)))


def a_traced_array_cannot_be_written(ad: Ad) -> None:
    """A program under `grad` that assigns to an element of what it computed raises TypeError."""

    def program(x: Array) -> Array:
        y = x * 2.0
        y[0] = 5.0
        return y[0]

    gradient = ad.grad(program)
    _require_raising(TypeError, "", lambda: gradient(ad.array([1.0, 2.0])), "the element was overwritten")


def an_array_cannot_be_written(ad: Ad) -> None:
    """Assigning to an element raises TypeError."""
    x = ad.array([1.0, 2.0])

    def write() -> None:
        x[0] = 5.0

    _require_raising(TypeError, "", write, "the element was overwritten")


def no_two_names_share_memory(ad: Ad) -> None:
    """`y = x; y += 1` makes a new array and leaves x unchanged."""
    x = ad.array([1.0, 2.0])
    y = x
    y += 1.0
    require(bool((ad.to_numpy(x) == [1.0, 2.0]).all()), "the array changed under its first name")


def a_pullback_keeps_what_it_needs(ad: Ad) -> None:
    """A pullback can be called twice, without `retain_graph` or its like."""
    _, pullback = ad.vjp(lambda x: x * x, ad.array(3.0))
    pullback(ad.array(1.0))
    try:
        (again,) = pullback(ad.array(1.0))
    except Exception as error:
        raise AssertionError(f"the second call raised {type(error).__name__}") from error
    require(float(ad.to_numpy(again)) == 6.0, "the second call gave another gradient")


def a_checkpoint_replays_its_trace(ad: Ad) -> None:
    """The Python of a checkpointed program runs once: what is computed again is its trace."""
    calls: list[Array] = []

    def program(x: Array) -> Array:
        calls.append(x)
        return x * x

    ad.grad(ad.checkpoint(program))(ad.array(3.0))
    require(len(calls) == 1, f"the program ran {len(calls)} times")


def a_key_decides_a_draw(ad: Ad) -> None:
    """Two draws with the same key give the same numbers: there is no generator with a state."""
    # An adapter lacks the verbs of features that it declares absent.
    require(hasattr(ad, "key"), "nothing is drawn from a key")
    key = ad.key(0)
    require(bool((ad.to_numpy(ad.normal(key)) == ad.to_numpy(ad.normal(key))).all()), "the second draw differs")


def a_shape_alone_is_no_array(ad: Ad) -> None:
    """A value with a shape and without numbers raises TypeError in a computation."""
    require(hasattr(ad, "shape_only"), "there is no value with a shape and without numbers")
    _require_raising(TypeError, "", lambda: ad.shape_only((2,), "float64") + 1.0, "the value was computed with")


class _Overriding:
    """Not an array, but ready to take over the functions that it is given to."""

    @classmethod
    def __torch_function__(cls, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return ("taken over",)


def a_foreign_object_raises(ad: Ad) -> None:
    """An object that is no array, and offers to take functions over, raises TypeError where it is differentiated."""

    def differentiate() -> None:
        _, pullback = ad.vjp(lambda x: _Overriding(), ad.array(3.0))
        pullback(ad.array(1.0))

    _require_raising(TypeError, "", differentiate, "the object took the function over")


def a_maximum_is_an_array(ad: Ad) -> None:
    """The method `max` along an axis returns an array, as NumPy's does, and no pair of it and its indices."""
    x = ad.array([[1.0, 2.0]])
    require(type(x.max(0)) is type(x), "the maximum came with its indices")


def an_array_is_numpys_own(ad: Ad) -> None:
    """A program is called with an array of NumPy's own type, in the memory of the process."""
    require(isinstance(ad.array([1.0, 2.0]), numpy.ndarray), "the array is of the engine's own type")


def python_runs_with_the_program(ad: Ad) -> None:
    """The program runs once, as Python, on NumPy's numbers: it can branch on what it computed."""
    seen: list[bool] = []

    def program(x: Array) -> Array:
        seen.append(bool(x > 2.0))
        return x * x

    an_array_is_numpys_own(ad)
    ad.grad(program)(ad.array(3.0))
    require(seen == [True], f"the program saw {seen}")


# A tape, as in PyTorch and the reference engine.


def a_program_is_given_arrays(ad: Ad) -> None:
    """A program under `grad` is given an array of the type that any caller gives it, and runs once."""
    seen: list[type] = []

    def program(x: Array) -> Array:
        seen.append(type(x))
        return x * x

    x = ad.array(3.0)
    ad.grad(program)(x)
    require(seen == [type(x)], f"the program ran {len(seen)} times, on {[kind.__name__ for kind in seen]}")


def a_program_is_given_leaves(ad: Ad) -> None:
    """A program under `grad` is given leaves, whose flag it may set, and not values of a transform's level."""
    try:
        ad.grad(lambda x: x.requires_grad_() * 2.0)(ad.array(3.0))
    except Exception as error:
        raise AssertionError(f"the argument is no leaf: {type(error).__name__}") from error


def an_array_can_be_written(ad: Ad) -> None:
    """Assigning to an element changes the array."""
    x = ad.array([1.0, 2.0])
    try:
        x[0] = 5.0
    except TypeError as error:
        raise AssertionError("the element could not be overwritten") from error
    require(float(ad.to_numpy(x)[0]) == 5.0, "the element was not overwritten")


def a_draw_advances_the_generator(ad: Ad) -> None:
    """After a seed, two draws with the same arguments differ: the generator has a state."""
    require(hasattr(ad, "draw"), "nothing is drawn from a generator of the process")
    ad.seed_(0)
    first, second = ad.to_numpy(ad.draw((2,))), ad.to_numpy(ad.draw((2,)))
    require(not (first == second).all(), "both draws gave the same numbers")


def a_gradient_is_the_conjugate(ad: Ad) -> None:
    """The pullback of z squared at 1 + 2j gives 2 - 4j: the conjugate derivative, for any program."""
    _, pullback = ad.vjp(lambda z: z * z, ad.array(1 + 2j))
    (gradient,) = pullback(ad.array(1 + 0j))
    require(complex(ad.to_numpy(gradient)) == 2 - 4j, "the pullback gave the derivative itself")


def an_integer_has_no_cotangent(ad: Ad) -> None:
    """A pullback at an integer raises RuntimeError."""

    def pull_back() -> None:
        _, pullback = ad.vjp(lambda x: x * 1.0, ad.array(3))
        pullback(ad.array(1.0))

    _require_raising(RuntimeError, "", pull_back, "the integer was given a cotangent")


def a_maximum_brings_its_index(ad: Ad) -> None:
    """The method `max` along an axis returns a pair, where NumPy's returns an array."""
    x = ad.array([[1.0, 2.0]])
    require(type(x.max(0)) is not type(x), "the maximum came without its indices")


def a_double_needs_no_switch(ad: Ad) -> None:
    """Where a number alone is single, an array of doubles is double nevertheless."""
    # An integer times a Python float has the engine's default dtype; a literal float would be made double.
    number, array = ad.array(1) * 1.0, ad.array(1.0, "float64")
    require((ad.dtype_of(number), ad.dtype_of(array)) == ("float32", "float64"), "a number alone is a double")


def numbers_live_on_the_cpu(ad: Ad) -> None:
    """Moving an array to another device raises an error that names the CPU."""
    _require_raising(RuntimeError, "CPU only", lambda: ad.to_meta_device(ad.array(1.0)), "the array was moved")


def numbers_are_those_of_numpy(ad: Ad) -> None:
    """A dtype that NumPy does not have raises an error that names NumPy."""
    _require_raising(AttributeError, "NumPy", lambda: ad.bfloat16(1.0), "the array was made")


def no_mode_sees_each_operation(ad: Ad) -> None:
    """The scope in which a checkpoint traces operations raises an error: there is no such scope."""
    _require_raising(AttributeError, "debug_enabled", lambda: ad.checkpoint_debug(True), "the scope was made")


def a_sparse_array_is_no_array(ad: Ad) -> None:
    """A sparse array is of another class than an array."""
    ones = ad.array([1.0])
    try:
        sparse = ad.sparse_array([[0]], ones, (3,))
    except AttributeError as error:
        raise AssertionError(f"no sparse array was made: {error}") from error
    require(type(sparse) is not type(ones), "both are of one class")


def an_array_is_dense(ad: Ad) -> None:
    """A sparse array raises an error that names NumPy."""
    ones = ad.array([1.0])
    _require_raising(AttributeError, "NumPy", lambda: ad.sparse_array([[0]], ones, (3,)), "the array was made")


# torch.func: tensors, and transforms that have no leaves.


def _shown_functorch_raising(ad: Ad, program: Program, otherwise: str) -> None:
    _require_raising(RuntimeError, "functorch", lambda: ad.grad(program)(ad.array(3.0)), otherwise)


def a_flag_cannot_be_set(ad: Ad) -> None:
    """A program under `grad` may not set the flag of its argument: the transform decides what is differentiated."""
    _shown_functorch_raising(ad, lambda x: x.requires_grad_() * 2.0, "the flag was set")


def tangents_nest(ad: Ad) -> None:
    """`jvp` within `jvp` gives the second derivative: the transform makes its level itself."""
    one = ad.array(1.0)
    try:
        _, second = ad.jvp(lambda x: ad.jvp(lambda y: y * y * y, (x,), (one,))[1], (ad.array(2.0),), (one,))
    except Exception as error:
        raise AssertionError(f"the second level raised {type(error).__name__}: {error}") from error
    require(float(ad.to_numpy(second)) == 12.0, f"the second level gave {second}, expected 12.0")
