"""Tries a program: every oracle that applies to it on an engine, and what the reference engine does with it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy

from conformance.laws.comparison import Difference, compared, compared_each
from conformance.messages import format_error
from conformance.programs.engine import LoadedEngine
from conformance.programs.forms import FORMS
from conformance.programs.generator.kinds import KINDS
from conformance.programs.observations import observed, unlike
from conformance.programs.oracles import ORACLES, Oracle, at_a_jump
from conformance.programs.program import Program, walk
from conformance.programs.subject import UNIT, ProgramSubject, has_kinks
from conformance.recording_adapter import FeatureMissing

__all__ = ["FoundDifference", "ProgramOutcome", "applying", "tried"]

# What a rule for reverse mode alone rules out, and one that is not the derivative of its function.
IN_FORWARD_MODE = ("forward_is_reverse", "forward_is_differences", "orders_of_modes", "forward_over_forward")
BY_DIFFERENCES = ("reverse_is_differences", "forward_is_differences")
# Verbs that mean a loop.
LOOPS = {"scan", "fori_loop"}
# What costs as much as all the rest: compilation, and second order. Of every fourth program.
SELDOM, COSTLY = 4, ("compiled", "orders_of_modes", "forward_over_forward")


@dataclass(frozen=True)
class FoundDifference:
    """A difference, and the oracle that found it."""

    oracle: str
    difference: Difference


@dataclass(frozen=True)
class ProgramOutcome:
    """What came of a program: why it could not be judged, or what was found; neither where all is well."""

    unsupported: str = ""
    found: FoundDifference | None = None


def applying(program: Program, engine: LoadedEngine, seed: int) -> tuple[str, ...]:
    """The oracles that apply to a program on an engine, in the order in which they are asked."""
    if KINDS[program.kind].tape:
        return ("observations",)
    forms = [FORMS[step.form] for _, step in walk(program.body)]
    without = set(IN_FORWARD_MODE) if any(form.reverse_only for form in forms) else set[str]()
    without |= set(BY_DIFFERENCES) if any(form.deliberate for form in forms) else set()
    without |= {"mapped"} if any(form.unmapped for form in forms) else set()
    without |= set(COSTLY) if seed % SELDOM else set()
    without |= set[str]() if any(form.writes for form in forms) else {"out_of_place"}
    without |= set[str]() if any(LOOPS & {*form.features} for form in forms) else {"unrolled"}
    without |= {name for name, verb in (("compiled", "jit"), ("mapped", "vmap")) if not engine.has(verb)}
    return (*(name for name in ORACLES if name not in without), "reference")


def tried(
    program: Program, engine: LoadedEngine, reference: LoadedEngine | None, oracles: tuple[str, ...]
) -> ProgramOutcome:
    """Try a program by these oracles. The first that finds something is told: what others find follows from it often.

    A program is unsupported where the engine raises an error that is documented, or that the reference engine raises.
    """
    if KINDS[program.kind].tape:
        return _observed(program, engine, reference)
    pair = EnginePair(
        ProgramSubject(program, engine.ad), engine, ProgramSubject(program, reference.ad) if reference else None
    )
    outcome = pair.asked("runs", _runs)
    if outcome.found or outcome.unsupported:
        return outcome
    for name in oracles:
        outcome = pair.compared() if name == "reference" else pair.asked(name, ORACLES.get(name, _runs))
        if outcome.found:
            return outcome
    return ProgramOutcome()


def _runs(case: ProgramSubject) -> Difference | None:
    """The program runs."""
    case.prepared()
    return None


@dataclass(frozen=True)
class EnginePair:
    """A program on an engine, and on the reference engine."""

    case: ProgramSubject
    engine: LoadedEngine
    other: ProgramSubject | None

    def asked(self, name: str, oracle: Oracle) -> ProgramOutcome:
        """What an oracle says. An error is a difference, unless it is documented, or the reference engine's too."""
        try:
            difference = oracle(self.case)
        except FeatureMissing as missing:
            return ProgramOutcome(f"no {missing}")
        except Exception as error:
            if self.engine.documents(error) or self._raises(oracle, error):
                return ProgramOutcome(format_error(error))
            return ProgramOutcome(
                found=FoundDifference(name, Difference(f"raises {type(error).__name__}", _first(error), "no error"))
            )
        if name == "runs" and not numpy.all(numpy.isfinite(self.case.plain[0])):
            return ProgramOutcome("its numbers are not finite")
        return ProgramOutcome(found=FoundDifference(name, difference)) if difference else ProgramOutcome()

    def _raises(self, oracle: Oracle, error: Exception) -> bool:
        if self.other is None:
            return False
        try:
            oracle(self.other.prepared())
        except Exception as raised:
            return type(raised) is type(error)
        return False

    def compared(self) -> ProgramOutcome:
        """Whether value and gradient are those of the reference engine, where it can run the program."""
        if self.other is None:
            return ProgramOutcome()
        try:
            self.other.prepared().gradient  # noqa: B018
        except Exception:
            return ProgramOutcome("the reference engine does not run it")
        try:
            self.case.gradient  # noqa: B018
        except Exception:  # told by another oracle
            return ProgramOutcome()
        difference = compared(self.case.plain[0], self.other.plain[0], scale=UNIT)
        if difference and (at_a_jump(self.case) or at_a_jump(self.other)):
            return ProgramOutcome("its value jumps")
        difference = difference or self._gradients_apart()
        return ProgramOutcome(found=FoundDifference("reference", difference)) if difference else ProgramOutcome()

    def _gradients_apart(self) -> Difference | None:
        """At a kink each engine documents which derivative it takes, and the reference engine has PyTorch's."""
        case, other = self.case, self.other
        assert other is not None

        def judge(x: ProgramSubject, y: ProgramSubject) -> Difference | None:
            return compared_each(x.numbers(x.gradient), y.numbers(y.gradient), scale=UNIT)

        found = judge(case, other)
        if found and "torch" not in self.engine.declaration.held_to and has_kinks(case.program):
            return judge(case.neighbour(), other.neighbour())
        return found


def _first(error: Exception) -> str:
    return format_error(error).partition("\n")[0][:200]


def _observed(program: Program, engine: LoadedEngine, reference: LoadedEngine | None) -> ProgramOutcome:
    """What a program on a tape shows on the engine and on the reference engine."""
    if reference is None:
        return ProgramOutcome("there is no second engine")
    try:
        difference = unlike(observed(program, engine.ad), observed(program, reference.ad))
    except FeatureMissing as missing:
        return ProgramOutcome(f"no {missing}")
    return ProgramOutcome(found=FoundDifference("observations", difference)) if difference else ProgramOutcome()
