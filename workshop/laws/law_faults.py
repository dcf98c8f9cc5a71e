"""Faults that make the cells of each law fail: in an operation, its in-place form, or the results of verbs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import cycle
from typing import Any


@dataclass(frozen=True)
class OperationCall:
    """A call of an operation: the verbs whose programs run, the outermost first, and its arrays.

    `inputs` are those of the innermost program, `axes` the values of parameters that are axes.
    """

    verbs: tuple[str, ...]
    inputs: tuple[Any, ...]
    arrays: tuple[Any, ...]
    dtypes: tuple[str, ...]
    axes: tuple[int, ...] = ()


@dataclass(frozen=True)
class Wrong:
    """A fault of the operation in calls that `call` chooses, of its in-place form, its `out`, or of verbs' results."""

    what: str
    call: Callable[[OperationCall], bool] = lambda call: False
    form: Callable[[OperationCall], bool] = lambda call: False
    accepts_out: bool = False
    pullback: Callable[[Any], Any] | None = None
    gradient: Callable[[Any], Any] | None = None


def _under(*verbs: str) -> Wrong:
    # Exactly these verbs: a fault in any composition with `grad` would be seen by the first-order laws.
    return Wrong(f"wrong in {' of '.join(verbs)}", lambda call: call.verbs == verbs)


def _within(verb: str) -> Wrong:
    # Anywhere inside: laws of vmap compare it with a loop, which has no vmap.
    return Wrong(f"wrong in {verb}", lambda call: verb in call.verbs)


def _of_complex(verb: str) -> Wrong:
    return Wrong(f"wrong in {verb} of complex numbers", lambda c: c.verbs == (verb,) and c.dtypes[0][:7] == "complex")


def _of_dtype(*names: str) -> Wrong:
    return Wrong(f"wrong in {names[0]}", lambda call: "grad" in call.verbs and call.dtypes[0] in names)


def _made(call: OperationCall) -> bool:
    return not any(x is y for x in call.arrays for y in call.inputs)


def _made_one(call: OperationCall) -> bool:
    is_input = [any(x is y for y in call.inputs) for x in call.arrays]
    return any(is_input) and not all(is_input)


def _form(verb: str, of: Callable[[OperationCall], bool] = lambda call: True) -> Wrong:
    return Wrong(f"an in-place form that is wrong in {verb}", form=lambda call: call.verbs == (verb,) and of(call))


def _of_a_view(call: OperationCall) -> bool:
    # Engines with in-place forms have PyTorch's arrays.
    return bool(call.arrays[0]._is_view())


def _of_the_array_itself(call: OperationCall) -> bool:
    return any(x is call.arrays[0] for x in call.arrays[1:])


VIEWS = Wrong("wrong for arrays that the program made of its inputs", lambda c: "grad" in c.verbs and _made(c))


# Every second call, so that points of one kind of kink disagree.
_TURNS = cycle((False, True))
NEGATIVE_AXIS = Wrong("wrong for a negative axis", lambda c: "grad" in c.verbs and min(c.axes, default=0) < 0)
# By law, the fault that makes its cells fail.
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
    "cotangents.the_derivative_of_the_pullback_by_its_cotangent_is_the_jvp": _under("grad", "vjp"),
    "cotangents.a_gradient_has_the_shape_and_dtype_of_its_input": Wrong(
        "a gradient with an axis too many", gradient=lambda x: x[None]
    ),
    "layouts.a_strided_input_changes_no_gradient": VIEWS,
    "layouts.a_transposed_input_changes_no_gradient": VIEWS,
    "layouts.one_transposed_input_among_several_changes_no_gradient": Wrong(
        "wrong for an array that the program made of an input beside an input",
        lambda c: "grad" in c.verbs and _made_one(c),
    ),
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
    "in_place.reverse_mode_of_an_in_place_form_is_that_of_the_operation": _form("grad"),
    "in_place.forward_mode_of_an_in_place_form_is_that_of_the_operation": _form("jvp"),
    "in_place.reverse_mode_of_an_in_place_form_reaches_the_base_of_a_view": _form("grad", _of_a_view),
    "in_place.forward_mode_of_an_in_place_form_reaches_the_base_of_a_view": _form("jvp", _of_a_view),
    "in_place.reverse_mode_of_an_in_place_form_may_be_given_the_array_itself": _form("grad", _of_the_array_itself),
    "in_place.forward_mode_of_an_in_place_form_may_be_given_the_array_itself": _form("jvp", _of_the_array_itself),
    "in_place.out_with_an_argument_that_requires_grad_raises_an_error": Wrong(
        "out= that raises no error", accepts_out=True
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
    "kinks.an_engine_has_one_convention_for_a_kind_of_kink": Wrong(
        "wrong at every second point", lambda c: c.verbs == ("grad",) and next(_TURNS)
    ),
    "kinks.a_gradient_at_a_kink_lies_between_the_one_sided_derivatives": _under("grad"),
}
# Pairs of a law and a family whose cells pass whatever an operation does, with the reason.
EXEMPT: dict[tuple[str, str], str] = {
    ("in_place.reverse_mode_of_an_in_place_form_may_be_given_the_array_itself", "Special functions"): (
        "gammainc and gammaincc alone, which always raise the documented error"
    ),
}
