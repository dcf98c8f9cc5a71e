"""Signatures: which programs they explain."""

from __future__ import annotations

from conformance.laws.comparison import Difference
from conformance.programs.program import Body, Input, Program, Step
from conformance.programs.program_trial import FoundDifference
from conformance.programs.shrinking.signatures import explains


def test_a_star_matches_any_letters() -> None:
    """In an error's message, which may have brackets; and in what a program consists of."""
    program = Program("writes", (Input((), (1.0,)),), Body(1, (Step("write.multiply", (0, 0)),), (1,)))
    raised = FoundDifference("runs", Difference.of_error("RuntimeError", "no rule for [3] of 'x'", "no error"))
    assert explains("raises RuntimeError: no rule for * of *", raised, program)
    assert explains("raises RuntimeError: no *", raised, program)
    assert not explains("raises RuntimeError: some *", raised, program)
    numbers = FoundDifference("forward_is_reverse", Difference("numbers", "1", "2"))
    assert explains("forward_is_reverse: numbers: write.*:itself", numbers, program)
    assert not explains("forward_is_reverse: numbers: write.*:itself np.sin", numbers, program)
    assert explains("*_reverse: *: write.*", numbers, program)
    assert not explains("*_reverse: *NaN: write.*", numbers, program)
