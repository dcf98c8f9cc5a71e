"""Laws that see what no other law sees: for each, an operation with a fault that the cells of that law alone kill."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from typing import Any

from workshop.laws.faults_by_law import WRONG
from workshop.laws.law_cells import Cells, law_of
from workshop.laws.law_faults import LawFault, arrays, error_for_empty
from workshop.mutant import Mutant
from workshop.wrong_adapter import WrongCall, WrongVerbs

# Beyond all points but those of the ends of the dtype.
EXTREME = 1e250


@dataclass(frozen=True)
class Sole:
    """An operation on an engine with a fault; `fault`, if it is not that of the law in the table."""

    operation: str
    engine: str = "reference"
    fault: LawFault | None = None

    def what(self, law: str) -> str:
        """The fault in words."""
        return (self.fault or WRONG[law]).what

    def killers(self, cells: Cells, law: str) -> list[str]:
        """The laws that kill the mutant, each once."""
        change = (self.fault or WRONG[law]).change(self.operation)
        mutant = Mutant(f"{self.operation}, {law}", "", self.what(law), change, "laws")
        return list(dict.fromkeys(law_of(cell) for cell, _ in cells.kills(mutant, cells.of(self.operation))))


def _where_numbers_are(what: str, chosen: Callable[[Any], Any], *unders: Sequence[str]) -> LawFault:
    """Twice the derivative under these verbs where a number of the first array is so."""

    def verbs_of(operations: Container[str]) -> WrongVerbs:
        def where(call: WrongCall) -> bool:
            if call.verb.removeprefix("np.") not in operations or call.under not in unders:
                return False
            (x,) = arrays(call)
            # Arrays of torch.func have no memory to read, but can be compared.
            return bool(chosen(x if call.ad.name == "torch_func" else call.ad.to_numpy(x)).any())

        return WrongVerbs(("np.*",), where, lambda call: call.run() * 2.0)

    return LawFault(f"wrong in {' of '.join(unders[0])} at {what}", verbs_of)


def _at_an_end(*verbs: str) -> LawFault:
    return _where_numbers_are("an end", lambda x: (x != 0) & (abs(x) < 1 / EXTREME), verbs)


def _at_zero(*unders: Sequence[str]) -> LawFault:
    return _where_numbers_are("zero", lambda x: x == 0, *unders)


def _again(verb: str, what: str) -> LawFault:
    """Results that are doubled in a later call of a function that the verb returns, with the same arrays."""

    def verbs_of(operations: Container[str]) -> WrongVerbs:
        seen: list[Any] = []

        def instead(call: WrongCall) -> Any:
            result = call.run()
            function = result[1] if verb == "vjp" else result
            # Functions within others are alike by name only.
            program = getattr(call.args[0].__wrapped__, "__qualname__", "")

            def again(*xs: Any) -> Any:
                # The arrays themselves are kept: the identity of one that is gone may be another's.
                before = "<locals>" not in program and any(
                    name == program and len(ys) == len(xs) and all(map(_is, xs, ys)) for name, ys in seen
                )
                seen.append((program, xs))
                results = function(*xs)
                return tuple(x + x for x in results) if before else results

            return (result[0], again) if verb == "vjp" else again

        return WrongVerbs((verb,), lambda call: not call.under, instead)

    return LawFault(what, verbs_of)


def _is(x: Any, y: Any) -> bool:
    return x is y


def _without_some_cotangents(operations: Container[str]) -> WrongVerbs:
    """PyTorch's: doubled gradients where an output of several has no cotangent."""

    def instead(call: WrongCall) -> Any:
        import torch

        class Outputs(torch.autograd.Function):  # type: ignore[misc]
            @staticmethod
            def forward(ctx: Any, *outputs: Any) -> Any:
                ctx.set_materialize_grads(False)
                return tuple(x.clone() for x in outputs)

            @staticmethod
            def backward(ctx: Any, *cotangents: Any) -> Any:
                factor = 2.0 if any(x is None for x in cotangents) else 1.0
                return tuple(x if x is None else x * factor for x in cotangents)

        return Outputs.apply(*call.run())

    def chosen(call: WrongCall) -> bool:
        return call.verb.removeprefix("np.") in operations and call.under == ("grad",)

    return WrongVerbs(("np.*",), chosen, instead)


