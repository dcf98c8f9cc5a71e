"""Draws the program of a seed: valid by construction, and the same on every machine."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from conformance.programs.generator import memory, operations
from conformance.programs.generator.draws import SeedStream, Weighted
from conformance.programs.generator.kinds import KINDS, ProgramKind
from conformance.programs.generator.rules import RULING
from conformance.programs.generator.scope import KnownValue, Scope
from conformance.programs.generator.tape import TAPING, ended
from conformance.programs.generator.transforms import NESTING
from conformance.programs.program import Body, Input, Program
from conformance.protocol.types import Shape

__all__ = ["drawn", "generated"]

# Few shapes, so that an engine that compiles for each has few to compile for.
SHAPES: tuple[Shape, ...] = ((), (3,), (3,), (2, 3), (2, 3), (3, 3))
SPECIAL = (0.0, 0.0, 1.0, -1.0, 0.5, 2.0)
DEEPEST = 2

STEPS: dict[str, Callable[[Scope], int | None]] = {
    function.__name__: function
    for function in (
        *(operations.unary, operations.binary, operations.reduction, operations.scan, operations.shaping),
        *(operations.joining, operations.indexing),
        *(operations.product, operations.detach, operations.alias, memory.view, memory.write),
    )
}


def generated(kind: str, seed: int) -> Program:
    """The program of that kind and seed. Raises KeyError for a kind that is none."""
    return drawn(kind, SeedStream(seed, list(KINDS).index(kind)))


def drawn(kind: str, draws: SeedStream) -> Program:
    """The program of that kind by these choices."""
    described = KINDS[kind]
    inputs = tuple(_input(draws, described) for _ in range(1 + draws.below(2)))
    scope = Scope(draws, [_known(one, at, described) for at, one in enumerate(inputs)], described.written)
    _grow(described, described.weights, 4 + draws.below(8), scope)
    if described.tape:
        ended(scope)
        return Program(kind, inputs, Body(len(inputs), tuple(scope.steps), ()))
    last = _last(scope)
    return Program(kind, inputs, Body(len(inputs), tuple(scope.steps), (last,)))


def _input(draws: SeedStream, kind: ProgramKind) -> Input:
    """An array: ordinary numbers, or such at which engines need care; two of them may be equal."""
    shape, special = draws.one_of(SHAPES), draws.happens(0.3)
    size = 1
    for one in shape:
        size *= one
    numbers = [round(4 * draws.unit() - 2, 2) or 0.5 for _ in range(size)]
    if special:
        numbers = [draws.one_of(SPECIAL) if draws.happens(0.5) else number for number in numbers]
    return Input(shape, tuple(numbers), not kind.tape or draws.happens(0.8))


def _known(given: Input, number: int, kind: ProgramKind) -> KnownValue:
    leaf = given.requires_grad
    depends = frozenset((0,)) if leaf else frozenset[int]()
    return KnownValue(given.shape, (min(given.numbers), max(given.numbers)), number, depends=depends, leaf=leaf)


def _grow(kind: ProgramKind, weights: Weighted, count: int, scope: Scope) -> None:
    """Add steps to a scope: a number of tries, of which most add one."""
    for _ in range(count):
        name = scope.draws.weighted(weights)
        if name in STEPS:
            STEPS[name](scope)
        elif name in TAPING and scope.depth < DEEPEST:
            TAPING[name](scope, partial(_grow_inside, kind))
        elif name in RULING:
            RULING[name](scope, partial(_grow_inside, kind))
        elif name in NESTING and scope.depth < DEEPEST:
            NESTING[name](scope, partial(_grow_inside, kind))


def _grow_inside(kind: ProgramKind, scope: Scope) -> None:
    _grow(kind, kind.inside, 1 + scope.draws.below(3), scope)


def _last(scope: Scope) -> int:
    """The last value that depends on an input; the sine of the first input, where no step has made one."""
    for number in range(len(scope.values) - 1, len(scope.values) - len(scope.steps) - 1, -1):
        known = scope.values[number]
        if known is not None and known.depends:
            return number
    return scope.add("np.sin", (0,), (-1.0, 1.0)) or 0
