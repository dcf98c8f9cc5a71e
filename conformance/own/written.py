"""A law as source: it is asked with arrays that know the expressions by which they are computed.

The engine computes each array, and calls each function, as in any trial; what it was asked for is noted line by line.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy

from conformance.scripts.trees import bound_in, names_in

# Names of parameters by the depth of a function in others.
LETTERS = "vwuyzabcde"
# Of these verbs, the results are no arrays.
FACTS = ("dtype_of", "to_numpy")


class Written:
    """An array or a function of the engine, with its expression."""

    def __init__(self, text: str, value: Any, lines: Lines) -> None:
        self.text, self.value, self.lines = text, value, lines

    def __repr__(self) -> str:
        return self.text

    def __call__(self, *arguments: Any) -> Any:
        return self.lines.called(self.text, self.value, arguments)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.value, name)

    def __getitem__(self, index: Any) -> Written:
        return self.lines.expression(f"({self})[{_index(index)}]", self.value[index])

    def __mul__(self, other: Any) -> Written:
        return self.lines.expression(f"{self} * {_shown(other)}", self.value * values_of(other))

    def __rmul__(self, other: Any) -> Written:
        return self.lines.expression(f"{_shown(other)} * {self}", values_of(other) * self.value)

    def __add__(self, other: Any) -> Written:
        return self.lines.expression(f"({self} + {_shown(other)})", self.value + values_of(other))

    __radd__ = __add__


class Lines:
    """The adapter of a law that is written. `known` has the last expression of each array by its numbers."""

    joint_now = joint_as_screen = None
    compiles_operations = False

    def __init__(self, ad: Any) -> None:
        self._ad, self.np = ad, _WrittenNamespace(self, ad.np)
        self.known: dict[bytes, str] = {}
        self.dtypes: dict[str, str] = {}
        self._scopes: list[tuple[list[str], dict[Any, str]]] = [([], {})]
        self._count = 0

    @property
    def text(self) -> str:
        """All lines."""
        return "\n".join(self._scopes[0][0])

    def __getattr__(self, name: str) -> Any:
        verb = getattr(self._ad, name)
        if name in FACTS:
            return lambda x: verb(values_of(x)) if name == "dtype_of" else self._noted(verb, x)
        return lambda *arguments, **options: self.called(f"ad.{name}", verb, arguments, options)

    def _noted(self, verb: Callable[[Any], Any], x: Any) -> Any:
        numbers = verb(values_of(x))
        if isinstance(x, Written):
            self.known[key_of(numbers)], self.dtypes[x.text] = x.text, str(x.dtype)
        return numbers

    def expression(self, text: str, value: Any) -> Written:
        """An array that is part of a line."""
        return Written(text, value, self)

    def called(self, text: str, function: Callable[..., Any], arguments: Any, options: Any = None) -> Any:
        """The result of a call, which has a line, and a name; or a name for each of several results."""
        given, options = [self._given(x) for x in arguments], options or {}
        while given and given[-1] is None:
            given.pop()
        shown = [*map(repr, given), *(f"{name}={value!r}" for name, value in options.items())]
        line = f"{text}({', '.join(shown)})"
        try:
            result = function(*map(values_of, given), **{name: values_of(x) for name, x in options.items()})
        except Exception:
            # What raises an error is shown, too.
            self._scopes[-1][0].append(line)
            raise
        if callable(result) and not hasattr(result, "shape"):
            return self.expression(line, result)
        several = isinstance(result, (tuple, list))
        names = [self._name("y") for _ in (result if several else [result])]
        self._scopes[-1][0].append(f"{', '.join(names)}{',' * (several and len(names) == 1)} = {line}")
        made = [self.expression(*pair) for pair in zip(names, result if several else [result], strict=True)]
        return tuple(made) if several else made[0]

    def _given(self, x: Any) -> Any:
        return self._function(x) if callable(x) and not isinstance(x, Written) and not hasattr(x, "shape") else x

    def _function(self, function: Callable[..., Any]) -> Written:
        """A function of the law, which is written when the engine calls it first."""
        known = next((names[function] for _, names in self._scopes if function in names), "")
        name = known or self._name("f")

        def run(*xs: Any) -> Any:
            parameters = [self.expression(f"{LETTERS[len(self._scopes) - 1]}{n}", x) for n, x in enumerate(xs)]
            self._scopes.append(([], {}))
            try:
                result = function(*parameters)
                self._scopes[-1][0].append(f"return {result!r}")
            finally:
                body, _ = self._scopes.pop()
                if not any(function in names for _, names in self._scopes):
                    outer, names = self._scopes[-1]
                    names[function] = name
                    outer += [f"def {name}({', '.join(map(repr, parameters))}):", *map(_indented, body or ["pass"])]
            return values_of(result)

        return self.expression(name, run)

    def _name(self, letter: str) -> str:
        self._count += 1
        return f"{letter}{self._count - 1}"


class _WrittenNamespace:
    """The functions of `ad.np`, whose results are expressions."""

    def __init__(self, lines: Lines, np: Any) -> None:
        self._lines, self._np = lines, np

    def __getattr__(self, name: str) -> Any:
        function = getattr(self._np, name)

        def call(*arguments: Any) -> Written:
            text = f"ad.np.{name}({', '.join(map(repr, arguments))})"
            return self._lines.expression(text, function(*map(values_of, arguments)))

        return call


def values_of(x: Any) -> Any:
    """The engine's arrays and functions, without their expressions."""
    if isinstance(x, (tuple, list)):
        return type(x)(map(values_of, x))
    return x.value if isinstance(x, Written) else x


def key_of(numbers: Any) -> bytes:
    """A key of an array by its shape and numbers."""
    array = numpy.asarray(numbers, "complex128" if numpy.iscomplexobj(numbers) else "float64")
    # There are many NaNs.
    return repr(array.shape).encode() + numpy.where(numpy.isnan(array), numpy.nan, array).tobytes()


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.split("\n"))


def _shown(x: Any) -> str:
    return repr(x.item() if isinstance(x, numpy.generic) else x)


def _index(index: Any) -> str:
    if isinstance(index, tuple):
        return ", ".join(map(_index, index))
    if isinstance(index, slice):
        parts = ["" if part is None else str(part) for part in (index.start, index.stop, index.step)]
        return ":".join(parts if parts[2] else parts[:2])
    return "..." if index is ... else str(index)


def without_unused(body: Sequence[ast.stmt], effects: bool) -> list[ast.stmt]:
    """The statements that compute what the last has; with `effects`, all since the first of these."""
    live, kept = names_in(body[-1]), [len(body) - 1]
    for at in range(len(body) - 2, -1, -1):
        statement = body[at]
        bound = {statement.name} if isinstance(statement, ast.FunctionDef) else bound_in(statement)
        if bound & live:
            live |= names_in(statement)
            kept.append(at)
    # The first statement is the function itself.
    first = min(at for at in kept if at)
    return [body[at] for at in ([0, *range(first, len(body))] if effects else sorted({0, *kept}))]


def renumbered(text: str) -> str:
    """The text with the numbers of its names counted anew."""
    names = dict.fromkeys(re.findall(r"\b[fy]\d+\b", text))
    new = {name: f"{name[0]}{at}" for at, name in enumerate(names)}
    return re.sub(r"\b[fy]\d+\b", lambda found: new[found.group()], text)
