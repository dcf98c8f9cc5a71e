"""A row of the table of operations: what one operation is, where it is smooth, and which of its points are special."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

import numpy

__all__ = [
    "INFINITY",
    "Argument",
    "Draw",
    "Operation",
    "Point",
    "RowError",
    "array",
    "family",
    "given",
    "number",
    "parsed",
    "row",
]

INFINITY = float("inf")

Numbers: TypeAlias = Any  # a number, or nested lists of numbers
# Draws the numbers of an argument: a generator, and its shape.
Draw: TypeAlias = Callable[[numpy.random.Generator, tuple[int, ...]], "numpy.ndarray[Any, Any]"]


class RowError(ValueError):
    """A row contradicts itself. The message names the row and says what to do."""


@dataclass(frozen=True)
class Argument:
    """An array argument.

    `shape` is that of a generic point; None: the operation is elementwise in it, and any shape will do. Its numbers
    lie in the open interval (`low`, `high`), or come from `draw`. `enters` is what a program does with the array before
    the operation, such as to make it symmetric: the derivative is then that of both. `given` are numbers that are not
    differentiated, such as indices. `near` are the numbers of the generic point itself; its neighbours lie beside it.
    """

    shape: tuple[int, ...] | None = None
    low: float = -INFINITY
    high: float = INFINITY
    draw: Draw | None = None
    enters: Callable[[Any, Any], Any] | None = None
    given: Numbers = None
    near: numpy.ndarray[Any, Any] | None = None

    @property
    def is_given(self) -> bool:
        """Whether the numbers are fixed, and not differentiated."""
        return self.given is not None

    @property
    def is_matrix(self) -> bool:
        """Whether it is a matrix that is differentiated."""
        return self.shape is not None and len(self.shape) == 2 and not self.is_given

    def contains(self, other: Argument) -> bool:
        """Whether its domain has that of another argument in it."""
        return self.low <= other.low and other.high <= self.high

    def holds(self, value: Numbers) -> bool:
        """Whether these numbers are in the domain, its ends included."""
        numbers = numpy.asarray(value)
        return bool(numpy.all((numbers >= self.low) & (numbers <= self.high)))


@dataclass(frozen=True)
class Point:
    """A special point: its kind, such as "zero" or "tie", and the numbers of each argument that is differentiated."""

    kind: str
    values: tuple[Numbers, ...]


@dataclass(frozen=True)
class Operation:
    """A row.

    `signature` is `name(x, y, option=None)`, arrays first; `joined`: it takes all arrays as one list. `options` has the
    values of the other parameters, one mapping for each variant. At the points `smooth` the derivatives exist although
    engines need care there; at `kinks` there is no derivative, and engines follow a convention. `truth` is the function
    of numbers in mpmath, with the first options: a dotted public name, or a function of mpmath and the numbers.
    `observed` is what is looked at of outputs that are only determined up to a factor, as eigenvectors are. `complex`
    says that the operation takes complex numbers. `order` is how many times it is differentiable away from its kinks.
    `call` is the function, of an operation that is in an engine's inventory and not in `ad.np`.
    """

    signature: str
    meaning: str
    arguments: tuple[Argument, ...] = ()
    options: tuple[Mapping[str, Any], ...] = ({},)
    smooth: tuple[Point, ...] = ()
    kinks: tuple[Point, ...] = ()
    truth: str | Callable[..., Any] | None = None
    observed: Callable[..., Any] | None = None
    joined: bool = False
    complex: bool = False
    order: int = 3
    call: Callable[..., Any] | None = None
    group: str = field(default="", compare=False)

    @property
    def name(self) -> str:
        """What `ad.np` calls it."""
        return self.signature.partition("(")[0]

    @cached_property
    def required(self) -> frozenset[str]:
        """The parameters that have no default."""
        parameters = parsed(self.signature).parameters.values()
        return frozenset(one.name for one in parameters if one.default is one.empty)

    @property
    def elementwise(self) -> bool:
        """Whether it is a function of numbers that applies to each element."""
        return bool(self.arguments) and all(one.shape is None for one in self.arguments)

    @property
    def differentiated(self) -> tuple[int, ...]:
        """The positions of the arguments that are differentiated."""
        return tuple(number for number, one in enumerate(self.arguments) if not one.is_given)


def parsed(signature: str) -> inspect.Signature:
    """The signature of `name(x, option=None)`; defaults are literals."""
    (function,) = ast.parse(f"def {signature}: ...").body
    assert isinstance(function, ast.FunctionDef)
    names = [argument.arg for argument in function.args.args]
    needed = [inspect.Parameter.empty] * (len(names) - len(function.args.defaults))
    defaults = [*needed, *map(ast.literal_eval, function.args.defaults)]
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    return inspect.Signature(
        [inspect.Parameter(name, kind, default=value) for name, value in zip(names, defaults, strict=True)]
    )


def number(low: float = -INFINITY, high: float = INFINITY) -> Argument:
    """An argument of an elementwise operation, with numbers in the open interval."""
    return Argument(None, low, high)


def array(
    *shape: int,
    low: float = -INFINITY,
    high: float = INFINITY,
    draw: Draw | None = None,
    enters: Callable[[Any, Any], Any] | None = None,
) -> Argument:
    """An array argument of this shape."""
    return Argument(shape, low, high, draw, enters)


def given(value: Numbers) -> Argument:
    """An argument that is not differentiated, such as indices or a mask."""
    return Argument(numpy.shape(value), given=value)


def row(
    signature: str,
    meaning: str,
    *arguments: Argument,
    options: Sequence[Mapping[str, Any]] = ({},),
    smooth: Mapping[str, Any] | None = None,
    kinks: Mapping[str, Any] | None = None,
    truth: str | Callable[..., Any] | None = None,
    observed: Callable[..., Any] | None = None,
    joined: bool = False,
    complex: bool = False,
    order: int = 3,
) -> Operation:
    """Declare an operation.

    `smooth` and `kinks` have special points by their kind: for one argument its numbers, for several a tuple of them.
    Raises RowError where the row contradicts itself.
    """
    declared = Operation(
        signature,
        meaning,
        arguments,
        tuple(options),
        _points(arguments, smooth or {}),
        _points(arguments, kinks or {}),
        truth,
        observed,
        joined,
        complex,
        order,
    )
    for complaint in _complaints(declared):
        raise RowError(f"operation {declared.name!r} {complaint}")
    return declared


def family(group: str, *rows: Operation) -> dict[str, Operation]:
    """The rows of a group by name. Raises RowError for a name that is used twice."""
    found: dict[str, Operation] = {}
    for one in rows:
        if one.name in found:
            raise RowError(f"operation {one.name!r} is declared twice in {group}: rename one")
        object.__setattr__(one, "group", group)
        found[one.name] = one
    return found


def joined(*families: Mapping[str, Operation]) -> dict[str, Operation]:
    """All families as one table. Raises RowError for a name that two of them have."""
    found: dict[str, Operation] = {}
    for one in (one for its in families for one in its.values()):
        if one.name in found:
            raise RowError(f"operation {one.name!r} is in {found[one.name].group} and in {one.group}: rename one")
        found[one.name] = one
    return found


def _points(arguments: Sequence[Argument], table: Mapping[str, Any]) -> tuple[Point, ...]:
    single = sum(not one.is_given for one in arguments) == 1
    return tuple(Point(kind, (value,) if single else tuple(value)) for kind, value in table.items())


def _complaints(declared: Operation) -> list[str]:
    """What is wrong with a row, each as the end of a sentence that begins with its name."""
    found = []
    names = list(parsed(declared.signature).parameters)
    others = names[1 if declared.joined else len(declared.arguments) :]
    if unknown := {name for variant in declared.options for name in variant} - set(others):
        found.append(f"gives the option {min(unknown)!r}: of {declared.signature} the options are {others}")
    free = [declared.arguments[position] for position in declared.differentiated]
    if any(one.shape is None for one in declared.arguments) and not declared.elementwise:
        found.append("mixes numbers and arrays: give every argument a shape, or none")
    if declared.truth is not None and not declared.elementwise:
        found.append("has a value by mpmath, and is no function of numbers: drop `truth`")
    for point in (*declared.smooth, *declared.kinks):
        if len(point.values) != len(free):
            found.append(f"has a point {point.kind!r} with {len(point.values)} values for {len(free)} arguments")
        elif not all(one.holds(value) for one, value in zip(free, point.values, strict=True)):
            found.append(f"has the point {point.kind!r} at {point.values}, which is outside its domain")
    if clash := {one.kind for one in declared.smooth} & {one.kind for one in declared.kinks}:
        found.append(f"has the point {min(clash)!r} among smooth points and among kinks")
    return found
