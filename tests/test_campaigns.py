"""Campaigns of programs: crash isolation, resuming, outcomes by seeds alone, lines for wrong calls and progress."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from autograd_conformance.progress import Advance
from conformance.tallies import place_of
from tests.campaigns import campaign, command, results, try_programs
from tests.matrices import canonical_campaign
from tests.support import Call, from_here
from tests.systems import posix

BAD = ("--kind", "crashing", "--kind", "hanging", "--kind", "faulty", "--limit", 2)
SINE, COSINE = "reverse: sin: value", "forward: cos: shape"


@pytest.fixture(scope="module")
def bad(tmp_path_factory: pytest.TempPathFactory) -> Call:
    """Programs of which some end their process, one does not end, and one shows a fault of the suite."""
    # One worker: the test of the outcome has three, and must come to the same.
    return try_programs(tmp_path_factory.mktemp("bad"), "--seeds", "0:60", *BAD, "-n", 1, "-q")


@posix
def test_a_bad_program_costs_itself_only(bad: Call) -> None:
    """It is a finding with the end of its process, and all others are judged."""
    assert (bad.status, bad.err) == (1, "")
    file = campaign(bad.output)
    ended = {place_of(row): row for row in file.results if place_of(row)[0] != "reverse"}
    assert {(kind, seed): (oracle, row.message) for (oracle, kind, seed), row in ended.items()} == {
        ("crashing", 21): ("crash", "the process was ended by SIGSEGV in string_at"),
        ("crashing", 37): ("crash", "the process exited with status 3"),
        ("crashing", 38): ("crash", "the process was ended by SIGABRT in <lambda>"),
        ("faulty", 4): ("error", "KeyError: 'nothing'"),
        ("hanging", 5): ("timeout", "took longer than 2 s"),
    }
    assert {(oracle, row.verdict.value) for (oracle, _, _), row in ended.items()} == {
        ("crash", "crash"),
        ("error", "error"),
        ("timeout", "timeout"),
    }
    assert [(tally.programs_of, tally.first, tally.last, tally.programs) for tally in file.tallies] == [
        ("crashing", 0, 60, 60),
        ("faulty", 0, 60, 60),
        ("hanging", 0, 60, 60),
    ]
    # Seed 38 would have been counted, had it not ended its process.
    assert [tally.seen[SINE] for tally in file.tallies] == [8, 9, 9]


@posix
def test_the_outcome_depends_on_the_seeds_alone(bad: Call, tmp_path: Path) -> None:
    """On three workers, in two parts of which the second is tried first, it is the same file but for times."""
    # Both parts have seeds that end their process: 21 and the hang at 5 in the first, 37 and 38 in the second.
    assert try_programs(tmp_path, "--seeds", "25:60", *BAD, "-n", 3).status == 1
    assert try_programs(tmp_path, "--seeds", "0:60", *BAD, "-n", 3, "--resume").status == 1
    assert canonical_campaign(campaign(tmp_path)) == canonical_campaign(campaign(bad.output))


def test_a_process_that_ends_once_is_no_finding(tmp_path: Path) -> None:
    """The program is tried again alone and runs through; that a process ended is noted."""
    call = try_programs(tmp_path, "--seeds", "0:20", "--kind", "once", PROGRAMS_ENDED_ONCE=str(tmp_path / "ended"))
    assert call.status == 1
    (tally,) = campaign(tmp_path).tallies
    assert (tally.programs, tally.ended) == (20, 1)
    assert set(tally.seen) == {SINE}


INTERRUPTED = "autograd-conformance: interrupted; tried programs are kept: continue with --resume\n"
STATUS = {signal.SIGKILL: -9, signal.SIGINT: 130, signal.SIGTERM: 143}
SLOW = ("--seeds", "0:200", "--kind", "slow", "-n", 2, "-q")


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The canonical form of a campaign that nothing disturbed."""
    output = tmp_path_factory.mktemp("undisturbed")
    # A kind with the same programs that does not take its time.
    assert try_programs(output, "--seeds", "0:200", "--kind", "plain").status == 1
    return canonical_campaign(campaign(output)).replace('"plain"', '"slow"').replace("[plain:", "[slow:")


