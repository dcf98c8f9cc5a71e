"""Changes between two matrices: the cells that are compared, the kinds of change, and the command `diff`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest

from conformance.results import BehaviourRecord, ResultRecord, SuiteRecord
from conformance.verdicts import Verdict
from reports import html_data, markdown
from reports.changes import ORDER, Changes, Kind, compare, of_kind
from reports.changes_text import by_behaviour, compared
from reports.markdown import COMMENT
from reports.matrix import encode
from reports.model import Matrix
from tests.matrices import merge
from tests.reports.making import FAIL, KNOWN, PASS, TIES, VECTOR, assert_gold, result, results_file
from tests.reports.synthetic import wide
from tests.support import conform


def matrix(
    *results: ResultRecord, spec: str = "torch", records: list[BehaviourRecord] | None = None, **more: Any
) -> Matrix:
    """One engine's matrix; rows as the results need them."""
    rows = records or [row for row in (VECTOR, TIES) if row.id in {record.id.partition("[")[0] for record in results}]
    return merge([results_file(spec, list(results), rows, **more)])


def beside(*matrices: Matrix) -> Matrix:
    """The columns of several matrices, as they are called there."""
    first = matrices[0]
    engines = [engine for other in matrices for engine in other.engines]
    return msgspec.structs.replace(first, engines=engines, cells=[cell for other in matrices for cell in other.cells])


def of_name(name: str, other: Matrix) -> Matrix:
    """The matrix of a single engine, with another name."""
    return msgspec.structs.replace(other, engines=[msgspec.structs.replace(other.engines[0], name=name)])


def kinds(comparison: Changes) -> list[tuple[str, str, str]]:
    """Each change in short."""
    return [(change.kind.value, change.behaviour, change.engine) for change in comparison.changes]


def test_nothing_changes_between_a_matrix_and_itself() -> None:
    """No change, with any verdicts; engines are paired and versions named."""
    same = matrix(result(TIES.id, FAIL, "got 1"))
    comparison = compare(same, same)
    assert (comparison.changes, comparison.renamed, comparison.reworded) == ([], [], [])
    assert compared(comparison) == ["Compared: torch 2.0 -> torch 2.0."]


@pytest.mark.parametrize("old", Verdict)
@pytest.mark.parametrize("new", Verdict)
def test_a_verdict_regresses_down_the_order_and_improves_up(old: Verdict, new: Verdict) -> None:
    """The order has every verdict once, pass first, and the four that count for the exit status last."""
    comparison = compare(matrix(result(TIES.id, old)), matrix(result(TIES.id, new)))
    step = ORDER.index(new) - ORDER.index(old)
    expected = [] if not step else [Kind.REGRESSED if step > 0 else Kind.IMPROVED]
    assert [change.kind for change in comparison.changes] == expected
    assert sorted(ORDER) == sorted(Verdict)
    assert (ORDER[0], set(ORDER[4:])) == (PASS, {FAIL, Verdict.CRASH, Verdict.TIMEOUT, Verdict.ERROR})


def test_what_another_engine_is_without_has_not_regressed() -> None:
    """Between engines of different names an absent feature is no regression; a failure is, all the same."""
    old = matrix(result(TIES.id), result(VECTOR.id))
    new = matrix(result(TIES.id, Verdict.ABSENT), result(VECTOR.id, FAIL))
    other = of_name("jax", new)
    assert [kind for kind, *_ in kinds(compare(old, new))] == ["regressed", "regressed"]
    assert [kind for kind, *_ in kinds(compare(old, other))] == ["regressed", "feature"]
    assert [kind for kind, *_ in kinds(compare(other, old))] == ["improved", "feature"]


def test_conventions_come_before_messages() -> None:
    """The same verdict with another convention, or with another message alone; a known cell is marked."""
    old = matrix(result(TIES.id, convention="a", message="x"), result(VECTOR.id, FAIL, "x"))
    new = matrix(result(TIES.id, convention="b", message="y"), result(VECTOR.id, FAIL, "y", known=KNOWN))
    comparison = compare(old, new)
    assert kinds(comparison) == [("convention", TIES.id, "torch"), ("message", VECTOR.id, "torch")]
    assert [change.after.known for change in comparison.changes if change.after] == [False, True]


def test_cells_of_one_side_are_added_or_removed() -> None:
    """Neither improves nor regresses, even if it fails; the line names verdict and engine."""
    comparison = compare(matrix(result(TIES.id, FAIL)), matrix(result(VECTOR.id, FAIL)))
    assert kinds(comparison) == [("added", VECTOR.id, "torch"), ("removed", TIES.id, "torch")]
    assert by_behaviour(of_kind(comparison, Kind.ADDED)) == [(VECTOR.id, "fail on torch")]


