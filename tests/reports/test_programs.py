"""Campaigns of programs as files: joined from many machines, read back, as CSV and Markdown; and their pictures."""

from __future__ import annotations

import csv
import io
import json
from itertools import chain
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest

import autograd_conformance
import reports
from conformance.results import (
    PROGRAMS,
    SCHEMA,
    EngineRecord,
    Footer,
    Header,
    KnownRecord,
    Record,
    ResultRecord,
    ResultsError,
    SuiteRecord,
    TallyRecord,
)
from conformance.results_file import append, read
from conformance.verdicts import Verdict
from reports import cells_csv, markdown
from reports.files import ReportError
from reports.join import PathMatrix, join
from reports.matrix import load
from reports.model import Matrix
from reports.programs import programs_of
from reports.sources import joined_sections
from reports.write import write_all
from tests.matrices import canonical
from tests.reports.making import six_files, written
from tests.reports.making_operations import LAWS, sweep_file
from tests.support import Call, conform

PUBLISHED = Path(reports.__file__).with_name("matrix.schema.json")
OUTPUT = Path(autograd_conformance.__file__).with_name("output.schema.json")
# Markup, and a formula of a spreadsheet: neither may become one in an output.
WRONG, KNOWN = "forward: mul_: <b>value", "crash: =1+1"
REASON = KnownRecord("It is known.", "", "", title="mul_ is wrong")


def _header(engine: str = "torch", revision: str = "r1", adapter: str = "a1", version: str = "2.13") -> Header:
    record = EngineRecord(engine, engine, version, {}, {}, "Linux", "3.11")
    suite, started = SuiteRecord("0.1.0", revision), "2026-11-20T00:00:00+00:00"
    return Header(SCHEMA, suite, record, [], 0, 0, False, started, adapter, 30.0, part=PROGRAMS)


def _range(first: int, last: int, wrong: tuple[int, ...] = (), kind: str = "eager", known: int = 0) -> list[Record]:
    """The finding of the first wrong seed, and the tally."""
    seen = {WRONG: len(wrong)} if wrong else {}
    count = last - first
    tally = TallyRecord(kind, first, last, count, count - 1, 1, seen | ({KNOWN: known} if known else {}), 2.0)
    return [*(_finding(kind, seed) for seed in wrong[:1]), tally]


def _finding(kind: str, seed: int) -> ResultRecord:
    cell, program = f"forward[{kind}:{seed}]", {"seed": seed}
    return ResultRecord(cell, Verdict.FAIL, None, f"got {seed}", 0.0, signature=WRONG, program=program)


def _file(folder: Path, name: str, *ranges: list[Record], **header: Any) -> Path:
    """A results file with these ranges."""
    path = folder / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as stream:
        for record in (_header(**header), *chain(*ranges), Footer(3.0, [], {KNOWN: REASON})):
            append(stream, record)
    return path


def _found(*paths: Path) -> Matrix:
    return join([PathMatrix(str(path), programs_of(read(path))) for path in paths])


def _write(matrix: Matrix, folder: Path) -> Path:
    """The JSON of a section."""
    (path,) = write_all({matrix.section: matrix}, folder, data_only=True)
    return path


def _seed(cell: Any) -> int | None:
    return cell.program.seed if cell.program else None


def _counted(matrix: Matrix) -> list[tuple[str, int, int | None]]:
    return [(cell.behaviour, sum(cell.counts.values()), _seed(cell)) for cell in matrix.cells]


def test_ranges_of_many_machines_are_one_campaign(tmp_path: Path) -> None:
    """In any order, and read back from a file; their findings are counted together."""
    whole = _file(tmp_path, "whole", _range(0, 30, (7, 12, 25), known=3))
    parts = [
        _file(tmp_path / "2", "torch", _range(10, 20, (12,), known=2)),
        _file(tmp_path / "1", "torch", _range(0, 10, (7,))),
        _file(tmp_path / "3", "torch", _range(20, 30, (25,), known=1)),
    ]
    joined = _found(*parts)
    (tally,) = joined.tallies
    assert (tally.ranges, tally.programs, tally.judged) == ([(0, 30)], 30, 27)
    assert _counted(joined) == [(WRONG, 3, 7), (KNOWN, 3, None)]
    # `_range` leaves one program of each range unjudged: one of the whole, three of its parts.
    expected = msgspec.structs.replace(_found(whole).tallies[0], judged=27, unsupported=3)
    assert canonical(joined) == canonical(msgspec.structs.replace(_found(whole), tallies=[expected]))
    again = join(
        [PathMatrix("programs.json", load(_write(_found(parts[0]), tmp_path))), PathMatrix("rest", _found(*parts[1:]))]
    )
    assert canonical(again) == canonical(joined)
    # Three seconds of each part's footer.
    assert again.engines[0].duration_s == 9.0


def test_engines_and_versions_have_their_own_rows(tmp_path: Path) -> None:
    """As columns of a matrix have."""
    joined = _found(
        _file(tmp_path, "new", _range(0, 9, (1,))),
        _file(tmp_path, "old", _range(0, 9, (2,)), version="2.9"),
        _file(tmp_path, "jax", _range(0, 9), _range(0, 4, (3,), "scans"), engine="jax"),
    )
    assert [engine.column for engine in joined.engines] == ["torch@2.13", "torch@2.9", "jax"]
    rows = [(row.engine, row.kind, row.programs) for row in joined.tallies]
    assert rows == [("torch@2.13", "eager", 9), ("torch@2.9", "eager", 9), ("jax", "eager", 9), ("jax", "scans", 4)]
    assert [(cell.engine, cell.counts) for cell in joined.cells] == [
        ("torch@2.13", {"eager": 1}),
        ("torch@2.9", {"eager": 1}),
        ("jax", {"scans": 1}),
    ]


