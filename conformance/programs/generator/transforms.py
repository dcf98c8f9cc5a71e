"""Steps with a program in them: transforms, checkpointing, custom rules, control flow."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from conformance.programs.forms import FORMS
from conformance.programs.generator.operations import ANY
from conformance.programs.generator.ranges import Range, size_of, union
from conformance.programs.generator.scope import KnownValue, Scope, Unfit
from conformance.programs.program import Body, Step
from conformance.protocol.types import Shape

# Gradients of programs with two arguments.
OF_TWO = ("grad_of_second", "grad_of_container")
# Draws some steps into the scope of a body.
Grow = Callable[[Scope], None]
# Adds a step with bodies, and returns the number of its value.
GrowingStep = Callable[[Scope, Grow], int]
# Functions and their derivatives, as operations: the bodies of custom rules.
SLOPES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("sin", ("cos",)),
    ("cos", ("sin", "negative")),
    ("exp", ("exp",)),
    ("tanh", ("cosh", "reciprocal", "square")),
    ("atan", ("hypot_of_one", "square", "reciprocal")),
)


def _grown(scope: Scope, grow: Grow, parameters: list[KnownValue], forward: bool = False) -> tuple[Scope, int]:
    """A body's scope with some steps, and the number of the last value that a step of its made."""
    inner = scope.inside(parameters, forward)
    grow(inner)
    first = len(inner.values) - len(inner.steps)
    fresh = [n for n in range(first, len(inner.values)) if _is_fresh(inner, n, first)]
    if not fresh:
        # A body that returned its parameter would return the same array, or a constant.
        return inner, inner.add("np.sin", (first - len(parameters),), (-1.0, 1.0))
    return inner, fresh[-1]


def _is_fresh(inner: Scope, number: int, first: int) -> bool:
    known = inner.values[number]
    return known is not None and known.memory >= first and inner.depth in known.depends


def _scalar(inner: Scope, number: int) -> int:
    """The number of a value without axes: the mean of that value."""
    if inner.known(number).shape == ():
        return number
    # The mean and not the sum, which would leave the range.
    return inner.add("np.mean", (number,), inner.known(number).range, None)


def _like(inner: Scope, number: int, parameter: int) -> int:
    """The number of a bounded value with the shape of a parameter: their product, or the parameter alone."""
    shape = inner.known(parameter).shape
    if inner.known(number).shape != shape:
        mean = _scalar(inner, number)
        bounded = inner.add("np.sin", (mean,), (-1.0, 1.0))
        number = inner.add("np.add", (parameter, bounded), ANY)
    # Bounded, as a loop feeds it to its body again.
    return inner.add("np.tanh", (number,), (-1.0, 1.0))


def _shaped(scope: Scope, least: int = 0, most: int = 2) -> int:
    return scope.some(lambda known: least <= len(known.shape) <= most and 0 not in known.shape)


def _same_shape(scope: Scope, shape: Shape) -> int:
    return scope.some(lambda known: known.shape == shape)


def checkpoint(scope: Scope, grow: Grow, form: str = "checkpoint") -> int:
    """The same program, checkpointed or compiled."""
    x = _shaped(scope)
    known = scope.known(x)
    inner, gives = _grown(scope, grow, [scope.parameter(known.shape, known.range)])
    made = inner.known(gives)
    return scope.add(form, (x,), made.range, bodies=(inner.body(gives),), returned=(made.shape,))


def vmap(scope: Scope, grow: Grow) -> int:
    """A program mapped over the first or the last axis, sometimes with a shared argument."""
    x = _shaped(scope, 1)
    known, kind = scope.known(x), scope.draws.below(3)
    if kind == 2 and len(known.shape) > 1:
        return _mapped(scope, grow, "vmap_of_last_axes", (x,), [known.shape[:-1]])
    y = scope.some() if kind == 1 else None
    if y is not None:
        return _mapped(scope, grow, "vmap_of_shared", (x, y), [known.shape[1:], scope.known(y).shape])
    return _mapped(scope, grow, "vmap", (x,), [known.shape[1:]])


def _mapped(scope: Scope, grow: Grow, form: str, takes: tuple[int, ...], shapes: list[Shape]) -> int:
    parameters = [scope.parameter(shape, scope.known(n).range) for shape, n in zip(shapes, takes, strict=True)]
    # A shared argument is not mapped, so nothing that is mapped can be written into it.
    for shared in parameters[1:]:
        shared.depends = frozenset()
    inner, gives = _grown(scope, grow, parameters)
    made = inner.known(gives)
    return scope.add(form, takes, made.range, bodies=(inner.body(gives),), returned=(made.shape,))


def derivative(scope: Scope, grow: Grow) -> int:
    """A gradient, Jacobian or Hessian of a program at a value."""
    form = scope.draws.one_of(("grad", "grad", "grad_of_second", "grad_of_container", "jacobian", "jacfwd", "hessian"))
    # A Jacobian has the axes of both output and input: of matrices it would be too large.
    most = 1 if form in ("jacobian", "jacfwd", "hessian") else 2
    x = _shaped(scope, 1 if most == 1 else 0, most)
    y = _shaped(scope) if form in OF_TWO else None
    takes = (x,) if y is None else (x, y)
    parameters = [scope.parameter(scope.known(n).shape, scope.known(n).range) for n in takes]
    inner, gives = _grown(scope, grow, parameters, forward=form in ("jacfwd", "hessian"))
    if form in OF_TWO:
        # In some engines, the gradient by an argument that the output does not depend on is an error.
        gives = _with_both(inner, gives)
    elif form not in ("jacobian", "jacfwd"):
        gives = _scalar(inner, gives)
    return scope.add(form, takes, ANY, bodies=(inner.body(gives),), returned=(inner.known(gives).shape,))


