"""A row of the table of operations: its arguments with domains, its smooth points, its special points."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy

from conformance.operations.reasons import UNDIFFERENTIATED

INFINITY = float("inf")

Numbers: TypeAlias = Any  # a number, or nested lists of numbers
# Of homogeneity: of all outputs, or of each.
Degree: TypeAlias = float | tuple[float, ...] | None
# Draws the numbers of an argument: a generator, and its shape.
Draw: TypeAlias = Callable[[numpy.random.Generator, tuple[int, ...]], "numpy.ndarray[Any, Any]"]


class RowError(ValueError):
    """A row contradicts itself. The message names the row and the remedy."""


@dataclass(frozen=True)
class Argument:
    """An array argument.

    `shape` is that of a generic point; None: the operation is elementwise in it, and any shape will do. Its numbers lie
    in the open interval (`low`, `high`), or come from `draw`. `enters` is applied to the array before the
    operation, such as to make it symmetric: the derivative is then that of the composition. `given` are numbers
    that are not differentiated, such as indices. `near` are the numbers of the generic point itself; its neighbours
    lie beside it, as those of the special points of such a row do.
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
        # A special point may be an end, such as zero of a square root.
        return bool(numpy.all((numbers >= self.low) & (numbers <= self.high)))


# Compared by identity, so that it can be the key of a cache: its numbers are lists.
@dataclass(frozen=True, eq=False)
class Point:
    """A special point: its kind, such as "zero" or "tie", and the numbers of each argument that is differentiated.

    `variant` is the number of its options: in a table, `under` says it.
    """

    kind: str
    values: tuple[Numbers, ...]
    variant: int = 0


@dataclass(frozen=True)
class Under:
    """Numbers of a special point with other options than the first."""

    variant: int
    numbers: Any


