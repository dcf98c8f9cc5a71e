"""Adapters that are wrong for some operations, while a composition of verbs runs them.

An operation gets a term that belongs to no value: so its derivative under these verbs is not that of its values, and
not that of other verbs. Results of pullbacks and gradients are changed afterwards. An in-place form gets half of the
array that it writes into.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

from conformance.operations import TABLE
from conformance.operations.row import Operation, parsed
from workshop.laws.law_faults import NEGATIVE_AXIS, WRONG, OperationCall, Wrong
from workshop.mutant import Change, Mutant

VERBS = ("grad", "jvp", "vjp", "vmap", "jit", "checkpoint")
WRITING = ("operate_", "operate_out_")


def families() -> dict[str, list[str]]:
    """The operations of each family of the table."""
    names: dict[str, list[str]] = {}
    for name, operation in TABLE.items():
        names.setdefault(operation.group, []).append(name)
    return names


def with_axes() -> list[str]:
    """The differentiable operations with a parameter that is an axis."""
    names = (name for name, operation in TABLE.items() if operation.differentiated)
    return [name for name in names if any(map(_is_axis, parsed(TABLE[name].signature).parameters))]


def _is_axis(parameter: str) -> bool:
    return parameter.startswith(("axis", "axes", "dim"))


def has_negative_axis(operation: Operation) -> bool:
    """Whether one of its variants has a negative axis."""
    return any(min(_axes(operation, variant), default=0) < 0 for variant in operation.options)


def _axes(operation: Operation, arguments: Mapping[str, Any]) -> tuple[int, ...]:
    parameters = parsed(operation.signature).parameters
    values = [arguments.get(name, x.default) for name, x in parameters.items() if _is_axis(name)]
    flat = (x for value in values for x in (value if isinstance(value, (tuple, list)) else (value,)))
    return tuple(x for x in flat if isinstance(x, int))


def law_mutant(law: str, family: str) -> Mutant:
    """The mutant that makes cells of a law fail, for the operations of a family. It is of any adapter."""
    change = replacing_operations(frozenset(families()[family]), WRONG[law])
    return Mutant(f"{law}, {family}", "", WRONG[law].what, change, "laws")


def axes_mutant(operation: str) -> Mutant:
    """An operation that is wrong for a negative axis."""
    change = replacing_operations((operation,), NEGATIVE_AXIS)
    return Mutant(f"{operation}, negative axis", "", NEGATIVE_AXIS.what, change, "axes")


def replacing_operations(operations: Container[str], fault: Wrong) -> Change:
    """The change to an adapter that has this fault in these operations."""
    return partial(_wrong, operations, fault)


@contextmanager
def _wrong(operations: Container[str], fault: Wrong, adapter: Any) -> Iterator[Any]:
    proxy = _WrongOperations(adapter, operations, fault)
    # A verb that the adapter lacks is absent there, and must stay so.
    names = [verb for verb in VERBS if callable(getattr(type(adapter), verb, None))]
    changed = {verb: proxy.verb(verb) for verb in names}
    changed |= {form: proxy.form(form) for form in WRITING if callable(getattr(type(adapter), form, None))}
    # On the object, and so before what its class has; `np` may be a property.
    kind = type(adapter)
    own = vars(kind).get("np")
    adapter.__dict__.update(changed)
    kind.np = proxy
    try:
        yield adapter
    finally:
        for name in changed:
            del adapter.__dict__[name]
        del kind.np
        if own is not None:
            kind.np = own


class _WrongOperations:
    """The adapter's table of operations, wrong for some; it records which verbs are running programs."""

    def __init__(self, adapter: Any, operations: Container[str], fault: Wrong) -> None:
        self._adapter, self._right, self._operations, self._fault = adapter, adapter.np, operations, fault
        self._verbs: list[str] = []
        # A stack beside that of verbs; the bottom is for calls outside of any program.
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
            result = right(*args, **options)
            call = self._call(name, args, options)
            if not call.arrays or not self._fault.call(call):
                return result
            if isinstance(result, (list, tuple)):
                return tuple(self._with_term(z, call.arrays) if self._is_array(z) else z for z in result)
            return self._with_term(result, call.arrays)

        return operation

    def _call(self, name: str, args: Sequence[Any], options: Mapping[str, Any]) -> OperationCall:
        flat = (x for arg in args for x in (arg if isinstance(arg, (list, tuple)) else (arg,)))
        arrays = [x for x in flat if self._is_array(x)]
        return OperationCall(
            tuple(self._verbs),
            self._inputs[-1],
            tuple(arrays),
            tuple(map(self._adapter.dtype_of, arrays)),
            _axes(TABLE[name], parsed(TABLE[name].signature).bind(*args, **options).arguments),
        )

    def form(self, verb: str) -> Callable[..., Any]:
        """The adapter's call of an in-place form or of an `out`, wrong for these operations."""
        right = getattr(self._adapter, verb)

        @functools.wraps(right)
        def form(x: Any, name: str, *args: Any, **options: Any) -> Any:
            if name in self._operations:
                if verb == "operate_out_" and self._fault.accepts_out:
                    return getattr(self._right, name)(*args, **options)
                if verb == "operate_" and self._fault.form(self._call(name, (x, *args), options)):
                    # The operand that is overwritten, before it is read: value and derivative are both wrong.
                    right(x, "multiply", 0.5)
            return right(x, name, *args, **options)

        return form

    def _is_array(self, x: Any) -> bool:
        """Whether it is an array of numbers that can be differentiated."""
        return hasattr(x, "shape") and self._adapter.dtype_of(x).startswith(("float", "bfloat", "complex"))

    def _with_term(self, z: Any, arrays: Sequence[Any]) -> Any:
        # A cubic in every array: none of its derivatives up to the third vanishes.
        term = sum(self._right.sum(x * x * x * 7.0 + x * 9.0) for x in arrays)
        kinds = (self._adapter.dtype_of(x).startswith("complex") for x in (term, z))
        return z + (self._right.real(term) if tuple(kinds) == (True, False) else term)

    def verb(self, name: str) -> Callable[..., Any]:
        """The adapter's verb, which records that it runs its program."""
        right = getattr(self._adapter, name)

        @functools.wraps(right)
        def verb(program: Callable[..., Any], *args: Any, **options: Any) -> Any:
            @functools.wraps(program)
            def recorded(*xs: Any, **named: Any) -> Any:
                self._verbs.append(name)
                self._inputs.append(xs)
                try:
                    return program(*xs, **named)
                finally:
                    self._verbs.pop()
                    self._inputs.pop()

            self._used = False
            return self._changed(name, right(recorded, *args, **options))

        return verb

    def _changed(self, name: str, result: Any) -> Any:
        """The result of a verb, changed where the fault is in results."""
        if name == "vjp" and self._fault.pullback:
            output, pullback = result
            return output, self._with_results(pullback, self._fault.pullback)
        return self._with_results(result, self._fault.gradient) if name == "grad" and self._fault.gradient else result

    def _with_results(self, function: Callable[..., Any], change: Callable[[Any], Any]) -> Callable[..., Any]:
        def changed(*xs: Any) -> Any:
            results = function(*xs)
            # A program that calls none of the operations is right.
            if not self._used:
                return results
            return tuple(map(change, results)) if isinstance(results, tuple) else change(results)

        return changed
