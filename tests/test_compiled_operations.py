"""Laws on operations that torch.compile compiles: what differs is the compiler's, and what it never saw is counted."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import conformance
from conformance import collection, compiled_trials
from conformance.engines import load, parse
from conformance.verdicts import Outcome, Reason, Verdict
from workshop.laws.faults_by_law import WRONG
from workshop.laws.law_cells import FAILED, Cells
from workshop.mutant import Mutant

pytestmark = pytest.mark.skipif(find_spec("torch") is None, reason="torch is not installed")
CELLS = collection.cells(Path(conformance.__file__).parent / "laws" / "chapters")
REVERSE = "derivatives.reverse_mode_gives_the_derivative"


def outcome(cell: str, adapter: Any) -> Outcome:
    """The outcome of a law on an operation, in the column of this adapter."""
    behaviour, case = CELLS[cell]
    return compiled_trials.run(behaviour, adapter, case)


def test_a_compiled_backward_that_drops_half_of_a_gradient_fails() -> None:
    """Forward and backward are code of the backend: the values are right, and the gradient is not."""

    def halving(graph: Any, inputs: list[Any]) -> Callable[..., Any]:
        def run(*xs: Any) -> Any:
            return tuple(out / 2 + (out / 2).detach() if out.requires_grad else out for out in graph(*xs))

        return run

    adapter: Any = load(parse("torch:compile,backend=eager"))
    assert outcome(f"{REVERSE}[sin]", adapter) == Outcome(Verdict.PASS)
    # The backend is asked when a graph is made.
    halves: Any = load(parse("torch:compile,backend=eager"))
    halves.on_operations._make = halving
    assert outcome(f"{REVERSE}[sin]", halves).verdict is Verdict.FAIL


def test_an_operation_is_compiled_once_for_all_points_of_a_shape() -> None:
    """A second law on the operation makes no graph more."""
    adapter: Any = load(parse("torch:compile"))
    make, graphs = adapter.on_operations._make, list[Any]()
    adapter.on_operations._make = lambda graph, inputs: graphs.append(graph) or make(graph, inputs)
    assert outcome(f"{REVERSE}[sin]", adapter).verdict is Verdict.PASS
    count = len(graphs)
    assert count > 0
    assert outcome("cotangents.a_zero_cotangent_gives_zero[sin]", adapter).verdict is Verdict.PASS
    assert len(graphs) == count


def test_what_is_not_compiled_is_absent_or_counted() -> None:
    """A second derivative is not compiled, beside values that are; nothing of an in-place form is."""
    adapter = load(parse("torch:compile"))
    second = outcome("derivatives.reverse_over_reverse_gives_the_second_derivative[sin]", adapter)
    assert (second.verdict, second.reason) == (Verdict.PASS, Reason.UNTRACED)
    written = outcome("in_place.reverse_mode_of_an_in_place_form_is_that_of_the_operation[sin]", adapter)
    assert (written.verdict, written.reason) == (Verdict.ABSENT, Reason.NOT_COMPILED)


def test_a_failure_of_eager_mode_says_so() -> None:
    """The compiler changes nothing: the cause is listed in the eager column."""
    failing = outcome("exact_values.reverse_mode_gives_the_exact_derivative[tanh]", load(parse("torch:compile")))
    assert failing.verdict is Verdict.FAIL
    assert failing.message.startswith("as in eager mode: derivative of order 1: got 0.0")


# What no other law sees: they compare derivatives with values that have the same fault, or look at numbers alone.
ALONE = {
    "sin": ("operation_has_the_values_of_eager_mode", "gradient_has_the_derivative_of_eager_mode"),
    "matmul": (
        "operation_has_results_with_the_strides_of_eager_mode",
        "operation_shares_memory_as_eager_mode_does",
    ),
}


@pytest.mark.parametrize("operation", ALONE)
def test_laws_on_compiled_operations_kill_what_no_other_law_does(operation: str) -> None:
    """By each fault the law fails, and no other; without, all hold that hold in eager mode."""
    cells = Cells("torch:compile,backend=eager")
    # Compiles nothing, which takes less time.
    cells.adapter.compile_operation = lambda operation, order=1: operation
    # Under vmap, no array has memory that a fault could write to.
    hold = [cell for cell in cells.of(operation) if "vmap" not in cell and cells.passes(cell)]
    for name in ALONE[operation]:
        law = f"compiled_operations.a_compiled_{name}"
        change = WRONG[law].change(operation)
        failing = [cell for cell in hold if cells.outcome(cell, Mutant(law, "", "", change)).verdict in FAILED]
        assert failing == [f"{law}[{operation}]"]
