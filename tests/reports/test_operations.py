"""A sweep over operations as files: joined, read back, compared, in Markdown; and errors for what does not fit."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import msgspec
import pytest

import reports
from autograd_conformance.operation_texts import with_texts
from conformance.known_failures import find, read
from conformance.results import KnownRecord, SuiteRecord
from conformance.verdicts import Outcome
from reports import markdown
from reports.changes import Kind, compare, of_kind
from reports.changes_text import moved
from reports.files import ReportError
from reports.matrix import alone, canonical, load
from reports.model import Matrix, MatrixCell, Section
from reports.operations import LawVerdict, verdict_of
from reports.sources import joined, joined_sections
from reports.write import write_all
from tests.reports.making import FAIL, result, six_cells, six_files, written
from tests.reports.making_operations import LAWS, PROGRAM, WITNESS, sweep, sweep_file
from tests.support import Call, conform

SCHEMA = Path(reports.__file__).with_name("matrix.schema.json")


def _results(folder: Path, *specs: str) -> list[Path]:
    paths = []
    for spec in specs:
        path = folder / spec / "results" / f"{spec}.jsonl"
        path.parent.mkdir(parents=True)
        path.write_bytes(written(sweep_file(spec)))
        paths.append(folder / spec)
    return paths


def _verdict(matrix: Matrix, operation: str, law: str, engine: str) -> str:
    (cell,) = (cell for cell in matrix.cells if (cell.behaviour, cell.engine) == (f"{law}[{operation}]", engine))
    return verdict_of(cell).value


def _write(matrix: Matrix, folder: Path) -> Path:
    """The JSON of a section."""
    (path,) = write_all({matrix.section: matrix}, folder, data_only=True)
    return path


def test_the_file_is_that_of_the_schema_and_is_read_back(tmp_path: Path) -> None:
    """Engines are joined; families come in the order of the table, operations without one last."""
    matrix = sweep()
    paths = write_all({Section.OPERATIONS: matrix}, tmp_path)
    assert [path.name for path in paths] == ["operations.json", "report.html", "operations.csv", "operations.md"]
    jsonschema.validate(json.loads(paths[0].read_text()), json.loads(SCHEMA.read_text()))
    assert load(paths[0]) == matrix
    assert [row.name for row in matrix.operations] == ["det", "abs", "exp"]
    assert [engine.column for engine in matrix.engines] == ["torch", "jax", "hips"]
    assert matrix.programs == {"det_at_zero": PROGRAM}
    assert _verdict(matrix, "det", LAWS[1], "torch") == "fail"
    assert _verdict(matrix, "det", LAWS[2], "torch") == "raises"
    assert _verdict(matrix, "det", LAWS[0], "torch") == "not applicable"
    assert _verdict(matrix, "det", LAWS[0], "hips") == "not offered"
    assert _verdict(matrix, "abs", LAWS[4], "hips") == "fail"


def test_results_and_published_files_are_joined_in_any_mixture(tmp_path: Path) -> None:
    """A folder with results, an operations.json, and results of behaviours."""
    torch, jax = _results(tmp_path, "torch", "jax")
    _write(alone(sweep_file("hips")), tmp_path / "hips")
    behaviours = tmp_path / "behaviours.jsonl"
    behaviours.write_bytes(written(six_files()[0]))
    both = joined_sections([torch, jax, tmp_path / "hips" / "operations.json", behaviours])
    assert canonical(both.sections[Section.OPERATIONS]) == canonical(_bare(sweep()))
    assert [engine.column for engine in both.sections[Section.BEHAVIOURS].engines] == ["torch"]
    with pytest.raises(ReportError, match="has operations, and no behaviours"):
        joined([torch])


def _bare(matrix: Matrix) -> Matrix:
    """Without what only the table of operations has."""
    rows = [msgspec.structs.replace(row, family="", meaning="") for row in matrix.operations]
    return msgspec.structs.replace(matrix, operations=sorted(rows, key=lambda row: row.name), programs={})


def test_what_does_not_fit_is_named(tmp_path: Path) -> None:
    """Another revision, an engine twice, another version of the suite beside behaviours, a file that was edited."""
    (torch,) = _results(tmp_path, "torch")
    older = msgspec.structs.replace(sweep_file("jax").header, suite=SuiteRecord("0.0.9", "old"))
    other = tmp_path / "other.jsonl"
    other.write_bytes(written(msgspec.structs.replace(sweep_file("jax"), header=older)))
    with pytest.raises(ReportError, match=r"other.jsonl: ran suite 0.0.9 \(old\), but"):
        joined_sections([torch, other])
    with pytest.raises(ReportError, match=r"engine 'torch' 2\.0 is already in"):
        joined_sections([torch, torch])
    behaviours = tmp_path / "behaviours.jsonl"
    behaviours.write_bytes(written(six_files()[0]))
    with pytest.raises(ReportError, match=r"other.jsonl: ran suite 0.0.9, but .*behaviours.jsonl ran 0.1.0"):
        joined_sections([behaviours, other])
    torn = _write(sweep(), tmp_path)
    torn.write_bytes(torn.read_bytes()[:-9])
    with pytest.raises(ReportError, match=r"operations\.json: is empty or cut short"):
        joined_sections([torn])


def test_changes_are_found_as_in_a_matrix() -> None:
    """A derivative that becomes wrong regressed, with its earlier and later outcome."""
    before = alone(sweep_file("jax"))
    after = alone(sweep_file("torch"))
    after = msgspec.structs.replace(after, engines=before.engines, cells=_of("jax", after.cells))
    changes = compare(before, after)
    assert {change.behaviour: moved(change) for change in of_kind(changes, Kind.REGRESSED)} == {
        f"{LAWS[0]}[det]": "pass -> absent",
        f"{LAWS[1]}[det]": "pass -> fail (known)",
        f"{LAWS[2]}[det]": "pass -> fail (raised)",
    }


def _of(engine: str, cells: list) -> list:  # type: ignore[type-arg]
    return [msgspec.structs.replace(cell, engine=engine) for cell in cells]


def test_markdown_counts_and_lists_what_is_unexpected() -> None:
    """As for behaviours; nothing of an engine's text is markup."""
    page = markdown.render(sweep())
    assert page.startswith("# Autograd conformance: operations\n\n6 laws (16 rows with their cases) in 4 chapters")
    assert "| torch 2.0 | 13 | 2 | 0 | 1 | 1 |" in page
    assert f"| `{LAWS[2]}[det]` | torch | fail |" in page
    assert "raised NotImplementedError: no rule for &lt;b&gt;det" in page
    assert WITNESS not in page  # of a known failure


