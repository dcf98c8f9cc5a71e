"""An adapter that damages its process, or does its harm later, costs one behaviour of a longer chapter only.

Each adapter is tried on forty steps, the twenty-first of which it breaks in, in one process as long as that lives.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from tests.support import Call, alternating, run_zoo, survivors

# Steps on both sides: what came before is kept, and what comes after runs as if nothing had been.
STEPS, BROKEN = 40, 20
HEALTHY = {f"step_{n}": "pass" for n in range(STEPS)}
# Seconds, for a run on a loaded machine: far more than any takes, and far less than what hangs.
BOUND = 60
HARNESS = "damaged what the harness leans on: "
LEFT = "global state left changed: "
STRAY = "something else than its messages was written to the recorder"
LATE = "took longer than 1 s"

# adapter: the verdict of the step that it breaks in, and a phrase of its message
OUTCOMES = {
    "damages:LimitsFiles": ("error", f"{HARNESS}limits of the process"),
    "damages:LimitsFileSize": ("error", f"{HARNESS}limits of the process"),
    "damages:LimitsMemory": ("error", f"{HARNESS}limits of the process"),
    "damages:LimitsTime": ("error", f"{HARNESS}limits of the process"),
    "damages:RemovesTheTemporaryFolder": ("error", f"{HARNESS}the temporary folder"),
    "damages:ReplacesTheTemporaryFolder": ("error", f"{HARNESS}the temporary folder"),
    "patches:ReplacesOpen": ("error", f"{HARNESS}builtins.open"),
    # Raised in the worker itself, which counts its open files after each cell.
    "patches:PatchesPsutil": ("error", f"{HARNESS}RuntimeError: replaced by a check"),
    "patches:PatchesAllclose": ("error", "numpy.allclose"),
    "patches:PatchesAsarray": ("error", "numpy.asarray"),
    "patches:PatchesNumPyWithin": ("error", "numpy._core.numeric.isclose"),
    "patches:PatchesWarnings": ("error", "warnings.catch_warnings"),
    "patches:PatchesInspect": ("error", "inspect.signature"),
    "patches:PatchesMath": ("error", "math.isclose"),
    "patches:PatchesSys": ("error", f"{HARNESS}a function of sys"),
    # The pipe to the recorder has bound its decoder before any check ran.
    "patches:PatchesTheDecoder": ("pass", ""),
    "patches:PatchesTheComparison": ("error", "conformance.compare.difference"),
    "patches:PatchesTheTrial": ("error", "conformance.trial.run"),
    "patches:PatchesTheTrialWithin": ("error", "conformance.trial._decide"),
    "patches:PatchesTheRecorder": ("error", f"{HARNESS}RecordingAdapter.__getattr__"),
    "patches:PatchesTheTraceback": ("error", "traceback.extract_tb"),
    # The worker has bound its clock before, and the limit is by the recorder's.
    "patches:StopsTheClocks": ("error", "time.perf_counter"),
    "damages:LeavesARealTimer": ("error", f"{HARNESS}an interval timer"),
    "damages:LeavesAVirtualTimer": ("error", f"{HARNESS}an interval timer"),
    "damages:LeavesAProfilingTimer": ("error", f"{HARNESS}an interval timer"),
    "damages:SetsAnAlarm": ("error", f"{HARNESS}an interval timer"),
    # The first of the modules that must be there.
    "damages:EmptiesTheModules": ("error", "the module builtins"),
    "damages:EmptiesThePath": ("error", f"{HARNESS}where modules are found"),
    "damages:RemovesTheFinders": ("error", f"{HARNESS}where modules are found"),
    "damages:BlocksEverySignal": ("error", f"{HARNESS}the signal mask"),
    "damages:LowersItsPriority": ("error", f"{HARNESS}the priority of the process"),
    "damages:LeavesATrace": ("error", f"{HARNESS}the trace function"),
    "damages:LeavesAProfile": ("error", f"{HARNESS}the profile function"),
    "damages:SwitchesSeldom": ("error", f"{HARNESS}the thread switch interval"),
    "damages:RoundsUp": ("error", f"{HARNESS}floating-point arithmetic"),
    # Python's own streams notice neither of these two: descriptors are compared.
    "damages:ClosesADescriptor": ("error", f"{HARNESS}a standard stream"),
    "damages:TakesStandardError": ("error", f"{HARNESS}a standard stream"),
    "damages:ClearsTheEnvironment": ("error", f"{HARNESS}an environment variable"),
    # What a check may change by accident is restored.
    "damages:LeavesAFlatStack": ("error", f"{LEFT}recursion limit was 1000, is 60"),
    "damages:LocksEveryFile": ("error", f"{LEFT}file mode mask was "),
    "damages:LeavesARemovedFolder": ("error", f"{LEFT}working directory was "),
    # No watchdog within the process is asked for anything.
    "patches:PatchesFaulthandler": ("pass", ""),
    "damages:ChangesWhatIsItsOwn": ("pass", ""),
    "channels:WritesToEveryDescriptor": ("error", STRAY),
    "channels:WritesHalfALine": ("error", STRAY),
    "channels:WritesZeros": ("error", STRAY),
    "channels:WritesAFlood": ("error", STRAY),
    "channels:ForgesAMessage": ("error", STRAY),
    "channels:ForgesASignedMessage": ("error", STRAY),
    "channels:ForgesProgress": ("error", STRAY),
    "channels:SaysItCannotBeUsed": ("error", STRAY),
    "channels:LoadsForever": ("error", STRAY),
    "channels:EatsEveryByte": ("error", f"{HARNESS}the channel to the recorder"),
    # A worker that cannot send a message ends itself.
    "channels:ClosesEveryDescriptor": ("crash", "the process exited with status 1"),
    # These two do not end: what the recorder sees is the end of their pipe.
    "channels:SilencesEveryDescriptor": ("crash", "the process closed its pipe to the recorder"),
    "channels:BecomesAnotherProgram": ("crash", "the process closed its pipe to the recorder"),
    # The copy is ended, and the process goes on.
    "channels:ForksIntoTheHarness": ("pass", ""),
    # The pipe does not end: a process that is left holds it.
    "channels:ForksAndDies": ("crash", "the process exited with status 3"),
    "channels:LeavesTheFamily": ("crash", "the process exited with status 3"),
    # Within a check SIGINT is the check's own doing; between two, as in InterruptsLater, the worker ignores it.
    "lifetimes:InterruptsItself": ("fail", "raised KeyboardInterrupt"),
    "lifetimes:InterruptsItsMainThread": ("fail", "raised KeyboardInterrupt"),
    "lifetimes:InterruptsLater": ("pass", ""),
    "lifetimes:TerminatesItself": ("crash", "the process was ended by SIGTERM"),
    # Also under `nohup`, which has this signal ignored: a worker takes it as usual.
    "lifetimes:HangsItselfUp": ("crash", "the process was ended by SIGHUP"),
    "lifetimes:TerminatesItsGroup": ("crash", "the process was ended by SIGTERM"),
    "lifetimes:BreaksAPipe": ("pass", ""),
    "lifetimes:RaisesLater": ("error", "SystemExit outside the check"),
    # The step has passed when these come: tried alone, its process is kept a second longer (crashes.LINGER_S).
    "lifetimes:DiesLater": ("crash", "after it: the process exited with status 3"),
    "lifetimes:KillsFromAChild": ("crash", "after it: the process was ended by SIGKILL"),
    "lifetimes:StopsLater": ("timeout", f"after it: {LATE}"),
    "lifetimes:HoldsTheLockLater": ("timeout", f"after it: {LATE}"),
    "lifetimes:GrowsLater": ("crash", "after it: out of memory: the process grew by more than 0.2 GiB"),
    "lifetimes:BlocksWhenDeleted": ("timeout", LATE),
    "lifetimes:BlocksWhenCollected": ("timeout", LATE),
    "lifetimes:HangsAsAnArray": ("timeout", LATE),
    "lifetimes:HangsInAWord": ("timeout", LATE),
    # A worker does not exit, it is ended: nothing of this happens.
    "lifetimes:BlocksAtExit": ("pass", ""),
    "lifetimes:ExitsAtExit": ("pass", ""),
    # What a cell leaves is ended, or removed, with its process.
    "lifetimes:LeavesAChild": ("pass", ""),
    "lifetimes:LeavesASession": ("pass", ""),
    "lifetimes:LeavesADaemon": ("pass", ""),
    "lifetimes:LeavesANamelessChild": ("pass", ""),
    "lifetimes:LeavesFiles": ("pass", ""),
    "remains:NestsFolders": ("pass", ""),
    "remains:LocksAFolder": ("pass", ""),
    # Nothing of these gets into the archive of the cache (cache.keep).
    "remains:CachesUnderABadName": ("pass", ""),
    "remains:CachesATerabyte": ("pass", ""),
    "remains:CachesWhatHasNoEnd": ("pass", ""),
    "remains:CachesTheSystem": ("pass", ""),
    "sayings:HasAVersionOfItsOwnType": ("pass", ""),
    "sayings:HasAHostileVersion": ("pass", ""),
    "sayings:HasAPathOfItsOwnType": ("pass", ""),
    "sayings:SpeaksOfItselfInEscapes": ("pass", ""),
    # What was said first counts: it would be `differs`, and the absence would be an error.
    "sayings:ChangesItsPromise": ("fail", "got [2.0], expected [1.0]"),
    "sayings:ForgetsItsAbsences": ("absent", "nothing is attached"),
    "sayings:HasAHugeState": ("error", f"{LEFT}0 was 0, is 1"),
    "sayings:HasAStateThatRuns": ("error", f"{LEFT}count was 0, is 1"),
}
# The adapters that can be imported, and do something then.
HARMLESS = [
    *("prints", "starts a thread", "leaves a child", "goes elsewhere", "takes the signals", "interrupts itself"),
    *("turns warnings into errors", "raises the recursion limit", "allows few files", "clears the environment"),
    *("forks into the harness", "has a flat stack"),
]
# What cannot be used: the rest of the one line that says so.
FAILED = "loading it failed: "
UNUSABLE = {
    "exits": "importing 'tests.zoo.at_import' raised SystemExit: enough",
    "exits the process": f"{FAILED}the process exited with status 0",
    "raises": f"{FAILED}the process exited with status 1",
    "kills itself": f"{FAILED}the process was ended by SIGKILL",
    "stops itself": f"{FAILED}no progress for 5 s",
    "sleeps": f"{FAILED}no progress for 5 s",
    "adds and removes a module": f"{FAILED}no progress for 5 s",
    "sleeps in native code": f"{FAILED}no progress for 5 s",
    "closes descriptors": f"{FAILED}the process exited with status 1",
    "writes to descriptors": f"{FAILED}{STRAY}",
    "forgets modules": "importing 'tests.zoo.at_import' raised KeyError",
    "begins nothing": f"{FAILED}{STRAY}",
    "replaces open": f"{FAILED}the process exited with status 1",
}
UNDECLARED = {
    # No worker starts a second time.
    "crashes:IsMadeOnce": f"{FAILED}the process exited with status 3",
    "sayings:IsAnotherInEachProcess": "in another: say the same in each",
    "sayings:RaisesOnAGlance": FAILED,
    "sayings:RaisesWhatIsNoException": FAILED,
    # Its line is longer than any of a worker, and so was written by something else.
    "sayings:SaysTooMuch": FAILED,
}


@pytest.fixture(scope="session")
def steps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The chapter of forty steps."""
    return alternating(tmp_path_factory.mktemp("steps"), STEPS, [BROKEN])


