"""A broken adapter costs only the behaviour in which it breaks: every other has its verdict."""

from __future__ import annotations

import importlib
import inspect
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from conformance.results_file import read
from tests.support import NAMING, Call, alternating, conform, run_zoo, survivors

HEALTHY = {
    "arrays_keep_their_numbers": "pass",
    "detaching_keeps_the_numbers": "pass",
    "leaves_are_leaves": "pass",
    "backward_raises_an_error": "pass",
    "a_clone_keeps_the_numbers": "pass",
}
BROKEN = "detaching_keeps_the_numbers"
LEFT = "global state left changed: "
MISFIT = "the adapter broke: its detach is not detach(x: 'Array') -> 'Array': "

# adapter: the verdict of the only behaviour that it breaks, and a phrase of its message
OUTCOMES = {
    "adapters:Healthy": ("pass", ""),
    "adapters:ExitsTheProcess": ("crash", "the process exited with status 0"),
    "adapters:LoopsForever": ("timeout", "took longer than 1 s"),
    "adapters:RaisesSystemExit": ("error", "SystemExit"),
    "adapters:RaisesKeyboardInterrupt": ("error", "KeyboardInterrupt"),
    # By a line of the adapter itself: the same error out of an engine would be a fail.
    "adapters:HasABug": ("error", "the adapter broke: AttributeError"),
    "adapters:LacksDetaching": ("absent", "nothing is attached (source: the manual)"),
    "adapters:BreaksItsPromise": ("fail", "got [4.0], expected [3.0]"),
    "adapters:PromisesNothing": ("differs", "got [4.0], expected [3.0]"),
    "crashes:Aborts": ("crash", "the process was ended by SIGABRT"),
    "crashes:Segfaults": ("crash", "the process was ended by SIGSEGV"),
    "crashes:KillsItself": ("crash", "the process was ended by SIGKILL"),
    # Its next message cannot be written, and then a worker ends itself.
    "crashes:ClosesEveryFile": ("crash", "the process exited with status 1"),
    "crashes:HangsInNativeCode": ("timeout", "took longer than 1 s"),
    "crashes:SwallowsEverything": ("timeout", "took longer than 1 s"),
    "crashes:StopsItself": ("timeout", "took longer than 1 s"),
    "crashes:CallsTheWatchdogOff": ("timeout", "took longer than 1 s"),
    # Python's own limit raises an error, which is an outcome like any other.
    "crashes:RecursesForever": ("fail", "raised RecursionError: maximum recursion depth exceeded"),
    "crashes:OverflowsTheStack": ("crash", "the process was ended by SIGSEGV"),
    "crashes:AsksForTooMuch": ("fail", "raised MemoryError"),
    "leaks:ChangesGlobalState": ("error", f"{LEFT}switch was 'off', is 'on'"),
    "leaks:LeavesGradModeOff": ("error", f"{LEFT}grad mode was True, is False"),
    "leaks:LeavesAnotherDefaultDtype": ("error", f"{LEFT}default dtype was torch.float32, is torch.float64"),
    "leaks:LeavesFiltersBehind": ("error", f"{LEFT}warnings filter was [], is ['error::Warning']"),
    "leaks:LeavesNumPyRaising": ("error", f"{LEFT}NumPy's error state was {{'divide': 'warn', "),
    "leaks:LeavesTheFolder": ("error", f"{LEFT}working directory was "),
    "leaks:LeavesADeepStack": ("error", f"{LEFT}recursion limit was 1000, is 50000"),
    "leaks:LeavesGarbage": ("error", f"{LEFT}garbage collection was True, is False"),
    "leaks:TakesTheSignals": ("error", f"{LEFT}signal handling was {{<Signals.SIGALRM: 14>: "),
    "leaks:ReplacesStandardOutput": ("error", f"{LEFT}standard stream was {{'stdout': "),
    "leaks:ClosesStandardOutput": ("error", "is {'stdout': closed}"),
    # Where restoring fails, the worker is replaced: the behaviours after it still pass.
    "leaks:CannotBeRestored": ("error", f"{LEFT}switch was 'off', is 'on'"),
    "leaks:LosesItsState": ("error", "the adapter broke: RuntimeError: state lost"),
    "leaks:HasAStateThatCannotBeCompared": ("error", f"{LEFT}switches was [0.0, 0.0], is [1.0, 1.0]"),
    # What a process can live with costs no verdict.
    "leaks:LeavesThreadsRunning": ("pass", ""),
    "leaks:LeavesFilesOpen": ("pass", ""),
    "values:GivesNaN": ("fail", "got [nan], expected [3.0]"),
    "values:GivesText": ("fail", "got '[3.0]', which are not numbers, expected [3.0]"),
    "values:GivesNothing": ("fail", "got None, expected [3.0]"),
    "values:GivesAnotherShape": ("fail", "got 3.0 of shape (), expected [3.0] of shape (1,)"),
    "values:GivesObjects": ("fail", "got [3.0], which are not numbers, expected [3.0]"),
    "values:FailsLazily": ("fail", "raised RuntimeError: computed too late"),
    "values:ChangesAtEachCall": ("fail", "got [2.0], expected [3.0]"),
    # A tolerance follows from what is asked for, and a comparison from nothing that the engine has written.
    "precision:IsFarOffInHalfPrecision": ("fail", "got float16, expected float64: got [3.900390625], expected [3.0]"),
    "precision:HandsOutHalfPrecision": ("fail", "got float16, expected float64: got [3.900390625], expected [3.0]"),
    "precision:ReturnsHalfPrecision": ("fail", "got float16, expected float64: got [3.0], expected [3.0]"),
    "precision:ReturnsSinglePrecision": ("fail", "got float32, expected float64: got [3.00"),
    "precision:ReturnsIntegers": ("fail", "got int64, expected float64: got [3], expected [3.0]"),
    "precision:ReturnsComplexNumbers": ("fail", "got complex128, expected float64: got [(3+0j)], expected [3.0]"),
    # Asked for in single precision, where a thousandth is no rounding either.
    "precision:LacksDoubles": ("fail", "got [3.00"),
    "precision:ReturnsATrillionNumbers": ("fail", "of shape (1000000, 1000000), expected [3.0] of shape (1,)"),
    "precision:AgreesAsAnArray": ("fail", "got [4.0], expected [3.0]"),
    "precision:HandsOutALongList": ("fail", "a list, expected a NumPy array of [3.0]"),
    # What a worker sends to pytest is text.
    "values:GivesWhatCannotBePickled": ("pass", ""),
    "values:RaisesWhatCannotBePickled": ("fail", "raised DetachError: not today"),
    "values:RaisesInSayingWhy": ("fail", "raised DetachError: (its message cannot be read)"),
    "claims:SaysNothingOfDetaching": ("unsupported", "says nothing about detach: add it, or declare it absent"),
    "claims:TakesNoArgument": ("error", f"{MISFIT}TypeError: too many positional arguments"),
    "claims:TakesAnotherArgument": ("error", f"{MISFIT}TypeError: missing a required argument: 'how'"),
    "claims:IsNoFunction": ("error", f"{MISFIT}TypeError: 3 is not a callable object"),
    "claims:RaisesOnSight": ("error", f"{MISFIT}RuntimeError: do not look"),
    "claims:ClaimsAFalseAbsence": ("error", "the probe of an absence does not hold: AssertionError"),
    "claims:HasAProbeThatRaises": ("error", "does not hold: RuntimeError: the probe met a bug"),
    "claims:HasAProbeThatExits": ("error", "the probe of an absence does not hold: SystemExit"),
    "proofs:NeverAsks": ("error", "the probe of an absence never uses `ad`; let it show by a small program"),
    "proofs:LooksOnly": ("error", "the probe of an absence never uses `ad`; "),
    "proofs:HoldsEverywhere": ("error", "also holds on the reference engine, which has detach; let it show what only"),
    "proofs:AsksWhatOnlyItHas": (
        "error",
        "raises AttributeError: 'ReferenceAdapter' object has no attribute 'shelf' on the reference engine, which has",
    ),
    # False would have held as well: nothing reads what a probe returns.
    "proofs:AnswersYes": ("error", "returns a value of type bool; let it raise AssertionError where it does not hold"),
    "proofs:IsAClass": ("error", "returns a value of type Shown; "),
    "proofs:IsNeverAwaited": ("error", "returns a value of type coroutine; "),
    "proofs:IsAPartial": ("absent", "nothing is attached (source: the manual)"),
    "proofs:IsAnObject": ("absent", "nothing is attached (source: the manual)"),
    "proofs:GivesUp": ("error", "the probe of an absence does not hold: Unusual: neither yes nor no; the engine may"),
    "proofs:Interrupts": ("error", "the probe of an absence does not hold: KeyboardInterrupt; "),
    "proofs:InterruptsTheReference": ("error", "raises KeyboardInterrupt on the reference engine, which has detach; "),
    "proofs:HoldsTheSecondTime": ("error", "the probe of an absence does not hold: AssertionError: not yet; "),
    "proofs:ChangesHowNumPyErrs": ("error", f"{LEFT}NumPy's error state was {{'divide': 'warn'"),
    "proofs:Hangs": ("timeout", "took longer than 1 s"),
    "proofs:HangsOnTheReference": ("timeout", "took longer than 1 s"),
    "proofs:Aborts": ("crash", "the process was ended by SIGABRT"),
    "words:PrintsNoise": ("pass", ""),
    "words:PrintsFromNativeCode": ("pass", ""),
    "words:PrintsMegabytes": ("fail", "got [4.0], expected [3.0]"),
    "words:SpeaksHTML": ("fail", "raised RuntimeError: <script>alert(1)</script>"),
    "words:SpeaksToTheTerminal": ("fail", r"raised Red\x1b[2J\x1b]0;owned\x07\x1b[31mred"),
    "words:SpeaksForMegabytes": ("fail", "[... 4,990,013 of 5,000,013 characters left out]"),
    "words:ShowsMegabytes": ("fail", "got [very long very long "),
    "words:SpeaksInSurrogates": ("fail", r"half a \ud800 character, \x00, and \u202e backwards"),
}
# What gives a run the exit status 1.
COUNTED = ("fail", "crash", "timeout", "error")


