"""A sweep over operations as files: joined, read back, compared, in Markdown; and errors for what does not fit."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import msgspec
import pytest

import reports
from autograd_conformance.operations_output import told
from conformance.known_failures import find, read
from conformance.results import KnownRecord, SuiteRecord
from conformance.verdicts import Outcome
from reports import operations_markdown
from reports.changes import Kind, compare, of_kind
from reports.changes_text import moved
from reports.files import ReportError
from reports.matrix import alone
from reports.operations import load_operations, matrix_of, operations_of
from reports.operations_model import Operations, OperationsVerdict, schema_text
from reports.reading import joined, joined_parts
from reports.write import OperationsFiles, write_all, write_operations
from tests.reports.making import FAIL, result, six_cells, six_files, written
from tests.reports.making_operations import LAWS, PROGRAM, ROWS, WITNESS, sweep, sweep_file, sweep_files
from tests.support import Call, conform

SCHEMA = Path(reports.__file__).with_name("operations.schema.json")


def _results(folder: Path, *specs: str) -> list[Path]:
    paths = []
    for spec in specs:
        path = folder / spec / "results" / f"{spec}.jsonl"
        path.parent.mkdir(parents=True)
        path.write_bytes(written(sweep_file(spec)))
        paths.append(folder / spec)
    return paths


def _verdict(found: Operations, operation: str, law: str, engine: str) -> str:
    (cell,) = (one for one in found.cells if (one.operation, one.law, one.engine) == (operation, law, engine))
    return cell.verdict.value


def test_a_sweep_and_its_matrix_say_the_same() -> None:
    """Verdicts of one are those of the other, so that what serves matrices serves sweeps."""
    for file in sweep_files():
        found = operations_of(alone(file))
        again = operations_of(matrix_of(found))
        assert again == found
        assert [one.verdict for one in matrix_of(found).cells] == [one.verdict for one in alone(file).cells]


def test_the_file_is_that_of_the_schema_and_is_read_back(tmp_path: Path) -> None:
    """Engines are joined; families come in the order of the table, operations without one last."""
    found = sweep()
    paths = write_operations(found, tmp_path, OperationsFiles.USUAL)
    assert [path.name for path in paths] == ["operations.json", "operations.csv", "operations.md"]
    jsonschema.validate(json.loads(paths[0].read_text()), json.loads(SCHEMA.read_text()))
    assert SCHEMA.read_text() == schema_text()
    assert load_operations(paths[0]) == found
    assert [row.name for row in found.operations] == ["det", "abs", "exp"]
    assert [engine.column for engine in found.engines] == ["torch", "jax", "hips"]
    assert found.programs == {"det_at_zero": PROGRAM}
    assert _verdict(found, "det", LAWS[1], "torch") == "fail"
    assert _verdict(found, "det", LAWS[2], "torch") == "raises"
    assert _verdict(found, "det", LAWS[0], "torch") == "not applicable"
    assert _verdict(found, "det", LAWS[0], "hips") == "not offered"
    assert _verdict(found, "abs", LAWS[4], "hips") == "fail"


def test_results_and_published_files_are_joined_in_any_mixture(tmp_path: Path) -> None:
    """A folder with results, an operations.json, and results of behaviours."""
    torch, jax = _results(tmp_path, "torch", "jax")
    write_operations(operations_of(alone(sweep_file("hips"))), tmp_path / "hips", OperationsFiles.DATA)
    behaviours = tmp_path / "behaviours.jsonl"
    behaviours.write_bytes(written(six_files()[0]))
    found = joined_parts([torch, jax, tmp_path / "hips" / "operations.json", behaviours])
    assert found.operations is not None
    assert {(one.operation, one.law, one.engine, one.verdict) for one in found.operations.cells} == {
        (one.operation, one.law, one.engine, one.verdict) for one in sweep().cells
    }
    assert found.matrix is not None
    assert [engine.column for engine in found.matrix.engines] == ["torch"]
    with pytest.raises(ReportError, match="has operations, and no behaviours"):
        joined([torch])


def test_what_does_not_fit_is_named(tmp_path: Path) -> None:
    """Another revision, one engine twice, another version of the suite beside behaviours, a file that was edited."""
    (torch,) = _results(tmp_path, "torch")
    older = msgspec.structs.replace(sweep_file("jax").header, suite=SuiteRecord("0.0.9", "old"))
    other = tmp_path / "other.jsonl"
    other.write_bytes(written(msgspec.structs.replace(sweep_file("jax"), header=older)))
    with pytest.raises(ReportError, match=r"other.jsonl: ran suite 0.0.9 \(old\), but"):
        joined_parts([torch, other])
    with pytest.raises(ReportError, match=r"engine 'torch' 2\.0 is already in"):
        joined_parts([torch, torch])
    behaviours = tmp_path / "behaviours.jsonl"
    behaviours.write_bytes(written(six_files()[0]))
    with pytest.raises(ReportError, match=r"other.jsonl: ran suite 0.0.9, but .*behaviours.jsonl ran 0.1.0"):
        joined_parts([behaviours, other])
    found = sweep()
    torn = tmp_path / "operations.json"
    torn.write_bytes(msgspec.json.encode(found)[:-9])
    with pytest.raises(ReportError, match=r"operations\.json: is empty or cut short"):
        joined_parts([torn])
    torn.write_bytes(msgspec.json.encode(msgspec.structs.replace(found, cells=found.cells + found.cells[:1])))
    with pytest.raises(ReportError, match="appears twice"):
        joined_parts([torn])
    torn.write_bytes(msgspec.json.encode(msgspec.structs.replace(found, laws=[])))
    with pytest.raises(ReportError, match="has no operation, no law or no column"):
        joined_parts([torn])


def test_changes_are_found_as_in_a_matrix() -> None:
    """A derivative that becomes wrong regressed; that it now raises an error is told."""
    before = matrix_of(operations_of(alone(sweep_file("jax"))))
    after = matrix_of(operations_of(alone(sweep_file("torch"))))
    after = msgspec.structs.replace(after, engines=before.engines, cells=_of("jax", after.cells))
    found = compare(before, after)
    assert {change.behaviour: moved(change) for change in of_kind(found, Kind.REGRESSED)} == {
        f"{LAWS[0]}[det]": "pass -> absent",
        f"{LAWS[1]}[det]": "pass -> fail (known)",
        f"{LAWS[2]}[det]": "pass -> fail (raises)",
    }


def _of(engine: str, cells: list) -> list:  # type: ignore[type-arg]
    return [msgspec.structs.replace(cell, engine=engine) for cell in cells]


def test_markdown_counts_and_lists_what_is_flagged() -> None:
    """A table per family; a line per verdict and cause; nothing of an engine's text is markup."""
    page = operations_markdown.render(sweep())
    assert "## Linear algebra" in page
    assert page.index("## Linear algebra") < page.index("## Elementwise")
    assert "| `det` | 2 pass, 1 fail, 1 raises | 5 pass | not offered |" in page
    assert "| `exp` | 5 pass | 5 pass | 5 pass |" in page
    assert "- `det` on torch: fail in reverse mode; known, det is wrong at a singular matrix" in page
    assert "- `det` on torch: raises in forward mode; raised NotImplementedError: no rule for &lt;b&gt;det" in page
    assert WITNESS not in page


