"""What must hold of a program that returns a value, on one engine."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy

from conformance.laws.differences import STEP, central, one_sided_agree
from conformance.programs.case import Difference, ProgramCase, apart, each_apart
from conformance.programs.out_of_place import OutOfPlace
from conformance.programs.program import Body, Program, Step, walk
from conformance.programs.shrinking.slices import live
from conformance.programs.unrolled import PythonLoops
from conformance.protocol.types import Array

__all__ = [
    "FIRST_ORDER",
    "ORACLES",
    "SECOND_ORDER",
    "Oracle",
    "at_a_jump",
    "gradient_out_of_place",
    "gradient_unrolled",
    "has_kinks",
    "resliced",
]

Oracle = Callable[[ProgramCase], Difference | None]
# How near two derivatives are, beside their size, for coarse differences to confirm one.
NEAR = 1e-5
# Forms with kinks.
KINKED = frozenset(
    (
        *("larger", "np.abs", "np.relu", "np.relu6", "np.hardtanh", "np.leaky_relu", "np.maximum", "np.minimum"),
        *("masked_log", "guarded", "guarded_gradients"),
        *("np.amax", "np.amin", "np.sort_along_axis", "np.floor", "np.trunc", "np.sign", "np.remainder"),
        *("write.abs", "write.relu", "write.hardtanh", "write.leaky_relu"),
    )
)
# Forms whose values jump.
JUMPING = frozenset(("np.sign", "np.floor", "np.trunc", "np.remainder", "cond"))
# Points so near that rounding moves a number as far.
CLOSE_BY = (1e-9, -1e-9, 3e-9, -3e-9)
# How close the differences of two step sizes are, beside their size or one, where there is a derivative.
SETTLED = 1e-3


def forward_is_reverse(case: ProgramCase) -> Difference | None:
    """The derivative along a direction is the same in forward and in reverse mode."""
    expected, scale = case.reverse
    return apart(case.forward, expected, scale)


def reverse_is_differences(case: ProgramCase) -> Difference | None:
    """The derivative along a direction in reverse mode is that of central differences, where there is one."""
    return _beside_kinks(_against_differences, case)


def _beside_kinks(compared: Oracle, case: ProgramCase) -> Difference | None:
    """What a comparison with differences finds; of a program with kinks, only if it does so at a point nearby, too.

    Of functions with kinks a smooth one can be composed, or nearly so, whose derivative is another by convention.
    """
    found = compared(case)
    return found if found and (not has_kinks(case.program) or compared(case.neighbour())) else None


def has_kinks(program: Program) -> bool:
    """Whether a program has an operation with kinks, at which its derivative is a convention."""
    return any(step.form in KINKED for _, step in walk(program.body))


def at_a_jump(case: ProgramCase) -> bool:
    """Whether the value of a program is quite another close by: engines that round differently may both be right."""
    if not any(step.form in JUMPING for _, step in walk(case.program.body)):
        return False
    return any(not numpy.allclose(case.value_at(t), case.plain[0], rtol=1e-4, atol=1e-4) for t in CLOSE_BY)


def _against_differences(case: ProgramCase) -> Difference | None:
    got, scale = case.reverse
    h = 0.01
    values = {at: case.beside(at * h) for at in (1.0, -1.0, 0.5, -0.5)}
    wide, narrow = (values[1.0] - values[-1.0]) / (2 * h), (values[0.5] - values[-0.5]) / h
    if abs(narrow + (narrow - wide) / 3 - got) <= NEAR * max(1.0, scale):
        return None
    return _unlike(case, got, scale)


def forward_is_differences(case: ProgramCase) -> Difference | None:
    """The same in forward mode, where reverse mode raises an error, such as for a saved value that was written."""
    try:
        case.reverse  # noqa: B018
    except Exception:
        return _beside_kinks(lambda case: _unlike(case, case.forward, abs(case.forward)), case)
    return None


def _unlike(case: ProgramCase, got: float, scale: float) -> Difference | None:
    """The same by finer differences: they agree with each other and not with the derivative, from either side."""
    first = central(case.beside)
    if abs(first.value - got) <= 10 * first.error + NEAR * max(1.0, scale) or not one_sided_agree(case.beside):
        return None
    finer, finest = (central(case.beside, step=STEP / part) for part in (8, 64))
    if not abs(finer.value - finest.value) <= SETTLED * max(1.0, abs(finest.value)):
        return None
    if abs(finest.value - got) <= 10 * finest.error + NEAR * max(1.0, scale):
        return None
    return Difference("NaN" if math.isnan(got) else "numbers", str(got), str(finest.value))


def checkpointed(case: ProgramCase) -> Difference | None:
    """Under checkpointing the gradient is the same."""
    found = case.ad.grad(lambda *xs: case.ad.checkpoint(case.scalar)(*xs), case.argnums)(*case.xs)
    return _same(case, found)


def _same(case: ProgramCase, found: Any) -> Difference | None:
    """Whether a gradient is that of the plain program."""
    return each_apart(case.arrays(found), case.gradient)


def with_dead_code(case: ProgramCase) -> Difference | None:
    """Without the steps that the result does not depend on, or with more of them, the gradient is the same."""
    sliced = ProgramCase(resliced(case.program), case.ad).prepared()
    return _same(case, case.ad.grad(sliced.scalar, case.argnums)(*case.xs))


def resliced(program: Program) -> Program:
    """The program without the steps that its result does not depend on; where it has none, with one."""
    other = live(program)
    return _with_dead_code(program) if other == program else other


def _with_dead_code(program: Program) -> Program:
    """The program with a step at its end that nothing needs."""
    body = program.body
    return Program(
        program.kind, program.inputs, Body(body.parameters, (*body.steps, Step("np.cos", (body.gives[0],))), body.gives)
    )


def mapped(case: ProgramCase) -> Difference | None:
    """The gradient through vmap over two points is that of the loop."""
    ad = case.ad
    beside = case.moved(0.25)
    stacked = [ad.array(numpy.stack(pair).tolist()) for pair in zip(case.numbers, beside, strict=True)]
    other = case.arrays(ad.grad(case.scalar, case.argnums)(*[ad.array(x.tolist()) for x in beside]))

    def total(*xs: Array) -> Array:
        return ad.np.sum(ad.vmap(case.scalar)(*xs))

    found = case.arrays(ad.grad(total, case.argnums)(*stacked))
    return each_apart(found, map(numpy.stack, zip(case.gradient, other, strict=True)))


def out_of_place(case: ProgramCase) -> Difference | None:
    """The gradient is that of the program with operations in the place of in-place writes, and indices of views."""
    return _same(case, gradient_out_of_place(case))


def gradient_out_of_place(case: ProgramCase) -> Any:
    """The gradient of the program that does not write in place."""

    def scalar(*xs: Array) -> Array:
        return case.weighed(case.value(*xs, run=OutOfPlace(case.ad)), xs)

    return case.ad.grad(scalar, case.argnums)(*case.xs)


def unrolled(case: ProgramCase) -> Difference | None:
    """The gradient is that of the program with Python's loops in the place of scans."""
    return _same(case, gradient_unrolled(case))