def _run(adapter: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, steps: Path) -> Call:
    """Run the steps in one process at a time. Bounded in time; no process and no file is left."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    began = time.monotonic()
    # One worker, so that later steps meet what is left. GrowsLater exceeds the memory within the second it is kept for.
    options = ("-n", 1, "--limit", 1, "--memory", 0.2)
    call = run_zoo(adapter, tmp_path / "out", *options, chapters=steps)
    assert time.monotonic() - began < BOUND
    assert survivors(call.tag) == []
    assert list(folder.iterdir()) == []
    assert set("\x1b\x07\x08\x9b") & set(call.out + call.err) == set()
    return call


@pytest.mark.parametrize("adapter", OUTCOMES)
def test_harm_costs_its_step_only(adapter: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, steps: Path) -> None:
    """The step that asks for the broken verb has the stated verdict; the others are what they are without it."""
    verdict, phrase = OUTCOMES[adapter]
    call = _run(adapter, tmp_path, monkeypatch, steps)
    broken = f"step_{BROKEN}"
    assert call.verdicts == HEALTHY | {broken: verdict}, call.err
    assert phrase in call.messages[broken]
    assert call.status == (0 if verdict in ("pass", "absent") else 1)


@pytest.mark.parametrize("way", HARMLESS)
def test_an_import_may_do_what_a_process_can_live_with(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, steps: Path
) -> None:
    """Every step passes: what was there before the first cell is no damage."""
    monkeypatch.setenv("ZOO_IMPORT", way)
    call = _run("at_import:Imported", tmp_path, monkeypatch, steps)
    assert (call.status, call.verdicts) == (0, HEALTHY), call.err


@pytest.mark.parametrize("way", UNUSABLE)
def test_an_import_that_fails_is_told_in_one_line(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, steps: Path
) -> None:
    """However the process ends or hangs: one line, status 2, no report."""
    monkeypatch.setenv("ZOO_IMPORT", way)
    call = _run("at_import:Imported", tmp_path, monkeypatch, steps)
    assert (call.status, call.err.count("\n")) == (2, 1), call.err
    assert f"engine 'tests.zoo.at_import:Imported': {UNUSABLE[way]}" in call.err
    assert not (tmp_path / "out" / "matrix.json").exists()


@pytest.mark.parametrize("adapter", UNDECLARED)
def test_what_an_adapter_cannot_say_is_told_in_one_line(
    adapter: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, steps: Path
) -> None:
    """A declaration that differs between processes, raises, or is too long: one line, status 2, no report."""
    monkeypatch.setenv("ZOO_FLAG", str(tmp_path / "flag"))
    call = _run(adapter, tmp_path, monkeypatch, steps)
    assert (call.status, call.err.count("\n")) == (2, 1), call.err
    assert f"engine 'tests.zoo.{adapter}': " in call.err
    assert UNDECLARED[adapter] in call.err
    assert not (tmp_path / "out" / "matrix.json").exists()


@pytest.mark.parametrize("adapter", ["remains:PutsAPipeForItsResults", "remains:PutsAPipeForItsLog"])
def test_a_pipe_in_the_output_does_not_block_the_run(
    adapter: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, steps: Path
) -> None:
    """The run ends with one line and status 2, as nothing of its results can be trusted."""
    monkeypatch.setenv("ZOO_OUTPUT", str(tmp_path / "out"))
    call = _run(adapter, tmp_path, monkeypatch, steps)
    assert (call.status, call.err.count("\n")) == (2, 1), call.err


@pytest.mark.parametrize("text", ["def (", "import sys; sys.exit(0)", "1 / 0"])
def test_a_chapter_that_cannot_be_imported_is_told_in_one_line(text: str, tmp_path: Path) -> None:
    """Also one that exits with status 0, which would say that all is well."""
    chapters = tmp_path / "chapters"
    chapters.mkdir()
    (chapters / "wrong.py").write_text(text)
    call = run_zoo("Healthy", tmp_path / "out", chapters=chapters)
    assert (call.status, call.err.count("\n")) == (2, 1), call.err
    assert str(chapters / "wrong.py") in call.err
    assert ": importing it raised " in call.err


def test_an_output_folder_need_not_be_utf_8(tmp_path: Path) -> None:
    """Its name is in the results, spelled out."""
    output = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff"))
    call = run_zoo("Healthy", output)
    assert (call.status, set(call.verdicts.values())) == (0, {"pass"}), call.err


def test_every_way_to_be_imported_is_in_a_test() -> None:
    """The ways of the adapter that is imported are those above."""
    # Not at the top: on import the module does what ZOO_IMPORT names.
    from tests.zoo.at_import import WAYS

    assert [*HARMLESS, *UNUSABLE] == list(WAYS)
