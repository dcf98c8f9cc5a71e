"""`check`: whether the derivative of a person's own function is right, by every law that concerns it.

Nothing heavy is imported before a function is checked.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from autograd_conformance.known_breaks import Known, known_of

if TYPE_CHECKING:
    from conformance.own.answers import Answer

__all__ = ["LawBroken", "Report", "check"]


@dataclass(frozen=True)
class Report:
    """The answers of all laws."""

    title: str
    answers: tuple[Answer, ...]

    @property
    def broken(self) -> tuple[Answer, ...]:
        """The laws that do not hold, those first that explain the others."""
        return tuple(answer for answer in self.answers if answer.status == "broken")

    def __str__(self) -> str:
        from conformance.own.text import report_lines

        return "\n".join(line for _, line in report_lines(self.title, self.answers))


class LawBroken(AssertionError):
    """A law that the function breaks: `answer` has its name, witness, expected and got; `report` all answers."""

    def __init__(self, report: Report) -> None:
        from conformance.own.text import broken_lines

        self.report, self.answer = report, report.broken[0]
        super().__init__("\n".join(broken_lines(report.title, report.broken)))


def check(
    function: Callable[..., Any],
    *arguments: Any,
    raises: bool = True,
    engine: str | None = None,
    options: Mapping[str, Any] | None = None,
    reference: Callable[..., Any] | None = None,
    order: int = 2,
    constant: Collection[str | int] = (),
    seeded: bool | None = None,
    inplace: bool = False,
    domain: Callable[..., Any] | None = None,
    deliberate: str = "",
    skip: Mapping[str, str] | None = None,
    compiler: str | None = None,
    known: Known = "",
) -> Report:
    """Try the laws of differentiation on `function` at these arguments, and at points near them.

    Raises LawBroken, or with `raises=False` returns the report, which has one answer per law; ValueError, in a line,
    for input that cannot be checked. `options` are keyword arguments of the function. The author declares: `reference`,
    a function that gives the same values and gradients; `order`, how many times the function can be differentiated;
    `constant`, the names or positions of floating inputs that are data; `seeded`, that it draws random numbers;
    `inplace`, that it writes to its first argument by contract; `domain`, a function of the numbers that is true where
    the function is defined; `deliberate`, why the gradient is meant to be another (`"straight-through"`); `skip`, by a
    part of a law's name, why it is not to be asked. `compiler` is a backend of the engine's compiler (`"aot_eager"`).
    `known` are laws that are broken, with reasons, or a TOML file of these: one that holds counts as broken.
    """
    from conformance.own.check import Declared, check_function, title_of

    title = title_of(function)
    declared = Declared(
        *(engine, options or {}, reference, order, constant, seeded, inplace, domain, deliberate, skip or {}, compiler),
        known_of(known, title),
    )
    report = Report(title, tuple(check_function(function, arguments, declared)))
    if raises and report.broken:
        raise LawBroken(report)
    return report
