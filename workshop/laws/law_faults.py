"""Faults that make the cells of each law fail: in an operation, its in-place form, or the results of verbs.

An operation gets a term that belongs to no value: so its derivative under these verbs is not that of its values, and
not that of other verbs. An in-place form gets half of the array that it writes into. Results of pullbacks and gradients
are changed afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import dataclass
from functools import partial
from typing import Any

from conformance.operations import TABLE
from conformance.operations.row import Operation, parsed
from workshop.mutant import Change
from workshop.wrong_adapter import WrongCall, WrongVerbs, replacing_verbs

Where = Callable[[WrongCall], bool]


@dataclass(frozen=True)
class LawFault:
    """A fault in words, and the wrong verbs of an adapter that has it in these operations."""

    what: str
    verbs_of: Callable[[Container[str]], WrongVerbs]

    def change(self, *operations: str) -> Change:
        """The change to an adapter that has the fault in these operations."""
        return replacing_verbs(self.verbs_of(frozenset(operations)))


def wrong_operation(what: str, where: Where, size: float = 1.0) -> LawFault:
    """A derivative of the operation that is wrong by about `size`, in calls with arrays that are chosen."""

    def verbs_of(operations: Container[str]) -> WrongVerbs:
        def chosen(call: WrongCall) -> bool:
            return call.verb.removeprefix("np.") in operations and bool(arrays(call)) and where(call)

        return WrongVerbs(("np.*",), chosen, partial(_with_term, size))

    return LawFault(what, verbs_of)


def _with_term(size: float, call: WrongCall) -> Any:
    np, dtype_of = call.ad.np, call.ad.dtype_of
    # A cubic in every array: none of its derivatives up to the third vanishes.
    term = sum(np.sum(x * x * x * (7.0 * size) + x * (9.0 * size)) for x in arrays(call))

    def with_term(z: Any) -> Any:
        is_complex = [dtype_of(x).startswith("complex") for x in (term, z)]
        return z + (np.real(term) if is_complex == [True, False] else term)

    result = call.run()
    if isinstance(result, (list, tuple)):
        return tuple(with_term(z) if is_array(call, z) else z for z in result)
    return with_term(result)


def wrong_form(what: str, where: Where) -> LawFault:
    """A wrong in-place form of the operation, in calls that are chosen."""

    def instead(call: WrongCall) -> Any:
        # The operand that is overwritten, before it is read: value and derivative are both wrong.
        call.right(call.args[0], "multiply", 0.5)
        return call.run()

    def verbs_of(operations: Container[str]) -> WrongVerbs:
        return WrongVerbs(("operate_",), lambda call: call.args[1] in operations and where(call), instead)

    return LawFault(what, verbs_of)


def wrong_results(
    what: str, verb: str, change: Callable[[Any], Any], where: Where = lambda call: True, also: str = ""
) -> LawFault:
    """Wrong results of the function that a verb returns, where its program calls the operation, and `also` a verb."""

    def verbs_of(operations: Container[str]) -> WrongVerbs:
        def instead(call: WrongCall) -> Any:
            call.called.clear()
            result = call.run()
            function = result[1] if verb == "vjp" else result

            def changed(*xs: Any) -> Any:
                results = function(*xs)
                # A program that calls none of the operations is right.
                called = any(name.removeprefix("np.") in operations for name in call.called)
                if not called or (also and also not in call.called):
                    return results
                return tuple(map(change, results)) if isinstance(results, tuple) else change(results)

            return (result[0], changed) if verb == "vjp" else changed

        # Operations are among the verbs so that it is known which are called.
        return WrongVerbs((verb, "np.*"), lambda call: call.verb == verb and where(call), instead)

    return LawFault(what, verbs_of)


def out_of_place(operations: Container[str]) -> WrongVerbs:
    """A call with `out` that computes the operation and writes nothing."""

    def instead(call: WrongCall) -> Any:
        _, name, *args = call.args
        return getattr(call.ad.np, name)(*args, **call.options)

    return WrongVerbs(("operate_out_",), lambda call: call.args[1] in operations, instead)


def unseen_writes(operations: Container[str]) -> WrongVerbs:
    """An operation whose pullback reads its arguments' memory, whatever was written there meanwhile."""

    def chosen(call: WrongCall) -> bool:
        return call.verb.removeprefix("np.") in operations

    def instead(call: WrongCall) -> Any:
        for x in filter(call.ad.requires_grad, arrays(call)):
            now = call.ad.detach(x)
            before = call.ad.clone(now)
            call.ad.register_hook(x, lambda g, now=now, before=before: g + (now - before))
        return call.run()

    return WrongVerbs(("np.*",), chosen, instead)


