"""Lines that a campaign prints: one for a wrong call, and one for its progress."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograd_conformance.progress import Advance, line_of
from tests.campaigns import try_programs

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
    advance = Advance(
        "torch", wanted=101_000, before=1_000, done=21_000, seconds=100.0, new=frozenset({"reverse: sin: value"})
    )
    assert line_of(advance) == "torch: 21,000 of 101,000 programs, 200/s, 1 new signature, 7 min left"
