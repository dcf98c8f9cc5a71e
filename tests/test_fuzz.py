"""Whatever is read from outside is refused in one line or read: never a traceback, for any bytes."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autograd_conformance.cli import cli
from conformance import engines, expectations
from conformance.results import ResultsError, read
from reports.files import ReportError
from reports.matrix import load, merge
from tests.reports.making import six_files
from tests.support import run_zoo

QUICK = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
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
@given(content=st.binary(max_size=200))
def test_any_bytes_are_no_results(content: bytes, tmp_path: Path) -> None:
    """Arbitrary bytes."""
    path = tmp_path / "results.jsonl"
    path.write_bytes(content)
    use(path)


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


@QUICK
@given(content=st.binary(max_size=100) | JSON.map(lambda value: json.dumps(value).encode()))
def test_anything_may_stand_where_a_matrix_should(content: bytes, tmp_path: Path) -> None:
    """Bytes, or JSON of any kind."""
    path = tmp_path / "matrix.json"
    path.write_bytes(content)
    with contextlib.suppress(ReportError):
        load(path)


@QUICK
@given(
    entry=st.dictionaries(
        st.sampled_from([*sorted(expectations.KEYS), "other"]),
        st.text(max_size=10) | st.integers() | st.booleans() | st.sampled_from(["fail", "differs", ">=1", "["]),
    )
)
def test_any_entry_of_the_expectations_is_read_or_refused(entry: dict[str, Any], tmp_path: Path) -> None:
    """Keys and values of any kind in a [[known]] table."""
    path = tmp_path / "toy.toml"
    body = "\n".join(f"{key} = {json.dumps(value)}" for key, value in entry.items())
    path.write_text(f"[[known]]\n{body}\n", "utf-8")
    with contextlib.suppress(expectations.ExpectationError):
        expectations.load(path, "1.0")


@QUICK
@given(content=st.binary(max_size=100))
def test_any_bytes_are_no_expectations(content: bytes, tmp_path: Path) -> None:
    """Arbitrary bytes where TOML should be."""
    path = tmp_path / "toy.toml"
    path.write_bytes(content)
    with contextlib.suppress(expectations.ExpectationError):
        expectations.load(path, "1.0")


@QUICK
@given(spec=st.text(max_size=30) | st.from_regex(r"[a-z.]{1,8}:[A-Za-z=,:]{0,8}", fullmatch=True))
def test_any_text_is_an_engine_or_refused(spec: str) -> None:
    """Names, paths, parameters, and neither."""
    with contextlib.suppress(engines.EngineError):
        engines.parse(spec)


@QUICK
@given(
    words=st.lists(
        st.sampled_from(["list", "show", "engines", "report", "run", "--engine", "-e", "-o", "--limit", "-n", "--help"])
        | st.text(max_size=6),
        max_size=4,
    )
)
def test_any_command_line_is_understood_or_refused(words: list[str], tmp_path: Path) -> None:
    """Words in any order: refused by click or by the suite, never with another exception."""
    with contextlib.chdir(tmp_path) if hasattr(contextlib, "chdir") else contextlib.nullcontext():
        result = CliRunner().invoke(cli, words)
    assert result.exception is None or isinstance(result.exception, SystemExit), (words, result.exception)


def test_the_fuzzed_functions_do_read_what_is_good() -> None:
    """The same functions accept good input: the tests above do not pass because nothing is ever read."""
    assert len(merge(six_files()).cells) == 6
    assert engines.parse("reference").target
