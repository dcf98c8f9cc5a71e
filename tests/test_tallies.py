"""Tallies: ranges of seeds are joined, and what is missing is known; a death counts if it recurs."""

from __future__ import annotations

import pytest

from conformance.results import DeathRecord, ResultRecord, ResultsError, TallyRecord
from conformance.running.crashes import Tried, Try, inquire_program
from conformance.tallies import SeedRange, findings_of_tally, join_tallies, missing_ranges, place_of
from conformance.verdicts import Verdict

# How a program ended its process when it was tried alone (None: it ran through), and what is written of it.
ALONE: dict[str, tuple[list[str | None], str | int]] = {
    # The worker exited with status 3, as the death below has it: the same end must come twice.
    "another death once": (["was ended by SIGKILL", "exited with status 3"], "exited with status 3"),
    "the same": (["exited with status 3"], "exited with status 3"),
    "none": (["was ended by SIGKILL", None], 1),
    # Of four tries the last counts (crashes.TRIES).
    "always another": (["was ended by SIGKILL", "exited with status 1", "exited with status 2", "x"], "x"),
}


@pytest.mark.parametrize("case", ALONE)
def test_a_program_is_tried_alone_until_it_ends_twice_in_the_same_way(case: str) -> None:
    """A lone SIGKILL may come from outside; what runs through is counted, and no finding."""
    *outcomes, last = ALONE[case][0]
    inquiry = inquire_program(DeathRecord("plain:3", "1", Verdict.CRASH, "exited with status 3"), lambda row: [row])
    assert next(inquiry) == Try("plain:3")
    for outcome in outcomes:
        assert inquiry.send(_alone(outcome)) == Try("plain:3")
    with pytest.raises(StopIteration) as end:
        inquiry.send(_alone(last))
    (record,) = end.value.value
    assert ALONE[case][1] == (record.ended if isinstance(record, TallyRecord) else record.message)


def _alone(outcome: str | None) -> Tried:
    if outcome is None:
        return Tried([_tally(3, 4)])
    return Tried([ResultRecord("plain:3", Verdict.CRASH, None, outcome, 0.1)], died=True)


def _tally(first: int, last: int, kind: str = "plain", seen: int = 0) -> TallyRecord:
    return TallyRecord(kind, first, last, last - first, last - first, 0, {"sine": seen}, 0.5)


def _finding(seed: int) -> ResultRecord:
    return ResultRecord(f"reverse[plain:{seed}]", Verdict.FAIL, None, f"got {seed}", 0.0, signature="sine", program={})


def test_neighbouring_ranges_are_joined() -> None:
    """In any order: counts are summed, and of a signature the finding of the lowest seed is kept."""
    parts = [_tally(10, 20, seen=1), _tally(0, 10, seen=1), _tally(30, 40), _tally(0, 5, kind="other")]
    joined = join_tallies(parts)
    # Workers end in any order, and a campaign that is resumed is joined again.
    assert joined == join_tallies(reversed(parts)) == join_tallies(joined)
    assert [(tally.programs_of, tally.first, tally.last, tally.seen["sine"]) for tally in joined] == [
        ("other", 0, 5, 0),
        ("plain", 0, 20, 2),
        ("plain", 30, 40, 0),
    ]
    findings = [_finding(15), _finding(3), _finding(35)]
    assert [place_of(row)[2] for row in findings_of_tally(joined[1], findings)] == [3]
    with pytest.raises(ResultsError, match="seeds 4:5 of kind plain are there twice"):
        join_tallies([_tally(0, 5), _tally(4, 8)])


def test_missing_ranges_are_those_between() -> None:
    """Of each kind by itself, within what is asked for."""
    tallies = [_tally(10, 20), _tally(30, 40), _tally(0, 50, kind="other")]
    wanted = [SeedRange("plain", 5, 35), SeedRange("other", 0, 60), SeedRange("third", 1, 2)]
    assert missing_ranges(tallies, wanted) == [
        SeedRange("plain", 5, 10),
        SeedRange("plain", 20, 30),
        SeedRange("other", 50, 60),
        SeedRange("third", 1, 2),
    ]
