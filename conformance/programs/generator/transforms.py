"""Steps with a program in them: transforms, checkpointing, custom rules, control flow."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from conformance.programs.forms import FORMS
from conformance.programs.forms.ranges import ANY, size_of, union
from conformance.programs.generator.scope import DrawStep, KnownValue, Scope, Unfit
from conformance.programs.program import Body, Step
from conformance.programs.shapes import parameters_of

# Gradients of programs with two arguments.
OF_TWO = ("grad_of_second", "grad_of_container")
# Makes the result of a body from its last value: the number of each.
Finish = Callable[[Scope, int], int]
# Functions and their derivatives, as operations: the bodies of custom rules.
SLOPES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("sin", ("cos",)),
    ("cos", ("sin", "negative")),
    ("exp", ("exp",)),
    ("tanh", ("cosh", "reciprocal", "square")),
    ("atan", ("hypot_of_one", "square", "reciprocal")),
)


def _parameters(scope: Scope, form: str, takes: tuple[int, ...]) -> list[list[KnownValue]]:
    """The parameters of each body of a step, with the ranges of the step's values."""
    bounds = [scope.known(number).range for number in takes]
    return [
        [scope.parameter(shape, bound) for shape, bound in zip(body, bounds, strict=False)]
        for body in parameters_of(Step(form, takes), scope.shapes)
    ]


def _draw_body(
    scope: Scope, parameters: list[KnownValue], finish: Finish | None = None, forward: bool = False
) -> tuple[Body, KnownValue]:
    """A body of some steps, and the known properties of its result."""
    inner = scope.inside(parameters, forward)
    scope.grow(inner)
    first = len(inner.values) - len(inner.steps)
    fresh = [n for n in range(first, len(inner.values)) if _is_fresh(inner, n, first)]
    # A body that returned its parameter would return the same array, or a constant.
    last = fresh[-1] if fresh else inner.add("np.sin", (inner.start,))
    gives = finish(inner, last) if finish else last
    return inner.body(gives), inner.known(gives)


def _is_fresh(inner: Scope, number: int, first: int) -> bool:
    known = inner.values[number]
    return known is not None and known.memory >= first and inner.depth in known.depends


def _scalar(inner: Scope, number: int) -> int:
    """The number of a value without axes: the mean of that value."""
    if inner.known(number).shape == ():
        return number
    # The mean and not the sum, which would leave the range.
    return inner.add("np.mean", (number,), None)


def _like_carry(inner: Scope, number: int) -> int:
    """The number of a bounded value with the shape of the carry: its mean added to the carry, or the value alone."""
    if inner.known(number).shape != inner.known(inner.start).shape:
        mean = _scalar(inner, number)
        bounded = inner.add("np.sin", (mean,))
        number = inner.add("np.add", (inner.start, bounded), bounds=ANY)
    # Bounded, as a loop feeds it to its body again.
    return inner.add("np.tanh", (number,), bounds=(-1.0, 1.0))


def _shaped(scope: Scope, least: int = 0, most: int = 2) -> int:
    return scope.some(lambda known: least <= len(known.shape) <= most and 0 not in known.shape)


def checkpoint(scope: Scope, form: str = "checkpoint") -> int:
    """The same program, checkpointed or compiled."""
    return _with_body(scope, form, (_shaped(scope),))


def _with_body(scope: Scope, form: str, takes: tuple[int, ...]) -> int:
    """A step with one body, whose result is as large as the body's."""
    (parameters,) = _parameters(scope, form, takes)
    # Of vmap, a shared argument is not mapped, so nothing that is mapped can be written into it.
    for shared in parameters[1:]:
        shared.depends = frozenset()
    body, made = _draw_body(scope, parameters)
    return scope.add(form, takes, bounds=made.range, bodies=(body,))


def vmap(scope: Scope) -> int:
    """A program mapped over the first or the last axis, sometimes with a shared argument."""
    x = _shaped(scope, 1)
    kind = scope.draws.below(3)
    if kind == 2 and len(scope.known(x).shape) > 1:
        return _with_body(scope, "vmap_of_last_axes", (x,))
    return _with_body(scope, "vmap_of_shared", (x, scope.some())) if kind == 1 else _with_body(scope, "vmap", (x,))


def derivative(scope: Scope) -> int:
    """A gradient, Jacobian or Hessian of a program at a value."""
    form = scope.draws.one_of(("grad", "grad", "grad_of_second", "grad_of_container", "jacobian", "jacfwd", "hessian"))
    # A Jacobian has the axes of both output and input: of matrices it would be too large.
    most = 1 if form in ("jacobian", "jacfwd", "hessian") else 2
    x = _shaped(scope, 1 if most == 1 else 0, most)
    takes = (x, _shaped(scope)) if form in OF_TWO else (x,)
    (parameters,) = _parameters(scope, form, takes)
    # In some engines, the gradient by an argument that the output does not depend on is an error.
    finish = _with_both if form in OF_TWO else None if form in ("jacobian", "jacfwd") else _scalar
    body, _ = _draw_body(scope, parameters, finish, forward=form in ("jacfwd", "hessian"))
    return scope.add(form, takes, bodies=(body,))


