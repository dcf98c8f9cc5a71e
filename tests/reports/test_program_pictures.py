"""Pictures of programs: well-formed, a line for each step, safe whatever texts say."""

from __future__ import annotations

from xml.etree import ElementTree

from conformance.programs.source.graph import graph_of
from conformance.programs.source.report import GraphRow
from reports.program_pictures import picture_of
from tests.reports.making_programs import SQUARE

SVG = "{http://www.w3.org/2000/svg}"


def test_each_step_is_a_line_and_each_body_a_box() -> None:
    """Arcs are of values; those of memory say whether it is written."""
    rows = graph_of(SQUARE)
    drawn = ElementTree.fromstring(picture_of(rows, "the listing"))
    texts = [text.text for text in drawn.iter(f"{SVG}text")]
    assert texts == [
        *("v0 = input (2,)", "f1(w1)", "w2 = clone", "w3 = multiply_", "w4 = select (0, 1)"),
        *("return", "v1 = checkpoint", "return"),
    ]
    assert [element.get("class") for element in drawn.iter(f"{SVG}rect")] == ["body"]
    kinds = [element.get("class") for element in drawn.iter(f"{SVG}path")]
    assert kinds.count("value") == sum(len(set(row.takes)) for row in rows)
    assert [kind for kind in kinds if kind != "value"] == ["write", "shared"]
    assert drawn.get("aria-label") == "the listing"


def test_everything_is_within_the_picture() -> None:
    """No arc and no box leaves it, however far apart two steps are."""
    rows = [GraphRow("input ()", "v0"), *(GraphRow("sin", f"v{n}", [0], 0, depth=n % 3) for n in range(1, 30))]
    drawn = ElementTree.fromstring(picture_of(rows, ""))
    width, height = (float(str(drawn.get(name))) for name in ("width", "height"))
    for path in drawn.iter(f"{SVG}path"):
        numbers = [float(part) for part in str(path.get("d")).replace("M", " ").replace("C", " ").split()]
        assert min(numbers[::2]) >= 0
        assert max(numbers[::2]) <= width
        assert max(numbers[1::2]) <= height


def test_texts_are_escaped_and_no_lines_are_no_picture() -> None:
    """Names of forms come from files."""
    drawn = picture_of([GraphRow('<script>alert("1")</script>', "v0")], '"><script>')
    assert ElementTree.fromstring(drawn).find(f".//{SVG}script") is None
    assert picture_of([], "nothing") == ""
