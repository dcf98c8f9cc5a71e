"""Forms of tapes only: hooks, retained gradients, grad modes, backward passes, unrecorded writes."""

from __future__ import annotations

from typing import Any

from conformance.programs.forms import shapes
from conformance.programs.forms.form import Misfit, StepForm
from conformance.protocol.types import Array, Program, Shape


def hook(ad: Any, body: Program, x: Array) -> None:
    ad.register_hook(x, body)


def post_accumulate_hook(ad: Any, body: Program, x: Array) -> None:
    ad.register_post_accumulate_hook(x, body)


# Called with gradients of inputs and outputs; the body observes that of the single output.
def node_hook(ad: Any, body: Program, x: Array) -> None:
    ad.register_node_hook(x, lambda inputs, outputs: body(outputs[0]))


def retain_gradient(ad: Any, x: Array) -> None:
    ad.retain_gradient_(x)


def backward(ad: Any, x: Array, retain_graph: bool) -> None:
    ad.backward(ad.np.sum(x), retain_graph=retain_graph)


# The graph is retained, since later steps may run backward through the same values.
def backward_to(ad: Any, x: Array, y: Array) -> None:
    ad.backward(ad.np.sum(x), retain_graph=True, inputs=[y])


# Zeros for an unused input, so that the step always makes an array.
def grad_of(ad: Any, x: Array, y: Array, create_graph: bool) -> Array:
    return ad.grad_of(ad.np.sum(x), [y], create_graph=create_graph, retain_graph=True, materialize_grads=True)[0]


def no_grad(ad: Any, body: Program, x: Array) -> Array:
    with ad.no_grad():
        return body(x)


def enable_grad(ad: Any, body: Program, x: Array) -> Array:
    with ad.enable_grad():
        return body(x)


# A write that the tape does not see: the value changes, its history stays.
def no_grad_copy(ad: Any, x: Array, y: Array) -> None:
    with ad.no_grad():
        ad.copy_(x, y)


def no_grad_multiply(ad: Any, x: Array, y: Array) -> None:
    with ad.no_grad():
        ad.mul_(x, y)


# Neither the tape nor the version counter sees this write.
def add_to_data(ad: Any, x: Array, y: Array) -> None:
    ad.add_(ad.data_of(x), ad.detach(y))


def augment(ad: Any, x: Array, y: Array) -> Array:
    return ad.augment_(x, y)


def detach_(ad: Any, x: Array) -> Array:
    return ad.detach_(x)


def require_grad(ad: Any, x: Array) -> Array:
    return ad.require_grad_(x)


# Hooks that copy change no derivative, whatever the body saves.
def saved_hooks(ad: Any, body: Program, x: Array) -> Array:
    with ad.saved_tensors_hooks(ad.clone, ad.clone):
        return body(x)


# The rule writes into its argument, and must declare that.
def custom_dirty(ad: Any, x: Array) -> Array:
    return ad.custom_function(
        lambda ctx, x: (ad.mark_dirty_(ctx, x), ad.mul_(x, 2.0))[1],
        lambda ctx, g: g * 2.0,
    )(x)


# Both outputs are used, so that backward receives two cotangents.
def custom_of_two(ad: Any, x: Array) -> Array:
    one, other = ad.custom_function(
        lambda ctx, x: (x * 2.0, x * 3.0),
        lambda ctx, g, h: g * 2.0 + h * 3.0,
    )(x)
    return one * other


# The output used is the one without derivative: what comes after it is constant.
def custom_constant(ad: Any, x: Array) -> Array:
    return ad.custom_function(
        lambda ctx, x: (x * 2.0, constant := x * 3.0, ad.mark_non_differentiable_(ctx, constant))[:2],
        lambda ctx, g, h: g * 2.0,
    )(x)[1]


def _none(given: list[Shape], options: Any, bodies: list[Shape]) -> None:
    return None


def _same(given: list[Shape], options: Any, bodies: list[Shape]) -> Shape:
    return bodies[0]


def _first(given: list[Shape], options: Any, bodies: list[Shape]) -> Shape:
    return given[0]


def _second(given: list[Shape], options: Any, bodies: list[Shape]) -> Shape:
    return given[1]


def _written(given: list[Shape], options: Any, bodies: list[Shape]) -> Shape:
    return shapes.written(given)


def _written_only(given: list[Shape], options: Any, bodies: list[Shape]) -> None:
    shapes.written(given)


# A hook's result replaces the gradient, so it must have its shape.
def _hooked(given: list[Shape], options: Any, bodies: list[Shape]) -> None:
    if bodies and bodies[0] != given[0]:
        raise Misfit(f"the hook returns {bodies[0]} for a gradient of {given[0]}")


def _values(given: list[Shape], options: Any) -> list[tuple[Shape, ...]]:
    return [tuple(given)]


def _form(call: Any, rule: Any, *features: str, arguments: Any = None, **flags: bool) -> StepForm:
    return StepForm(call.__name__, call, rule, features, arguments, **flags)


TAPE: dict[str, StepForm] = {
    form.name: form
    for form in (
        _form(hook, _hooked, "register_hook", arguments=_values, heard=True),
        _form(post_accumulate_hook, _none, "register_post_accumulate_hook", arguments=_values, heard=True),
        _form(node_hook, _none, "register_node_hook", arguments=_values, heard=True),
        _form(retain_gradient, _none, "retain_gradient_"),
        _form(backward, _none, "backward"),
        _form(backward_to, _none, "backward.inputs"),
        _form(grad_of, _second, "grad_of"),
        _form(no_grad, _same, "no_grad", arguments=_values, constant=True),
        _form(enable_grad, _same, "enable_grad", arguments=_values),
        _form(no_grad_copy, _written_only, "no_grad", "copy_", writes=True),
        _form(no_grad_multiply, _written_only, "no_grad", "mul_", writes=True),
        _form(add_to_data, _written_only, "data_of", "add_", writes=True),
        _form(augment, _written, "augment_", writes=True),
        _form(detach_, _first, "detach_", view=True),
        _form(require_grad, _first, "require_grad_", view=True),
        _form(saved_hooks, _same, "saved_tensors_hooks", arguments=_values),
        _form(custom_dirty, _first, "custom_function", "mark_dirty_", writes=True),
        _form(custom_of_two, _first, "custom_function"),
        _form(custom_constant, _first, "custom_function", "mark_non_differentiable_", constant=True),
    )
}
