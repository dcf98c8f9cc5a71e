"""Adapters that are wrong for some operations, while one composition of verbs runs them.

An operation gets a term that belongs to no value: so its derivative under these verbs is not that of its values, and
not what other verbs give. What a pullback or a gradient returns is changed afterwards. An in-place form gets half of
the array that it is to write into.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from conformance.operations import TABLE
from conformance.operations.row import Operation, parsed
from workshop.laws.law_faults import Calls, Wrong

__all__ = ["families", "has_negative_axis", "with_axes", "wrong"]

VERBS = ("grad", "jvp", "vjp", "vmap", "jit", "checkpoint")
WRITING = ("operate_", "operate_out_")


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
    changed |= {form: under_way.form(form) for form in WRITING if callable(getattr(type(adapter), form, None))}
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
            call = self._call(name, args, options)
            if not call.arrays or not self._mutant.call(call):
                return found
            if isinstance(found, (list, tuple)):
                return tuple(self._with_term(z, call.arrays) if self._is(z) else z for z in found)
            return self._with_term(found, call.arrays)

        return operation

    def _call(self, name: str, args: Sequence[Any], options: Mapping[str, Any]) -> Calls:
        arrays = [x for one in args for x in (one if isinstance(one, (list, tuple)) else (one,)) if self._is(x)]
        return Calls(
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
                if verb == "operate_out_" and self._mutant.accepts_out:
                    return getattr(self._right, name)(*args, **options)
                if verb == "operate_" and self._mutant.form(self._call(name, (x, *args), options)):
                    right(x, "multiply", 0.5)
            return right(x, name, *args, **options)

        return form

    def _is(self, x: Any) -> bool:
        """Whether it is an array of numbers that can be differentiated."""
        return hasattr(x, "shape") and self._adapter.dtype_of(x).startswith(("float", "bfloat", "complex"))

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