def _of_results(verb: str) -> LawFault:
    """A verb that doubles in a gradient once the operation was called: what it takes is made of the results."""

    def verbs_of(operations: Container[str]) -> WrongVerbs:
        def chosen(call: WrongCall) -> bool:
            called = any(name.removeprefix("np.") in operations for name in call.called)
            return call.verb == "grad" or (called and call.verb == f"np.{verb}" and "grad" in call.under)

        def instead(call: WrongCall) -> Any:
            if call.verb != "grad":
                return call.run() * 2.0
            call.called.clear()
            return call.run()

        return WrongVerbs(("grad", "np.*"), chosen, instead)

    return LawFault(f"{verb} of a result that doubles", verbs_of)


ENDS = {
    f"ends.{mode}_mode_gives_the_{order}derivative_up_to_the_ends": Sole(
        "exp", "torch_func" if verb == "jvp" else "reference", _at_an_end(*(verb,) * count)
    )
    for mode, verb in (("reverse", "grad"), ("forward", "jvp"))
    for count, order in enumerate(("", "second_", "third_"), 1)
}
ELEMENTS = {law: Sole("exp") for law in WRONG if law.startswith("elements.")}
EMPTY = {
    "layouts.an_empty_input_has_an_empty_gradient": Sole("exp", fault=error_for_empty("grad")),
    "layouts.forward_mode_of_an_empty_input_gives_zero": Sole("exp"),
    "layouts.second_derivatives_of_an_empty_input_are_zero": Sole("exp"),
    "layouts.forward_over_forward_of_an_empty_input_gives_zero": Sole("exp", "torch_func"),
}
SOLE: dict[str, Sole] = {
    **ELEMENTS,
    **EMPTY,
    **ENDS,
    "cotangents.an_expanded_cotangent_changes_no_gradient": Sole("exp"),
    "cotangents.a_transposed_cotangent_changes_no_gradient": Sole("matmul", fault=_of_results("transpose")),
    "cotangents.a_cotangent_that_is_a_slice_changes_no_gradient": Sole("matmul", fault=_of_results("stack")),
    "repeats.a_second_call_of_a_gradient_gives_the_same": Sole(
        "exp", fault=_again("grad", "a gradient that doubles when it is called again")
    ),
    "repeats.a_second_call_of_a_pullback_gives_the_same": Sole(
        "exp", "torch_func", _again("vjp", "a pullback that doubles when it is called again")
    ),
    # Of a linear operation no derivative depends on what was written.
    "repeats.reverse_mode_writes_to_nothing": Sole("negative"),
    "repeats.forward_mode_writes_to_nothing": Sole("negative"),
    "subsets.a_gradient_by_some_arguments_is_that_part_of_the_gradient": Sole("matmul"),
    "subsets.a_tangent_of_some_arguments_is_that_with_zeros_for_the_others": Sole("multiply"),
    "subsets.the_gradient_of_some_outputs_is_that_with_zeros_for_the_others": Sole(
        "aminmax", "torch", LawFault("doubles where an output has no cotangent", _without_some_cotangents)
    ),
    **{law: Sole("norm") for law in WRONG if law.startswith("scale.")},
    "kinks.the_modes_agree_at_a_kink": Sole("abs", fault=_at_zero(("jvp",))),
    "kinks.a_gradient_at_a_kink_lies_between_the_one_sided_derivatives": Sole(
        "abs", fault=_at_zero(("grad",), ("jvp",))
    ),
    "precision.float16_agrees_with_double_at_special_points": Sole("exp"),
    "precision.float16_agrees_with_double_for_long_arrays": Sole("sum"),
    "precision.bfloat16_agrees_with_double_at_special_points": Sole("exp", "torch"),
}
