"""A trial: a behaviour on an engine, and its verdict.

Verdicts are decided from the top: faults of harness and adapter, then features that the engine lacks, then what
it does. Only `crash` and `timeout` are missing here: no process can report its own death.
"""

from __future__ import annotations

import sys
import traceback
import warnings
from dataclasses import dataclass, field, replace
from typing import Any

from conformance.absence_proofs import Unproven, prove, prove_limitation
from conformance.behaviour import Arguments, Behaviour, Citation
from conformance.declaration import Declaration, declared
from conformance.engines import EngineError
from conformance.features import arguments_of, features_of
from conformance.messages import LONGEST, format_error, printable
from conformance.mismatch import Mismatch, error_witness, printable_witness
from conformance.protocol import Absence, Adapter, AdapterError, Limitation
from conformance.recording_adapter import FeatureMissing, HarnessError, RecordingAdapter
from conformance.running.process_state import ProcessState
from conformance.verdicts import Outcome, Reason, Verdict, Witness

# Raised by a line of the adapter, one of these is the adapter's bug. Any other kind may come from native code of the
# engine, which leaves no Python frame: it counts as what the engine does.
BUGS = (
    NameError,
    AttributeError,
    ImportError,
    KeyError,
    AssertionError,
    ZeroDivisionError,
    SystemExit,
    KeyboardInterrupt,
)


@dataclass
class Trial:
    """The state of a running check: the facts that assertions need, and their records."""

    behaviour: Behaviour
    adapter: Adapter
    ad: RecordingAdapter
    declaration: Declaration
    assertions: int = 0
    where: str = ""  # the line of the check, where another program than the check asserts
    faults: list[str] = field(default_factory=list)
    untraced: bool = False  # whether something of a law was not compiled, on a column of a compiler

    @property
    def promise(self) -> tuple[Citation, ...]:
        """The citations that the engine is held to (`promise`)."""
        return promise(self.behaviour, self.declaration)

    def fault(self, message: str) -> HarnessError:
        """Record a fault of the check, which counts even if the exception is caught, and return it to be raised."""
        self.faults.append(message)
        return HarnessError(message)

    def is_engines(self, error: BaseException) -> bool:
        """Whether an exception comes from the engine, and not from adapter, check or harness."""
        if isinstance(error, (HarnessError, FeatureMissing, AdapterError, Mismatch)):
            return False
        return not (isinstance(error, BUGS) and self._from_adapter(error))

    def limitation(self, error: BaseException) -> Limitation | None:
        """The documented limitation that an error of the engine names, unless the engine is to raise an error here."""
        if not self.is_engines(error) or any(citation.raises for citation in self.promise):
            return None
        limits = self.declaration.limitations
        fitting = (limit for limit in limits if any(phrase in str(error) for phrase in limit.programs))
        return next(fitting, None)

    def _from_adapter(self, error: BaseException) -> bool:
        frames = traceback.extract_tb(error.__traceback__)
        return bool(frames) and frames[-1].filename in _files(self.adapter)


def _files(adapter: Adapter) -> set[str]:
    """The source files of the adapter's classes, but for those that it shares with the protocol."""
    modules = (sys.modules.get(base.__module__) for base in type(adapter).__mro__ if base is not object)
    return {str(getattr(module, "__file__", "")) for module in modules}


def promise(behaviour: Behaviour, declaration: Declaration) -> tuple[Citation, ...]:
    """Citations of the first source, in the order in which the engine is held to them, that covers its version."""
    for source, version in declaration.held_to.items():
        cited = (citation for citation in behaviour.citations if citation.source == source)
        if covering := tuple(citation for citation in cited if citation.covers(version)):
            return covering
    return ()


# Not a context variable: threads that an engine starts, and that call back into the check, are to see it too.
_running: list[Trial] = []


def current() -> Trial:
    """The trial that is running. Raises HarnessError outside a check."""
    if not _running:
        raise HarnessError("assertions work inside a check only: call them from a @behaviour function")
    return _running[-1]


def running() -> bool:
    """Whether a check is running."""
    return bool(_running)


def run(
    behaviour: Behaviour,
    adapter: Adapter,
    case: str | None = None,
    let_out: tuple[type[BaseException], ...] = (),
    declaration: Declaration | None = None,
) -> Outcome:
    """Run a check. Every exception becomes a verdict, except those of the types `let_out`, which are raised.

    `declaration` is that of the adapter when it was loaded; without it, the adapter is asked now.
    """
    declaration = declaration or declared(adapter, checked=False)
    trial = Trial(behaviour, adapter, RecordingAdapter(adapter, declaration.absent), declaration)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # warnings matter only within `warns`, which sets filters itself
        try:
            before = ProcessState(adapter)
            outcome = _with_state_restored(before, trial, behaviour.cases[case] if case else (), let_out)
        except let_out:
            raise
        except BaseException as error:  # from the adapter's global_state or restore, not from the check
            outcome = replace(_broke(format_error(error)), raised=error, tainted=True)
    # Parts of the message were cut before, at LONGEST each.
    witness = outcome.witness and printable_witness(outcome.witness)
    return replace(outcome, message=printable(outcome.message, 2 * LONGEST), witness=witness)


def _with_state_restored(
    before: ProcessState, trial: Trial, arguments: Arguments, let_out: tuple[type[BaseException], ...]
) -> Outcome:
    """The check's outcome, or an error if it left process state changed. The state is restored in any case."""
    try:
        outcome = _checked(trial, arguments, let_out)
    finally:
        if changes := before.changes():
            tainted = not before.restore()
    if changes:
        message = f"global state left changed: {changes}"
        return Outcome(Verdict.ERROR, message=message, reason=Reason.LEFT_CHANGED, tainted=tainted)
    return outcome


