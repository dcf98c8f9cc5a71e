"""Transforms, custom rules, checkpointing and control flow as forms: steps that have programs in them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from conformance.programs.forms.form import Misfit, StepForm
from conformance.protocol.types import Array, Program, Shape

Shapes = list[Shape]


def checkpoint(ad: Any, body: Program, *xs: Array) -> Array:
    return ad.checkpoint(body)(*xs)


def jit(ad: Any, body: Program, *xs: Array) -> Array:
    return ad.jit(body)(*xs)


def vmap(ad: Any, body: Program, x: Array) -> Array:
    return ad.vmap(body)(x)


# One argument is the same for all examples: its gradient sums over them.
def vmap_of_shared(ad: Any, body: Program, x: Array, y: Array) -> Array:
    return ad.vmap(body, (0, None))(x, y)


def vmap_of_last_axes(ad: Any, body: Program, x: Array) -> Array:
    return ad.vmap(body, -1, -1)(x)


def grad(ad: Any, body: Program, x: Array) -> Array:
    return ad.grad(body)(x)


def grad_of_second(ad: Any, body: Program, x: Array, y: Array) -> Array:
    return ad.grad(body, 1)(x, y)


# Of nested containers only the gradient of x is used.
def grad_of_container(ad: Any, body: Program, x: Array, y: Array) -> Array:
    return ad.grad(lambda held: body(held["x"], held["y"][0]))({"x": x, "y": [y]})["x"]


# A tuple of outputs needs a tuple of cotangents; the outputs themselves serve.
def vjp_of_two(ad: Any, body: Program, other: Program, x: Array) -> Array:
    outputs, pullback = ad.vjp(lambda x: (body(x), other(x)), x)
    return pullback(outputs)[0]


def jvp(ad: Any, body: Program, x: Array, t: Array) -> Array:
    return ad.jvp(body, (x,), (t,))[1]


# The cotangent is another value of the program, and so differentiated too.
def vjp(ad: Any, body: Program, x: Array, y: Array) -> Array:
    return ad.vjp(body, x)[1](ad.np.cos(y))[0]


def jacobian(ad: Any, body: Program, x: Array) -> Array:
    return ad.jacobian(body)(x)


def jacfwd(ad: Any, body: Program, x: Array) -> Array:
    return ad.jacfwd(body)(x)


def hessian(ad: Any, body: Program, x: Array) -> Array:
    return ad.hessian(body)(x)


def linearize(ad: Any, body: Program, x: Array, t: Array) -> Array:
    return ad.linearize(body, x)[1](t)


# `slope` is any program: engines must follow the rule, though it is not the derivative.
def custom_vjp(ad: Any, body: Program, slope: Program, x: Array) -> Array:
    return ad.custom_vjp(lambda x: (body(x), (x,)), lambda kept, g: (g * slope(*kept),))(x)


def custom_jvp(ad: Any, body: Program, slope: Program, x: Array) -> Array:
    return ad.custom_jvp(body, lambda xs, ts: (body(*xs), ts[0] * slope(*xs)))(x)


# With setup_context and a vmap rule, so that every transform may meet it.
def custom_function(ad: Any, body: Program, slope: Program, x: Array) -> Array:
    return ad.custom_function(
        body,
        lambda ctx, g: g * slope(*ad.saved(ctx)),
        lambda ctx, xs, output: (ad.save_for_backward_(ctx, *xs), ad.save_for_forward_(ctx, *xs)),
        lambda ctx, t: t * slope(*ad.saved(ctx)),
        generate_vmap_rule=True,
    )(x)


def custom_unused(ad: Any, x: Array) -> Array:
    """Backward is told which output has no gradient: None, where zeros are not asked for."""
    return ad.custom_function(
        lambda x: (x * 2.0, x * 3.0),
        lambda ctx, g, h: g * (2.0 if h is None else 5.0),
        lambda ctx, xs, output: ad.set_materialize_grads_(ctx, False),
        lambda ctx, t: (t * 2.0, t * 3.0),
        generate_vmap_rule=True,
    )(x)[0]


def cond(ad: Any, body: Program, other: Program, x: Array) -> Array:
    return ad.cond(ad.np.sum(x) > 0.0, body, other, x)


def switch(ad: Any, body: Program, other: Program, x: Array, index: int) -> Array:
    return ad.switch(index, [body, other], x)


# The number of passes is fixed, so that reverse mode is possible.
def fori_loop(ad: Any, body: Program, x: Array) -> Array:
    return ad.fori_loop(0, 3, lambda i, carry: body(carry), x)


def scan(ad: Any, body: Program, x: Array, y: Array) -> Array:
    return ad.scan(lambda carry, one: (body(carry, one), carry), x, y)[0]


# The stacked carries, where `scan` returns the last.
def scan_of_each(ad: Any, body: Program, x: Array, y: Array) -> Array:
    return ad.scan(lambda carry, one: (body(carry, one), carry), x, y)[1]


# A loop of unknown length has forward mode only.
def while_loop_forward(ad: Any, body: Program, x: Array, t: Array) -> Array:
    return ad.jvp(
        lambda x: ad.while_loop(lambda pair: pair[0] < 2, lambda pair: (pair[0] + 1, body(pair[1])), (0, x))[1],
        (x,),
        (t,),
    )[1]


# A mutable cell: read, written and read again.
def reference(ad: Any, body: Program, x: Array) -> Array:
    kept = ad.new_reference(x)
    ad.write_reference_(kept, body(ad.read_reference(kept)))
    return ad.read_reference(kept)


# Shapes: of the arguments of each body, and of the result, from those of the values and of what each body returns.


def _values(given: Shapes, options: Any) -> list[tuple[Shape, ...]]:
    return [tuple(given)]


def _first(given: Shapes, options: Any) -> list[tuple[Shape, ...]]:
    return [(given[0],)]


def _both(given: Shapes, options: Any) -> list[tuple[Shape, ...]]:
    return [(given[0],), (given[0],)]


def _row(shape: Shape) -> Shape:
    if not shape:
        raise Misfit("a number has no axis")
    return shape[1:]


def _same(given: Shapes, options: Any, bodies: Shapes) -> Shape:
    if len(set(bodies)) != 1:
        raise Misfit(f"the bodies return {bodies}")
    return bodies[0]


def _kept(given: Shapes, options: Any, bodies: Shapes) -> Shape:
    if any(shape != given[0] for shape in bodies):
        raise Misfit(f"the bodies return {bodies} for {given[0]}")
    return given[0]


def _unchanged(given: Shapes, options: Any, bodies: Shapes) -> Shape:
    return given[0]


def _mapped(given: Shapes, options: Any, bodies: Shapes) -> Shape:
    return (given[0][0], *bodies[0])


def _mapped_last(given: Shapes, options: Any, bodies: Shapes) -> Shape:
    return (*bodies[0], given[0][-1])


# A gradient has the shape of what it is taken by, and exists for scalars only.
def _like(number: int) -> Callable[[Shapes, Any, Shapes], Shape]:
    """That of a value, of which the body returns a scalar."""

    def rule(given: Shapes, options: Any, bodies: Shapes) -> Shape:
        if bodies[0] != ():
            raise Misfit(f"the body returns {bodies[0]}, and no number")
        return given[number]

    return rule


def _like_all(given: Shapes, options: Any, bodies: Shapes) -> Shape:
    return given[0]


def _pushed(given: Shapes, options: Any, bodies: Shapes) -> Shape:
    if given[0] != given[1]:
        raise Misfit(f"the tangent of {given[0]} has the shape {given[1]}")
    return bodies[0]


def _pulled(given: Shapes, options: Any, bodies: Shapes) -> Shape:
    if bodies[0] != given[1]:
        raise Misfit(f"the cotangent of {bodies[0]} has the shape {given[1]}")
    return given[0]


def _derivative(given: Shapes, options: Any, bodies: Shapes) -> Shape:
    return bodies[0] + given[0]


def _second(given: Shapes, options: Any, bodies: Shapes) -> Shape:
    return _like(0)(given, options, bodies) * 2


def _pushed_and_kept(given: Shapes, options: Any, bodies: Shapes) -> Shape:
    _pushed(given, options, bodies)
    return _kept(given, options, bodies)


def _carried(given: Shapes, options: Any, bodies: Shapes) -> Shape:
    _kept(given, options, bodies)
    return given[0]


def _carried_each(given: Shapes, options: Any, bodies: Shapes) -> Shape:
    return (given[1][0], *_carried(given, options, bodies))


def _with_rows(given: Shapes, options: Any) -> list[tuple[Shape, ...]]:
    return [(given[0], _row(given[1]))]


def _form(call: Any, rule: Any, arguments: Any, *features: str, **flags: bool) -> StepForm:
    name = call.__name__
    return StepForm(name, call, rule, features or (name,), arguments, **flags)


NESTED: dict[str, StepForm] = {
    form.name: form
    for form in (
        _form(checkpoint, _same, _values),
        _form(jit, _same, _values),
        _form(vmap, _mapped, lambda given, options: [(_row(given[0]),)]),
        _form(vmap_of_shared, _mapped, lambda given, options: [(_row(given[0]), given[1])], "vmap"),
        _form(vmap_of_last_axes, _mapped_last, lambda given, options: [(_row(given[0][::-1])[::-1],)], "vmap"),
        _form(grad, _like(0), _values),
        _form(grad_of_second, _like(1), _values, "grad.argnums"),
        _form(grad_of_container, _like(0), _values, "grad"),
        _form(vjp_of_two, _like_all, _both, "vjp"),
        _form(jvp, _pushed, _first),
        _form(vjp, _pulled, _first),
        _form(jacobian, _derivative, _values),
        _form(jacfwd, _derivative, _values),
        _form(hessian, _second, _values),
        _form(linearize, _pushed, _first),
        _form(custom_vjp, _kept, _both, reverse_only=True),
        _form(custom_jvp, _kept, _both),
        _form(custom_function, _kept, _both),
        _form(custom_unused, _unchanged, None, "custom_function", "set_materialize_grads_"),
        _form(cond, _same, _both),
        _form(switch, _same, _both),
        _form(fori_loop, _kept, _first),
        _form(scan, _carried, _with_rows),
        _form(scan_of_each, _carried_each, _with_rows, "scan"),
        _form(while_loop_forward, _pushed_and_kept, _first, "while_loop", "jvp"),
        _form(reference, _kept, _first, "new_reference", "read_reference", "write_reference_"),
    )
}