@pytest.mark.parametrize("adapter", OUTCOMES)
def test_a_broken_verb_costs_its_behaviour_only(adapter: str, tmp_path: Path) -> None:
    """The broken behaviour has the stated verdict and message, all others pass, the exit status is that of the verdict.

    No text of an adapter acts on a terminal, in a page or in a file, or makes a file very long; no process lives on.
    """
    verdict, phrase = OUTCOMES[adapter]
    # A cell has thirty seconds by default: each that hangs would take as long.
    call = run_zoo(adapter, tmp_path, *(("--limit", 1) if verdict == "timeout" else ()))
    assert call.verdicts == HEALTHY | {BROKEN: verdict}, call.err
    assert phrase in call.messages[BROKEN]
    assert call.status == (1 if verdict in COUNTED else 0)
    # Escape, bell, backspace, and the single-byte form of an escape sequence.
    assert set("\x1b\x07\x08\x9b") & set(call.out + call.err) == set()
    texts = {path.name: path.read_text("utf-8") for path in tmp_path.glob("*.*")}
    # In JSON an escape is spelled out, and a reader of it may want the text as it was.
    assert all("\x1b" not in text and "\x07" not in text for name, text in texts.items() if name != "matrix.json")
    # What words:SpeaksHTML says; neither is in a page of ours.
    assert not re.search("<script>alert|<img src=x", texts["report.html"] + texts["summary.md"])
    assert ElementTree.fromstring(texts["junit.xml"]).tag == "testsuites"
    (results,) = (tmp_path / "results").iterdir()
    assert len(read(results).results) == len(call.matrix["cells"]) == len(HEALTHY)
    # Some adapters speak for megabytes, of which the beginning and the end are kept.
    assert results.stat().st_size < 20_000
    assert survivors(call.tag) == []


