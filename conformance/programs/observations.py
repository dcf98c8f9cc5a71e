"""Observations of a program on a tape: of each value numbers, flags, writes and gradient; hooks that ran; the error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy

from conformance.laws.comparison import Difference, compared
from conformance.programs.engine import UNSPECIFIED
from conformance.programs.execution import Execution, inputs_of
from conformance.programs.program import Program, Step
from conformance.programs.subject import UNIT, has_kinks
from conformance.recording_adapter import FeatureMissing

FREED = "backward through the graph a second time"
UNJUDGED = "an error that depends on what an operation saves"
ALL = ("numbers", "requires_grad", "is_leaf", "writes", "gradient")


@dataclass(frozen=True)
class Observed:
    """Observations of a run: an error that ended it, hooks in the order of their calls, and each value by number.

    `gradients` are the numbers of those values that are gradients. `kinked`: an operation of the program has kinks.
    """

    error: str
    heard: list[int]
    values: list[dict[str, Any]]
    gradients: tuple[int, ...] = ()
    kinked: bool = False


def observed(program: Program, ad: Any) -> Observed:
    """Run a program on a tape, and look at all of its values afterwards. An error ends the run; its type is kept.

    After an error gradients are not looked at: how far a backward pass came before is documented nowhere.
    """
    run, error = Execution(ad), ""
    values: list[Any] = [
        ad.leaf(numbers) if x.requires_grad else ad.array(numbers)
        for x, numbers in zip(program.inputs, inputs_of(program), strict=True)
    ]
    versions = [0] * len(values)
    for at, step in enumerate(program.body.steps):
        try:
            values.append(run.step(step, values))
        except FeatureMissing:
            raise
        except Exception as raised:
            message = f"step {len(values)} ({step.form}) raised {type(raised).__name__}"
            error = UNJUDGED if _is_unspecified(raised, program.body.steps[:at]) else message
            break
        # None: a step that makes no array, such as a hook.
        versions.append(0 if values[-1] is None else ad.version_of(values[-1]))
    seen = [
        {} if value is None else _seen_of(ad, value, before, not error)
        for value, before in zip(values, versions, strict=True)
    ]
    made = (at for at, step in enumerate(program.body.steps, len(program.inputs)) if step.form == "grad_of")
    gradients = tuple(number for number in made if number < len(seen))
    return Observed(error, run.heard if not error else [], seen, gradients, has_kinks(program))


def _is_unspecified(error: Exception, before: Sequence[Step]) -> bool:
    """Whether an error depends on what is documented nowhere, after these steps."""
    if FREED in str(error) and not any(step.form == "backward" and not step.options[0] for step in before):
        return False  # what no pass before has freed is there
    return any(text in str(error) for text in UNSPECIFIED)


def _seen_of(ad: Any, value: Any, before: int, with_gradient: bool) -> dict[str, Any]:
    seen = {
        "numbers": numpy.asarray(ad.to_numpy(ad.detach(value))),
        "requires_grad": ad.requires_grad(value),
        "is_leaf": ad.is_leaf(value),
        # Operations may write into their results before they return them.
        "writes": ad.version_of(value) - before,
    }
    if with_gradient and (ad.is_leaf(value) or ad.retains_gradient(value)):
        gradient = ad.gradient_of(value)
        seen["gradient"] = None if gradient is None else numpy.asarray(ad.to_numpy(ad.detach(gradient)))
    return seen


def unlike(got: Observed, expected: Observed) -> Difference | None:
    """The first difference between what was seen on two engines.

    None where either ended by an error that depends on what is documented nowhere. Only numbers are compared where a
    gradient that is constant has a graph in one of them: no documentation decides whether it has a graph.
    """
    if UNJUDGED in (got.error, expected.error):
        return None
    if _have_graphs_for_a_constant(got, expected):
        return _of_values(got, expected, ("numbers",))
    if got.error != expected.error:
        return Difference("error", got.error or "no error", expected.error or "no error")
    if difference := _of_values(got, expected, ALL):
        return difference
    # Last: a hook that ran too often may show in numbers as well, which are the better witness.
    if got.heard != expected.heard:
        return Difference("hooks", str(got.heard), str(expected.heard))
    return None


def _have_graphs_for_a_constant(got: Observed, expected: Observed) -> bool:
    """Whether one engine alone gives a graph to a gradient that may be constant: zero, or with kinks, as that of amax.

    Another gradient without the graph that it should have is no such case.
    """
    pairs = [(got.values[n], expected.values[n]) for n in set(got.gradients) & set(expected.gradients)]
    unlike = [(ours, theirs) for ours, theirs in pairs if ours["requires_grad"] != theirs["requires_grad"]]
    return any(ours["requires_grad"] or expected.kinked or not numpy.any(theirs["numbers"]) for ours, theirs in unlike)


def _of_values(got: Observed, expected: Observed, whats: tuple[str, ...]) -> Difference | None:
    """The first difference between values that both runs came to."""
    # Not strict: an error may have ended one of the runs earlier.
    for number, (ours, theirs) in enumerate(zip(got.values, expected.values, strict=False)):
        for what in (what for what in whats if what in theirs):
            if difference := _differs(ours.get(what), theirs[what]):
                got_text, expected_text = (f"value {number}: {side}" for side in (difference.got, difference.expected))
                return Difference(what, got_text, expected_text, number)
    return None


def _differs(got: Any, expected: Any) -> Difference | None:
    if got is not None and isinstance(expected, numpy.ndarray):
        return compared(got, expected, scale=UNIT)
    same = got is expected if got is None or expected is None else got == expected
    return None if same else Difference("", str(got), str(expected))
