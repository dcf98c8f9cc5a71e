"""How the check of a program ends, for each oracle: the comparison, in the verbs that the oracle uses."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy

from conformance.laws.differences import central
from conformance.programs.case import RELATIVE, Difference, ProgramCase
from conformance.programs.oracles import (
    NEAR,
    forward_is_differences,
    gradient_out_of_place,
    gradient_unrolled,
    resliced,
    reverse_is_differences,
)
from conformance.programs.shrinking.shrink import shapes_of
from conformance.programs.source.writer import listing

__all__ = ["ENDINGS", "Frame", "Unwritable", "numbers_shown"]

BECAUSE = "rounding in a long computation"


class Unwritable(Exception):
    """No check can be written of a program; the message says why."""


@dataclass(frozen=True)
class Frame:
    """What endings are written with: the program on an engine, on the reference engine, and what was found."""

    case: ProgramCase
    other: ProgramCase | None
    difference: Difference | None

    @property
    def count(self) -> range:
        """The numbers of the inputs."""
        return range(len(self.case.numbers))

    def named(self, letter: str) -> str:
        """A name for each input: `x0, x1`."""
        return ", ".join(f"{letter}{n}" for n in self.count)

    def arrays(self, letter: str, arrays: Sequence[Any]) -> list[str]:
        """Lines that make arrays, one for each input."""
        return [f"{letter}{n} = ad.array({numbers_shown(x)})" for n, x in enumerate(arrays)]

    @property
    def argnums(self) -> str:
        """What `grad` is told beside the function."""
        return f", ({self.named('')})" if len(self.count) > 1 else ""

    def gradient(self, to: str, function: str = "f", at: str = "x") -> str:
        """A line that takes the gradient of a function of the inputs."""
        return f"{self.named(to)} = ad.grad({function}{self.argnums})({self.named(at)})"

    def along(self, letter: str) -> str:
        """The sum of the parts of a gradient along the directions."""
        return " + ".join(f"ad.np.sum({letter}{n} * t{n})" for n in self.count)

    def pushed(self, function: str = "f", at: str = "x") -> str:
        """The derivative along the directions in forward mode."""
        points, tangents = (f"({self.named(letter)}{',' * (len(self.count) == 1)})" for letter in (at, "t"))
        return f"ad.jvp({function}, {points}, {tangents})[1]"

    def close(self, got: str, expected: str, size: Callable[[], Any]) -> str:
        """The comparison; `size` is that of the numbers, unless an error comes in between."""
        try:
            largest = float(numpy.max(numpy.abs(size()), initial=0.0))
        except Exception:  # it is what the check is to show
            largest = 1.0
        within = _rounded_up(RELATIVE * max(1.0, largest if math.isfinite(largest) else 1.0))
        return f"close({got}, {expected}, within={within}, because={BECAUSE!r})"

    @cached_property
    def setup(self) -> list[str]:
        """The function that is differentiated, and its inputs."""
        weights = numbers_shown(self.case.weights) if self.case.weights.shape else ""
        made = [f"c = ad.array({weights})"] if weights else []
        return [*self.arrays("x", self.case.numbers), *made, *self.function("f", "program", listing(self._body))]

    @property
    def _body(self) -> Any:
        return self.case.program.body

    def function(self, name: str, program: str, source: str) -> list[str]:
        """A program, and the function of its inputs whose value is one number."""
        weighed = f"{program}({self.named('v')}){' * c' if self.case.weights.shape else ''}"
        squares = "".join(f" + ad.np.sum(v{n} * v{n})" for n in self.count)
        lines = source.replace("def program(", f"def {program}(", 1).splitlines()
        return ["", *lines, "", f"def {name}({self.named('v')}):", f"    return ad.np.sum({weighed}){squares}", ""]


def numbers_shown(x: Any) -> str:
    """Numbers as they are written in a check."""
    shortened = numpy.vectorize(lambda one: float(f"{one:.13g}"), otypes=[float])(numpy.asarray(x, dtype="float64"))
    return repr(shortened.tolist()).replace("nan", "float('nan')").replace("inf", "float('inf')")


def _rounded_up(x: float) -> float:
    digit = 10.0 ** math.floor(math.log10(x))
    return float(f"{math.ceil(x / digit * 0.999999) * digit:.0e}")


def runs(frame: Frame) -> list[str]:
    program = listing(frame.case.program.body).splitlines()
    value = frame.case.program.body.gives[0]
    shape = shapes_of(frame.case.program)[value]
    return [
        *frame.arrays("x", frame.case.numbers),
        "",
        *program,
        "",
        f"equal(program({frame.named('x')}).shape, {shape})",
    ]


def forward_is_reverse(frame: Frame) -> list[str]:
    return [
        *frame.arrays("t", frame.case.directions),
        *frame.setup,
        frame.gradient("g"),
        frame.close(frame.pushed(), frame.along("g"), lambda: frame.case.reverse),
    ]


def differences(frame: Frame) -> list[str]:
    found = reverse_is_differences(frame.case)
    got, scale = frame.case.reverse
    expected = float(found.expected) if found else central(frame.case.beside).value
    if found is None and not abs(expected - got) <= NEAR * max(1.0, scale):
        raise Unwritable("it has no derivative there, as differences tell")
    within = _rounded_up(2 * NEAR * max(1.0, scale))
    return [
        *frame.arrays("t", frame.case.directions),
        *frame.setup,
        frame.gradient("g"),
        f"close({frame.along('g')}, {numbers_shown(expected)}, within={within}, because='by central differences')",
    ]


def _same(frame: Frame, other: str, function: str = "f") -> list[str]:
    """The gradient of another function is that of the plain one."""
    return [frame.gradient(other, function), *_alike(frame, other)]


def _alike(frame: Frame, other: str) -> list[str]:
    return [frame.close(f"{other}{n}", f"g{n}", lambda n=n: frame.case.gradient[n]) for n in frame.count]  # type: ignore[misc]


def forward_beside_an_error(frame: Frame) -> list[str]:
    found = forward_is_differences(frame.case)
    if found is None:
        raise Unwritable("forward mode is as differences tell, or reverse mode raises no error")
    within = _rounded_up(2 * NEAR * max(1.0, abs(frame.case.forward)))
    expected = numbers_shown(float(found.expected))
    return [
        *frame.arrays("t", frame.case.directions),
        *frame.setup,
        f"close({frame.pushed()}, {expected}, within={within}, because='by central differences')",
    ]


def out_of_place(frame: Frame) -> list[str]:
    found = gradient_out_of_place(frame.case)
    return _as_of(frame, found, "operations in the place of in-place writes")


def unrolled(frame: Frame) -> list[str]:
    return _as_of(frame, gradient_unrolled(frame.case), "Python's loops in the place of scans")


def _as_of(frame: Frame, gradient: Any, other: str) -> list[str]:
    """The gradient has the numbers of that of the same program with something else in it."""
    return [
        *frame.setup,
        frame.gradient("g"),
        f"# That of the same program with {other}:",
        *(frame.close(f"g{n}", numbers_shown(x), lambda x=x: x) for n, x in enumerate(frame.case.arrays(gradient))),  # type: ignore[misc]
    ]


def checkpointed(frame: Frame) -> list[str]:
    return [*frame.setup, frame.gradient("g"), *_same(frame, "h", "ad.checkpoint(f)")]


def with_dead_code(frame: Frame) -> list[str]:
    other = frame.function("f2", "program2", listing(resliced(frame.case.program).body))
    return [*frame.setup, *other[1:], frame.gradient("g"), *_same(frame, "h", "f2")]


def mapped(frame: Frame) -> list[str]:
    case = frame.case
    beside = [x + 0.25 * v for x, v in zip(case.numbers, case.directions, strict=True)]
    stacked = [numpy.stack(pair) for pair in zip(case.numbers, beside, strict=True)]
    rows = [(n, row, name) for n in frame.count for row, name in enumerate("gh")]
    return [
        *frame.setup,
        *(f"{name} = ad.array({numbers_shown(x)})" for n, x in enumerate(beside) for name in (f"y{n}",)),
        *frame.arrays("z", stacked),
        "",
        f"def total({frame.named('v')}):",
        f"    return ad.np.sum(ad.vmap(f)({frame.named('v')}))",
        "",
        *(frame.gradient("g"), frame.gradient("h", at="y"), frame.gradient("m", "total", "z")),
        *(frame.close(f"m{n}[{row}]", f"{name}{n}", lambda n=n: case.gradient[n]) for n, row, name in rows),  # type: ignore[misc]
    ]


def compiled(frame: Frame) -> list[str]:
    return [
        *frame.setup,
        frame.gradient("g"),
        *_same(frame, "h", "ad.jit(f)"),
        f"{frame.named('k')} = ad.jit(ad.grad(f{frame.argnums}))({frame.named('x')})",
        *_alike(frame, "k"),
    ]


def orders_of_modes(frame: Frame) -> list[str]:
    def size() -> Any:
        return frame.case.reverse

    return [
        *frame.arrays("t", frame.case.directions),
        *frame.setup,
        f"def by_reverse({frame.named('v')}):",
        f"    {frame.gradient('g', at='v')}",
        f"    return {frame.along('g')}",
        "",
        f"def by_forward({frame.named('v')}):",
        f"    return {frame.pushed(at='v')}",
        "",
        *(frame.gradient("h", "by_reverse"), frame.gradient("k", "by_forward")),
        frame.close(frame.pushed("by_reverse"), frame.along("h"), size),
        frame.close(frame.along("k"), frame.along("h"), size),
    ]


def forward_over_forward(frame: Frame) -> list[str]:
    return [
        *frame.arrays("t", frame.case.directions),
        *frame.setup,
        f"def by_forward({frame.named('v')}):",
        f"    return {frame.pushed(at='v')}",
        "",
        frame.gradient("k", "by_forward"),
        frame.close(frame.pushed("by_forward"), frame.along("k"), lambda: frame.case.reverse),
    ]


def reference(frame: Frame) -> list[str]:
    if frame.other is None:
        raise Unwritable("the reference engine does not run it")
    value, gradient = frame.other.prepared().plain[0], frame.other.gradient
    pairs = [(f"g{n}", expected) for n, expected in enumerate(gradient)]
    return [
        *frame.setup,
        frame.close(f"program({frame.named('x')})", numbers_shown(value), lambda: value),
        frame.gradient("g"),
        *(frame.close(got, numbers_shown(expected), lambda x=expected: x) for got, expected in pairs),  # type: ignore[misc]
    ]


ENDINGS: dict[str, Callable[[Frame], list[str]]] = {
    **{one.__name__: one for one in (runs, forward_is_reverse, checkpointed, with_dead_code, mapped)},
    **{one.__name__: one for one in (compiled, orders_of_modes, forward_over_forward, reference)},
    **{"reverse_is_differences": differences, "forward_is_differences": forward_beside_an_error},
    **{"out_of_place": out_of_place, "unrolled": unrolled},
}