def test_the_table_of_operations_has_families_and_programs() -> None:
    """Of the suite's own engines; an operation that the table lacks keeps its name."""
    bare = _bare(sweep())
    completed = with_texts(bare)
    assert {row.name: row.family for row in completed.operations} == {
        "abs": "Elementwise",
        "exp": "Elementwise",
        "det": "Linear algebra",
    }
    cause = "det_in_forward_mode_at_a_singular_matrix"
    cells = [
        msgspec.structs.replace(cell, known=msgspec.structs.replace(cell.known, cause=cause)) if cell.known else cell
        for cell in bare.cells
    ]
    assert "import torch" in with_texts(msgspec.structs.replace(bare, cells=cells)).programs[cause]


def test_all_files_are_written_side_by_side(tmp_path: Path) -> None:
    """The page has a view of operations only if there are some."""
    both = {Section.BEHAVIOURS: six_cells(), Section.OPERATIONS: sweep()}
    names = {path.name for path in write_all(both, tmp_path)}
    assert {"matrix.json", "report.html", "operations.json", "operations.csv", "operations.md"} <= names


def _report(folder: Path, *arguments: object) -> Call:
    return conform("report", *arguments, "-o", folder, output=folder)


def test_the_command_report_joins_both_kinds(tmp_path: Path) -> None:
    """Exit status and counts are of both; alone, operations make a page too; --json-only writes the data."""
    sweeps = _results(tmp_path, "torch", "jax")
    behaviours = tmp_path / "jax.jsonl"
    behaviours.write_bytes(written(six_files()[1]))
    call = _report(tmp_path / "out", *sweeps, behaviours, "--json")
    output = json.loads(call.out)
    assert call.status == output["exit_status"] == 1
    assert [cell["behaviour"] for cell in output["unexpected"]] == [f"{LAWS[2]}[det]"]
    counts = [(at["section"], at["column"], at["verdicts"]["fail"], at["known"]) for at in output["engines"]]
    assert counts[1:] == [("operations", "torch", 2, 1), ("operations", "jax", 0, 0)]
    assert counts[0][:2] == ("matrix", "jax:jit")
    assert {Path(name).name for name in output["files"]} >= {"matrix.json", "operations.json", "report.html"}
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
        _write(alone(sweep_file("torch", reverse)), folder)
    call = conform("diff", right, wrong / "operations.json", output=tmp_path)
    assert call.status == 1
    assert f"pass -> fail (known) torch {LAWS[1]}[det]" in call.out
    assert WITNESS in " ".join(call.out.split())
    call = conform("diff", wrong, right, "--json", output=tmp_path)
    assert call.status == 0
    assert [change["kind"] for change in json.loads(call.out)["changes"]] == ["improved"]
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


def test_every_verdict_of_a_run_has_a_word() -> None:
    """A crash and a timeout are themselves."""
    cell: MatrixCell = alone(sweep_file("jax")).cells[0]
    for verdict in ("crash", "timeout", "error"):
        assert verdict_of(msgspec.structs.replace(cell, verdict=type(FAIL)(verdict))) is LawVerdict(verdict)


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