def gradient_unrolled(case: ProgramCase) -> Any:
    """The gradient of the program with Python's loops."""
    loops = ProgramCase(case.program, PythonLoops(case.ad)).prepared()
    return case.ad.grad(loops.scalar, case.argnums)(*case.xs)


def compiled(case: ProgramCase) -> Difference | None:
    """Compiled inside and outside, the gradient is the same."""
    ad = case.ad
    inside = _same(case, ad.grad(ad.jit(case.scalar), case.argnums)(*case.xs))
    return inside or _same(case, ad.jit(ad.grad(case.scalar, case.argnums))(*case.xs))


def orders_of_modes(case: ProgramCase) -> Difference | None:
    """The second derivative along the directions is the same by each composition of the modes."""
    ad, xs, vs = case.ad, tuple(case.xs), tuple(case.tangents)

    def by_reverse(*xs: Array) -> Array:
        parts = [ad.np.sum(g * v) for g, v in zip(ad.grad(case.scalar, case.argnums)(*xs), vs, strict=True)]
        return sum(parts[1:], parts[0])

    expected, scale = _gradient_along(case, by_reverse)
    found = apart(case.number(ad.jvp(by_reverse, xs, vs)[1]), expected, scale)
    return found or apart(_gradient_along(case, _by_forward(case))[0], expected, scale)


def forward_over_forward(case: ProgramCase) -> Difference | None:
    """The second derivative along the directions by forward mode alone is that of the reverse mode's gradient."""
    by_forward = _by_forward(case)
    expected, scale = _gradient_along(case, by_forward)
    return apart(case.number(case.ad.jvp(by_forward, tuple(case.xs), tuple(case.tangents))[1]), expected, scale)


def _by_forward(case: ProgramCase) -> Callable[..., Array]:
    """The derivative along the directions in forward mode, as a function of the inputs."""
    return lambda *xs: case.ad.jvp(case.scalar, xs, tuple(case.tangents))[1]


def _gradient_along(case: ProgramCase, function: Callable[..., Array]) -> tuple[float, float]:
    """The gradient of a function of the inputs, along the directions, and the size of what it is the sum of."""
    return case.along(case.arrays(case.ad.grad(function, case.argnums)(*case.xs)))


FIRST_ORDER: dict[str, Oracle] = {
    one.__name__: one
    for one in (
        *(
            forward_is_reverse,
            reverse_is_differences,
            forward_is_differences,
            out_of_place,
            checkpointed,
            with_dead_code,
            mapped,
            unrolled,
        ),
    )
}
SECOND_ORDER: dict[str, Oracle] = {one.__name__: one for one in (compiled, orders_of_modes, forward_over_forward)}
ORACLES: dict[str, Oracle] = FIRST_ORDER | SECOND_ORDER