def test_the_table_of_operations_tells_families_and_programs() -> None:
    """Of the suite's own engines; an operation that the table lacks keeps its name."""
    engines = {"torch": "torch", "jax": "jax", "hips": "hips"}
    bare = msgspec.structs.replace(sweep(), operations=[msgspec.structs.replace(row, family="") for row in ROWS])
    found = told(bare)
    assert {row.name: row.family for row in found.operations} == {
        "abs": "Elementwise",
        "exp": "Elementwise",
        "det": "Linear algebra",
    }
    assert list(engines) == [engine.column for engine in found.engines]
    cause = "det_in_forward_mode_at_a_singular_matrix"
    cells = [
        msgspec.structs.replace(one, known=msgspec.structs.replace(one.known, cause=cause)) if one.known else one
        for one in bare.cells
    ]
    assert "import torch" in told(msgspec.structs.replace(bare, cells=cells)).programs[cause]


def test_all_files_are_written_side_by_side(tmp_path: Path) -> None:
    """The page has a view of operations only if there are some."""
    names = {path.name for path in write_all(six_cells(), tmp_path / "both", sweep())}
    assert {"matrix.json", "report.html", "operations.json", "operations.csv", "operations.md"} <= names
    alone_ = write_operations(sweep(), tmp_path / "alone", OperationsFiles.WITH_PAGE)
    assert [path.name for path in alone_][-1] == "report.html"


def _report(folder: Path, *arguments: object) -> Call:
    return conform("report", *arguments, "-o", folder, output=folder)


