"""Behaviours are ordinary pytest items: what pytest users know, works."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import ROOT, ZOO

PROMISE_BROKEN = "tests.zoo.adapters:BreaksItsPromise"


def pytest_on(
    *arguments: object, engine: str = PROMISE_BROKEN, convention: str = ""
) -> subprocess.CompletedProcess[str]:
    """pytest on the zoo's chapter, in the checkout, as a developer would call it."""
    chosen = ("--engine", engine) if engine else ()
    command = [sys.executable, "-m", "pytest", str(ZOO), *chosen, *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, input=convention, capture_output=True, text=True, check=False)


def test_node_ids_are_pytests_own() -> None:
    """File, function, and the case in brackets."""
    listed = pytest_on("--collect-only", "-q", engine="")
    assert "tests/zoo/chapters/errands.py::leaves_are_leaves" in listed.stdout.splitlines()


def test_verdicts_are_outcomes() -> None:
    """A fail fails and shows statement and message; everything else passes."""
    # Without the cache, so that `--lf` of a developer does not run the zoo.
    done = pytest_on("-q", "-p", "no:cacheprovider")
    assert done.returncode == pytest.ExitCode.TESTS_FAILED
    assert "A detached array has the numbers of its source." in done.stdout
    assert "fail: got [4.0], expected [3.0]" in done.stdout
    assert "1 failed, 4 passed" in done.stdout


@pytest.mark.parametrize(
    ("engine", "summary"),
    [
        ("LacksDetaching", "4 passed, 1 skipped"),
        ("PromisesNothing", "4 passed, 1 xfailed"),
        ("HasABug", "1 failed, 4 passed"),
    ],
)
def test_absent_skips_and_differs_is_expected(engine: str, summary: str) -> None:
    """Absent and unsupported are skipped, what was not promised is xfailed, an error fails."""
    assert summary in pytest_on("-q", "-p", "no:cacheprovider", engine=f"tests.zoo.adapters:{engine}").stdout


def test_keywords_choose() -> None:
    """`-k` knows function and chapter."""
    assert "1 passed, 4 deselected" in pytest_on("-q", "-k", "clone").stdout
    assert "1 failed, 4 passed" in pytest_on("-q", "-k", "errands", "-p", "no:cacheprovider").stdout


def test_x_stops_at_the_first_failure() -> None:
    """`-x` ends the session."""
    assert "1 failed, 1 passed" in pytest_on("-q", "-x", "-p", "no:cacheprovider").stdout


def test_workers_share_the_work() -> None:
    """`-n 2` gives the same outcome."""
    assert "1 failed, 4 passed" in pytest_on("-q", "-n", 2, "-p", "no:cacheprovider").stdout


def test_last_failed_runs_what_failed(tmp_path: Path) -> None:
    """`--lf` runs it again."""
    cache = ("-o", f"cache_dir={tmp_path}")
    pytest_on("-q", *cache)
    assert "\n1 failed in" in pytest_on("-q", "--lf", *cache).stdout


def test_the_debugger_opens_in_the_check() -> None:
    """`--pdb` shows the line of the expectation, not the harness."""
    done = pytest_on("-q", "--pdb", "-p", "no:cacheprovider", convention="up\nlist\nq\n")
    assert "close(ad.detach(ad.array([3.0])), [3.0])" in done.stdout


def test_an_order_can_be_drawn() -> None:
    """`--shuffle SEED` gives another order, and the same for the same seed."""
    drawn = ("--shuffle", 3)
    # The same seed twice: each worker of pytest-xdist draws the order for itself.
    orders = [pytest_on("-v", "-p", "no:cacheprovider", *shuffle).stdout for shuffle in ((), drawn, drawn)]
    ids = [[line.split(" ")[0] for line in order.splitlines() if line.startswith("tests/zoo")] for order in orders]
    assert ids[0] != ids[1]
    assert ids[1] == ids[2]
    assert sorted(ids[0]) == sorted(ids[1])


@pytest.mark.parametrize(("engine", "advice"), [("", "behaviours need an engine"), ("torhc", "did you mean 'torch'?")])
def test_without_an_engine_pytest_has_advice(engine: str, advice: str) -> None:
    """A usage error, in pytest's own way."""
    done = pytest_on("-q", engine=engine)
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert advice in done.stdout + done.stderr


def test_other_peoples_pytest_knows_nothing_of_it(tmp_path: Path) -> None:
    """Outside this checkout the plugin is not loaded unless it is asked for."""
    # Makes this folder pytest's root, so that no other configuration is read.
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    command = [sys.executable, "-m", "pytest", "--engine", "torch"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "unrecognized arguments: --engine" in done.stderr
