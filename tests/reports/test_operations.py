"""A sweep over operations as files: joined, read back, compared, in Markdown; and errors for what does not fit."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import msgspec
import pytest

import reports
from autograd_conformance.operation_texts import with_texts
from conformance.known_failures import find, read
from conformance.results import KnownRecord, SuiteRecord
from conformance.verdicts import CauseKind, Outcome
from reports import markdown
from reports.files import ReportError
from reports.matrix import alone
from reports.model import Matrix, MatrixCell, Section
from reports.operations import LAW_OUTCOMES, law_outcome
from reports.sources import joined_sections
from reports.write import write_all
from tests.matrices import canonical
from tests.reports.making import FAIL, result, six_files, written
from tests.reports.making_operations import LAWS, PROGRAM, WIDE, WITNESS, sweep, sweep_file, with_engine_wide
from tests.support import CAUSE, conform

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
    return law_outcome(cell)


def _write(matrix: Matrix, folder: Path) -> Path:
    """The JSON of a section."""
    (path,) = write_all({matrix.section: matrix}, folder, data_only=True)
    return path


def test_a_sweep_has_rows_and_words_of_its_own() -> None:
    """Engines are joined; families come in the order of the table, operations without one last."""
    matrix = sweep()
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


def _bare(matrix: Matrix) -> Matrix:
    """Without what only the table of operations has."""
    rows = [msgspec.structs.replace(row, family="", meaning="", names=[]) for row in matrix.operations]
    return msgspec.structs.replace(matrix, operations=sorted(rows, key=lambda row: row.name), programs={})


def test_sections_of_two_versions_of_the_suite_do_not_fit(tmp_path: Path) -> None:
    """Within a section it is the revision that counts, beside another the version."""
    older = msgspec.structs.replace(sweep_file("jax").header, suite=SuiteRecord("0.0.9", "old"))
    other, behaviours = tmp_path / "other.jsonl", tmp_path / "behaviours.jsonl"
    other.write_bytes(written(msgspec.structs.replace(sweep_file("jax"), header=older)))
    behaviours.write_bytes(written(six_files()[0]))
    with pytest.raises(ReportError, match=r"other.jsonl: ran suite 0.0.9, but .*behaviours.jsonl ran 0.1.0"):
        joined_sections([behaviours, other])


def test_markdown_counts_and_lists_what_is_unexpected() -> None:
    """As for behaviours; nothing of an engine's text is markup."""
    page = markdown.render(sweep())
    assert page.startswith("# Autograd conformance: operations\n\n6 laws (16 rows with their cases) in 4 chapters")
    assert "| torch 2.0 | 13 | 2 | 0 | 1 | 1 |" in page
    assert f"| `{LAWS[2]}[det]` | torch | fail |" in page
    assert "raised NotImplementedError: no rule for &lt;b&gt;det" in page
    assert WITNESS not in page  # of a known failure


def test_an_engine_wide_cause_is_listed_once_and_in_no_row(tmp_path: Path) -> None:
    """In Markdown and on the terminal; the counts of verdicts, the JSON and the CSV keep each cell."""
    matrix = with_engine_wide(sweep())
    title = "No law of tomorrow holds"
    page = markdown.render(matrix)
    assert f"| jax | {title} `tomorrow` | documented limitation | 3 |" in page
    assert "| jax 2.0 | 13 | 3 |" in page
    assert page.partition("## Unexpected")[2] == markdown.render(sweep()).partition("## Unexpected")[2]
    call = conform("report", _write(matrix, tmp_path), "--output", tmp_path / "report", output=tmp_path)
    assert f"documented limitation {title} (jax 3)" in " ".join(call.out.split())
    assert [row["kind"] for row in _table(tmp_path / "report") if row["engine"] == "jax"].count(WIDE.kind_name) == 3


def _table(folder: Path) -> list[dict[str, str]]:
    return list(csv.DictReader((folder / "operations.csv").open(encoding="utf-8", newline="")))


def test_the_table_of_operations_has_families_and_programs() -> None:
    """Of the suite's own engines; an operation that the table lacks keeps its name."""
    bare = _bare(sweep())
    completed = with_texts(bare)
    assert {row.name: row.family for row in completed.operations} == {
        "abs": "Elementwise",
        "exp": "Elementwise",
        "det": "Linear algebra",
    }
    names = {row.name: row.names for row in completed.operations}
    assert {"torch.linalg.det", "jax.numpy.linalg.det", "jnp.linalg.det"} <= set(names["det"])
    # A cause of PyTorch's own file, as those of the sweep are made up and have no program.
    cause = "det_in_forward_mode_at_a_singular_matrix"
    cells = [
        msgspec.structs.replace(cell, known=msgspec.structs.replace(cell.known, cause=cause)) if cell.known else cell
        for cell in bare.cells
    ]
    assert "import torch" in with_texts(msgspec.structs.replace(bare, cells=cells)).programs[cause]


def test_the_command_diff_compares_two_sweeps(tmp_path: Path) -> None:
    """By the same words as matrices; what is of another kind, or has no page, is one line."""
    wrong, right = tmp_path / "wrong", tmp_path / "right"
    # By default the sweep's reverse mode of det is a known fail.
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
        assert law_outcome(msgspec.structs.replace(cell, verdict=type(FAIL)(verdict))) == verdict
        assert verdict in LAW_OUTCOMES


def test_a_cell_is_published_with_its_cause(tmp_path: Path) -> None:
    """Title, class and issues of the cause; the reason is the line's, where it has one."""
    path = tmp_path / "engine.toml"
    path.write_text(
        '[cause.zero]\ntitle = "A title"\nkind = "silent wrong value"\nreason = "Because."\nissues = ["https://x.org"]\n'
        'message = "got"\noperations = [\n"kinks.*[abs]",\n{ cell = "kinks.*[exp]", reason = "Its own." },\n]\n'
    )
    entries, outcome = read(path), Outcome(FAIL, None, "got 1.0")
    published = KnownRecord("Because.", "https://x.org", "", "zero", "A title", CauseKind.SILENT, ["https://x.org"])
    assert find(entries, "kinks.one[abs]", outcome) == published
    assert find(entries, "kinks.one[exp]", outcome) == msgspec.structs.replace(published, reason="Its own.")


@pytest.mark.parametrize("cell", ["kinks.one[*]", "kinks.*[*]", "*", "*[a*]"])
def test_a_pattern_of_a_law_with_any_operation_is_engine_wide(cell: str) -> None:
    """One of any cell, whose message chooses operations, is not."""
    (entry,) = msgspec.structs.replace(CAUSE, message="got", operations=(cell,)).entries()
    assert entry.record().engine_wide is cell.endswith("[*]")
    (entry,) = msgspec.structs.replace(CAUSE, message="got", behaviours=(cell,)).entries()
    assert not entry.record().engine_wide


def test_a_kind_of_cause_that_there_is_not_is_one_error(tmp_path: Path) -> None:
    """In a published section, as in a file of known failures."""
    path = _write(sweep(), tmp_path)
    path.write_text(path.read_text("utf-8").replace(CauseKind.SILENT.value, "a mystery"), "utf-8")
    with pytest.raises(ReportError, match="Invalid enum value 'a mystery'"):
        joined_sections([path])
