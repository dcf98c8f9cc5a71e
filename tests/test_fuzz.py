"""Any input from outside is read, or an error in one line: never a traceback, for any bytes."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import sys
import types
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autograd_conformance.cli import cli, main
from conformance import collection, engines, known_failures, trial
from conformance.known_causes import Cause
from conformance.protocol import Absence
from conformance.results import ResultRecord, ResultsError
from conformance.results_file import read, records
from conformance.running import pool, resumption
from conformance.running.options import Options
from conformance.verdicts import Verdict
from reports import markdown
from reports.changes import compare
from reports.files import ReportError
from reports.matrix import encode
from reports.write import write_all
from tests.matrices import joined, merge
from tests.reports.making import TIES, results_file, six_cells, six_files
from tests.support import ZOO, run_zoo
from tests.zoo.adapters import Healthy

# No deadline: a shared machine is slow at times. tmp_path is the same for all examples, which overwrite one file.
QUICK = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
WRITING = settings(QUICK, max_examples=40)  # a whole report, pushed to the disk, each time
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """The records of a good results file."""
    call = run_zoo("Healthy", tmp_path_factory.mktemp("good"))
    text = next((call.output / "results").glob("*.jsonl")).read_text()
    return [json.loads(line) for line in text.splitlines()]


def use(path: Path) -> None:
    """Everything that is done with a results file."""
    with contextlib.suppress(ResultsError, ReportError):
        merge([read(path)])


@QUICK
@given(data=st.data())
def test_any_change_of_a_record_is_noticed_or_harmless(data: st.DataObject, lines: list[Any], tmp_path: Path) -> None:
    """A value of a good file replaced by another, a record dropped, doubled or moved."""
    changed = [dict(line) for line in lines]
    at = data.draw(st.integers(0, len(changed) - 1))
    change = data.draw(st.sampled_from(["value", "drop", "double", "swap"]))
    if change == "value":
        changed[at][data.draw(st.sampled_from(sorted(changed[at])))] = data.draw(JSON)
    elif change == "drop":
        del changed[at]
    elif change == "double":
        changed.insert(at, changed[at])
    else:
        changed[at], changed[-1] = changed[-1], changed[at]
    path = tmp_path / "results.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in changed) + "\n")
    use(path)


# A table [cause.NAME] with keys and values of any kind.
CAUSES = st.dictionaries(
    st.sampled_from([*Cause.__struct_fields__, "other"]),
    st.text(max_size=10) | st.integers() | st.booleans() | st.sampled_from(["fail", "error", ">=1", ["a.b"]]),
).map(lambda keys: "[cause.a]\n" + "\n".join(f"{key} = {json.dumps(value)}" for key, value in keys.items()))


@QUICK
@given(spec=st.text(max_size=30) | st.from_regex(r"[a-z.]{1,8}:[A-Za-z=,:]{0,8}", fullmatch=True))
def test_any_text_is_an_engine_or_an_error(spec: str) -> None:
    """Names, paths, parameters, and neither."""
    with contextlib.suppress(engines.EngineError):
        engines.parse(spec)


WORDS = st.text(st.characters(exclude_characters="/\0"), max_size=6).filter(lambda text: text not in (".", ".."))
# Among them are numbers that Python reads and an option must not take.
VALUES = WORDS | st.sampled_from(
    ["-1", "0", "1", "nan", "inf", "1e999", "9" * 30, "tests.zoo.adapters:Healthy", "errands"]
)
OPTIONS = sorted({name for command in cli.commands.values() for param in command.params for name in param.opts})


def _checks_options(engines: object, options: Options, tell: object) -> list[Any]:
    """Instead of running engines: the options of a run are in range."""
    assert 0.1 <= options.limits.seconds <= 10**6
    assert 0.01 <= options.limits.memory <= 10**6
    assert options.workers is None or 1 <= options.workers <= 1024
    assert options.seed is None or 0 <= options.seed < 2**32
    return []


@QUICK
@given(
    command=st.sampled_from([*cli.commands, "ran", ""]), words=st.lists(st.sampled_from(OPTIONS) | VALUES, max_size=6)
)
def test_any_command_line_is_understood_or_an_error(
    command: str, words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Options of every command with values of any kind: exit status 0, 1 or 2, never a traceback.

    No engine is started.
    """
    monkeypatch.chdir(tmp_path)
    # Only the start of engines is replaced: everything before it sees the words.
    monkeypatch.setattr(pool, "run_engines", _checks_options)
    monkeypatch.setattr("sys.argv", ["autograd-conformance", command, *words])
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as errors:
        try:
            main()
            status: object = 0
        except SystemExit as ended:
            status = ended.code
    assert status in (0, 1, 2, None), (command, words)
    assert "Traceback" not in errors.getvalue()
    assert status != 2 or errors.getvalue().count("autograd-conformance: error: ") == 1, errors.getvalue()


