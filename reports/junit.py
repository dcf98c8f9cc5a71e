"""The matrix as JUnit XML, which most continuous integration services can show."""

from __future__ import annotations

from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from conformance.verdicts import Verdict
from reports.model import Matrix, MatrixCell
from reports.text import clean, clip, excerpt
from reports.unexpected import COUNTED

_COUNTS = {
    **{"tests": "testcase", "failures": "testcase/failure"},
    **{"errors": "testcase/error", "skipped": "testcase/skipped"},
}


def render(matrix: Matrix) -> str:
    """A suite per engine, a case per cell. Failures and errors are what makes the exit status 1."""
    root = Element("testsuites", name="autograd-conformance")
    chapters = {row.id: row.chapter for row in matrix.behaviours}
    for engine in matrix.engines:
        suite = SubElement(root, "testsuite", name=clean(engine.column), timestamp=clean(engine.started))
        suite.set("time", f"{engine.duration_s:.3f}")
        fields = {"suite": matrix.suite.version, "revision": matrix.suite.revision, "version": engine.version}
        _add_properties(suite, fields | {"platform": engine.platform, "python": engine.python})
        for cell in matrix.cells:
            if cell.engine == engine.column:
                _add_case(suite, cell, chapters[cell.behaviour])
        # A stale entry belongs to no cell, and makes the exit status 1: it is a case that fails.
        for line in engine.stale:
            case = SubElement(suite, "testcase", classname="known failures", name=excerpt(line), time="0")
            SubElement(case, "failure", type="stale", message="a stale known failure").text = clip(line)
        # Last, as they count what was added.
        for name, path in _COUNTS.items():
            suite.set(name, str(len(suite.findall(path))))
    ElementTree.indent(root, " ")
    return f"<?xml version='1.0' encoding='utf-8'?>\n{ElementTree.tostring(root, encoding='unicode')}\n"


def _add_case(suite: Element, cell: MatrixCell, chapter: str) -> None:
    """A cell. A known failure is skipped, as test runners show an expected failure: it must not fail a build."""
    name = clean(cell.behaviour.removeprefix(f"{chapter}."))
    case = SubElement(suite, "testcase", classname=clean(chapter), name=name, time=f"{cell.duration_s:.3f}")
    known = {"known": cell.known.reason, "upstream": cell.known.upstream} if cell.known else {}
    _add_properties(case, {"verdict": cell.verdict.value, "convention": cell.convention or "", **known})
    if cell.verdict is Verdict.PASS:
        return
    kind = "failure" if cell.verdict is Verdict.FAIL else "error" if cell.verdict in COUNTED else "skipped"
    called, why = cell.verdict.value, cell.message
    if cell.known:
        kind, called, why = "skipped", f"known {called}", cell.known.reason
    SubElement(case, kind, type=called, message=excerpt(f"{called}: {why}", 300)).text = clip(cell.message)


def _add_properties(parent: Element, values: dict[str, str]) -> None:
    inside = SubElement(parent, "properties")
    for name, value in values.items():
        if value:
            SubElement(inside, "property", name=name, value=clip(value))
