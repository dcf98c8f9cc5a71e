"""Adapters that are wrong for some operations, while one composition of verbs runs them.

An operation gets a term that belongs to no value: so its derivative under these verbs is not that of its values, and
not what other verbs give. What a pullback or a gradient returns is changed afterwards.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from conformance.operations import TABLE
from conformance.operations.row import Operation, parsed

__all__ = ["NEGATIVE_AXIS", "WRONG", "Calls", "Wrong", "families", "has_negative_axis", "with_axes", "wrong"]

VERBS = ("grad", "jvp", "vjp", "vmap", "jit", "checkpoint")


@dataclass(frozen=True)
class Calls:
    """A call of an operation: the verbs whose programs are under way, the outermost first, and its arrays.

    `inputs` are those of the innermost program, `axes` the numbers that parameters named after axes are given.
    """

    verbs: tuple[str, ...]
    inputs: tuple[Any, ...]
    arrays: tuple[Any, ...]
    dtypes: tuple[str, ...]
    axes: tuple[int, ...] = ()


@dataclass(frozen=True)
class Wrong:
    """What is wrong: the operation in calls that `call` chooses, or what verbs return."""

    what: str
    call: Callable[[Calls], bool] = lambda call: False
    pullback: Callable[[Any], Any] | None = None
    gradient: Callable[[Any], Any] | None = None


def _under(*verbs: str) -> Wrong:
    return Wrong(f"wrong in {' of '.join(verbs)}", lambda call: call.verbs == verbs)


def _within(verb: str) -> Wrong:
    return Wrong(f"wrong in {verb}", lambda call: verb in call.verbs)


def _of_complex(verb: str) -> Wrong:
    return Wrong(f"wrong in {verb} of complex numbers", lambda c: c.verbs == (verb,) and c.dtypes[0][:7] == "complex")


def _of_dtype(*names: str) -> Wrong:
    return Wrong(f"wrong in {names[0]}", lambda call: "grad" in call.verbs and call.dtypes[0] in names)


def _made(call: Calls) -> bool:
    return not any(x is one for x in call.arrays for one in call.inputs)


VIEWS = Wrong("wrong for arrays that the program made of its inputs", lambda c: "grad" in c.verbs and _made(c))


NEGATIVE_AXIS = Wrong("wrong for a negative axis", lambda c: "grad" in c.verbs and min(c.axes, default=0) < 0)
# By law, what makes its cells fail.
WRONG: dict[str, Wrong] = {
    "derivatives.reverse_mode_gives_the_derivative": _under("grad"),
    "derivatives.forward_mode_gives_the_derivative": _under("jvp"),
    "derivatives.reverse_over_reverse_gives_the_second_derivative": _under("grad", "grad"),
    "derivatives.forward_over_reverse_gives_the_second_derivative": _under("jvp", "grad"),
    "derivatives.reverse_over_forward_gives_the_second_derivative": _under("grad", "jvp"),
    "derivatives.forward_over_forward_gives_the_second_derivative": _under("jvp", "jvp"),
    "derivatives.reverse_mode_three_times_gives_the_third_derivative": _under("grad", "grad", "grad"),
    "exact_values.reverse_mode_gives_the_exact_derivative": _under("grad"),
    "exact_values.forward_mode_gives_the_exact_derivative": _under("jvp"),
    "exact_values.reverse_mode_gives_the_exact_second_derivative": _under("grad", "grad"),
    "exact_values.forward_mode_gives_the_exact_second_derivative": _under("jvp", "jvp"),
    "exact_values.reverse_mode_gives_the_exact_third_derivative": _under("grad", "grad", "grad"),
    "exact_values.forward_mode_gives_the_exact_third_derivative": _under("jvp", "jvp", "jvp"),
    "transforms.vmap_of_a_gradient_is_the_loop": _within("vmap"),
    "transforms.vmap_of_a_jvp_is_the_loop": _within("vmap"),
    "transforms.the_gradient_of_vmap_is_the_gradient_of_the_loop": _within("vmap"),
    "transforms.jit_changes_no_gradient": _within("jit"),
    "transforms.checkpoint_changes_no_gradient": _within("checkpoint"),
    "cotangents.the_pullback_is_linear": Wrong("a pullback that squares", pullback=lambda x: x + x * x),
    "cotangents.a_zero_cotangent_gives_zero": Wrong("a pullback that adds one", pullback=lambda x: x + 1.0),
    "cotangents.a_gradient_has_the_shape_and_dtype_of_its_input": Wrong(
        "a gradient with an axis too many", gradient=lambda x: x[None]
    ),
    "layouts.a_strided_input_changes_no_gradient": VIEWS,
    "layouts.a_transposed_input_changes_no_gradient": VIEWS,
    "layouts.one_transposed_input_among_several_changes_no_gradient": VIEWS,
    "layouts.a_view_that_begins_later_changes_no_gradient": VIEWS,
    "layouts.a_flipped_input_changes_no_gradient": VIEWS,
    "layouts.an_expanded_input_sums_the_gradient": VIEWS,
    "layouts.an_input_without_axes_has_the_gradient_of_its_number": Wrong(
        "wrong for arrays without axes", lambda c: "grad" in c.verbs and c.arrays[0].ndim == 0
    ),
    "layouts.an_empty_input_has_an_empty_gradient": Wrong(
        "a gradient with an axis too many", gradient=lambda x: x[None]
    ),
    "layouts.broadcasting_sums_the_gradient": Wrong(
        "wrong for arrays that are broadcast", lambda c: len({tuple(x.shape) for x in c.arrays}) > 1
    ),
    "layouts.one_array_in_two_arguments_has_the_sum_of_the_gradients": Wrong(
        "wrong for one array in two arguments", lambda c: len(c.arrays) > 1 and c.arrays[0] is c.arrays[1]
    ),
    "precision.single_precision_agrees_with_double": _of_dtype("float32", "complex64"),
    "precision.float16_agrees_with_double": _of_dtype("float16"),
    "precision.bfloat16_agrees_with_double": _of_dtype("bfloat16"),
    "complex_inputs.the_vjp_of_a_holomorphic_operation_has_its_convention": Wrong(
        "a pullback that doubles", pullback=lambda x: x + x
    ),
    "complex_inputs.a_holomorphic_gradient_is_the_complex_derivative": _of_complex("grad"),
    "complex_inputs.reverse_mode_gives_the_derivative_of_a_complex_operation": _of_complex("grad"),
    "complex_inputs.forward_mode_gives_the_derivative_of_a_complex_operation": _of_complex("jvp"),
    "kinks.the_modes_agree_at_a_kink": _under("jvp"),
    "kinks.a_gradient_at_a_kink_lies_between_the_one_sided_derivatives": _under("grad"),
}


def families() -> dict[str, list[str]]:
    """The operations of each family of the table."""
    found: dict[str, list[str]] = {}
    for name, one in TABLE.items():
        found.setdefault(one.group, []).append(name)
    return found


def with_axes() -> list[str]:
    """The differentiable operations with a parameter that is an axis."""
    names = (name for name, one in TABLE.items() if one.differentiated)
    return [name for name in names if any(map(_is_axis, parsed(TABLE[name].signature).parameters))]


def _is_axis(parameter: str) -> bool:
    return parameter.startswith(("axis", "axes", "dim"))


def has_negative_axis(operation: Operation) -> bool:
    """Whether one of its variants has a negative axis."""
    return any(min(_axes(operation, variant), default=0) < 0 for variant in operation.options)


def _axes(operation: Operation, given: Mapping[str, Any]) -> tuple[int, ...]:
    parameters = parsed(operation.signature).parameters
    values = [given.get(name, one.default) for name, one in parameters.items() if _is_axis(name)]
    flat = (x for value in values for x in (value if isinstance(value, (tuple, list)) else (value,)))
    return tuple(x for x in flat if isinstance(x, int))


@contextmanager
def wrong(adapter: Any, operations: Container[str], mutant: Wrong) -> Iterator[None]:
    """The adapter is wrong in this way for these operations meanwhile."""
    under_way = _Watching(adapter, operations, mutant)
    names = [verb for verb in VERBS if callable(getattr(type(adapter), verb, None))]
    changed = {verb: under_way.verb(verb) for verb in names}
    # On the object, and so before what its class has; `np` may be a property.
    kind = type(adapter)
    own = vars(kind).get("np")
    adapter.__dict__.update(changed)
    kind.np = under_way
    try:
        yield
    finally:
        for name in changed:
            del adapter.__dict__[name]
        del kind.np
        if own is not None:
            kind.np = own


class _Watching:
    """The adapter's table of operations, wrong for one family; it counts which verbs are running programs."""

    def __init__(self, adapter: Any, operations: Container[str], mutant: Wrong) -> None:
        self._adapter, self._right, self._operations, self._mutant = adapter, adapter.np, operations, mutant
        self._verbs: list[str] = []
        self._inputs: list[tuple[Any, ...]] = [()]
        self._used = False

    def __dir__(self) -> Sequence[str]:
        return dir(self._right)

    def __getattr__(self, name: str) -> Any:
        right = getattr(self._right, name)
        return self._operation(name, right) if name in self._operations else right

    def _operation(self, name: str, right: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(right)
        def operation(*args: Any, **options: Any) -> Any:
            self._used = True
            found = right(*args, **options)
            arrays = [x for one in args for x in (one if isinstance(one, (list, tuple)) else (one,)) if self._is(x)]
            dtypes = tuple(map(self._adapter.dtype_of, arrays))
            call = Calls(
                tuple(self._verbs),
                self._inputs[-1],
                tuple(arrays),
                dtypes,
                _axes(TABLE[name], parsed(TABLE[name].signature).bind(*args, **options).arguments),
            )
            if not arrays or not self._mutant.call(call):
                return found
            if isinstance(found, (list, tuple)):
                return tuple(self._with_term(z, arrays) if self._is(z) else z for z in found)
            return self._with_term(found, arrays)

        return operation

    def _is(self, x: Any) -> bool:
        """Whether it is an array of numbers that can be differentiated."""
        return hasattr(x, "shape") and self._adapter.dtype_of(x).startswith(("float", "complex"))

    def _with_term(self, z: Any, arrays: Sequence[Any]) -> Any:
        term = sum(self._right.sum(x * x * x * 7.0 + x * 9.0) for x in arrays)
        kinds = (self._adapter.dtype_of(one).startswith("complex") for one in (term, z))
        return z + (self._right.real(term) if tuple(kinds) == (True, False) else term)

    def verb(self, name: str) -> Callable[..., Any]:
        """The adapter's verb, which notes that it runs its program."""
        right = getattr(self._adapter, name)

        @functools.wraps(right)
        def verb(program: Callable[..., Any], *args: Any, **options: Any) -> Any:
            @functools.wraps(program)
            def noted(*xs: Any, **named: Any) -> Any:
                self._verbs.append(name)
                self._inputs.append(xs)
                try:
                    return program(*xs, **named)
                finally:
                    self._verbs.pop()
                    self._inputs.pop()

            self._used = False
            return self._changed(name, right(noted, *args, **options))

        return verb

    def _changed(self, name: str, found: Any) -> Any:
        """What a verb returns, where that is wrong."""
        if name == "vjp" and self._mutant.pullback:
            output, pullback = found
            return output, self._each(pullback, self._mutant.pullback)
        return self._each(found, self._mutant.gradient) if name == "grad" and self._mutant.gradient else found

    def _each(self, function: Callable[..., Any], change: Callable[[Any], Any]) -> Callable[..., Any]:
        def changed(*xs: Any) -> Any:
            found = function(*xs)
            if not self._used:
                return found
            return tuple(map(change, found)) if isinstance(found, tuple) else change(found)

        return changed
