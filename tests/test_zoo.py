"""Whatever an adapter does in one behaviour costs that behaviour only: every other has its verdict."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import Call, alternating, conform, run_zoo

HEALTHY = {
    "arrays_keep_their_numbers": "pass",
    "detaching_keeps_the_numbers": "pass",
    "leaves_are_leaves": "pass",
    "backward_is_refused": "pass",
    "a_clone_keeps_the_numbers": "pass",
}

# adapter, the verdict of the one behaviour that it breaks, a phrase of its message, exit status
OUTCOMES = [
    ("Healthy", "pass", "", 0),
    ("ExitsTheProcess", "crash", "exited with status 0", 1),
    ("Aborts", "crash", "SIGABRT", 1),
    ("Segfaults", "crash", "SIGSEGV", 1),
    ("LoopsForever", "timeout", "longer than 1 s", 1),
    ("HangsInNativeCode", "timeout", "hard limit", 1),
    ("SwallowsEverything", "timeout", "hard limit", 1),
    ("RaisesSystemExit", "error", "SystemExit", 1),
    ("RaisesKeyboardInterrupt", "error", "KeyboardInterrupt", 1),
    ("PrintsNoise", "pass", "", 0),
    ("ChangesGlobalState", "error", "switch was 'off', is 'on'", 1),
    ("LeavesFiltersBehind", "pass", "", 0),
    ("HasABug", "error", "the adapter broke: AttributeError", 1),
    ("SaysNothingOfDetaching", "unsupported", "says nothing about detach", 0),
    ("LacksDetaching", "absent", "nothing is attached (source: the manual)", 0),
    ("ClaimsAFalseAbsence", "error", "probe of an absence does not hold", 1),
    ("BreaksItsPromise", "fail", "got [4.0], expected [3.0]", 1),
    ("PromisesNothing", "differs", "got [4.0], expected [3.0]", 0),
]


@pytest.mark.parametrize(("adapter", "verdict", "phrase", "status"), OUTCOMES, ids=[row[0] for row in OUTCOMES])
def test_a_broken_verb_costs_its_behaviour_only(
    adapter: str, verdict: str, phrase: str, status: int, tmp_path: Path
) -> None:
    """The broken behaviour has the stated verdict and message, all others pass, the exit status says which it is."""
    call = run_zoo(adapter, tmp_path, "--limit", 1)
    assert call.verdicts == HEALTHY | {"detaching_keeps_the_numbers": verdict}, call.err
    assert phrase in call.messages["detaching_keeps_the_numbers"]
    assert call.status == status


def test_another_kind_of_refusal_breaks_the_promise(tmp_path: Path) -> None:
    """Raising something is not enough where the documentation says what is raised."""
    call = run_zoo("RefusesWithAnotherError", tmp_path)
    assert call.verdicts == HEALTHY | {"backward_is_refused": "fail"}
    assert "expected RuntimeError" in call.messages["backward_is_refused"]


def test_a_late_death_is_laid_to_the_behaviour_that_caused_it(tmp_path: Path) -> None:
    """A behaviour whose thread ends the process later is the crash, not the one that happened to be running."""
    call = run_zoo("LeavesAPoisonBehind", tmp_path)
    assert call.verdicts == HEALTHY | {"detaching_keeps_the_numbers": "crash"}


def test_a_death_that_does_not_recur_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A verdict must be repeatable: what died once and never again is no crash."""
    monkeypatch.setenv("ZOO_FLAG", str(tmp_path / "flag"))
    call = run_zoo("DiesAtRandom", tmp_path)
    assert call.verdicts == HEALTHY | {"detaching_keeps_the_numbers": "error"}
    assert "the process died once; alone it did not" in call.messages["detaching_keeps_the_numbers"]


def test_twenty_deaths_among_forty_leave_forty_verdicts(tmp_path: Path) -> None:
    """Workers are replaced as often as they die, also with two of them: every behaviour has the right verdict."""
    chapters = alternating(tmp_path, 40)
    call = conform(
        *("run", "--engine", "tests.zoo.adapters:ExitsTheProcess", "--chapters", chapters, "-n", 2),
        *("--output", tmp_path / "out"),
        output=tmp_path / "out",
    )
    assert call.verdicts == {f"step_{n}": "crash" if n % 2 else "pass" for n in range(40)}, call.err


def _bad_adapters() -> list[tuple[str, str]]:
    return [("Nameless", "has no name"), ("NotAnAdapter", "is not an adapter"), ("Missing", "has no class 'Missing'")]


@pytest.mark.parametrize(("adapter", "phrase"), _bad_adapters())
def test_an_adapter_that_cannot_be_used_is_refused(adapter: str, phrase: str, tmp_path: Path) -> None:
    """One line names the adapter and says what to do; exit status 2; no report is written."""
    call: Call = run_zoo(adapter, tmp_path)
    assert (call.status, call.err.count("\n")) == (2, 1), call.err
    assert phrase in call.err
    assert not (tmp_path / "matrix.json").exists()