def _with_both(inner: Scope, gives: int) -> int:
    """The number of a value without axes that depends on both parameters."""
    total = _scalar(inner, gives)
    for parameter in (inner.start, inner.start + 1):
        bounded = inner.add("np.sin", (parameter,), (-1.0, 1.0))
        other = _scalar(inner, bounded)
        total = inner.add("np.add", (total, other), ANY)
    return total


def two_outputs(scope: Scope, grow: Grow) -> int:
    """The pullback of a program with two outputs."""
    x = _shaped(scope)
    bodies, shapes = _two_bodies(scope, grow, x, lambda inner, gives: gives)
    return scope.add("vjp_of_two", (x,), ANY, bodies=bodies, returned=shapes)


def _two_bodies(
    scope: Scope, grow: Grow, x: int, gives: Callable[[Scope, int], int]
) -> tuple[tuple[Body, ...], tuple[Shape, ...]]:
    """Two bodies of one argument, and the shapes of their results; `gives` makes the result from the last value."""
    known, bodies = scope.known(x), []
    for _ in range(2):
        inner, last = _grown(scope, grow, [scope.parameter(known.shape, known.range)])
        number = gives(inner, last)
        bodies.append((inner.body(number), inner.known(number).shape))
    return tuple(body for body, _ in bodies), tuple(shape for _, shape in bodies)


def product_with(scope: Scope, grow: Grow, forms: tuple[str, ...] = ("jvp", "vjp")) -> int:
    """A product with a Jacobian, from the right or from the left."""
    form = scope.draws.one_of(forms)
    x = _shaped(scope)
    known = scope.known(x)
    inner, gives = _grown(scope, grow, [scope.parameter(known.shape, known.range)], forward=form != "vjp")
    made = inner.known(gives).shape
    other = _same_shape(scope, made if form == "vjp" else known.shape)
    return scope.add(form, (x, other), ANY, bodies=(inner.body(gives),), returned=(made,))


def _chain(shape: Shape, start: int, names: tuple[str, ...]) -> Body:
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


def rules(forms: tuple[str, ...]) -> GrowingStep:
    """A function with a custom rule, which is right: its derivative is that of the function."""

    def add_step(scope: Scope, grow: Grow) -> int:
        x = scope.choose(lambda known: size_of(known.range) <= 4.0)
        form = scope.draws.one_of(forms)
        # A rule for reverse mode alone is documented to have no other.
        if x is None or (scope.forward and FORMS[form].reverse_only):
            raise Unfit
        known = scope.known(x)
        if form == "custom_unused":
            return scope.add(form, (x,), (2 * known.range[0], 2 * known.range[1]))
        name, slope = scope.draws.one_of(SLOPES)
        start = len(scope.values)
        bodies = (_chain(known.shape, start, (name,)), _chain(known.shape, start, slope))
        # The argument is at most 4, and exp(4) is below 60.
        bounds = (0.0, 60.0) if name == "exp" else (-2.0, 2.0)
        return scope.add(form, (x,), bounds, bodies=bodies, returned=(known.shape,) * 2)

    return add_step


def branches(scope: Scope, grow: Grow) -> int:
    """One of two programs, by a condition or an index."""
    x = _shaped(scope)
    bodies, shapes = _two_bodies(scope, grow, x, _scalar)
    index = scope.draws.below(3)
    form, options = ("cond", ()) if index == 2 else ("switch", (index,))
    return scope.add(form, (x,), ANY, *options, bodies=bodies, returned=shapes)


def _carrying(scope: Scope, grow: Grow, x: int, others: list[KnownValue], forward: bool = False) -> Body:
    """The body of a loop, whose carry has the shape of a value."""
    known = scope.known(x)
    carried: Range = union(known.range, (-1.0, 1.0))
    inner, gives = _grown(scope, grow, [scope.parameter(known.shape, carried), *others], forward)
    return inner.body(_like(inner, gives, inner.start))


def loop(scope: Scope, grow: Grow) -> int:
    """A loop with a carry: over a count, by a condition (in forward mode), or of a mutable reference."""
    x = _shaped(scope)
    shape = scope.known(x).shape
    form = scope.draws.one_of(("fori_loop", "reference", "while_loop_forward"))
    takes = (x, x) if form == "while_loop_forward" else (x,)
    body = _carrying(scope, grow, x, [], form == "while_loop_forward")
    return scope.add(form, takes, ANY, bodies=(body,), returned=(shape,))


def scan(scope: Scope, grow: Grow) -> int:
    """A scan over the rows of a value: its last carry, or all of them."""
    x, y = _shaped(scope), _shaped(scope, 1)
    rows = scope.known(y)
    body = _carrying(scope, grow, x, [scope.parameter(rows.shape[1:], rows.range)])
    form = scope.draws.one_of(("scan", "scan_of_each"))
    return scope.add(form, (x, y), ANY, bodies=(body,), returned=(scope.known(x).shape,))


TRANSFORM_STEPS: dict[str, GrowingStep] = {
    "checkpoint": checkpoint,
    "jit": partial(checkpoint, form="jit"),
    "vmap": vmap,
    "derivative": derivative,
    "product_with": product_with,
    "two_outputs": two_outputs,
    "linearize": partial(product_with, forms=("linearize",)),
    "custom_vjp": rules(("custom_vjp",)),
    "custom_rules": rules(("custom_vjp", "custom_jvp")),
    "custom_function": rules(("custom_function", "custom_function", "custom_unused")),
    "branches": branches,
    "loop": loop,
    "scan_of_rows": scan,
}
