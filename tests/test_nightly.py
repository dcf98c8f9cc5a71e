"""The nightly workflow tries the pinned engines, and no seed twice."""

from __future__ import annotations

import itertools
import subprocess
from typing import Any

import yaml

from tests.support import ROOT
from tests.systems import posix
from tests.test_docs import pinned_engines

WORKFLOW: dict[str, Any] = yaml.safe_load((ROOT / ".github/workflows/programs.yml").read_text("utf-8"))
JOB = WORKFLOW["jobs"]["try"]
MATRIX = JOB["strategy"]["matrix"]


def test_the_engines_are_pinned_ones() -> None:
    """In the versions of noxfile.py, each with a number of seeds."""
    assert set(MATRIX["engine"]) <= pinned_engines()
    assert [one["engine"] for one in MATRIX["include"]] == MATRIX["engine"]


def _seeds(night: int, part: int, count: int) -> list[str]:
    """The `--seeds` of a part of a night, from the shell step itself."""
    (step,) = (step for step in JOB["steps"] if "SEEDS" in step.get("env", {}))
    # The function stands in for nox, and prints what it is called with.
    script = f'python() {{ printf "%s\\n" "$@"; }}\n{step["run"]}'
    values = {"ENGINE": "reference-here", "NIGHT": str(night), "PART": str(part), "SEEDS": str(count)}
    # With nothing else: a variable that the step does not name is unset, which ends it.
    done = subprocess.run(["bash", "-eu", "-c", script], env=values, capture_output=True, text=True, check=True)
    words = done.stdout.split()
    assert words[:4] == ["-m", "nox", "--session", "programs(reference-here)"]
    assert words[4:6] == ["--", "--seeds"]
    return words[6].split(":")


@posix
def test_no_seed_is_tried_twice() -> None:
    """The parts of a night, and the nights, follow one another."""
    ranges = [_seeds(night, part, 100) for night in (1, 2) for part in MATRIX["part"]]
    numbers = [(int(first), int(last)) for first, last in ranges]
    assert all(last - first == 100 for first, last in numbers)
    assert all(before[1] == after[0] for before, after in itertools.pairwise(numbers))