def test_what_does_not_fit_is_one_line(tmp_path: Path) -> None:
    """Seeds twice, two revisions, two adapters, a campaign that was cut short, a file that was edited."""
    first = _file(tmp_path, "first", _range(0, 10))
    _file(tmp_path, "third", _range(20, 30))
    for name, error, header in (
        ("twice", "twice.jsonl: has seeds 5:10 of kind eager of torch, as .*first.jsonl has; leave one", {}),
        ("other", r"other.jsonl: ran suite 0.1.0 \(r2\), but .*first.jsonl ran 0.1.0 \(r1\)", {"revision": "r2"}),
        ("adapter", "adapter.jsonl: kind eager of torch ran adapter a2, but .*first.jsonl ran a1", {"adapter": "a2"}),
    ):
        other = _file(tmp_path, name, _range(5, 15), **header)
        with pytest.raises(ReportError, match=error):
            joined_sections([first, tmp_path / "third.jsonl", other])
    lines = first.read_text().splitlines(keepends=True)
    first.write_text("".join(lines[:-1]))
    with pytest.raises(ResultsError, match="has no footer, the run was cut short"):
        joined_sections([first])
    first.write_text("".join([lines[0], lines[1].replace('"first":0', '"first":"0"')]))
    with pytest.raises(ResultsError, match="line 2 is not a record of"):
        joined_sections([first])
    # The same campaign in a programs.json.
    _write(_found(tmp_path / "third.jsonl"), tmp_path)
    with pytest.raises(ReportError, match="has seeds 20:30"):
        joined_sections([tmp_path / "programs.json", tmp_path / "third.jsonl"])


def test_tallies_of_no_engine_are_an_error(tmp_path: Path) -> None:
    """In a programs.json that was edited."""
    path = _write(_found(_file(tmp_path, "torch", _range(0, 30, (7,), known=2))), tmp_path)
    path.write_text(json.dumps(json.loads(path.read_text()) | {"engines": []}))
    with pytest.raises(ReportError, match="have no column"):
        load(path)


def test_texts_are_escaped(tmp_path: Path) -> None:
    """In Markdown no markup of an engine, in CSV no formula; both name every signature."""
    joined = _found(_file(tmp_path, "torch", _range(0, 9, (7,), known=2), _range(90, 99), _range(40, 50)))
    page = markdown.render(joined)
    assert "| torch | eager | 0:9, 40:50, 90:99 | 28 | 25 | 3 | 1 | 1 |" in page
    assert f"| `{WRONG}` | torch | fail | No generated program shows this. | got 7 |" in page
    assert f"`{KNOWN}` | fail (known) |" in page
    rows = list(csv.DictReader(io.StringIO(cells_csv.render(joined))))
    assert [(row["behaviour"], row["programs"], row["seed"], row["known"]) for row in rows] == [
        (WRONG, "1", "eager:7", ""),
        (KNOWN, "2", "", "It is known."),
    ]


def test_the_command_report_joins_all_sections(tmp_path: Path) -> None:
    """Exit status and counts are of all; a section alone has its files; a report's folder is read like its results."""
    folder = tmp_path / "in"
    _file(folder, "torch-programs", _range(0, 9, (7,)))
    known = _file(folder, "jax-programs", _range(0, 9, known=1), engine="jax")
    sweep, behaviours = folder / "torch.jsonl", folder / "behaviours.jsonl"
    sweep.write_bytes(written(sweep_file("torch")))
    behaviours.write_bytes(written(six_files()[1]))
    call = _report(tmp_path / "out", folder, "--json")
    output = json.loads(call.out)
    jsonschema.Draft202012Validator(json.loads(OUTPUT.read_text())).validate({"report": output})
    assert call.status == output["exit_status"] == 1
    assert [cell["behaviour"] for cell in output["unexpected"]] == [f"{LAWS[2]}[det]", WRONG]
    counts = [(at["section"], at["column"], at["verdicts"]["fail"], at["known"]) for at in output["engines"]]
    assert counts[:2] == [("matrix", "jax:jit", 0, 0), ("operations", "torch", 2, 1)]
    published = ("matrix.json", "operations.json", "programs.json")
    assert {Path(name).name for name in output["files"]} >= {*published, "report.html", "operations.md", "programs.md"}
    again = _report(tmp_path / "again", tmp_path / "out")
    assert "raised NotImplementedError" in again.out
    for name in published:
        assert (tmp_path / "again" / name).read_bytes() == (tmp_path / "out" / name).read_bytes()
    alone = _report(tmp_path / "alone", known, "--json")
    assert (alone.status, len(json.loads(alone.out)["tallies"])) == (0, 1), alone.err
    assert (tmp_path / "alone" / "report.html").exists()
    assert not (tmp_path / "alone" / "matrix.json").exists()
    assert _report(tmp_path / "data", sweep, "--json-only").status == 0
    assert [path.name for path in (tmp_path / "data").iterdir()] == ["operations.json"]


def _report(folder: Path, *arguments: object) -> Call:
    return conform("report", *arguments, "-o", folder, output=folder)
