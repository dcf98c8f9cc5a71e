"""A run may be killed at any moment: what it computed is kept, and taken up again to the same matrix."""

from __future__ import annotations

import json
import random
import re
import shutil
import time
from pathlib import Path
from typing import Any

import pytest

from conformance.results import DeathRecord, ResultRecord, ResultsError
from conformance.results_file import read
from conformance.running.crashes import Tried, inquire
from conformance.verdicts import Verdict
from reports.matrix import load
from tests.kills import STEPS, Kind, Run, kill_at_random, kill_worker, rows
from tests.matrices import canonical
from tests.support import alternating


@pytest.fixture(scope="module")
def deadly(tmp_path_factory: pytest.TempPathFactory) -> Kind:
    """Six behaviours, of which every other ends its process."""
    return Kind("tests.zoo.adapters:ExitsTheProcess", alternating(tmp_path_factory.mktemp("deaths"), 6))


@pytest.fixture(scope="module")
def undisturbed(slow: Kind, deadly: Kind, tmp_path_factory: pytest.TempPathFactory) -> dict[Kind, tuple[str, float]]:
    """The canonical matrix of a run that was not killed, and how long it took."""
    return {kind: _undisturbed(kind, tmp_path_factory.mktemp("undisturbed")) for kind in (slow, deadly)}


def _undisturbed(kind: Kind, output: Path) -> tuple[str, float]:
    began = time.monotonic()
    # 1 where steps crash.
    assert kind.run(output).status in (0, 1)
    return canonical(load(output / "matrix.json")), time.monotonic() - began


