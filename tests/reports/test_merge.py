"""Results files into a matrix, and what makes two matrices equal."""

from __future__ import annotations

import pytest

from conformance.results import SuiteRecord
from reports.files import ReportError
from reports.matrix import encode
from tests.matrices import canonical, merge
from tests.reports.making import FAIL, TIES, VECTOR, result, results_file, six_cells, six_files, with_cell, with_engine


def error_of(*files: object) -> str:
    """The error of `merge`, which must be a single line."""
    with pytest.raises(ReportError) as caught:
        merge(list(files))  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_every_engine_becomes_a_column_and_every_behaviour_a_row() -> None:
    """Rows and columns are in the order in which they were given."""
    matrix = six_cells()
    assert [engine.column for engine in matrix.engines] == ["torch", "jax:jit"]
    assert [row.chapter for row in matrix.behaviours] == ["gradients", "complex", "kinks_and_ties"]
    assert len(matrix.cells) == 6


def test_each_case_of_a_behaviour_has_its_row() -> None:
    """A record without a case covers all its cases, in any order in which they ran."""
    cases = [result(f"{VECTOR.id}[{case}]") for case in ("of_two", "of_three")]
    matrix = merge([results_file("torch", cases, [VECTOR])])
    assert [row.id for row in matrix.behaviours] == [f"{VECTOR.id}[of_three]", f"{VECTOR.id}[of_two]"]
    assert {row.statement for row in matrix.behaviours} == {VECTOR.statement}


def test_engines_may_have_run_different_selections() -> None:
    """A behaviour that a single engine ran leaves the other without a cell."""
    files = [results_file("a", [result(VECTOR.id)], [VECTOR]), results_file("b", [result(TIES.id)], [TIES])]
    assert [(cell.behaviour, cell.engine) for cell in merge(files).cells] == [(VECTOR.id, "a"), (TIES.id, "b")]


def test_two_versions_of_an_engine_are_two_columns() -> None:
    """A CI matrix runs one spec in several versions: their columns carry the version."""
    files = [results_file("torch", [result(TIES.id)], [TIES], version=version) for version in ("2.12", "2.13")]
    assert [engine.column for engine in merge(files).engines] == ["torch@2.12", "torch@2.13"]


def test_different_suite_revisions_are_rejected() -> None:
    """A verdict is about its specification alone."""
    other = results_file("jax", [result(TIES.id)], [TIES], suite=SuiteRecord("0.1.0", "other"))
    text = error_of(results_file("torch", [result(TIES.id)], [TIES]), other)
    assert text.startswith("jax.jsonl: ran suite 0.1.0 (other), but torch.jsonl ran 0.1.0 (9f2c1b7a); run both")


def test_the_same_column_twice_is_rejected() -> None:
    """Both files are named, even if they are the same file."""
    files = [results_file("torch", [result(TIES.id)], [TIES], path=path) for path in ("a.jsonl", "b.jsonl")]
    assert error_of(*files) == "b.jsonl: engine 'torch' 2.0 is already in a.jsonl; leave one of them out"
    assert "is already in a.jsonl" in error_of(files[0], files[0])


def test_a_file_that_lacks_selected_cells_is_rejected() -> None:
    """Missing cells are counted, and named where possible."""
    text = error_of(results_file("torch", [result(TIES.id)], [TIES, VECTOR], selected=2))
    assert text == f"torch.jsonl: lacks 1 of 2 selected cells, among them '{VECTOR.id}'; run the engine again"
    assert "lacks 4 of 5 selected cells;" in error_of(results_file("torch", [result(TIES.id)], [TIES], selected=5))


def test_a_result_without_a_description_is_rejected() -> None:
    """A cell must have a row."""
    assert "has a result for 'views.x', which it does not describe" in error_of(
        results_file("torch", [result("views.x")], [])
    )


def test_a_behaviour_described_in_two_ways_is_rejected() -> None:
    """Within a suite revision a behaviour has a single statement."""
    # Only a file that was edited can differ so: statements belong to a revision.
    edited = type(TIES)(TIES.id, TIES.chapter, TIES.level, "Otherwise.", TIES.citations, [])
    files = [results_file("a", [result(TIES.id)], [TIES]), results_file("b", [result(TIES.id)], [edited])]
    assert f"b.jsonl: describes behaviour '{TIES.id}' differently" in error_of(*files)


def test_no_files_and_foreign_levels_are_rejected() -> None:
    """Neither makes a matrix."""
    odd = type(TIES)(TIES.id, TIES.chapter, "shall", TIES.statement, [], [])
    assert error_of().startswith("no results files: give at least one")
    assert "torch.jsonl: cannot be published: Invalid enum value 'shall'" in error_of(
        results_file("torch", [result(TIES.id)], [odd])
    )


def test_order_times_and_places_do_not_make_matrices_differ() -> None:
    """The canonical form leaves out what may change between two runs that agree."""
    files = six_files()
    shuffled = [
        results_file(
            file.header.engine.spec,
            file.results[::-1],
            file.behaviours[::-1],
            started="2031-01-01T00:00:00+00:00",
            seed=7,
            stale=file.footer.stale,
        )
        for file in files[::-1]
    ]
    # All that two runs of the same engine and suite may differ in.
    other = with_engine(merge(shuffled), platform="Plan 9", python="3.13.1", duration_s=99.0)
    assert canonical(with_cell(other, duration_s=3.0)) == canonical(six_cells())


def test_verdicts_conventions_messages_and_versions_make_matrices_differ() -> None:
    """Outcomes are compared, with what they are outcomes of."""
    base, matrix = canonical(six_cells()), six_cells()
    changed = [
        with_cell(matrix, verdict=FAIL),
        with_cell(matrix, convention="other"),
        with_cell(matrix, message="other"),
        with_engine(matrix, version="9"),
    ]
    assert all(canonical(other) != base for other in changed)


def test_a_script_is_for_the_page_and_not_for_the_file() -> None:
    """matrix.json leaves scripts out, and two matrices are equal with and without."""
    bare = merge([results_file("torch", [result(VECTOR.id, FAIL)], [VECTOR])])
    matrix = with_cell(bare, script="import torch\n")
    assert encode(matrix) == encode(bare)
    assert canonical(matrix) == canonical(bare)