def _checked(trial: Trial, arguments: Arguments, let_out: tuple[type[BaseException], ...]) -> Outcome:
    convention, raised = None, None
    _running.append(trial)
    try:
        convention = trial.behaviour.check(trial.ad, *arguments)
    except BaseException as error:  # SystemExit and KeyboardInterrupt out of a body are its verdict, too
        if isinstance(error, let_out):
            raise
        raised = error
    finally:
        _running.pop()
    # From the top: what was recorded decides even if the check went on, or raised something else, after it.
    outcome = (
        _broken(trial, raised) or _missing(trial, arguments, raised, let_out) or _decide(trial, convention, raised)
    )
    return replace(outcome, raised=raised)


def _broken(trial: Trial, raised: BaseException | None) -> Outcome | None:
    """The verdict `error`, where adapter, check or harness is at fault."""
    if trial.faults:
        return _unusable(trial.faults[0])
    if trial.ad.misfits:
        return _broke(trial.ad.misfits[0])
    if isinstance(raised, HarnessError) or trial.ad.unknown:
        return _unusable(str(raised or f"unknown verb ad.{trial.ad.unknown[0]}"))
    if raised is None or isinstance(raised, (FeatureMissing, Mismatch)) or trial.is_engines(raised):
        return None
    # The line of the adapter, so that its author need not run the behaviour again to find the bug.
    where = traceback.extract_tb(raised.__traceback__)[-1]
    return _broke(f"{format_error(raised)} (line {where.lineno}: {where.line})")


def _broke(problem: str) -> Outcome:
    return Outcome(Verdict.ERROR, message=f"the adapter broke: {problem}", reason=Reason.ADAPTER)


def _unusable(problem: str) -> Outcome:
    return Outcome(Verdict.ERROR, message=problem, reason=Reason.CHECK)


def _absent(reason: Reason, message: str) -> Outcome:
    return Outcome(Verdict.ABSENT, message=message, reason=reason)


def _apt(trial: Trial, arguments: Arguments) -> Absence:
    """Of what the engine lacks and the check needs, the most particular, whose remedy is the most helpful."""
    check = trial.behaviour.check
    named = features_of(check, *arguments) | arguments_of(check, *arguments)
    absent = trial.declaration.absent
    needed = [*trial.ad.absent, *(absent[feature] for feature in named if feature in absent)]
    return max(needed, key=trial.declaration.absences.index)


def _missing(
    trial: Trial, arguments: Arguments, raised: BaseException | None, let_out: tuple[type[BaseException], ...]
) -> Outcome | None:
    """The verdicts of an engine that lacks a touched feature. Absent only if that is proven, here and now."""
    if trial.ad.unsupported:
        feature = trial.ad.unsupported[0]
        return Outcome(
            Verdict.UNSUPPORTED, message=f"the adapter says nothing about {feature}: add it, or declare it absent"
        )
    if trial.ad.not_offered:
        return _absent(Reason.NOT_OFFERED, f"not offered: {trial.ad.not_offered[0]}")
    limitation = trial.limitation(raised) if raised else None
    lacking = _apt(trial, arguments) if trial.ad.absent else limitation
    if lacking is None:
        return None
    try:
        if isinstance(lacking, Limitation):
            prove_limitation(lacking, str(raised), trial.adapter, let_out)
        else:
            prove(lacking, trial.adapter, let_out)
    except (Unproven, EngineError) as error:
        return Outcome(Verdict.ERROR, message=str(error), reason=Reason.UNPROVEN)
    by_design = isinstance(lacking, Absence)
    instead = f" Instead: `{lacking.instead}`" if isinstance(lacking, Absence) and lacking.instead else ""
    message = f"{lacking.reason}{instead} (source: {lacking.source})"
    return _absent(Reason.BY_DESIGN if by_design else Reason.LIMITATION, message)


def _decide(trial: Trial, convention: Any, raised: BaseException | None) -> Outcome:
    """Pass, fail or differs."""
    if raised is not None:
        return _otherwise(trial, raised)
    if not trial.assertions:
        return _unusable("the check asserts nothing: use close, equal, one_of, raises or warns")
    if not trial.behaviour.conventions:
        # What no page promises may be recorded all the same.
        reason = Reason.UNTRACED if trial.untraced else None
        return Outcome(Verdict.PASS, convention if isinstance(convention, str) else None, reason=reason)
    if convention not in trial.behaviour.conventions:
        return _unusable(f"the check returned {convention!r}: return one_of(...) with the named conventions")
    # Without a promise, every listed convention passes: another documentation allows it.
    promised = {citation.convention for citation in trial.promise if not citation.unstated}
    if promised and convention not in promised:
        documented = sorted(map(str, promised))[0]
        message = f"followed the convention {convention!r}, but documents {documented!r}"
        witness = Witness(got=str(convention), expected=documented, what="convention")
        return Outcome(Verdict.FAIL, convention, message, Reason.OTHER_CONVENTION, witness)
    return Outcome(Verdict.PASS, convention)


def _otherwise(trial: Trial, raised: BaseException) -> Outcome:
    """Fail, or differs where no source promises otherwise, with the deviation or the engine's own error.

    A number that mathematics decides needs no promise.
    """
    deviates = isinstance(raised, Mismatch)
    message = str(raised) if deviates else f"raised {format_error(raised)}"
    witness = raised.witness if isinstance(raised, Mismatch) else error_witness(raised)
    reason = Reason.RAISED if witness.error else Reason.DEVIATES
    promised = any(not citation.unstated for citation in trial.promise)
    decided = promised or (isinstance(raised, Mismatch) and raised.mathematical)
    return Outcome(Verdict.FAIL if decided else Verdict.DIFFERS, None, message, reason, witness)