def test_an_engine_of_one_side_is_named_and_its_cells_are_not_listed() -> None:
    """A thousand cells of a new column are no changes."""
    both = beside(matrix(result(TIES.id)), matrix(result(TIES.id, FAIL), spec="jax"))
    comparison = compare(matrix(result(TIES.id)), both)
    assert (comparison.engines_added, comparison.engines_removed, comparison.changes) == (["jax"], [], [])
    assert compare(both, matrix(result(TIES.id))).engines_removed == ["jax"]


def test_columns_are_paired_by_name_then_by_spec() -> None:
    """`torch@1` stays with itself; what is left of a spec on both sides belongs together."""
    first, second = (matrix(result(TIES.id), version=version) for version in ("1", "2"))
    old = merge_named(first, second)
    new = merge_named(first, matrix(result(TIES.id, FAIL), version="3"))
    assert [(pair.before, pair.after) for pair in compare(old, new).engines] == [
        *(("torch@1", "torch@1"), ("torch@2", "torch@3"))
    ]
    assert kinds(compare(old, new)) == [("regressed", TIES.id, "torch@3")]


def test_a_second_version_beside_the_first_is_another_column() -> None:
    """The earlier version has another name now, `torch@1`, and is compared with itself."""
    first, second = (matrix(result(TIES.id, verdict), version=v) for v, verdict in (("1", PASS), ("2", FAIL)))
    comparison = compare(beside(first, matrix(result(TIES.id), spec="jax")), merge_named(first, second))
    assert [(pair.before, pair.after) for pair in comparison.engines] == [("torch", "torch@1")]
    assert (comparison.engines_added, comparison.engines_removed, comparison.changes) == (["torch@2"], ["jax"], [])


def merge_named(*matrices: Matrix) -> Matrix:
    """Columns with their versions in their names, as `merge` gives them."""
    from reports.join import PathMatrix, join

    return join([PathMatrix(str(number), it) for number, it in enumerate(matrices)])


def test_a_single_column_is_compared_with_a_single_column() -> None:
    """Under any names; in the page the change is in the later's column."""
    old, new = matrix(result(TIES.id)), matrix(result(TIES.id, Verdict.DIFFERS), spec="jax")
    assert kinds(compare(old, new)) == [("regressed", TIES.id, "jax")]
    assert list(html_data.changes(new, old)) == [(TIES.id, "jax")]


def renamed(record: BehaviourRecord, id: str, *was: str) -> BehaviourRecord:
    """The behaviour under another id."""
    return msgspec.structs.replace(record, id=id, was=list(was))


def test_a_rename_is_followed() -> None:
    """The behaviour is neither removed nor added, and its change has its new id."""
    new = matrix(result("ties.shared", FAIL), records=[renamed(TIES, "ties.shared", "older.id", TIES.id)])
    comparison = compare(matrix(result(TIES.id)), new)
    assert kinds(comparison) == [("regressed", "ties.shared", "torch")]
    assert [(pair.before, pair.after) for pair in comparison.renamed] == [(TIES.id, "ties.shared")]


def test_the_cases_of_a_renamed_behaviour_are_renamed_with_it() -> None:
    """A rename names behaviours, cells have cases."""
    new = matrix(result("ties.shared[two]", FAIL), records=[renamed(TIES, "ties.shared", TIES.id)])
    old = matrix(result(f"{TIES.id}[two]"))
    assert kinds(compare(old, new)) == [("regressed", "ties.shared[two]", "torch")]


def test_an_id_that_is_still_there_is_no_earlier_name() -> None:
    """No row is paired twice."""
    rows = [TIES, renamed(VECTOR, "ties.other", TIES.id)]
    comparison = compare(matrix(result(TIES.id)), matrix(result(TIES.id), result("ties.other"), records=rows))
    assert kinds(comparison) == [("added", "ties.other", "torch")]


def test_a_changed_statement_and_a_changed_suite_are_listed() -> None:
    """A change may then be the check's."""
    other = msgspec.structs.replace(TIES, statement="Otherwise.", level="may")
    new = matrix(result(TIES.id), records=[other], suite=SuiteRecord("0.2.0", "abc"))
    comparison = compare(matrix(result(TIES.id)), new)
    assert [(change.behaviour, change.after) for change in comparison.reworded] == [(TIES.id, "may: Otherwise.")]
    assert "from 0.1.0 (9f2c1b7a) to 0.2.0 (abc)" in compared(comparison)[-1]


