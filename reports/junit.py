"""The matrix as JUnit XML, which most continuous integration services can show."""

from __future__ import annotations

from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from conformance.verdicts import Verdict
from reports.model import Matrix, MatrixCell, MatrixEngine
from reports.text import clean, clip, excerpt
from reports.unexpected import COUNTED


def render(matrix: Matrix) -> str:
    """A suite per engine, a case per cell. Failures and errors are what makes the exit status 1."""
    root = Element("testsuites", name="autograd-conformance")
    for engine in matrix.engines:
        root.append(_suite(matrix, engine))
    ElementTree.indent(root, " ")
    return f"<?xml version='1.0' encoding='utf-8'?>\n{ElementTree.tostring(root, encoding='unicode')}\n"


def _suite(matrix: Matrix, engine: MatrixEngine) -> Element:
    suite = Element("testsuite", name=clean(engine.column), timestamp=clean(engine.started))
    suite.set("time", f"{engine.duration_s:.3f}")
    fields = {"suite": matrix.suite.version, "revision": matrix.suite.revision, "version": engine.version}
    _properties(suite, fields | {"platform": engine.platform, "python": engine.python})
    chapters = {row.id: row.chapter for row in matrix.behaviours}
    for cell in matrix.cells:
        if cell.engine == engine.column:
            suite.append(_case(cell, chapters[cell.behaviour]))
    # A stale entry belongs to no cell, and makes the exit status 1: it is a case that fails.
    for line in engine.stale:
        suite.append(_stale(line))
    _count(suite)  # last: it counts what was added
    return suite


def _case(cell: MatrixCell, chapter: str) -> Element:
    name = cell.behaviour.removeprefix(f"{chapter}.")
    case = Element("testcase", classname=clean(chapter), name=clean(name), time=f"{cell.duration_s:.3f}")
    fields = {"verdict": cell.verdict.value, "convention": cell.convention or ""}
    if cell.known:
        fields |= {"known": cell.known.reason, "upstream": cell.known.upstream}
    _properties(case, fields)
    if cell.verdict is not Verdict.PASS:
        _add_outcome(case, cell)
    return case


def _add_outcome(case: Element, cell: MatrixCell) -> None:
    """A known cell is shown as skipped, as test runners show an expected failure: it must not fail a build."""
    if cell.known or cell.verdict not in COUNTED:
        kind = "skipped"
    else:
        kind = "failure" if cell.verdict is Verdict.FAIL else "error"
    called = f"known {cell.verdict.value}" if cell.known else cell.verdict.value
    why = f"{called}: {cell.known.reason if cell.known else cell.message}"
    outcome = SubElement(
        case, kind, type=f"known {cell.verdict.value}" if cell.known else cell.verdict.value, message=excerpt(why, 300)
    )
    outcome.text = clip(cell.message)


def _stale(line: str) -> Element:
    case = Element("testcase", classname="known failures", name=excerpt(line), time="0")
    SubElement(case, "failure", type="stale", message="a stale known failure").text = clip(line)
    return case


def _properties(parent: Element, values: dict[str, str]) -> None:
    inside = SubElement(parent, "properties")
    for name, value in values.items():
        if value:
            SubElement(inside, "property", name=name, value=clip(value))


def _count(suite: Element) -> None:
    kinds = {"tests": "testcase", "failures": "testcase/failure", "errors": "testcase/error"}
    for name, path in (kinds | {"skipped": "testcase/skipped"}).items():
        suite.set(name, str(len(suite.findall(path))))
