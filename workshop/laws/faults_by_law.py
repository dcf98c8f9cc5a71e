"""The fault that makes the cells of each law fail."""

from __future__ import annotations

import math
from collections.abc import Container
from itertools import count, cycle
from typing import Any

import numpy

from workshop.laws.compiler_faults import OF_COMPILERS
from workshop.laws.law_faults import (
    LawFault,
    Where,
    arrays,
    dtype_of_call,
    error_for_empty,
    out_of_place,
    shape_of,
    unseen_writes,
    writing,
    wrong_form,
    wrong_operation,
    wrong_results,
)
from workshop.wrong_adapter import WrongCall, WrongVerbs


def _under(*verbs: str) -> LawFault:
    # Exactly these verbs: a fault in any composition with `grad` would be seen by the first-order laws.
    return wrong_operation(f"wrong in {' of '.join(verbs)}", lambda call: call.under == verbs)


def _within(verb: str) -> LawFault:
    # Anywhere inside: laws of vmap compare it with a loop, which has no vmap.
    return wrong_operation(f"wrong in {verb}", lambda call: verb in call.under)


def _of_complex(verb: str) -> LawFault:
    what = f"wrong in {verb} of complex numbers"
    return wrong_operation(what, lambda call: call.under == (verb,) and dtype_of_call(call).startswith("complex"))


def _of_dtype(*names: str) -> LawFault:
    return wrong_operation(f"wrong in {names[0]}", lambda call: "grad" in call.under and dtype_of_call(call) in names)


def _of_whole_numbers(dtype: str) -> LawFault:
    """Wrong for arrays with a whole number, which special points have, and others by chance only."""

    def is_special(call: WrongCall) -> bool:
        doubles = (call.ad.to_numpy(call.ad.cast(x, "float64")) for x in arrays(call))
        return any((x == numpy.round(x)).any() for x in doubles)

    return wrong_operation(
        f"wrong for whole numbers in {dtype}",
        lambda c: "grad" in c.under and dtype_of_call(c) == dtype and is_special(c),
    )


def _are_inputs(call: WrongCall) -> list[bool]:
    return [any(x is y for y in call.inputs) for x in arrays(call)]


def _form(verb: str, where: Where = lambda call: True) -> LawFault:
    return wrong_form(f"an in-place form that is wrong in {verb}", lambda call: call.under == (verb,) and where(call))


def _of_a_view(call: WrongCall) -> bool:
    # Engines with in-place forms have PyTorch's arrays.
    return bool(call.args[0]._is_view())


def _of_the_array_itself(call: WrongCall) -> bool:
    return any(x is call.args[0] for x in arrays(call)[1:])