@pytest.fixture
def eventful() -> Changes:
    """A change of every kind, from one engine to another."""
    ids = [f"{TIES.id}[{case}]" for case in ("regressed", "improved", "convention", "message", "feature", "removed")]
    # One verdict for each id above; the names of the cases say what becomes of them.
    old = [PASS, FAIL, PASS, FAIL, PASS, PASS]
    olds = [
        result(id, verdict, convention="one" if "convention" in id else None)
        for id, verdict in zip(ids, old, strict=True)
    ]
    news = [
        result("ties.now[regressed]", FAIL, "got <1> | @all", known=KNOWN),
        result("ties.now[improved]"),
        result("ties.now[convention]", convention="its_other"),
        result("ties.now[message]", FAIL, "other"),
        result("ties.now[feature]", Verdict.ABSENT, "No flag. (source: <b>)"),
        result("ties.now[added]", FAIL),
    ]
    record = msgspec.structs.replace(TIES, id="ties.now", was=[TIES.id], statement="Ties share.")
    later = matrix(*news, records=[record], version="3.0", suite=SuiteRecord("0.2.0", "abc"))
    return compare(matrix(*olds), of_name("another", later))


def test_the_markdown_is_as_it_was_last_looked_at(eventful: Changes) -> None:
    """One change of each kind."""
    assert {change.kind for change in eventful.changes} == set(Kind)
    assert_gold("changes.md", markdown.render_changes(eventful))


def test_the_json_form_has_a_schema(eventful: Changes) -> None:
    """The file has the promised schema, and every field is described."""
    schema = msgspec.json.schema(Changes)
    jsonschema.Draft202012Validator(schema).validate(json.loads(msgspec.json.encode(eventful)))
    fields = [about for part in schema["$defs"].values() for about in part.get("properties", {}).values()]
    assert [about for about in fields if not (about.get("description") or "$ref" in about)] == []


def test_a_thousand_behaviours_by_forty_engines_fit_a_comment() -> None:
    """Even if every cell changed, with long messages."""
    comparison = compare(wide(PASS), wide(FAIL))
    page = markdown.render_changes(comparison)
    assert len(comparison.changes) == 40_000
    assert len(page) <= COMMENT
    # All but the 25 that a table has at most (markdown.ROWS).
    assert "And 39,975 more cells are in" in page


def test_a_change_names_both_sides(eventful: Changes) -> None:
    """A change with a single side has no other."""
    sides = {change.kind: (change.before is None, change.after is None) for change in eventful.changes}
    # The only kinds with a single side.
    lacking: dict[Kind, tuple[bool, bool]] = {Kind.ADDED: (True, False), Kind.REMOVED: (False, True)}
    assert sides == {kind: lacking.get(kind, (False, False)) for kind in Kind}


@pytest.fixture
def versions(tmp_path: Path) -> Path:
    """A matrix of an engine in two versions, the later of which is worse."""
    worse = result(TIES.id, FAIL, "got [1. 0.]\n[bold]and more[/bold]")
    files = [results_file("torch", [row], [TIES], version=v) for v, row in (("1.0", result(TIES.id)), ("2.0", worse))]
    (tmp_path / "matrix.json").write_bytes(encode(merge(files)))
    return tmp_path / "matrix.json"


def test_diff_of_two_versions_names_what_regressed(versions: Path, tmp_path: Path) -> None:
    """Exit status 1 in this direction, 0 in the other; the message as it was."""
    call = conform("diff", "torch@1.0", "torch@2.0", "--in", versions, output=tmp_path)
    assert (call.status, call.err) == (1, "")
    assert "pass -> fail torch@2.0 kinks_and_ties.ties_share" in call.out
    assert "[bold]and more[/bold]" in call.out
    back = conform("diff", "torch@2.0", "torch@1.0", "--in", versions, output=tmp_path)
    assert (back.status, "fail -> pass torch@1.0" in back.out) == (0, True)
    quiet = conform("diff", "torch@2.0", "torch@1.0", "--in", versions, "-q", output=tmp_path)
    assert (quiet.status, quiet.out) == (0, "")


def test_diff_writes_markdown_and_a_page(versions: Path, tmp_path: Path) -> None:
    """The page is the later report, with its changes."""
    page = tmp_path / "deep" / "changes.html"
    words = ("diff", "torch@1.0", "torch@2.0", "--in", versions, "--format", "markdown", "--html", page)
    call = conform(*words, output=tmp_path)
    assert call.status == 1
    assert call.out.startswith("# What changed\n")
    assert "1 cell has changed" in page.read_text()


def test_diff_of_a_matrix_with_itself_is_empty(versions: Path, tmp_path: Path) -> None:
    """Nothing changed, and a line has that."""
    call = conform("diff", versions, versions, output=tmp_path)
    assert (call.status, "No cell changed." in call.out) == (0, True)
