"""The suite's own engines on the whole specification: as known, and the same in any order with any workers."""

from __future__ import annotations

import random
import shutil
from collections.abc import Container
from importlib.util import find_spec
from pathlib import Path

import pytest
from msgspec.structs import replace

from conformance.results_file import read
from reports.model import Matrix
from tests.matrices import canonical, merge
from tests.support import Call, conform
from workshop.ci_results import ci_results

# column: the distribution it needs; what transforms functions lacks the tape, torch.func as well
ENGINES = {
    "reference": "numpy",
    "torch": "torch",
    "torch_func": "torch",
    "torch:compile": "torch",
    "torch:functionalize": "torch",
    "jax": "jax",
    "jax:jit": "jax",
    "hips_autograd": "autograd",
}
# They take minutes, and `nox -s matrix` runs jax:jit whole: `nox -s tests -- --on-request -k "compile or jit"`.
ON_REQUEST = {"torch:compile", "jax:jit"}
WITHOUT_A_TAPE = {"torch_func", "torch:functionalize", "jax", "jax:jit", "hips_autograd"}


@pytest.fixture(scope="module", params=ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    """An engine that is installed, and that was asked for."""
    name: str = request.param
    if find_spec(ENGINES[name]) is None:
        pytest.skip(f"{name} is not installed")
    if name in ON_REQUEST and not request.config.getoption("--on-request"):
        pytest.skip(f"{name} is a column on request: --on-request")
    return name


@pytest.fixture(scope="module")
def run(engine: str, tmp_path_factory: pytest.TempPathFactory) -> Call:
    """The whole specification on that engine, in random order on two workers; or the results of the CI's matrix."""
    output = tmp_path_factory.mktemp(engine.replace(":", "-"))
    earlier = ci_results(engine)
    if earlier is None:
        return conform("run", "--engine", engine, "-n", 2, "--seed", 11, "--output", output, output=output)
    (output / "results").mkdir()
    return conform("report", shutil.copy(earlier.path, output / "results"), "--output", output, output=output)


def test_nothing_is_unexpected(engine: str, run: Call) -> None:
    """Every fail, differs and crash is explained by an entry of the known failures; nothing errs or is unsupported."""
    assert run.status == 0, run.out + run.err
    listable = ("fail", "differs", "crash")
    unexplained = [cell for cell in run.matrix["cells"] if cell["verdict"] in listable and not cell["known"]]
    assert unexplained == []
    assert not {cell["verdict"] for cell in run.matrix["cells"]} & {"error", "timeout", "unsupported"}


def test_the_tape_is_absent_from_the_transforms(engine: str, run: Call) -> None:
    """An engine with a tape has leaves, a library of function transforms has none; everything absent has its reason.

    But for functions of later releases, which are not offered.
    """
    absent = {cell["behaviour"]: cell for cell in run.matrix["cells"] if cell["verdict"] == "absent"}
    assert ("leaves.an_array_made_by_the_user_is_a_leaf" in absent) == (engine in WITHOUT_A_TAPE)
    lacking = [cell["message"] for cell in absent.values() if cell["reason"] != "not_offered"]
    assert all("(source: " in message for message in lacking)


def test_workers_and_order_change_nothing(
    engine: str, run: Call, order: int, workers: int, part: int, tmp_path: Path
) -> None:
    """Another random order, on that many workers, gives the same canonical matrix, of a part (`--orders 5`: of all)."""
    first = merge([read(next((run.output / "results").glob("*.jsonl")))])
    cells = [cell.behaviour for cell in first.cells]
    drawn = random.Random(order).sample(cells, len(cells) // part)
    options = ("--engine", engine, "-n", workers, "--seed", 23 + order, "--output", tmp_path)
    again = conform("run", *options, *drawn, output=tmp_path)
    assert again.status in (0, 1), again.err
    second = merge([read(next((tmp_path / "results").glob("*.jsonl")))])
    assert {cell.behaviour for cell in second.cells} == set(drawn)
    assert canonical(_selected(second, drawn)) == canonical(_selected(first, drawn))


def _selected(matrix: Matrix, cells: Container[str]) -> Matrix:
    """These cells of a matrix."""
    engines = [replace(engine, complete=False) for engine in matrix.engines]
    rows = [row for row in matrix.behaviours if row.id in cells]
    cells_kept = [cell for cell in matrix.cells if cell.behaviour in cells]
    return replace(matrix, engines=engines, behaviours=rows, cells=cells_kept)
