"""The suite's own engines on the whole specification: as foreseen, and the same in any order with any workers."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from conformance.results import read
from reports.matrix import canonical, merge
from tests.support import ROOT, Call, conform

ENGINES = ["reference", "torch", "jax"]


@pytest.fixture(scope="module", params=ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    """An engine that is installed."""
    name: str = request.param
    if name != "reference" and find_spec(name) is None:
        pytest.skip(f"{name} is not installed")
    return name


@pytest.fixture(scope="module")
def run(engine: str, tmp_path_factory: pytest.TempPathFactory) -> Call:
    """The whole specification on that engine, in random order on two workers."""
    output = tmp_path_factory.mktemp(engine)
    return conform("run", "--engine", engine, "-n", 2, "--seed", 11, "--output", output, output=output)


def test_nothing_is_unforeseen(engine: str, run: Call) -> None:
    """Every fail and differs is explained by an entry of the expectations; nothing crashes, errs or is unsupported."""
    assert run.status == 0, run.out + run.err
    unexplained = [cell for cell in run.matrix["cells"] if cell["verdict"] in ("fail", "differs") and not cell["known"]]
    assert unexplained == []
    assert not {cell["verdict"] for cell in run.matrix["cells"]} & {"error", "crash", "timeout", "unsupported"}


def test_absences_are_jaxs_alone(engine: str, run: Call) -> None:
    """PyTorch and the reference engine have every notion; JAX lacks the tape's, each with its reason."""
    absent = [cell for cell in run.matrix["cells"] if cell["verdict"] == "absent"]
    assert bool(absent) == (engine == "jax")
    assert all("(source: " in cell["message"] for cell in absent)


def test_workers_and_order_change_nothing(engine: str, run: Call, tmp_path: Path) -> None:
    """Without workers and in another random order, pytest itself gives the same canonical matrix."""
    results = tmp_path / "results.jsonl"
    options = [
        "--engine",
        engine,
        "-n",
        "0",
        "--shuffle",
        "23",
        "--results",
        str(results),
        "-q",
        "-p",
        "no:cacheprovider",
    ]
    command = [sys.executable, "-m", "pytest", str(ROOT / "conformance"), *options]
    subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    first = next((run.output / "results").glob("*.jsonl"))
    assert canonical(merge([read(results)])) == canonical(merge([read(first)]))