def test_every_animal_of_the_zoo_is_in_a_test() -> None:
    """No adapter is kept without a stated outcome."""
    here = "".join(path.read_text("utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    for path in (Path(__file__).parent / "zoo").glob("[a-z]*.py"):
        module = importlib.import_module(f"tests.zoo.{path.stem}")
        kept = [kind for kind in vars(module).values() if inspect.isclass(kind) and kind.__module__ == module.__name__]
        bases = {base for one in kept for base in one.__mro__[1:]}
        animals = {one.__name__ for one in kept if hasattr(one, "array") and one not in bases}
        # A variant is reached through the adapter that names it.
        variants = {target.partition(":")[2] for each in kept for target in getattr(each, "variants", {}).values()}
        assert {animal for animal in animals - variants if not re.search(rf"\b{animal}\b", here)} == set()


@pytest.mark.parametrize("adapter", ["crashes:GrowsWithoutEnd", "crashes:GrowsInNativeCode"])
def test_a_behaviour_has_a_memory_limit(adapter: str, tmp_path: Path) -> None:
    """Growth beyond the limit is a crash with that message, in Python and in native code, long before the limit."""
    call = run_zoo(adapter, tmp_path, "--memory", 0.1)
    assert (call.status, call.verdicts) == (1, HEALTHY | {BROKEN: "crash"}), call.err
    assert call.messages[BROKEN] == "out of memory: the process grew by more than 0.1 GiB"


@pytest.mark.parametrize("adapter", ["values:CannotBeCompared", "values:AgreesWithEverything"])
def test_the_equality_of_an_engine_decides_nothing(adapter: str, tmp_path: Path) -> None:
    """A value that raises when compared, or that agrees with everything, is not the expected one."""
    call = run_zoo(adapter, tmp_path, chapters=NAMING)
    assert call.verdicts == {"arrays_name_their_dtype": "fail", "arrays_keep_their_numbers": "pass"}, call.err
    assert call.status == 1


def test_who_lacks_everything_is_absent_where_it_proves_it(tmp_path: Path) -> None:
    """With an honest probe every cell but that of `array` is absent, and nothing is unexpected."""
    call = run_zoo("claims:LacksEverything", tmp_path)
    absent = dict.fromkeys(HEALTHY, "absent") | {"arrays_keep_their_numbers": "pass"}
    assert (call.status, call.verdicts) == (0, absent), call.err


@pytest.mark.parametrize("adapter", ["proofs:LacksEverythingUnasked", "proofs:LacksEverythingAnyEngineHas"])
def test_who_only_claims_to_lack_everything_is_an_error_everywhere(adapter: str, tmp_path: Path) -> None:
    """An absence of all verbs, whose probe asks nothing, or proves nothing of them, makes no cell absent."""
    call = run_zoo(adapter, tmp_path)
    assert (call.status, call.verdicts) == (1, dict.fromkeys(HEALTHY, "error")), call.err


def test_who_says_yes_to_everything_passes_nothing(tmp_path: Path) -> None:
    """A value that has every attribute, and is equal to all, is no array, no flag and no error."""
    call = run_zoo("claims:HasEverything", tmp_path)
    assert (call.status, call.verdicts) == (1, dict.fromkeys(HEALTHY, "fail")), call.err


def test_another_kind_of_error_breaks_the_promise(tmp_path: Path) -> None:
    """Raising something is not enough where the documentation names the error."""
    call = run_zoo("adapters:RaisesAnotherError", tmp_path)
    assert call.verdicts == HEALTHY | {"backward_raises_an_error": "fail"}
    assert "expected RuntimeError" in call.messages["backward_raises_an_error"]


def test_a_late_death_is_attributed_to_the_behaviour_that_caused_it(tmp_path: Path) -> None:
    """A behaviour whose thread ends the process later is the crash, not the one that happened to be running."""
    call = run_zoo("crashes:LeavesAPoisonBehind", tmp_path)
    assert call.verdicts == HEALTHY | {BROKEN: "crash"}


def test_a_death_that_does_not_recur_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A verdict must be repeatable: what died once and never again is no crash."""
    monkeypatch.setenv("ZOO_FLAG", str(tmp_path / "flag"))
    call = run_zoo("crashes:DiesAtRandom", tmp_path)
    assert call.verdicts == HEALTHY | {BROKEN: "error"}
    assert "the process was ended by SIGKILL once; alone it did not" in call.messages[BROKEN]


@pytest.mark.parametrize(
    ("adapter", "verdict"), [("adapters:ExitsTheProcess", "crash"), ("leaks:CannotBeRestored", "error")]
)
def test_half_the_behaviours_cost_a_worker_and_all_have_their_verdict(
    adapter: str, verdict: str, tmp_path: Path
) -> None:
    """Workers are replaced as often as they die or are tainted, also with two of them: nothing is lost or mixed up."""
    count = 20
    # Ten deaths: pytest-xdist, which once ran the workers, gave up after four for each of them.
    chapters = alternating(tmp_path, count)
    out = tmp_path / "out"
    call = conform(
        *("run", "--engine", f"tests.zoo.{adapter}", "--chapters", chapters, "-n", 2, "--output", out), output=out
    )
    assert call.verdicts == {f"step_{n}": verdict if n % 2 else "pass" for n in range(count)}, call.err


# Adapters that cannot be used at all, and the line of the error.
UNUSABLE = {
    "adapters:Nameless": "has no name",
    "adapters:NotAnAdapter": "is not an adapter",
    "adapters:Missing": "has no class 'Missing'",
    "claims:HasNoVersion": "has the version None: give the engine's own as a string",
    "claims:HasNoState": "has a global_state of None: return a dictionary",
    "claims:HasNoProbe": "lacks detach with the probe None: give a function of `ad`",
    "claims:IsHeldToNoSource": "is held to 'torhc', which is not a source: choose from torch, ",
    "claims:IsHeldToNoVersion": "is held to version 'newest' of torch",
    "claims:LacksWhatIsNoFeature": "lacks 'detatch', which is not a feature; did you mean 'detach'?",
    "claims:ExpectsNowhere": "has the known failures 'known.toml': give a pathlib.Path",
    "claims:ExpectsAFolder": "cannot be read: Is a directory; give a TOML file",
    "claims:ExitsWhenMade": "cannot be created: SystemExit: 0",
    "crashes:DiesWhenMade": "loading it failed: the process exited with status 0, before any behaviour began; see ",
    # Twice the limit would be less; a start has five seconds at least.
    "crashes:HangsWhenMade": "loading it failed: no progress for 5 s, before any behaviour began; see ",
}


@pytest.mark.parametrize("adapter", UNUSABLE)
def test_an_adapter_that_cannot_be_used_raises_an_error(adapter: str, tmp_path: Path) -> None:
    """A line names the adapter and has a remedy; exit status 2; no report is written."""
    call: Call = run_zoo(adapter, tmp_path, "--limit", 0.2)
    assert (call.status, call.err.count("\n")) == (2, 1), call.err
    assert adapter in call.err
    assert UNUSABLE[adapter] in call.err
    assert not (tmp_path / "matrix.json").exists()
    assert survivors(call.tag) == []
