"""One program on an engine: every oracle that applies to it, and the comparison with the reference engine."""

from __future__ import annotations

from dataclasses import dataclass

import numpy

from conformance.laws.comparison import Difference, compared, compared_each
from conformance.messages import first_line, format_error, printable
from conformance.programs.engine import LoadedEngine
from conformance.programs.forms import FORMS
from conformance.programs.generator.kinds import KINDS
from conformance.programs.observations import observed, unlike
from conformance.programs.oracles import BY_DIFFERENCES, COSTLY, ORACLES, Oracle, at_a_jump
from conformance.programs.program import Program, walk
from conformance.programs.subject import UNIT, ProgramSubject
from conformance.recording_adapter import FeatureMissing

# Oracles that a rule for reverse mode alone rules out.
IN_FORWARD_MODE = ("forward_is_reverse", "forward_is_differences", "orders_of_modes", "forward_over_forward")
# Verbs that mean a loop.
LOOPS = {"scan", "fori_loop"}
# Costly oracles judge every fourth program.
SELDOM = 4


@dataclass(frozen=True)
class FoundDifference:
    """A difference, and the oracle that shows it."""

    oracle: str
    difference: Difference


@dataclass(frozen=True)
class ProgramOutcome:
    """Outcome of a program: why it cannot be judged, or the first difference; neither where all oracles hold."""

    unsupported: str = ""
    failure: FoundDifference | None = None


def oracles_of(program: Program, engine: LoadedEngine, seed: int) -> tuple[str, ...]:
    """Oracles that apply to a program on an engine, in order."""
    if KINDS[program.kind].tape:
        return ("observations",)
    forms = [FORMS[step.form] for step in walk(program.body)]
    without = set(IN_FORWARD_MODE) if any(form.reverse_only for form in forms) else set[str]()
    without |= set(BY_DIFFERENCES) if any(form.deliberate for form in forms) else set()
    without |= {"mapped"} if any(form.unmapped for form in forms) else set()
    without |= set(COSTLY) if seed % SELDOM else set()
    without |= set[str]() if any(form.writes for form in forms) else {"out_of_place"}
    without |= set[str]() if any(LOOPS & {*form.features} for form in forms) else {"unrolled"}
    without |= {name for name, verb in (("compiled", "jit"), ("mapped", "vmap")) if not engine.has(verb)}
    return (*(name for name in ORACLES if name not in without), "reference")


def try_program(program: Program, engine: LoadedEngine, oracles: tuple[str, ...]) -> ProgramOutcome:
    """Try a program by these oracles, up to the first difference: the others often follow from it.

    A program is unsupported where the engine raises an error that is documented, or that the reference engine raises.
    """
    if KINDS[program.kind].tape:
        return _observe(program, engine)
    trial = ProgramTrial(program, engine)
    outcome = trial.ask("runs")
    if outcome.failure or outcome.unsupported:
        return outcome
    for name in oracles:
        outcome = trial.ask(name)
        if outcome.failure:
            return outcome
    return ProgramOutcome()


def _run(subject: ProgramSubject) -> Difference | None:
    """The program runs."""
    subject.prepared()
    return None


class ProgramTrial:
    """A program on an engine, and on the reference engine beside it."""

    def __init__(self, program: Program, engine: LoadedEngine) -> None:
        self.engine, self.subject = engine, ProgramSubject(program, engine.ad)
        self.other = ProgramSubject(program, engine.reference.ad) if engine.reference else None

    def ask(self, name: str) -> ProgramOutcome:
        """Apply an oracle. An error is a difference, unless it is documented, or the reference engine raises it too."""
        if name == "reference":
            return self._compare()
        oracle = ORACLES.get(name, _run)
        try:
            difference = oracle(self.subject)
        except FeatureMissing as missing:
            return ProgramOutcome(f"no {missing}")
        except Exception as error:
            if self.engine.documents(error) or self._raises(oracle, error):
                return ProgramOutcome(format_error(error))
            difference = Difference.of_error(type(error).__name__, printable(first_line(error)), "no error")
            return _outcome(name, difference)
        # No oracle can compare numbers that are not finite.
        if name == "runs" and not numpy.all(numpy.isfinite(self.subject.plain[0])):
            return ProgramOutcome("its numbers are not finite")
        return _outcome(name, difference)

    def _raises(self, oracle: Oracle, error: Exception) -> bool:
        if self.other is None:
            return False
        try:
            oracle(self.other.prepared())
        except Exception as raised:
            return type(raised) is type(error)
        return False

    def _compare(self) -> ProgramOutcome:
        """Compare value and gradient with those of the reference engine, where it can run the program."""
        if self.other is None:
            return ProgramOutcome()
        try:
            self.other.prepared().gradient  # noqa: B018
        except Exception:
            return ProgramOutcome("the reference engine does not run it")
        try:
            self.subject.gradient  # noqa: B018
        except Exception:  # another oracle shows it
            return ProgramOutcome()
        difference = compared(self.subject.plain[0], self.other.plain[0], scale=UNIT)
        if difference and (at_a_jump(self.subject) or at_a_jump(self.other)):
            return ProgramOutcome("its value jumps")
        if difference:
            return _outcome("reference", difference)
        difference = _gradients_differ(self.subject, self.other)
        # At a kink each engine documents which derivative it takes, and the reference engine has PyTorch's.
        if difference and "torch" not in self.engine.declaration.held_to and not self.subject.smooth:
            difference = _gradients_differ(self.subject.neighbour(), self.other.neighbour())
        return _outcome("reference", difference)


def _outcome(oracle: str, difference: Difference | None) -> ProgramOutcome:
    return ProgramOutcome(failure=FoundDifference(oracle, difference)) if difference else ProgramOutcome()


def _gradients_differ(x: ProgramSubject, y: ProgramSubject) -> Difference | None:
    return compared_each(x.numbers(x.gradient), y.numbers(y.gradient), scale=UNIT)


def _observe(program: Program, engine: LoadedEngine) -> ProgramOutcome:
    """Compare what a program on a tape shows on the engine and on the reference engine."""
    if engine.reference is None:
        return ProgramOutcome("there is no second engine")
    try:
        return _outcome("observations", unlike(observed(program, engine.ad), observed(program, engine.reference.ad)))
    except FeatureMissing as missing:
        return ProgramOutcome(f"no {missing}")
