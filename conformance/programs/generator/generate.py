"""The program of a seed: valid by construction, and the same on every machine."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from math import prod

from conformance.programs.generator import memory, operations
from conformance.programs.generator.draws import SeedStream, Weighted
from conformance.programs.generator.kinds import KINDS, ProgramKind
from conformance.programs.generator.rules import RULE_STEPS
from conformance.programs.generator.scope import DrawStep, KnownValue, Scope, Unfit, one_value
from conformance.programs.generator.tape import TAPE_STEPS, add_backward
from conformance.programs.generator.transforms import TRANSFORM_STEPS
from conformance.programs.program import Body, Input, Program
from conformance.protocol.types import Shape

# Few shapes, so that an engine that compiles for each has few to compile for.
SHAPES: tuple[Shape, ...] = ((), (3,), (3,), (2, 3), (2, 3), (3, 3))
# Kinks, ties and zeros are where engines differ.
SPECIAL = (0.0, 0.0, 1.0, -1.0, 0.5, 2.0)
DEEPEST = 2

FUNCTIONS = (
    *(operations.unary, operations.binary, operations.reduction, operations.scan, operations.shaping),
    *(operations.joining, operations.indexing, operations.product, operations.detach, memory.view, memory.write),
)
# An alias is a value without its history that shares memory with it.
OPERATION_STEPS: dict[str, DrawStep] = {function.__name__: function for function in FUNCTIONS}
OPERATION_STEPS["alias"] = one_value("detach")
STEPS = {**OPERATION_STEPS, **TAPE_STEPS, **RULE_STEPS, **TRANSFORM_STEPS}
# Steps that may have a body of steps of any kind: without a limit, programs would have no end.
GROWING = TAPE_STEPS.keys() | TRANSFORM_STEPS.keys()


def generate_program(kind: str, seed: int) -> Program:
    """Generate the program of that kind and seed. Raises KeyError for an unknown kind."""
    return draw_program(kind, SeedStream(seed, list(KINDS).index(kind)))


def draw_program(kind: str, draws: SeedStream) -> Program:
    """Draw a program of that kind from these choices."""
    kind_of_program = KINDS[kind]
    inputs = tuple(_input(draws, kind_of_program) for _ in range(1 + draws.below(2)))
    values: list[KnownValue | None] = [_known(array, number) for number, array in enumerate(inputs)]
    scope = Scope(draws, values, partial(_grow_inside, kind_of_program.inside), kind_of_program.written)
    _grow(kind_of_program.weights, 4 + draws.below(8), scope)
    if kind_of_program.tape:
        add_backward(scope)
        return Program(kind, inputs, Body(len(inputs), tuple(scope.steps), ()))
    # A result that depends on an input, or there would be nothing to differentiate.
    last = _last(scope)
    return Program(kind, inputs, Body(len(inputs), tuple(scope.steps), (last,)))


def _input(draws: SeedStream, kind: ProgramKind) -> Input:
    """An array of ordinary numbers, or of special ones, some of them equal."""
    shape, special = draws.one_of(SHAPES), draws.happens(0.3)
    numbers = [round(4 * draws.unit() - 2, 2) or 0.5 for _ in range(prod(shape))]
    if special:
        numbers = [draws.one_of(SPECIAL) if draws.happens(0.5) else number for number in numbers]
    return Input(shape, tuple(numbers), not kind.tape or draws.happens(0.8))


def _known(array: Input, number: int) -> KnownValue:
    leaf = array.requires_grad
    depends = frozenset((0,)) if leaf else frozenset[int]()
    return KnownValue(array.shape, (min(array.numbers), max(array.numbers)), number, depends=depends, leaf=leaf)


def _grow(weights: Weighted, count: int, scope: Scope) -> None:
    """Try so many times to add a step: most times one fits."""
    for _ in range(count):
        name = scope.draws.weighted(weights)
        if scope.depth < DEEPEST or name not in GROWING:
            with suppress(Unfit):
                STEPS[name](scope)


def _grow_inside(weights: Weighted, scope: Scope) -> None:
    _grow(weights, 1 + scope.draws.below(3), scope)


def _last(scope: Scope) -> int:
    """The last value that depends on an input; the sine of the first input, where no step has made one."""
    for number in range(len(scope.values) - 1, len(scope.values) - len(scope.steps) - 1, -1):
        known = scope.values[number]
        if known is not None and known.depends:
            return number
    return scope.add("np.sin", (0,))
