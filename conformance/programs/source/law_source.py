"""A law as source: its function is run with a subject whose arrays are names, and whose verbs write lines."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property, partialmethod
from typing import Any

import numpy

from conformance.laws.comparison import RELATIVE
from conformance.laws.law import EqualityLaw
from conformance.laws.subject import NumPyArray, Subject
from conformance.programs.program import Body
from conformance.programs.shrinking.slices import resliced
from conformance.programs.source.writer import listing
from conformance.programs.subject import ProgramSubject

BECAUSE = "rounding in a long computation"
# Names of gradients.
LETTERS = "ghkmnpq"


class Text:
    """An expression of source, in the place of an array or of a function."""

    def __init__(self, text: str, *, literal: bool = False) -> None:
        self.text, self.literal = text, literal

    def __str__(self) -> str:
        return self.text

    def __mul__(self, other: Any) -> Text:
        return Text(f"{self} * {other}")

    def __add__(self, other: Any) -> Text:
        return Text(f"{self} + {other}")

    # All that a law does with the engine's functions is written as it is: `ad.np.sum`, `ad.np.stack`.
    def __getattr__(self, name: str) -> Text:
        return Text(f"{self}.{name}")

    def __call__(self, *arguments: Any) -> Text:
        return Text(f"{self}({listed(arguments)})")


class _Gradient(Text):
    """A function that returns an array for each input: its calls are lines, as their results are used several times."""

    def __init__(self, text: str, at: WrittenSubject) -> None:
        super().__init__(text)
        self.at = at

    def __call__(self, *arguments: Any) -> Any:
        # A letter for each call, so that gradients at several points stay apart.
        letter = self.at.letters.pop(0)
        results = tuple(Text(f"{letter}{n}") for n in self.at.argnums)
        self.at.lines.append(f"{listed(results)} = {self}({listed(arguments)})")
        return results


class _Verbs:
    """The verbs that laws use."""

    np = Text("ad.np")

    def __init__(self, at: WrittenSubject) -> None:
        self.at = at

    def grad(self, function: Any, argnums: Sequence[int]) -> _Gradient:
        # Of a single input, the check reads better without argnums, and then has one array and no tuple.
        chosen = f", ({listed(argnums)})" if len(argnums) > 1 else ""
        return _Gradient(f"ad.grad({self.at.named(function)}{chosen})", self.at)

    def _applied(self, verb: str, function: Any) -> Text:
        text = f"ad.{verb}({self.at.named(function)})"
        return _Gradient(text, self.at) if isinstance(function, _Gradient) else Text(text)

    checkpoint = partialmethod(_applied, "checkpoint")
    jit = partialmethod(_applied, "jit")
    vmap = partialmethod(_applied, "vmap")

    def jvp(self, function: Any, xs: Sequence[Text], tangents: Sequence[Text]) -> tuple[Text, Text]:
        points, along = (f"({listed(texts)}{',' * (len(texts) == 1)})" for texts in (xs, tangents))
        both = f"ad.jvp({self.at.named(function)}, {points}, {along})"
        return Text(f"{both}[0]"), Text(f"{both}[1]")


class WrittenSubject(Subject):
    """A program whose inputs are `x0, x1`, and whose function `f`; `lines` are what has been done with them."""

    scalar = weighted = Text("f")

    def __init__(self, case: ProgramSubject) -> None:
        self.case, self.ad, self.lines, self.letters = case, _Verbs(self), list[str](), list(LETTERS)
        self.primals = tuple(Text(f"x{n}") for n in range(len(case.point)))
        self._functions: dict[Any, str] = {}
        self._arrays, self._has_directions = 0, False

    def directions(self, number: int) -> tuple[Text, ...]:
        self._has_directions = True
        return tuple(Text(f"t{n}") for n in self.argnums)

    # A cotangent of a value without axes is 1, and left out.
    @cached_property
    def cotangents(self) -> tuple[Any, ...]:
        return (Text("c"),) if self.case.weights_of_value.shape else ()

    def array(self, x: NumPyArray) -> Text:
        self._arrays += 1
        self.lines.append(f"y{self._arrays - 1} = ad.array({numbers_shown(x)})")
        return Text(f"y{self._arrays - 1}")

    def other_point(self) -> Sequence[NumPyArray]:
        return self.case.other_point()

    def stacked(self, *points: Sequence[Any]) -> list[Any]:
        return [Text(f"ad.np.stack([{listed(xs)}])") for xs in zip(*points, strict=True)]

    def gradient_of_resliced(self) -> Any:
        self.lines += self._program("program2", "f2", resliced(self.case.program).body)
        return self.ad.grad(Text("f2"), self.argnums)(*self.primals)

    def gradient_out_of_place(self) -> Any:
        return self._literals(self.case.gradient_out_of_place(), "operations in the place of in-place writes")

    def gradient_unrolled(self) -> Any:
        return self._literals(self.case.gradient_unrolled(), "Python's loops in the place of scans")

    def _literals(self, arrays: Sequence[Any], other: str) -> Any:
        self.lines.append(f"# To be compared with the gradient of the same program with {other}:")
        return tuple(Text(numbers_shown(x), literal=True) for x in self.case.numbers(arrays))

    def named(self, function: Any) -> str:
        """The name of a function. A function of Python is run with names, and so written."""
        if isinstance(function, Text):
            return function.text
        # A derivative is differentiated several times, and written once.
        if function not in self._functions:
            name = f"{function.__name__}{len(self._functions)}"
            # What the function does is not done now: its lines are its body.
            before, self.lines = self.lines, []
            parameters = [Text(f"v{n}") for n in self.argnums]
            result = function(*parameters)
            inside = [f"    {line}" for line in (*self.lines, f"return {result}")]
            self.lines = [*before, "", f"def {name}({listed(parameters)}):", *inside, ""]
            self._functions[function] = name
        return self._functions[function]

    def close(self, got: Text, expected: Text, size: float, relative: float = RELATIVE, because: str = BECAUSE) -> None:
        """Write that two results are equal, up to rounding of numbers of a size."""
        # What the suite computed is what is expected, on whichever side a law has it.
        if got.literal:
            got, expected = expected, got
        within = _rounded_up(relative * max(1.0, size if math.isfinite(size) else 1.0))
        self.lines.append(f"close({got}, {expected}, within={within}, because={because!r})")

    @property
    def source(self) -> list[str]:
        """All lines: arrays, the program, the function of its inputs whose value is a number, and what was done."""
        # At the end, when it is known whether directions and a cotangent are used.
        case, weights = self.case, self.case.weights_of_value
        made = [f"c = ad.array({numbers_shown(weights)})"] if weights.shape else []
        directions = array_lines("t", case.direction(0)) if self._has_directions else []
        function = self._program("program", "f", case.program.body, ", c=c" if vars(self).get("cotangents") else "")
        return [*array_lines("x", case.point), *directions, *made, *function, *self.lines]

    def _program(self, program: str, name: str, body: Body, cotangent: str = "") -> list[str]:
        """A program, and the function of its inputs whose value is a number."""
        inputs = listed(f"v{n}" for n in self.argnums)
        weighed = f"{program}({inputs}){' * c' if self.case.weights_of_value.shape else ''}"
        squares = "".join(f" + ad.np.sum(v{n} * v{n})" for n in self.argnums)
        lines = listing(body).replace("def program(", f"def {program}(", 1).splitlines()
        return ["", *lines, "", f"def {name}({inputs}{cotangent}):", f"    return ad.np.sum({weighed}){squares}", ""]


def law_lines(law: EqualityLaw, case: ProgramSubject) -> list[str]:
    """The lines of a check of a law: what it does with a program, and its comparisons."""
    at, sizes = WrittenSubject(case), _sizes(law, case)
    for comparison in law.comparisons(at):
        for got, expected in zip(*map(_several, (comparison.got, comparison.expected)), strict=True):
            at.close(got, expected, sizes.pop(0) if sizes else 1.0)
    return at.source


def _sizes(law: EqualityLaw, case: ProgramSubject) -> list[float]:
    """The size of the numbers of each comparison; none for those after an error, which is what the check is to show."""
    sizes: list[float] = []
    try:
        for comparison in law.comparisons(case):
            scale = case.scale((), comparison.terms)
            arrays = case.numbers(_several(comparison.expected))
            sizes += [max(scale, float(numpy.max(numpy.abs(x), initial=0.0))) for x in arrays]
    except Exception:
        return sizes
    return sizes


def _several(result: Any) -> Sequence[Any]:
    return result if isinstance(result, (tuple, list)) else (result,)


def listed(texts: Any) -> str:
    """Texts with commas between them."""
    return ", ".join(map(str, texts))


def array_lines(letter: str, arrays: Sequence[NumPyArray]) -> list[str]:
    """Assignments of arrays to names with a letter."""
    return [f"{letter}{n} = ad.array({numbers_shown(x)})" for n, x in enumerate(arrays)]


def numbers_shown(x: Any) -> str:
    """Numbers as they are written in a check."""
    shortened = numpy.vectorize(lambda number: float(f"{number:.13g}"), otypes=[float])(numpy.asarray(x, "float64"))
    return repr(shortened.tolist()).replace("nan", "float('nan')").replace("inf", "float('inf')")


def _rounded_up(x: float) -> float:
    digit = 10.0 ** math.floor(math.log10(x))
    return float(f"{math.ceil(x / digit * 0.999999) * digit:.0e}")