@pytest.fixture(scope="module")
def killed_run(slow: Kind, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run that was killed after three results."""
    run = Run(slow, output := tmp_path_factory.mktemp("killed") / "out")
    run.wait_for(3)
    run.process.kill()
    assert run.ended() == []
    return output


@pytest.fixture
def killed(killed_run: Path, tmp_path: Path) -> Path:
    """A copy of it: tests resume it, or damage it."""
    return Path(shutil.copytree(killed_run, tmp_path / "out"))


def test_a_run_killed_at_a_random_moment_is_resumed(
    kill_seed: int, slow: Kind, deadly: Kind, undisturbed: dict[Kind, tuple[str, float]], tmp_path: Path
) -> None:
    """With any of its processes killed: all end, the file is known to be cut short, and is completed."""
    # Half of them: a crash that is confirmed in a lone process is another place to be killed in.
    # By the second bit of the seed, as the lowest decides whether a worker is killed (kill_at_random).
    kind = deadly if kill_seed % 4 > 1 else slow
    matrix, takes_s = undisturbed[kind]
    run = Run(kind, output := tmp_path / "out")
    print(how := kill_at_random(kill_seed, run, takes_s))
    assert run.ended() == [], how
    partial = kind.partial(output)
    # Between the last result and the file's new name it may be whole already.
    if partial.exists() and len(rows(partial)) < len(json.loads(matrix)["cells"]):
        with pytest.raises(ResultsError):
            read(partial)
    call = kind.run(output, "--resume")
    assert call.status == (0 if kind is slow else 1), f"{how}: {call.err}"
    assert canonical(load(output / "matrix.json")) == matrix, how


def test_what_was_computed_is_not_run_again(slow: Kind, killed: Path) -> None:
    """A resumed file has a row for each cell."""
    before = rows(slow.partial(killed)) if slow.partial(killed).exists() else []
    assert slow.run(killed, "--resume").status == 0
    after = rows(slow.results(killed))
    # Rows from before the kill come first: they were read again, and not run.
    assert after[: len(before)] == before
    assert len(before) >= 3
    assert len(after) == len(set(after)) == STEPS


def test_a_killed_worker_is_an_error_until_the_run_is_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A death that did not recur is no verdict: it is reported, and tried again on request."""
    monkeypatch.setenv("WAITING", str(waiting := tmp_path / "waiting"))
    kind = Kind("tests.zoo.adapters:WaitsOnce", alternating(tmp_path, 6))
    run = Run(kind, output := tmp_path / "out", "--workers", 1)
    # Within a behaviour: a worker that ends between two costs nothing.
    run.wait_until(waiting.exists)
    kill_worker(run, random.Random(0))
    assert run.ended() == []
    # What follows is how the cell ended when it was tried alone.
    unlike = [cell.message.partition("; ")[0] for cell in load(output / "matrix.json").cells if cell.verdict != "pass"]
    assert unlike == ["the process was ended by SIGKILL once"]
    assert kind.run(output, "--resume").status == 0
    assert canonical(load(output / "matrix.json")) == _undisturbed(kind, tmp_path / "undisturbed")[0]


def test_a_worker_killed_while_it_starts_ends_the_run_with_one_line(
    slow: Kind, undisturbed: dict[Kind, tuple[str, float]], tmp_path: Path
) -> None:
    """Before the first cell there is nothing to go on with: the error has the reason, and the run is resumed."""
    run = Run(slow, output := tmp_path / "out")
    run.wait_until(lambda: bool(run.workers()))
    kill_worker(run, random.Random(0))
    assert run.ended() == []
    assert (run.process.returncode, run.errors.count("\n")) == (2, 1), run.errors
    assert "loading it failed: the process was ended by SIGKILL, before any behaviour began" in run.errors
    assert slow.run(output, "--resume").status == 0
    assert canonical(load(output / "matrix.json")) == undisturbed[slow][0]


def test_a_cell_is_no_crash_because_its_lone_process_was_killed() -> None:
    """A lone process that ends otherwise than the worker did proves nothing: the cell is tried once more."""

    def died(message: str) -> Tried:
        return Tried([ResultRecord("steps.step_1", Verdict.CRASH, None, message, 0.1)], died=True)

    death = DeathRecord("steps.step_1", "1", Verdict.CRASH, "the process exited with status 0", "steps.step_0")
    inquiry = inquire(death)
    wanted = next(inquiry)
    assert inquiry.send(died("the process was ended by SIGKILL")) == wanted
    with pytest.raises(StopIteration) as end:
        inquiry.send(died("the process exited with status 0"))
    assert [row.message for row in end.value.value] == [death.message]


def test_a_torn_last_line_is_dropped(slow: Kind, undisturbed: dict[Kind, tuple[str, float]], killed: Path) -> None:
    """A line that was being written when the disk or the process went away counts for nothing."""
    # Half a record, as a kill in the middle of a write leaves it.
    with slow.partial(killed).open("ab") as stream:
        stream.write(b'{"kind":"result","id":"steps.st')
    call = slow.run(killed, "--resume")
    assert call.status == 0, call.err
    assert canonical(load(killed / "matrix.json")) == undisturbed[slow][0]


def test_a_complete_run_is_resumed_at_once(
    slow: Kind, undisturbed: dict[Kind, tuple[str, float]], tmp_path: Path
) -> None:
    """Where nothing is left to do, nothing but the end is done again."""
    slow.run(tmp_path)
    call = slow.run(tmp_path, "--resume")
    assert call.status == 0, call.err
    assert canonical(load(tmp_path / "matrix.json")) == undisturbed[slow][0]


# What the header of the interrupted run is made to say, and why it is then not resumed.
OTHERS: dict[str, tuple[dict[str, Any], str]] = {
    "suite": ({"suite": {"revision": "other"}}, "its suite revision was other, this run's is "),
    "engine": ({"engine": {"version": "0.9"}}, "its engine was tests.zoo.adapters:Slow 0.9, this run's is "),
    "adapter": ({"adapter": "other"}, "its adapter was other, this run's is "),
    "sources": ({"engine": {"sources": {"jax": "1"}}}, "its sources was {'jax': '1'}, this run's is "),
    "python": ({"engine": {"python": "3.9.0"}}, "its Python was 3.9.0, this run's is 3."),
    "schema": ({"schema": "autograd-conformance/results/0"}, "has schema 'autograd-conformance/results/0'"),
}
OPTIONS: dict[str, tuple[tuple[object, ...], str]] = {
    "seed": (("--seed", 5), "its seed was 0, this run's is 5"),
    "limit": (("--limit", 9), "its limit was 30.0, this run's is 9.0"),
    "memory": (("--memory", 1), "its memory limit was 4.0, this run's is 1.0"),
    "selection": (("steps.step_1",), f"selected {STEPS} cells, this one 1"),
}


def test_what_does_not_match_is_not_resumed(slow: Kind, killed: Path, tmp_path: Path) -> None:
    """Each would mix two runs: an error in one line with the reason, and the file stays as it is."""
    for name, (changes, reason) in OTHERS.items():
        other = tmp_path / name
        shutil.copytree(killed, other)
        _change_header(slow.partial(other), changes)
        _raises_an_error(slow, other, reason)
    # These need no copy: the folder stays as it is.
    for options, reason in OPTIONS.values():
        _raises_an_error(slow, killed, reason, *options)


def _change_header(path: Path, changes: dict[str, Any]) -> None:
    first, _, rest = path.read_text().partition("\n")
    header = json.loads(first)
    for key, value in changes.items():
        header[key] = header[key] | value if isinstance(value, dict) else value
    path.write_text(f"{json.dumps(header)}\n{rest}")


def _raises_an_error(kind: Kind, output: Path, reason: str, *options: object) -> None:
    before = kind.partial(output).read_bytes()
    call = kind.run(output, "--resume", *options)
    assert (call.status, call.err.count("\n")) == (2, 1), call.err
    assert reason in call.err
    assert kind.partial(output).read_bytes() == before


def test_changed_chapters_and_adapters_are_not_resumed(tmp_path: Path) -> None:
    """Chapters and adapters from outside the suite count as much as its own."""
    chapters = alternating(tmp_path, 4)
    (tmp_path / "mine.py").write_text("from tests.zoo.adapters import Healthy\nclass Mine(Healthy): ...\n")
    kind = Kind("mine:Mine", chapters)
    run = {"PYTHONPATH": f"{tmp_path}:{Path(__file__).parent.parent}"}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in run.items():
            patch.setenv(name, value)
        assert kind.run(tmp_path / "out").status == 0
        # A comment runs nothing, and yet is another source: what is compared are digests of files.
        with (tmp_path / "mine.py").open("a") as stream:
            stream.write("# changed\n")
        assert "its adapter was " in kind.run(tmp_path / "out", "--resume").err
        with (chapters / "steps.py").open("a") as stream:
            stream.write("# changed\n")
        assert "its suite revision was " in kind.run(tmp_path / "out", "--resume").err


# What becomes of a row in the file of an interrupted run.
DAMAGES = {
    "garbage": lambda row: b"\x00\xff hello\n",
    # Python's own reader of JSON takes NaN for a number.
    "nan": lambda row: re.sub(rb'"duration_s":[^,]*', b'"duration_s":NaN', row),
    # Deeper than a reader may recurse, which was a RecursionError without the line's number.
    "deep": lambda row: row.replace(b"{", b'{"more":' + b"[" * 100_000 + b"]" * 100_000 + b",", 1),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_results_file_is_not_resumed(damage: str, slow: Kind, killed: Path) -> None:
    """The line is named, and the file is left alone."""
    lines = slow.partial(killed).read_bytes().splitlines(keepends=True)
    number = next(n for n, line in enumerate(lines) if line.startswith(b'{"kind":"result"'))
    lines[number] = DAMAGES[damage](lines[number])
    slow.partial(killed).write_bytes(b"".join(lines))
    _raises_an_error(slow, killed, f"line {number + 1} is not a record")


@pytest.mark.parametrize("complete", [True, False])
def test_results_of_another_engine_are_not_resumed(complete: bool, deadly: Kind, tmp_path: Path) -> None:
    """A file that was copied in the place of an engine's own: its header names the engine that it is about."""
    other = Kind("tests.zoo.adapters:Healthy", deadly.chapters)
    assert other.run(tmp_path).status == 0
    # A complete file would be copied to be continued, a partial one continued in its place.
    source, kind = other.results(tmp_path), deadly.results if complete else deadly.partial
    shutil.copyfile(source, kind(tmp_path))
    call = deadly.run(tmp_path, "--resume")
    assert (call.status, call.err.count("\n")) == (2, 1), call.err
    assert f"its engine was {other.engine} 1.0, this run's is {deadly.engine} 1.0" in call.err


def test_what_is_no_results_file_is_not_resumed(slow: Kind, killed: Path) -> None:
    """A foreign file in the place of the results is named and left alone."""
    slow.partial(killed).write_text("hello\n")
    _raises_an_error(slow, killed, "line 1 is not a record")