def test_the_command_report_joins_both_kinds(tmp_path: Path) -> None:
    """Exit status and counts are of both; alone, operations make a page too; --json-only writes the data."""
    sweeps = _results(tmp_path, "torch", "jax")
    behaviours = tmp_path / "jax.jsonl"
    behaviours.write_bytes(written(six_files()[1]))
    call = _report(tmp_path / "out", *sweeps, behaviours, "--json")
    found = json.loads(call.out)
    assert call.status == found["exit_status"] == 1
    assert [cell["behaviour"] for cell in found["unexpected"]] == [f"{LAWS[2]}[det]"]
    assert [(one["column"], one["verdicts"]["fail"], one["known"]) for one in found["operations"]] == [
        ("torch", 1, 1),
        ("jax", 0, 0),
    ]
    assert {Path(name).name for name in found["files"]} >= {"matrix.json", "operations.json", "report.html"}
    again = _report(tmp_path / "again", tmp_path / "out")
    assert (tmp_path / "again" / "operations.json").read_bytes() == (tmp_path / "out" / "operations.json").read_bytes()
    assert "raised NotImplementedError" in again.out
    call = _report(tmp_path / "data", *sweeps, "--json-only")
    assert call.status == 0
    assert [path.name for path in (tmp_path / "data").iterdir()] == ["operations.json"]
    call = _report(tmp_path / "page", *sweeps)
    assert (tmp_path / "page" / "report.html").exists()
    assert not (tmp_path / "page" / "matrix.json").exists()


def test_the_command_diff_compares_two_sweeps(tmp_path: Path) -> None:
    """By the same words as matrices; what is of another kind, or has no page, is one line."""
    wrong, right = tmp_path / "wrong", tmp_path / "right"
    for folder, reverse in ((wrong, None), (right, result(f"{LAWS[1]}[det]"))):
        found = operations_of(alone(sweep_file("torch", reverse)))
        write_operations(found, folder, OperationsFiles.DATA)
    call = conform("diff", right, wrong / "operations.json", output=tmp_path)
    assert call.status == 1
    assert f"pass -> fail (known) torch {LAWS[1]}[det]" in call.out
    assert WITNESS in " ".join(call.out.split())
    call = conform("diff", wrong, right, "--json", output=tmp_path)
    assert call.status == 0
    assert [one["kind"] for one in json.loads(call.out)["changes"]] == ["improved"]
    assert "## Improved: 1" in conform("diff", wrong, right, "--format", "markdown", output=tmp_path).out
    behaviours = tmp_path / "torch.jsonl"
    behaviours.write_bytes(written(six_files()[0]))
    for arguments, error in (
        ((behaviours, right), "has operations, but"),
        ((wrong, right, "--html", tmp_path / "page.html"), "the page of changes is that of behaviours"),
        (("torch", "tortch", "--in", right), "has no column 'tortch'; did you mean 'torch'?"),
    ):
        call = conform("diff", *arguments, output=tmp_path)
        assert call.status == 2
        assert error in call.err
        assert call.err.count("\n") == 1


def test_every_verdict_of_a_run_has_one_here() -> None:
    """A crash and a timeout are told as such."""
    file = sweep_file("jax")
    for verdict in ("crash", "timeout", "error"):
        cells = [msgspec.structs.replace(alone(file).cells[0], verdict=type(FAIL)(verdict))]
        matrix = msgspec.structs.replace(alone(file), cells=cells)
        assert [cell.verdict for cell in operations_of(matrix).cells] == [OperationsVerdict(verdict)]


def test_a_cell_is_published_with_its_cause(tmp_path: Path) -> None:
    """Title, class and issues of the cause; the reason is the line's, where it has one."""
    path = tmp_path / "engine.toml"
    path.write_text(
        '[cause.zero]\ntitle = "A title"\nkind = "silent wrong value"\nreason = "Because."\nissues = ["https://x.org"]\n'
        'message = "got"\noperations = [\n"kinks.*[abs]",\n{ cell = "kinks.*[exp]", reason = "Its own." },\n]\n'
    )
    entries, outcome = read(path), Outcome(FAIL, None, "got 1.0")
    published = KnownRecord("Because.", "https://x.org", "", "zero", "A title", "silent wrong value", ["https://x.org"])
    assert find(entries, "kinks.one[abs]", outcome) == published
    assert find(entries, "kinks.one[exp]", outcome) == msgspec.structs.replace(published, reason="Its own.")