@st.composite
def broken(draw: st.DrawFn, good: bytes) -> bytes:
    """A good file after an accident: bytes changed, or lines dropped, repeated, torn, grown."""
    lines = good.splitlines(keepends=True)
    at = draw(st.integers(0, len(lines) - 1))
    accident = draw(st.sampled_from(["bytes", "drop", "repeat", "tear", "grow", "mix"]))
    if accident == "bytes":
        where = draw(st.integers(0, len(good) - 1))
        return good[:where] + draw(st.binary(min_size=1, max_size=4)) + good[where + draw(st.integers(0, 4)) :]
    if accident == "tear":
        return good[: draw(st.integers(0, len(good)))]
    if accident == "mix":
        return b"".join(draw(st.permutations(lines)))
    # A line of a megabyte is no longer what a reader of lines expects.
    changed = {"drop": b"", "repeat": lines[at] * 3, "grow": lines[at].rstrip() + b"x" * 10**6 + b"\n"}[accident]
    return b"".join([*lines[:at], changed, *lines[at + 1 :]])


@QUICK
@given(data=st.data())
def test_a_results_file_after_an_accident(data: st.DataObject, lines: list[Any], tmp_path: Path) -> None:
    """Any bytes, too: merged, or resumed, it is read, or an error; and what is resumed can be read to its end."""
    good = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines).encode()
    path = tmp_path / "results.jsonl"
    path.write_bytes(data.draw(broken(good) | st.binary(max_size=200)))
    use(path)
    with contextlib.suppress(ResultsError):
        if before := resumption.earlier(path):
            # Nothing is taken up again that is not in the file.
            assert set(before.results) <= {line.id for line in records(path) if isinstance(line, ResultRecord)}


@QUICK
@given(data=st.data())
def test_known_failures_after_an_accident(data: st.DataObject, tmp_path: Path) -> None:
    """The suite's own file for PyTorch with bytes or lines changed, a cause, or any bytes: read, or an error."""
    good = known_failures.file_of("torch").read_bytes()
    path = tmp_path / "torch.toml"
    path.write_bytes(data.draw(broken(good) | CAUSES.map(str.encode) | st.binary(max_size=100)))
    with contextlib.suppress(known_failures.KnownFailureError):
        known_failures.load(path, "torch", "2.13.0")


@WRITING
@given(data=st.data())
def test_a_matrix_after_an_accident(data: st.DataObject, tmp_path: Path) -> None:
    """Read, or an error; what is read can be compared, joined and written."""
    good = encode(six_cells())
    name = data.draw(st.sampled_from(["matrix.json", "matrix", "results.jsonl"]))
    content = broken(good) | st.binary(max_size=60) | JSON.map(lambda value: json.dumps(value).encode())
    (tmp_path / name).write_bytes(data.draw(content))
    with contextlib.suppress(ResultsError, ReportError):
        matrix = joined([tmp_path / name])
        for changes in (compare(six_cells(), matrix), compare(matrix, six_cells())):
            assert markdown.render_changes(changes)
        write_all({matrix.section: matrix}, tmp_path / "out")


@QUICK
@given(
    cells=st.lists(st.tuples(st.sampled_from(list(Verdict)), st.text(), st.text(max_size=3)), min_size=1, max_size=4)
)
def test_any_text_can_be_reported(cells: list[tuple[Verdict, str, str]], tmp_path: Path) -> None:
    """Reports are written, and can be read again, with any text from engines and adapters."""
    results = [
        ResultRecord(f"{TIES.id}[{n}]", verdict, convention, message, 0.1)
        for n, (verdict, message, convention) in enumerate(cells)
    ]
    matrix = merge([results_file(cells[0][1] or "e", results, [TIES])])
    write_all({matrix.section: matrix}, tmp_path / "out")
    ElementTree.fromstring((tmp_path / "out" / "junit.xml").read_bytes())
    assert len(list(csv.reader((tmp_path / "out" / "cells.csv").open(newline="", encoding="utf-8")))) == 1 + len(cells)


ATTRIBUTES = ["name", "version", "held_to", "absences", "known_failures", "parameters"]
ATTRIBUTES += ["global_state", "restore", "to_numpy", "detach", "array", "__init__", "__eq__"]
ODD = (
    JSON
    | st.sampled_from([int, len, print, Path(), lambda self: None, lambda self: {}, property(lambda self: 1 / 0)])
    | st.dictionaries(st.sampled_from(["torch", "jax", 3]), JSON, max_size=2)
    | st.lists(st.builds(Absence, JSON, JSON, JSON, JSON), max_size=2).map(tuple)
)


@QUICK
@given(attributes=st.dictionaries(st.sampled_from(ATTRIBUTES), ODD, max_size=3))
def test_any_declaration_is_accepted_or_an_error(attributes: dict[str, Any]) -> None:
    """A class with attributes of any kind is an EngineError, or every behaviour has a verdict on it."""
    module = types.ModuleType("odd")
    vars(module)["Odd"] = type("Odd", (Healthy,), attributes)
    # The loader imports by name, and finds it here.
    sys.modules["odd"] = module
    with contextlib.suppress(engines.EngineError):
        adapter = engines.load(engines.EngineSpec("odd:Odd", "odd:Odd", {}))
        for behaviour in collection.load_all(ZOO):
            assert isinstance(trial.run(behaviour, adapter).verdict, Verdict)


def test_the_fuzzed_functions_do_read_what_is_good() -> None:
    """The same functions accept good input, so the tests above do not pass just because nothing is ever read."""
    assert len(merge(six_files()).cells) == 6
    assert engines.parse("reference").target
