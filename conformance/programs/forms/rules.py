"""Custom rules that are not the derivative of their function, as users write them, and guards of a domain, as forms."""

from __future__ import annotations

from typing import Any

from conformance.programs.forms import shapes
from conformance.programs.forms.form import Misfit, StepForm
from conformance.protocol.types import Array, Program, Shape


def scaled_rule(ad: Any, body: Program, slope: Program, x: Array) -> Array:
    return ad.custom_vjp(lambda x: (body(x), (x,)), lambda kept, g: (g * slope(*kept) * 0.5,))(x)


def reversed_gradient(ad: Any, x: Array) -> Array:
    return ad.custom_vjp(lambda x: (x * 1.0, ()), lambda kept, g: (-g,))(x)


def clipped_gradient(ad: Any, x: Array) -> Array:
    return ad.custom_vjp(lambda x: (x * 1.0, ()), lambda kept, g: (ad.np.clip(g, -0.3, 0.3),))(x)


def straight_through(ad: Any, x: Array) -> Array:
    return x + ad.detach(ad.np.floor(x + 0.5) - x)


def rounded_function(ad: Any, x: Array) -> Array:
    return ad.custom_function(
        lambda x: ad.np.floor(x + 0.5),
        lambda ctx, g: g * 1.0,
        lambda ctx, xs, output: None,
        lambda ctx, t: t * 1.0,
        generate_vmap_rule=True,
    )(x)


def rounded_jvp(ad: Any, x: Array) -> Array:
    return ad.custom_jvp(lambda x: ad.np.floor(x + 0.5), lambda xs, ts: (ad.np.floor(xs[0] + 0.5), ts[0]))(x)


# The rule for forward mode writes the tangent in place, as the function does with its argument.
def doubled_in_place(ad: Any, x: Array) -> Array:
    return ad.custom_function(
        lambda x: ad.mul_(x, 2.0),
        lambda ctx, g: g * 2.0,
        lambda ctx, xs, output: ad.mark_dirty_(ctx, *xs),
        lambda ctx, t: ad.mul_(t, 2.0),
    )(x)


# What a custom function saves is known, so what hooks change of it is, too: its rule is given twice the value.
def rule_with_hooks(ad: Any, body: Program, slope: Program, x: Array) -> Array:
    with ad.saved_tensors_hooks(lambda kept: kept * 2.0, lambda packed: packed):
        return ad.custom_function(
            body,
            lambda ctx, g: g * slope(*ad.saved(ctx)),
            lambda ctx, xs, output: ad.save_for_backward_(ctx, *xs),
            generate_vmap_rule=True,
        )(x)


# Arrays of these shapes do not fit: the write raises an error, and changes nothing.
def refused_write(ad: Any, x: Array) -> Array:
    y = ad.clone(x)
    try:
        ad.add_(y, ad.array([1.0, 2.0, 3.0, 4.0, 5.0]))
    except RuntimeError:
        return y
    return y


# The documented safe form: what is masked does not reach the operation either.
def masked_log(ad: Any, x: Array) -> Array:
    return ad.np.where(x > 1.0, ad.np.log(ad.np.where(x > 1.0, x, 1.0)), 0.0)


# The branch that is not taken would be NaN.
def guarded(ad: Any, x: Array) -> Array:
    return ad.cond(x > 1.0, lambda x: ad.np.sqrt(x) - 1.0, lambda x: x * 0.0, x)


def guarded_gradients(ad: Any, x: Array) -> Array:
    return ad.vmap(ad.grad(lambda x: ad.cond(x > 1.0, lambda x: ad.np.sqrt(x) - 1.0, lambda x: x * 0.0, x)))(x)


def _kept(given: list[Shape], options: Any, bodies: list[Shape]) -> Shape:
    if any(shape != given[0] for shape in bodies):
        raise Misfit(f"the bodies return {bodies} for {given[0]}")
    return given[0]


def _of_axes(count: int) -> Any:
    def rule(given: list[Shape], options: Any, bodies: list[Shape]) -> Shape:
        if len(given[0]) != count:
            raise Misfit(f"{given[0]} has not {count} axes")
        return given[0]

    return rule


def _both(given: list[Shape], options: Any) -> list[tuple[Shape, ...]]:
    return [(given[0],), (given[0],)]


def _form(call: Any, rule: Any, *features: str, arguments: Any = None, **flags: bool) -> StepForm:
    return StepForm(call.__name__, call, rule, features, arguments, **flags)


def _first(given: list[Shape], options: Any, bodies: list[Shape]) -> Shape:
    return shapes.first(given)


REVERSE: dict[str, bool] = {"deliberate": True, "reverse_only": True}
RULES: dict[str, StepForm] = {
    form.name: form
    for form in (
        _form(scaled_rule, _kept, "custom_vjp", arguments=_both, **REVERSE),
        _form(reversed_gradient, _first, "custom_vjp", **REVERSE),
        _form(clipped_gradient, _first, "custom_vjp", "np.clip", **REVERSE),
        _form(straight_through, _first, "detach", "np.floor", deliberate=True),
        _form(rounded_function, _first, "custom_function", "np.floor", deliberate=True),
        _form(rounded_jvp, _first, "custom_jvp", "np.floor", deliberate=True),
        _form(doubled_in_place, _first, "custom_function", "mark_dirty_", "mul_", writes=True, unmapped=True),
        _form(rule_with_hooks, _kept, "custom_function", "saved_tensors_hooks", arguments=_both, **REVERSE),
        _form(refused_write, _first, "clone", "add_"),
        _form(masked_log, _first, "np.where", "np.log"),
        _form(guarded, _of_axes(0), "cond"),
        _form(guarded_gradients, _of_axes(1), "cond", "vmap", "grad"),
    )
}