@dataclass(frozen=True, eq=False)
class Operation:
    """A row.

    `signature` is `name(x, y, option=None)`, arrays first; `joined`: it takes all arrays as one list. `options` has the
    values of the other parameters, one mapping for each variant. At the points `smooth` the derivatives exist although
    engines need care there; at `kinks` there is no derivative, and engines follow a convention. `truth` is the function
    of numbers in mpmath, with the first options: a dotted public name, or a function of mpmath and the numbers. Of an
    operation on arrays it is a function of mpmath, the arrays (NumPy's, of mpmath's numbers) and the options.
    `observed` maps outputs that are determined up to a factor, such as eigenvectors, to values that are unique.
    `complex`: the operation takes complex numbers. `order` is how many times it is differentiable away from its kinks.
    `degree` is k where f(c x) = c^k f(x) for positive c and all differentiated arguments together: a number, a tuple
    with one for each output, or a list with one of these for each variant, None where there is none.
    `call` is the function, of an operation that is in an engine's inventory and not in `ad.np`; `dtype` is that which
    it computes in, if not double precision. `ordinary` is why no point is special, of a row that has neither smooth
    points nor kinks.
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
    degree: Degree | list[Degree] = None
    call: Callable[..., Any] | None = None
    dtype: str | None = None
    group: str = ""
    ordinary: str = ""

    @property
    def special(self) -> tuple[Point, ...]:
        """The points at which engines go wrong, or follow a convention."""
        return (*self.smooth, *self.kinks)

    @property
    def name(self) -> str:
        """Its name in `ad.np`."""
        return self.signature.partition("(")[0]

    def degree_under(self, variant: int) -> Degree:
        """The degree of homogeneity with the options of that variant."""
        return self.degree[variant] if isinstance(self.degree, list) else self.degree

    @cached_property
    def required(self) -> frozenset[str]:
        """The parameters that have no default."""
        parameters = parsed(self.signature).parameters.values()
        return frozenset(parameter.name for parameter in parameters if parameter.default is parameter.empty)

    @property
    def elementwise(self) -> bool:
        """Whether it is a function of numbers that applies to each element."""
        return bool(self.arguments) and all(argument.shape is None for argument in self.arguments)

    @property
    def true_by_element(self) -> bool:
        """Whether it has a true value as a function of numbers."""
        return self.truth is not None and self.elementwise

    @property
    def true_by_component(self) -> bool:
        """Whether it has a true value as a function of arrays."""
        return self.truth is not None and not self.elementwise

    @property
    def differentiated(self) -> tuple[int, ...]:
        """The positions of the arguments that are differentiated."""
        return tuple(position for position, argument in enumerate(self.arguments) if not argument.is_given)


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


def near(low: float, high: float) -> Argument:
    """A number that is drawn in the interval, between the poles of the function; special points may lie elsewhere."""
    return Argument(draw=lambda random, shape: low + (high - low) * random.random(shape))


def array(*shape: int, **properties: Any) -> Argument:
    """An array argument of this shape, with other properties of an argument."""
    return Argument(shape, **properties)


def given(value: Numbers) -> Argument:
    """An argument that is not differentiated, such as indices or a mask."""
    return Argument(numpy.shape(value), given=value)


def under(variant: int, numbers: Any) -> Under:
    """A special point with the options of that number, from 0."""
    return Under(variant, numbers)


def row(
    signature: str,
    meaning: str,
    *arguments: Argument,
    options: Sequence[Mapping[str, Any]] = ({},),
    smooth: Mapping[str, Any] | None = None,
    kinks: Mapping[str, Any] | None = None,
    **properties: Any,
) -> Operation:
    """Declare an operation.

    `smooth` and `kinks` have special points by their kind: for one argument its numbers, for several a tuple of them.
    They are with the first options, unless `under` names others. Each zero of an elementwise operation has a twin of
    negative sign. Raises RowError where the row contradicts itself.
    """
    properties |= {"smooth": _points(arguments, smooth or {}), "kinks": _points(arguments, kinks or {})}
    if all(argument.is_given for argument in arguments):
        properties.setdefault("ordinary", UNDIFFERENTIATED)
    declared = Operation(signature, meaning, arguments, tuple(options), **properties)
    for complaint in _complaints(declared):
        raise RowError(f"operation {declared.name!r} {complaint}")
    return declared


def family(group: str, *rows: Operation, ordinary: str = "") -> dict[str, Operation]:
    """The rows of a group by name; `ordinary` is the reason of those that have neither points nor another reason.

    Raises RowError for a name that is used twice.
    """
    for declared in rows:
        # The only writes to a frozen row: rows are declared within their family, which has the name and the reason.
        object.__setattr__(declared, "group", group)
        if not declared.special:
            object.__setattr__(declared, "ordinary", declared.ordinary or ordinary)
    return joined(*({declared.name: declared} for declared in rows))


def joined(*families: Mapping[str, Operation]) -> dict[str, Operation]:
    """All families as one table. Raises RowError for a name that two of them have."""
    table: dict[str, Operation] = {}
    for name, declared in (item for rows in families for item in rows.items()):
        if name in table:
            raise RowError(f"operation {name!r} is in {table[name].group} and in {declared.group}: rename one")
        table[name] = declared
    return table


def _points(arguments: Sequence[Argument], table: Mapping[str, Any]) -> tuple[Point, ...]:
    single = sum(not argument.is_given for argument in arguments) == 1
    points = {}
    for kind, value in table.items():
        at = value if isinstance(value, Under) else Under(0, value)
        points[kind] = Point(kind, (at.numbers,) if single else tuple(at.numbers), at.variant)
    if arguments and all(argument.shape is None for argument in arguments):
        points |= {twin.kind: twin for twin in map(_of_negative_zero, points.values()) if twin}
    return tuple(points.values())


def _of_negative_zero(point: Point) -> Point | None:
    """The same point of an elementwise operation with negative zeros, if it has zeros: engines divide by them."""
    if 0.0 not in point.values:
        return None
    kind = "negative zero" if point.kind == "zero" else f"{point.kind}, negative"
    return Point(kind, tuple(-0.0 if value == 0.0 else value for value in point.values), point.variant)


def _complaints(declared: Operation) -> Iterator[str]:
    """Complaints about a row, each as the end of a sentence that begins with its name."""
    names = list(parsed(declared.signature).parameters)
    # Of joined arrays the signature has a single parameter, the list.
    others = names[1 if declared.joined else len(declared.arguments) :]
    if unknown := {name for variant in declared.options for name in variant} - set(others):
        yield f"gives the option {min(unknown)!r}: of {declared.signature} the options are {others}"
    free = [declared.arguments[position] for position in declared.differentiated]
    if any(argument.shape is None for argument in declared.arguments) and not declared.elementwise:
        yield "mixes numbers and arrays: give every argument a shape, or none"
    if isinstance(declared.degree, list) and len(declared.degree) != len(declared.options):
        yield f"has {len(declared.degree)} degrees for {len(declared.options)} variants of its options"
    if declared.special and declared.ordinary:
        yield f"has the point {declared.special[0].kind!r}, and a reason for having none: drop `ordinary`"
    for point in declared.special:
        if not 0 <= point.variant < len(declared.options):
            yield f"has a point {point.kind!r} under options {point.variant} of {len(declared.options)}"
        if len(point.values) != len(free):
            yield f"has a point {point.kind!r} with {len(point.values)} values for {len(free)} arguments"
        elif not all(argument.holds(value) for argument, value in zip(free, point.values, strict=True)):
            yield f"has the point {point.kind!r} at {point.values}, which is outside its domain"
    if clash := {point.kind for point in declared.smooth} & {point.kind for point in declared.kinks}:
        yield f"has the point {min(clash)!r} among smooth points and among kinks"