@pytest.fixture
def running(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A slow campaign in the background, of which a part is done."""
    environment = from_here(PROGRAMS_TRIED=str(tmp_path / "tried"))
    process = subprocess.Popen(
        command(tmp_path, *SLOW), env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    # Before that nothing is kept, and `resumed` could not see that it is not tried again.
    wait_until(lambda: len(recorded(tmp_path)) >= 2 or process.poll() is not None)
    yield process
    process.kill()
    process.communicate()


def wait_until(condition: Callable[[], bool]) -> None:
    """Wait for a condition, at most a minute."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not condition():
        time.sleep(0.01)


def recorded(output: Path) -> list[tuple[int, int]]:
    """The ranges that an unfinished campaign has recorded."""
    path = results(output).with_suffix(".jsonl.partial")
    lines = path.read_text().split("\n")[:-1] if path.exists() else []
    found = [json.loads(line) for line in lines]
    return [(line["first"], line["last"]) for line in found if line["kind"] == "tally"]


def children(process: subprocess.Popen[str]) -> list[psutil.Process]:
    """The processes with an engine, and those in which programs run."""
    return psutil.Process(process.pid).children(recursive=True)


def resumed(output: Path) -> str:
    """The canonical form of a campaign that is continued. What was recorded is not tried again."""
    done = {seed for first, last in recorded(output) for seed in range(first, last)}
    before = (output / "tried").read_text().split()
    assert try_programs(output, *SLOW, "--resume", PROGRAMS_TRIED=str(output / "tried")).status == 1
    after = (output / "tried").read_text().split()[len(before) :]
    assert done
    assert not done & set(map(int, after))
    return canonical_campaign(campaign(output))


@posix
@pytest.mark.parametrize("number", STATUS)
def test_a_campaign_that_was_ended_is_resumed(
    number: signal.Signals, running: subprocess.Popen[str], undisturbed: str, tmp_path: Path
) -> None:
    """It ends soon, with the status that a shell reports, at most one line, and no process left."""
    processes = children(running)
    running.send_signal(number)
    errors = running.communicate(timeout=15)[1]
    assert running.returncode == STATUS[number]
    assert errors == (INTERRUPTED if number == signal.SIGINT else "")
    assert psutil.wait_procs(processes, timeout=10)[1] == []
    # Half a record, as a kill in the middle of a write leaves it.
    with results(tmp_path).with_suffix(".jsonl.partial").open("a") as stream:
        stream.write('{"kind":"tally","programs_of":"sl')
    assert resumed(tmp_path) == undisturbed


@pytest.mark.parametrize("recursive", [False, True])
def test_a_killed_process_costs_nothing(
    recursive: bool, running: subprocess.Popen[str], undisturbed: str, tmp_path: Path
) -> None:
    """Another takes the place of the one with the engine, or of its fork, and its programs are tried again."""
    psutil.Process(running.pid).children(recursive)[-1].kill()
    running.communicate(timeout=60)
    assert running.returncode == 1
    assert canonical_campaign(campaign(tmp_path)) == undisturbed
    # None where it was between two programs, or still loaded its engine.
    assert sum(tally.ended for tally in campaign(tmp_path).tallies) <= 1


def test_a_campaign_killed_at_a_random_moment_is_resumed(kill_seed: int, undisturbed: str, tmp_path: Path) -> None:
    """The command line, a process with an engine, its fork, or all of them at once: also while they start."""
    drawn = random.Random(kill_seed)
    process = subprocess.Popen(command(tmp_path, *SLOW), env=from_here(), stdout=subprocess.DEVNULL)
    # From the first import to about the end: two hundred programs of 20 ms on two workers.
    time.sleep(moment := drawn.uniform(0.0, 5.0))
    victims = [psutil.Process(process.pid), *children(process)] if process.poll() is None else []
    chosen = victims if kill_seed % 3 == 0 else victims[:1] if kill_seed % 3 == 1 else victims[1:][-1:]
    print(f"seed {kill_seed}: {len(chosen)} of {len(victims)} processes after {moment:.3f} s")
    for one in chosen:
        with contextlib.suppress(psutil.NoSuchProcess):
            one.kill()
    process.wait(timeout=60)
    # Where only a process with an engine was killed, the campaign went on.
    assert process.returncode in (1, -signal.SIGKILL)
    assert psutil.wait_procs(victims, timeout=10)[1] == []
    assert try_programs(tmp_path, *SLOW, "--resume").status == 1
    assert canonical_campaign(campaign(tmp_path)) == undisturbed


def test_a_finished_campaign_is_extended(tmp_path: Path) -> None:
    """Only the seeds that are missing are tried; without --resume all are tried anew."""
    tried = {"PROGRAMS_TRIED": str(tmp_path / "tried")}
    for seeds, more in (("10:40", ()), ("0:50", ("--resume",)), ("0:50", ("--resume",))):
        assert try_programs(tmp_path, "--seeds", seeds, "--kind", "plain", *more, **tried).status == 1
    # Once each: the second call leaves out 10:40, and for the third nothing is left.
    assert sorted(map(int, (tmp_path / "tried").read_text().split())) == list(range(50))
    # Neither signature is of these two seeds, which begin the file anew.
    assert try_programs(tmp_path, "--seeds", "5:7", "--kind", "plain").status == 0
    assert [(tally.first, tally.last) for tally in campaign(tmp_path).tallies] == [(5, 7)]


LISTED = """
[cause.sine]
title = "The sine"
kind = "convention"
reason = "It is known."
programs = [
    "crash: nowhere",  # no program of this campaign shows it
    "reverse: sin: *",
]
"""


def test_known_failures_are_counted_and_never_stale(tmp_path: Path) -> None:
    """A signature that is listed leaves the status 0, one that is not makes it 1; one that is not seen is not stale."""
    (tmp_path / "mine.py").write_text(
        "from pathlib import Path\nfrom tests.zoo.adapters import Healthy\n"
        'class Mine(Healthy):\n    known_failures = Path(__file__).parent / "known.toml"\n'
    )
    (tmp_path / "known.toml").write_text(LISTED)
    path = os.pathsep.join([str(tmp_path), from_here()["PYTHONPATH"]])
    asked = ("-e", "mine:Mine", "--kind", "plain", "--json", "--seeds")
    known, new = {}, {}
    for seeds, status in (("0:40", 0), ("0:60", 1)):
        call = try_programs(tmp_path / "out", *asked, seeds, PYTHONPATH=path)
        assert call.status == status, call.err
        cells = json.loads((tmp_path / "out" / "programs.json").read_text())["cells"]
        known[seeds] = [(cell["behaviour"], cell["counts"]) for cell in cells if cell["known"]]
        new[seeds] = [(cell["behaviour"], cell["program"]["seed"]) for cell in json.loads(call.out)["unexpected"]]
    # Seeds 3, 10, 17, 24, 31 and 38.
    assert known["0:40"] == [(SINE, {"plain": 6})]
    assert new == {"0:40": [], "0:60": [(COSINE, 53)]}


def test_what_does_not_match_is_not_resumed(tmp_path: Path) -> None:
    """A header as for runs, here the limit, and seeds that are there twice: one line, and the file stays as it is."""
    assert try_programs(tmp_path, "--seeds", "0:9", "--kind", "plain").status == 1
    header, tally, *_ = results(tmp_path).read_text().splitlines(keepends=True)
    path = results(tmp_path).rename(results(tmp_path).with_suffix(".jsonl.partial"))
    for text, options, error in (
        (header + tally, ("--limit", 9), "its limit was 30.0, this campaign's is 9.0"),
        (header + tally + tally, (), "seeds 0:9 of kind plain are there twice"),
    ):
        path.write_text(text)
        call = try_programs(tmp_path, "--seeds", "0:20", "--kind", "plain", "--resume", *options)
        assert (call.status, call.err.count("\n")) == (2, 1), call.err
        assert error in call.err
        assert path.read_text() == text


@posix
def test_a_process_that_has_grown_is_replaced(tmp_path: Path) -> None:
    """Engines keep compiled code of each program: another fork takes the place of one that is large."""
    for kind, processes in (("plain", 1), ("large", 2)):
        # The eighth program makes its process too large for the others.
        asked = ("--seeds", "0:16", "--kind", kind, "-n", 1)
        assert try_programs(tmp_path / kind, *asked, PROGRAMS_PROCESSES=str(tmp_path / f"{kind}.log")).status == 1
        assert len(set((tmp_path / f"{kind}.log").read_text().split())) == processes


BAD_INPUT: dict[str, tuple[tuple[object, ...], str]] = {
    "no range": (("--seeds", "10"), "'10' is not a range of seeds: write FIRST:LAST, such as 0:1000."),
    "no numbers": (("--seeds", "a:b"), "'a:b' is not a range of seeds"),
    "below zero": (("--seeds=-1:5",), "'-1:5' is not a range of seeds"),
    "empty": (("--seeds", "5:5"), "'5:5' has no seeds: LAST must come after FIRST."),
    "kind": (
        ("--seeds", "0:5", "--kind", "plane"),
        "engine 'reference' has no programs of kind 'plane'; it has plain, slow, crashing",
    ),
    "engine": (("--seeds", "0:5", "-e", "no_engine"), "unknown engine 'no_engine'"),
    "no kinds": (("--seeds", "0:5", "-e", "tests.zoo.adapters:LacksDetaching"), "lacks the verbs for programs of any"),
    "no verb": (("--seeds", "0:5", "-e", "tests.zoo.adapters:Slow"), "has no verb for programs"),
    "import": (("--seeds", "0:5", "-e", "no_module:Class"), "No module named 'no_module'"),
    "both": (("--seeds", "0:5", "-n", "2", "--dask", "tcp://127.0.0.1:1"), "--workers and --dask exclude each other"),
    "output": (("--seeds", "0:5", "-o", "/dev/null/out"), "cannot be written"),
}


@pytest.mark.parametrize("what", BAD_INPUT)
def test_bad_input_is_one_line(what: str, tmp_path: Path) -> None:
    """With status 2, and no traceback."""
    arguments, error = BAD_INPUT[what]
    call = try_programs(tmp_path, *arguments)
    assert (call.status, call.err.count("\n")) == (2, 1), call.err
    assert error in call.err


def test_progress_has_rate_signatures_and_time_left() -> None:
    """In a line, where there is no terminal."""
    advance = Advance("torch", wanted=101_000, before=1_000, done=21_000, seconds=100.0, new=1)
    assert str(advance) == "torch: 21,000 of 101,000 programs, 200/s, 1 new signature, 7 min left"