def error_for_empty(*verbs: str) -> LawFault:
    """An error for arrays without elements: no wrong number of their sum would be seen."""

    def verbs_of(operations: Container[str]) -> WrongVerbs:
        def chosen(call: WrongCall) -> bool:
            called = call.verb.removeprefix("np.") in operations
            return called and call.under == verbs and bool(arrays(call)) and shape_of(call) == (0,)

        def instead(call: WrongCall) -> Any:
            raise RuntimeError("no derivative of an empty array")

        return WrongVerbs(("np.*",), chosen, instead)

    return LawFault(f"an error for empty arrays in {' of '.join(verbs)}", verbs_of)


def writing(verb: str) -> LawFault:
    """An operation that writes into the memory of its first argument when it is done."""

    def verbs_of(operations: Container[str]) -> WrongVerbs:
        def chosen(call: WrongCall) -> bool:
            return call.verb.removeprefix("np.") in operations and bool(arrays(call)) and call.under == (verb,)

        def instead(call: WrongCall) -> Any:
            result = call.run()
            numbers = call.ad.to_numpy(arrays(call)[0])
            numbers[...] += 1
            return result

        return WrongVerbs(("np.*",), chosen, instead)

    return LawFault(f"an operation that writes into its argument in {verb}", verbs_of)


def arrays(call: WrongCall) -> list[Any]:
    """The arrays among the arguments that can be differentiated."""
    flat = (x for arg in call.args for x in (arg if isinstance(arg, (list, tuple)) else (arg,)))
    return [x for x in flat if is_array(call, x)]


def is_array(call: WrongCall, x: Any) -> bool:
    """Whether it is an array that can be differentiated."""
    return hasattr(x, "shape") and call.ad.dtype_of(x).startswith(("float", "bfloat", "complex"))


def dtype_of_call(call: WrongCall) -> str:
    """The dtype of the first of these."""
    return str(call.ad.dtype_of(arrays(call)[0]))


def shape_of(call: WrongCall) -> tuple[int, ...]:
    """The shape of the first of these."""
    return tuple(arrays(call)[0].shape)


def is_axis(parameter: str) -> bool:
    """Whether a parameter of an operation is an axis, or several."""
    return parameter.startswith(("axis", "axes", "dim"))


def axes_of(operation: Operation, arguments: Any) -> tuple[int, ...]:
    """The axes among the arguments of an operation by name, defaults too."""
    parameters = parsed(operation.signature).parameters
    values = [arguments.get(name, x.default) for name, x in parameters.items() if is_axis(name)]
    flat = (x for value in values for x in (value if isinstance(value, (tuple, list)) else (value,)))
    return tuple(x for x in flat if isinstance(x, int))


def _of_negative_axis(call: WrongCall) -> bool:
    operation = TABLE[call.verb.removeprefix("np.")]
    arguments = parsed(operation.signature).bind(*call.args, **call.options).arguments
    return "grad" in call.under and min(axes_of(operation, arguments), default=0) < 0


NEGATIVE_AXIS = wrong_operation("wrong for a negative axis", _of_negative_axis)
