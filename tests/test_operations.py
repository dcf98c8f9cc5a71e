"""Operations and laws: rows check themselves, samples repeat, differences are right; and the command `operations`."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import mpmath
import numpy
import pytest

from conformance import known_failures
from conformance.collection import cells, cells_by_case, load_all
from conformance.engines import load, parse
from conformance.laws import LAWS
from conformance.laws.comparison import compared
from conformance.laws.components import TrueFunction
from conformance.laws.differences import central, one_sided_agree, sides
from conformance.laws.layouts import ARGUMENTS
from conformance.laws.operation_subject import OperationSubject
from conformance.laws.truth import derivative
from conformance.operations import TABLE, of_order
from conformance.operations.row import Operation, RowError, family, given, number, row, under
from conformance.operations.samples import generic, numbers_of, samples
from conformance.protocol import NotOffered
from conformance.running.options import Options
from conformance.running.recorder import Recording
from conformance.running.work import Work
from conformance.running.worker_state import WorkerState
from tests.support import Call, conform

DIFFERENTIABLE = {name: case[0] for name, case in of_order(1).items()}


@pytest.mark.parametrize(
    ("declare", "complaint"),
    [
        (lambda: row("f(x)", "F.", number(0), smooth={"zero": -1.0}), "outside its domain"),
        (lambda: row("f(x, y)", "F.", number(), number(), smooth={"zero": (0.0,)}), "1 values for 2 arguments"),
        (
            lambda: row("f(x)", "F.", number(), smooth={"zero": 0.0}, kinks={"zero": 0.0}),
            "smooth points and among kinks",
        ),
        (lambda: row("f(x)", "F.", number(), options=[{"axis": 0}]), "the option 'axis'"),
        (lambda: row("f(x)", "F.", number(), smooth={"zero": under(1, 0.0)}), "under options 1 of 1"),
        (lambda: row("f(x)", "F.", number(), smooth={"zero": 0.0}, ordinary="Easy."), "drop `ordinary`"),
        (lambda: row("f(x, i)", "F.", number(), given([0])), "mixes numbers and arrays"),
        (lambda: family("G", row("f(x)", "F."), row("f(x)", "F.")), "is in G and in G: rename one"),
    ],
)
def test_a_row_that_contradicts_itself_is_an_error(declare: Any, complaint: str) -> None:
    """In a line that names the row."""
    with pytest.raises(RowError, match=complaint) as error:
        declare()
    assert "'f'" in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("name", DIFFERENTIABLE)
def test_samples_lie_in_the_domain_and_are_the_same_each_time(name: str) -> None:
    """Every point of every variant, and its neighbour, which is another point of the same kind."""
    operation = DIFFERENTIABLE[name]
    for sample in (*samples(operation), *samples(operation, smooth=False, kinks=True)):
        again = replace(sample).neighbour()
        assert again.at == sample.at
        for point in (sample, again):
            for argument, value in zip(operation.arguments, point.values, strict=True):
                assert argument.is_given or argument.holds(value), (point.at, value)
        # A point of which all numbers are special has no other of its kind.
        if sample.point is None:
            assert any(not numpy.array_equal(x, y) for x, y in zip(sample.values, again.values, strict=True))
    for value, repeated in zip(generic(operation).values, generic(operation).values, strict=True):
        assert numpy.array_equal(value, repeated)


@pytest.mark.parametrize("name", [name for name, row in DIFFERENTIABLE.items() if row.true_by_element])
def test_true_values_are_finite_where_a_row_calls_them_smooth(name: str) -> None:
    """Of first to third order, at every smooth point."""
    operation = DIFFERENTIABLE[name]
    for sample in numbers_of(operation):
        point = [float(value[0]) for value in sample.differentiated]
        # In the tails, laws compare the first derivative alone.
        for order in range(1, 2 if sample.in_tail else min(operation.order, 3) + 1):
            assert math.isfinite(derivative(operation, point, [1.0] * len(point), order)), (
                sample.at,
                order,
            )


def test_true_values_of_arrays_are_those_of_an_engine() -> None:
    """At every finite smooth point, of the rows that the reference engine has."""
    adapter = load(parse("reference"))
    count = 0
    for sample in (
        sample for operation in DIFFERENTIABLE.values() if operation.true_by_component for sample in samples(operation)
    ):
        if all(numpy.isfinite(x).all() for x in sample.differentiated):
            at, true = OperationSubject(adapter, sample), TrueFunction(sample, mpmath)
            with suppress(NotOffered, AttributeError):
                got, expected = at.numbers(at.outputs(*at.primals)), true.outputs(true.point)
                for x, y in zip(got, expected, strict=True):
                    assert numpy.allclose(x, y.astype("float64"), rtol=1e-9), (sample.operation.name, sample.at)
                count += 1
    assert count > 100


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (math.sin, 1.0),
        (math.exp, 1.0),
        (lambda t: t**3 + 2 * t, 2.0),
        (lambda t: 1e8 * math.cos(t + 1), -1e8 * math.sin(1)),
    ],
)
def test_central_differences_are_within_their_error(function: Any, expected: float) -> None:
    """And the estimate is small: a billionth of the size at most."""
    estimate = central(function)
    assert abs(estimate.value - expected) <= estimate.error
    assert estimate.error <= 1e-9 * max(1.0, abs(function(0.1)))


@pytest.mark.parametrize(
    ("function", "smooth"),
    [
        (math.sin, True),
        (abs, False),
        # Only its derivative has a kink.
        (lambda t: t * abs(t), True),
        (lambda t: max(t, 0.0), False),
        (lambda t: float(t > 0), False),
        # The rounding of a large value must not pass for a kink of a small slope.
        (lambda t: 5.0 + 1e-3 * math.sin(t), True),
    ],
)
def test_one_sided_differences_detect_a_kink(function: Any, smooth: bool) -> None:
    """They come together where there is a derivative, and stay apart at a kink or a jump."""
    assert one_sided_agree(function) is smooth


def test_the_sides_of_a_kink() -> None:
    """Their derivatives, to many digits."""
    left, right = sides(lambda t: abs(math.sin(t)))
    assert (round(left.value, 5), round(right.value, 5)) == (-1.0, 1.0)


@pytest.mark.parametrize(
    ("got", "expected", "error", "agree"),
    [
        (1.0, 1.0 + 1e-9, 0.0, True),
        (1.0, 1.0 + 1e-5, 0.0, False),
        (1.0, 1.0 + 1e-5, 1e-6 + 1e-9, True),
        (math.nan, 1.0, 1e9, False),
        (math.inf, math.inf, 0.0, True),
        ([1.0, math.nan], [1.0, math.nan], 0.0, True),
        ([1.0], [1.0, 2.0], 0.0, False),
        (0.0, 1e-17, 0.0, False),
    ],
)
def test_numbers_agree_up_to_rounding_and_ten_times_the_error(
    got: Any, expected: Any, error: float, agree: bool
) -> None:
    """A NaN beside a number never does, and neither does zero beside a tiny number."""
    assert (compared(got, expected, "x", error) is None) is agree


def test_every_law_has_cases_and_every_operation_a_law() -> None:
    """An operation that is differentiated is a case of reverse mode at least."""
    laws = load_all(LAWS)
    assert [law.id for law in laws if not law.cases] == []
    assert {case for law in laws for case in law.cases} == set(DIFFERENTIABLE)


def test_laws_lay_out_each_argument() -> None:
    """No row has more arguments than the laws on layouts have programs for."""
    assert max(len(row.differentiated) for row in TABLE.values()) <= ARGUMENTS


def test_an_operation_of_the_table_has_one_name() -> None:
    """Of each family all rows are in the table."""
    assert all(name == row.name for name, row in TABLE.items())
    assert all(isinstance(row, Operation) and row.group for row in TABLE.values())


@pytest.mark.parametrize("path", sorted(known_failures.KNOWN.glob("*.toml")), ids=lambda path: path.stem)
def test_a_known_failure_of_operations_concerns_a_cell(path: Path) -> None:
    """An operation or a law that was renamed takes its entries along."""
    every = list(cells(LAWS))
    listed = [entry for entry in known_failures.read(path) if entry.part == "operations"]
    assert [entry.cell for entry in listed if not any(map(entry.concerns, every))] == []


WRONG = "tests.zoo.operations:WrongAdapter"


def _sweep(output: Path, *arguments: object) -> Call:
    return conform("operations", *arguments, "-o", output, output=output)


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> Call:
    """An adapter from outside, which has five spellings: right, wrong, wrong at zero, raising, and lost."""
    output = tmp_path_factory.mktemp("swept")
    return _sweep(output, "-e", WRONG, "exp", "sin", "tanh", "sinh", "cosh", "log", "-n", 1)


def _verdicts(call: Call) -> dict[tuple[str, str], str]:
    cells = json.loads((call.output / "operations.json").read_text())["cells"]
    return {_place(cell["behaviour"]): (cell["verdict"], cell.get("reason")) for cell in cells}


def _place(id: str) -> tuple[str, str]:
    """Operation and law."""
    law, _, operation = id.removesuffix("]").partition("[")
    return operation, law.partition(".")[2]


def test_an_adapter_from_outside_has_verdicts_from_its_spellings_alone(swept: Call) -> None:
    """A right operation passes, a wrong one fails; an error is `raises`, a missing function `not offered`."""
    law = "reverse_mode_gives_the_derivative"
    verdicts = _verdicts(swept)
    assert {name for name, _ in verdicts} == {"exp", "sin", "tanh", "sinh", "cosh", "log"}
    assert {name: verdicts[name, law] for name in ("exp", "sin", "tanh", "sinh", "cosh", "log")} == {
        "exp": ("pass", None),
        "sin": ("fail", "deviates"),
        "tanh": ("fail", "deviates"),
        "sinh": ("fail", "raised"),
        "cosh": ("absent", "not_offered"),
        "log": ("absent", "not_offered"),
    }
    assert swept.status == 1


def test_a_witness_has_its_point(swept: Call) -> None:
    """The simplest point: a single element, at the special point if only that is wrong."""
    with (swept.output / "operations.csv").open(newline="") as stream:
        rows = {row["behaviour"]: row["message"] for row in csv.DictReader(stream)}
    message = rows["exact_values.reverse_mode_gives_the_exact_derivative[tanh]"]
    assert message.startswith("derivative of order 1: got 2.0, expected 1.0 at tanh(0.0), a zero")


def test_two_seeds_of_the_order_and_two_workers_give_the_same(tmp_path: Path) -> None:
    """Verdicts and witnesses do not depend on what else ran before."""
    outcomes = []
    for run, options in enumerate((("-n", 1), ("-n", 2, "--seed", 7))):
        output = tmp_path / str(run)
        call = _sweep(output, "-e", "reference", "exp", "maximum", "pow", *options)
        assert call.status in (0, 1), call.err
        cells = json.loads((output / "operations.json").read_text())["cells"]
        outcomes.append(sorted((cell["behaviour"], cell["verdict"], cell["message"]) for cell in cells))
    assert outcomes[0] == outcomes[1]


class _Idle(WorkerState):
    """A worker that has done what it was given when it is to be given more."""

    takes_cells = True

    def __init__(self) -> None:
        super().__init__()
        self.given: list[str] = []

    def give(self, cells: Sequence[str], known: tuple[str, ...] = ()) -> None:
        """Note the cells."""
        self.given += cells


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_workers_share_no_operation(workers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each would compile it. What a worker gives back when it ends goes to a single worker, too."""
    asked = cells_by_case(load_all(LAWS), ["exp", "sin", "pow", "matmul"])
    monkeypatch.setattr(Recording, "pending", lambda _: (len(asked), iter(asked)))
    work, there = Work(Options(Path(), asked, (), part="operations"), Recording()), [_Idle() for _ in range(workers)]
    work.feed(there[0], workers)
    work.give_back(there[0].given[1:])
    del there[0].given[1:]
    while work.left:
        for worker in reversed(there):
            work.feed(worker, workers)
    assert sorted(cell for worker in there for cell in worker.given) == sorted(asked)
    begun = there[0].given.pop(0)
    operations = [{_place(cell)[0] for cell in worker.given} for worker in there]
    assert sum(map(len, operations)) == len(set().union(*operations)) == 4, begun