def _with_both(inner: Scope, gives: int) -> int:
    """The number of a value without axes that depends on both parameters."""
    total = _scalar(inner, gives)
    for parameter in (inner.start, inner.start + 1):
        bounded = inner.add("np.sin", (parameter,))
        other = _scalar(inner, bounded)
        total = inner.add("np.add", (total, other), bounds=ANY)
    return total


def two_outputs(scope: Scope) -> int:
    """The pullback of a program with two outputs."""
    x = _shaped(scope)
    return scope.add("vjp_of_two", (x,), bodies=_two_bodies(scope, "vjp_of_two", x))


def _two_bodies(scope: Scope, form: str, x: int, finish: Finish | None = None) -> tuple[Body, ...]:
    return tuple(_draw_body(scope, parameters, finish)[0] for parameters in _parameters(scope, form, (x,)))


def product_with(scope: Scope, forms: tuple[str, ...] = ("jvp", "vjp")) -> int:
    """A product with a Jacobian, from the right or from the left."""
    form = scope.draws.one_of(forms)
    x = _shaped(scope)
    (parameters,) = _parameters(scope, form, (x,))
    body, made = _draw_body(scope, parameters, forward=form != "vjp")
    # A cotangent is like the result, a tangent like the argument.
    shape = made.shape if form == "vjp" else scope.known(x).shape
    other = scope.some(lambda known: known.shape == shape)
    return scope.add(form, (x, other), bodies=(body,))


def _chain(start: int, names: tuple[str, ...]) -> Body:
    """A body of one parameter, whose number is `start`: elementwise operations one after the other."""
    steps: list[Step] = []
    for name in names:
        last = start + len(steps)
        if name == "hypot_of_one":
            # sqrt(1 + x^2), as the hypotenuse of x and cos(0).
            steps += [
                Step("np.subtract", (last, last)),
                Step("np.cos", (last + 1,)),
                Step("np.hypot", (last, last + 2)),
            ]
        else:
            steps.append(Step(f"np.{name}", (last,)))
    return Body(1, tuple(steps), (start + len(steps),))


def rules(*forms: str) -> DrawStep:
    """A function with a custom rule, which is right: its derivative is that of the function."""

    def add_step(scope: Scope) -> int:
        x = scope.choose(lambda known: size_of(known.range) <= 4.0)
        form = scope.draws.one_of(forms)
        # A rule for reverse mode alone is documented to have no other.
        if x is None or (scope.forward and FORMS[form].reverse_only):
            raise Unfit
        if form == "custom_unused":
            return scope.add(form, (x,))
        name, slope = scope.draws.one_of(SLOPES)
        start = len(scope.values)
        # The argument is at most 4, and exp(4) is below 60.
        bounds = (0.0, 60.0) if name == "exp" else (-2.0, 2.0)
        return scope.add(form, (x,), bounds=bounds, bodies=(_chain(start, (name,)), _chain(start, slope)))

    return add_step


def branches(scope: Scope) -> int:
    """One of two programs, by a condition or an index."""
    x = _shaped(scope)
    # Both forms have the same bodies.
    bodies = _two_bodies(scope, "cond", x, _scalar)
    index = scope.draws.below(3)
    form, options = ("cond", ()) if index == 2 else ("switch", (index,))
    return scope.add(form, (x,), *options, bodies=bodies)


def loop(scope: Scope) -> int:
    """A loop with a carry: over a count, by a condition (in forward mode), or of a mutable reference."""
    x = _shaped(scope)
    form = scope.draws.one_of(("fori_loop", "reference", "while_loop_forward"))
    takes = (x, x) if form == "while_loop_forward" else (x,)
    return scope.add(form, takes, bodies=(_loop_body(scope, form, takes, form == "while_loop_forward"),))


def _loop_body(scope: Scope, form: str, takes: tuple[int, ...], forward: bool = False) -> Body:
    """The body of a loop, whose first parameter is the carry."""
    (parameters,) = _parameters(scope, form, takes)
    parameters[0].range = union(parameters[0].range, (-1.0, 1.0))
    return _draw_body(scope, parameters, _like_carry, forward)[0]


def scan(scope: Scope) -> int:
    """A scan over the rows of a value: its last carry, or all of them."""
    takes = (_shaped(scope), _shaped(scope, 1))
    body = _loop_body(scope, "scan", takes)
    return scope.add(scope.draws.one_of(("scan", "scan_of_each")), takes, bodies=(body,))


TRANSFORM_STEPS: dict[str, DrawStep] = {
    "checkpoint": checkpoint,
    "jit": partial(checkpoint, form="jit"),
    "vmap": vmap,
    "derivative": derivative,
    "product_with": product_with,
    "two_outputs": two_outputs,
    "linearize": partial(product_with, forms=("linearize",)),
    "custom_vjp": rules("custom_vjp"),
    "custom_rules": rules("custom_vjp", "custom_jvp"),
    "custom_function": rules("custom_function", "custom_function", "custom_unused"),
    "branches": branches,
    "loop": loop,
    "scan_of_rows": scan,
}