def _of_multiples(dtype: str) -> LawFault:
    """Wrong for numbers of which most are farther from 1 than those of ordinary points."""

    def is_far(call: WrongCall) -> bool:
        sizes = [numpy.abs(call.ad.to_numpy(x)) for x in arrays(call)]
        edge = 2.0 ** (numpy.finfo(dtype).maxexp // 3)
        return all(((x == 0) | (x > edge) | (x < 1 / edge)).all() for x in sizes) and any(x.any() for x in sizes)

    return wrong_operation(
        f"wrong for large and small numbers in {dtype}",
        lambda c: "grad" in c.under and dtype_of_call(c) == dtype and is_far(c),
    )


def _flushing(dtype: str) -> LawFault:
    """A pullback of which small results are lost."""
    small = 2.0 ** (numpy.finfo(dtype).minexp // 2)

    def flushed(x: Any) -> Any:
        return x * small * small / small / small if str(x.dtype).endswith(dtype) else x

    return wrong_results(f"a pullback without small numbers of {dtype}", "vjp", flushed)


def _beside_nan(*verbs: str) -> LawFault:
    def where(call: WrongCall) -> bool:
        return call.under == verbs and any(numpy.isnan(call.ad.to_numpy(x)).any() for x in arrays(call))

    return wrong_operation(f"wrong beside NaN in {' of '.join(verbs)}", where)


def _of_33_elements(verb: str) -> LawFault:
    return wrong_operation(f"wrong in {verb} of 33 elements", lambda c: c.under == (verb,) and shape_of(c) == (33,))


def _of_some_arguments(call: WrongCall) -> bool:
    return call.under == ("jvp",) and len(call.inputs) < sum(x.ndim >= 0 for x in arrays(call))


def _grad_by_some(call: WrongCall) -> bool:
    # Of all arguments, they begin with the first and are several.
    argnums = call.args[1]
    return len(argnums) == 1 or argnums[0] > 0 or argnums == (0, 2)


def _by_turns(x: Any) -> Any:
    return x * next(_FACTORS)


def _doubled_sum(operations: Container[str]) -> WrongVerbs:
    def chosen(call: WrongCall) -> bool:
        called = any(name.removeprefix("np.") in operations for name in call.called)
        return called and call.verb == "np.sum" and len(call.args) > 1 and "grad" in call.under

    return WrongVerbs(("np.*",), chosen, lambda call: call.run() * 2.0)


def _with_a_view(what: str, maker: str) -> LawFault:
    return wrong_results(f"wrong for a cotangent that is {what}", "grad", lambda x: x + x + 1.0, also=f"np.{maker}")


VIEWS = wrong_operation(
    "wrong for arrays that the program made of its inputs", lambda c: "grad" in c.under and not any(_are_inputs(c))
)
ROUNDED = wrong_results("a gradient that is rounded beside 1", "grad", lambda x: (x + 1.0) - 1.0)
LONGER = wrong_results("a gradient with an axis too many", "grad", lambda x: x[None])
# Every second call, so that points of one kind of kink disagree.
_TURNS = cycle((False, True))
_FACTORS = count(1.0)
PRECISIONS = {"double": "float64", "single": "float32", "half": "float16"}
# By law, the fault that makes its cells fail.
WRONG: dict[str, LawFault] = {
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
    # So little that only numbers that are small beside others are wrong.
    "components.reverse_mode_gives_each_component": ROUNDED,
    "components.forward_mode_gives_each_component": wrong_operation(
        "slightly wrong in jvp", lambda call: call.under == ("jvp",), 1e-15
    ),
    "components.reverse_over_reverse_gives_each_component": ROUNDED,
    "ends.reverse_mode_gives_the_derivative_up_to_the_ends": _under("grad"),
    "ends.forward_mode_gives_the_derivative_up_to_the_ends": _under("jvp"),
    "ends.reverse_mode_gives_the_second_derivative_up_to_the_ends": _under("grad", "grad"),
    "ends.forward_mode_gives_the_second_derivative_up_to_the_ends": _under("jvp", "jvp"),
    "ends.reverse_mode_gives_the_third_derivative_up_to_the_ends": _under("grad", "grad", "grad"),
    "ends.forward_mode_gives_the_third_derivative_up_to_the_ends": _under("jvp", "jvp", "jvp"),
    "transforms.vmap_of_a_gradient_is_the_loop": _within("vmap"),
    "transforms.vmap_of_a_jvp_is_the_loop": _within("vmap"),
    "transforms.the_gradient_of_vmap_is_the_gradient_of_the_loop": _within("vmap"),
    "transforms.jit_changes_no_gradient": _within("jit"),
    "transforms.checkpoint_changes_no_gradient": _within("checkpoint"),
    "cotangents.the_pullback_is_linear": wrong_results("a pullback that squares", "vjp", lambda x: x + x * x),
    "cotangents.a_zero_cotangent_gives_zero": wrong_results("a pullback that adds one", "vjp", lambda x: x + 1.0),
    "cotangents.the_derivative_of_the_pullback_by_its_cotangent_is_the_jvp": _under("grad", "vjp"),
    "cotangents.a_gradient_has_the_shape_and_dtype_of_its_input": LONGER,
    "cotangents.an_expanded_cotangent_changes_no_gradient": LawFault(
        "wrong for a cotangent that is expanded", _doubled_sum
    ),
    "cotangents.a_transposed_cotangent_changes_no_gradient": _with_a_view("transposed", "transpose"),
    "cotangents.a_cotangent_that_is_a_slice_changes_no_gradient": _with_a_view("a slice", "stack"),
    "layouts.a_strided_input_changes_no_gradient": VIEWS,
    "layouts.a_transposed_input_changes_no_gradient": VIEWS,
    "layouts.one_transposed_input_among_several_changes_no_gradient": wrong_operation(
        "wrong for an array that the program made of an input beside an input",
        lambda c: "grad" in c.under and len(set(_are_inputs(c))) == 2,
    ),
    "layouts.a_view_that_begins_later_changes_no_gradient": VIEWS,
    "layouts.a_flipped_input_changes_no_gradient": VIEWS,
    "layouts.an_expanded_input_sums_the_gradient": VIEWS,
    "layouts.an_input_without_axes_has_the_gradient_of_its_number": wrong_operation(
        "wrong for arrays without axes", lambda c: "grad" in c.under and arrays(c)[0].ndim == 0
    ),
    "layouts.an_empty_input_has_an_empty_gradient": LONGER,
    "layouts.forward_mode_of_an_empty_input_gives_zero": error_for_empty("jvp"),
    "layouts.second_derivatives_of_an_empty_input_are_zero": error_for_empty("jvp", "grad"),
    "layouts.forward_over_forward_of_an_empty_input_gives_zero": error_for_empty("jvp", "jvp"),
    "elements.reverse_mode_keeps_nan_and_infinity_apart": _beside_nan("grad"),
    "elements.forward_mode_keeps_nan_and_infinity_apart": _beside_nan("jvp"),
    "elements.reverse_over_reverse_keeps_nan_and_infinity_apart": _beside_nan("grad", "grad"),
    "elements.forward_over_reverse_keeps_nan_and_infinity_apart": _beside_nan("jvp", "grad"),
    "elements.reverse_mode_gives_an_element_the_same_at_all_lengths": _of_33_elements("grad"),
    "elements.forward_mode_gives_an_element_the_same_at_all_lengths": _of_33_elements("jvp"),
    "repeats.a_second_call_of_a_gradient_gives_the_same": wrong_results("a gradient that grows", "grad", _by_turns),
    "repeats.a_second_call_of_a_pullback_gives_the_same": wrong_results("a pullback that grows", "vjp", _by_turns),
    "repeats.reverse_mode_writes_to_nothing": writing("vjp"),
    "repeats.forward_mode_writes_to_nothing": writing("jvp"),
    "subsets.a_gradient_by_some_arguments_is_that_part_of_the_gradient": wrong_results(
        "a gradient by some arguments that doubles", "grad", lambda x: x + x, _grad_by_some
    ),
    "subsets.a_tangent_of_some_arguments_is_that_with_zeros_for_the_others": wrong_operation(
        "wrong in a JVP of some arguments", _of_some_arguments
    ),
    "subsets.the_gradient_of_some_outputs_is_that_with_zeros_for_the_others": wrong_results(
        "a gradient that adds one", "grad", lambda x: x + 1.0
    ),
    "layouts.broadcasting_sums_the_gradient": wrong_operation(
        "wrong for arrays that are broadcast", lambda c: len({tuple(x.shape) for x in arrays(c)}) > 1
    ),
    "layouts.one_array_in_two_arguments_has_the_sum_of_the_gradients": wrong_operation(
        "wrong for one array in two arguments", lambda c: len(x := arrays(c)) > 1 and x[0] is x[1]
    ),
    "in_place.reverse_mode_of_an_in_place_form_is_that_of_the_operation": _form("grad"),
    "in_place.forward_mode_of_an_in_place_form_is_that_of_the_operation": _form("jvp"),
    "in_place.reverse_mode_of_an_in_place_form_reaches_the_base_of_a_view": _form("grad", _of_a_view),
    "in_place.forward_mode_of_an_in_place_form_reaches_the_base_of_a_view": _form("jvp", _of_a_view),
    "in_place.reverse_mode_of_an_in_place_form_may_be_given_the_array_itself": _form("grad", _of_the_array_itself),
    "in_place.forward_mode_of_an_in_place_form_may_be_given_the_array_itself": _form("jvp", _of_the_array_itself),
    "in_place.out_with_an_argument_that_requires_grad_raises_an_error": LawFault(
        "out= that raises no error", out_of_place
    ),
    "in_place.a_write_to_an_input_is_detected_or_changes_no_gradient": LawFault(
        "a pullback that reads what is written later", unseen_writes
    ),
    "precision.single_precision_agrees_with_double": _of_dtype("float32", "complex64"),
    "precision.float16_agrees_with_double": _of_dtype("float16"),
    "precision.bfloat16_agrees_with_double": _of_dtype("bfloat16"),
    "precision.float16_agrees_with_double_for_long_arrays": wrong_operation(
        "wrong for more elements than the largest number of float16",
        lambda c: "grad" in c.under and dtype_of_call(c) == "float16" and math.prod(shape_of(c)) > 65504,
    ),
    "precision.float16_agrees_with_double_at_special_points": _of_whole_numbers("float16"),
    "precision.bfloat16_agrees_with_double_at_special_points": _of_whole_numbers("bfloat16"),
    "complex_inputs.the_vjp_of_a_holomorphic_operation_has_its_convention": wrong_results(
        "a pullback that doubles", "vjp", lambda x: x + x
    ),
    "complex_inputs.a_holomorphic_gradient_is_the_complex_derivative": _of_complex("grad"),
    "complex_inputs.reverse_mode_gives_the_derivative_of_a_complex_operation": _of_complex("grad"),
    "complex_inputs.forward_mode_gives_the_derivative_of_a_complex_operation": _of_complex("jvp"),
    **{
        f"scale.derivatives_of_a_homogeneous_operation_scale_in_{name}_precision": _of_multiples(dtype)
        for name, dtype in PRECISIONS.items()
    },
    **{
        f"scale.the_pullback_scales_with_its_cotangent_in_{name}_precision": _flushing(dtype)
        for name, dtype in PRECISIONS.items()
    },
    **OF_COMPILERS,
    "kinks.the_modes_agree_at_a_kink": _under("jvp"),
    "kinks.an_engine_has_one_convention_for_a_kind_of_kink": wrong_operation(
        "wrong at every second point", lambda c: c.under == ("grad",) and next(_TURNS)
    ),
    "kinks.a_gradient_at_a_kink_lies_between_the_one_sided_derivatives": _under("grad"),
}
# Pairs of a law and a family whose cells pass whatever an operation does, with the reason.
EXEMPT: dict[tuple[str, str], str] = {
    ("in_place.reverse_mode_of_an_in_place_form_may_be_given_the_array_itself", "Special functions"): (
        "gammainc and gammaincc alone, which always raise the documented error"
    ),
    **{
        (f"compiled_operations.a_compiled_operation_has_{what}_of_eager_mode", "Creation"): (
            "the compiled operation is not called, as in eager mode none has a gradient"
        )
        for what in ("the_gradient", "results_of_the_shape_and_dtype", "results_with_the_strides")
    },
    ("in_place.a_write_to_an_input_is_detected_or_changes_no_gradient", "Creation"): (
        "no gradient reaches what was written"
    ),
    **{
        (f"elements.{mode}_keeps_nan_and_infinity_apart", "Loops"): (
            "custom_root alone, which of these engines JAX has, where no fault sees that a traced number is NaN"
        )
        for mode in ("reverse_mode", "forward_mode", "reverse_over_reverse", "forward_over_reverse")
    },
}
