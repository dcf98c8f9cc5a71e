"""report.html: what it shows, that it is a whole page, and that nothing from an engine acts in it."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import msgspec
import pytest

import reports
from conformance.verdicts import Verdict
from reports import html, view
from tests.matrices import merge
from tests.reports.making import (
    FAIL,
    VECTOR,
    assert_gold,
    block,
    hostile_citation,
    one_cell,
    result,
    results_file,
    six_cells,
    without_assets,
)

TEMPLATES = Path(reports.__file__).parent / "templates"
CSS = (TEMPLATES / "report.css").read_text()
# Elements that HTML never closes.
VOID = {"meta", "input", "br", "wbr"}


class Page(HTMLParser):
    """The elements of a page, with a check that each is closed where it should be."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.feed(text)
        self.close()
        assert not self.open, f"left open: {self.open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Elements close in the order in which they were opened."""
        assert self.open.pop() == tag, f"</{tag}> at {self.getpos()}"

    def handle_data(self, data: str) -> None:
        """Note what is read."""
        if not self.open or self.open[-1] not in ("style", "script"):
            self.text.append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        """The attributes of all elements of a kind."""
        return [attributes for name, attributes in self.elements if name == tag]


def test_the_page_is_as_it_was_last_looked_at() -> None:
    """Six cells, by hand; style and scripts are left out. What the script reads is a separate file."""
    page = html.render(six_cells())
    assert_gold("report.html", without_assets(page))
    assert_gold("report-data.json", json.dumps(block(page, "data"), indent=1) + "\n")


def test_the_page_is_whole_and_needs_no_script() -> None:
    """Language, title, landmarks, captions, scopes, and every verdict as a word in a table cell."""
    page = Page(html.render(six_cells()))
    tags = [tag for tag, _ in page.elements]
    assert page.all("html") == [{"lang": "en"}]
    assert all(tag in tags for tag in ("title", "header", "main", "nav", "footer", "h1"))
    assert tags.count("caption") == tags.count("table")
    assert all(attributes.get("scope") for attributes in page.all("th"))
    words = [part for part in page.text if part in {verdict.value for verdict in Verdict}]
    assert {"pass", "absent", "fail", "differs"} <= set(words)


def test_ids_are_unique_and_every_inner_link_leads_somewhere() -> None:
    """Every behaviour can be linked to, cases with their brackets included."""
    matrix = six_cells()
    rows = [msgspec.structs.replace(matrix.behaviours[0], id="gradients.x[of_two]"), *matrix.behaviours[1:]]
    cells = [c if i else msgspec.structs.replace(c, behaviour=rows[0].id) for i, c in enumerate(matrix.cells)]
    cells[1] = msgspec.structs.replace(cells[1], behaviour=rows[0].id)
    page = Page(html.render(msgspec.structs.replace(matrix, behaviours=rows, cells=cells)))
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    inner = {link["href"][1:] for link in page.all("a") if (link["href"] or "").startswith("#")}  # type: ignore[index]
    assert len(ids) == len(set(ids))
    assert inner <= {(id or "").replace("[", "%5B").replace("]", "%5D") for id in ids}
    assert "/b/gradients.x%5Bof_two%5D" in inner


def test_the_page_may_run_its_own_scripts_and_nothing_else() -> None:
    """The policy names the hashes of the style sheet and of both scripts; no attribute carries either."""
    text = html.render(six_cells())
    page = Page(text)
    policy = next(m["content"] for m in page.all("meta") if m.get("http-equiv") == "Content-Security-Policy") or ""
    for tag, count in (("style", 1), ("script", 2)):
        contents = re.findall(rf"<{tag}>(.*?)</{tag}>", text, flags=re.DOTALL)
        digests = [base64.b64encode(hashlib.sha256(content.encode()).digest()).decode() for content in contents]
        allowed = " ".join(f"'sha256-{digest}'" for digest in digests)
        assert len(contents) == count
        assert f"{tag}-src {allowed};" in policy
    assert policy.startswith("default-src 'none'; ")
    assert not [a for _, attributes in page.elements for a in attributes if a.startswith("on") or a == "style"]
    # A report is opened from a disk, mailed and archived: it must need nothing beside itself.
    assert not [tag for tag, a in page.elements if "src" in a or tag in ("link", "img", "iframe", "base")]


HOSTILE = (
    "</pre></style><script>alert(1)</script><img src=x onerror=alert(2)>\" onclick='x' "
    "{{ 7 * 7 }} \x1b[31mred\x1b[0m\x00"
)


def test_hostile_text_stays_text_wherever_it_comes_from() -> None:
    """Names, versions, messages, statements, citations, conventions and reasons cannot open an element."""
    matrix = one_cell()
    row, cell, engine = matrix.behaviours[0], matrix.cells[0], matrix.engines[0]
    cited = hostile_citation(HOSTILE)
    known = {"reason": HOSTILE, "upstream": HOSTILE, "review_after": HOSTILE}
    changes = {"name": HOSTILE, "version": HOSTILE, "spec": HOSTILE, "column": HOSTILE, "platform": HOSTILE}
    engine = msgspec.structs.replace(
        engine, **changes, python=HOSTILE, started=HOSTILE, sources={HOSTILE: HOSTILE}, parameters={HOSTILE: HOSTILE}
    )
    row = msgspec.structs.replace(
        row, id=HOSTILE, chapter=HOSTILE, statement=HOSTILE, citations=[cited], conventions=[HOSTILE], aliases=[HOSTILE]
    )
    changed = msgspec.convert({**msgspec.to_builtins(cell), "known": known}, type(cell))
    changed = msgspec.structs.replace(changed, behaviour=HOSTILE, engine=HOSTILE, convention=HOSTILE, message=HOSTILE)
    engine = msgspec.structs.replace(engine, stale=[HOSTILE])
    suite = msgspec.structs.replace(matrix.suite, version=HOSTILE, revision=HOSTILE)
    hostile = msgspec.structs.replace(matrix, suite=suite, engines=[engine], behaviours=[row], cells=[changed])
    page = Page(html.render(hostile))
    # The same page with harmless text: hostile text may add no element to it.
    tame = Page(html.render(one_cell(known=changed.known, convention="x", message="x")))
    assert {tag for tag, _ in page.elements} <= {tag for tag, _ in tame.elements} | {"ul", "li"}
    assert page.all("script") == tame.all("script")
    assert not [a for _, attributes in page.elements for a in attributes if a.startswith("on")]
    assert not {"\x1b", "\x00"} & set("".join(page.text))
    assert "{{ 7 * 7 }}" in "".join(page.text)


@pytest.mark.parametrize(
    "address",
    ["javascript:alert(1)", "JaVaScRiPt:alert(1)", "data:text/html,x", "file:///etc/passwd", "//x.org", "000.txt",
     "https://", "http://[", "https://x.org/\nx", "https://x.org/ x", "https://x.org/\u202e"],
)  # fmt: skip
def test_only_addresses_of_the_web_become_links(address: str) -> None:
    """Anything else is shown by its title."""
    matrix = one_cell()
    row = matrix.behaviours[0]
    cited = [msgspec.structs.replace(row.citations[0], address=address)]
    page = html.render(msgspec.structs.replace(matrix, behaviours=[msgspec.structs.replace(row, citations=cited)]))
    (shown,) = block(page, "data")["citations"]
    assert "torch.Tensor.backward" in shown
    assert [part for part in shown if part and "torch" not in part and part not in ("Parameters", "RuntimeError")] == [
        "scalar outputs"
    ]
    assert address not in page


def test_a_message_of_a_megabyte_is_clipped_with_a_note() -> None:
    """The beginning and the end are shown; matrix.json has the rest."""
    matrix = one_cell(message="first " + "x" * 1_000_000 + " last")
    page = html.render(matrix)
    shown = block(page, "data")["strings"][1]
    # A message is in the page once; 2 % is room for its 2,000 characters.
    assert len(page) < 1.02 * len(html.render(one_cell(message="short")))
    assert "[... 998,011 of 1,000,011 characters left out; matrix.json has them all ...]" in shown
    assert shown.endswith(" last")


def test_a_row_is_highlighted_if_engines_disagree_or_break_a_promise() -> None:
    """A known fail is highlighted as well; an absence does not."""
    groups = view.disagreements(view.rows(six_cells()))
    assert [[row.behaviour.id for row in rows] for rows in groups.values()] == [
        ["kinks_and_ties.ties_share"],
        ["complex.a_real_loss"],
    ]


def test_cases_of_a_statement_have_their_names() -> None:
    """Two cases of a behaviour share their statement; each names its case."""
    cells = [result(f"{VECTOR.id}[{case}]", FAIL, "got 1") for case in ("one_row", "two_rows")]
    page = html.render(merge([results_file("torch", cells, [VECTOR])]))
    assert [f" case {case}</small>" in page for case in ("one row", "two rows")] == [True, True]


@pytest.mark.parametrize(
    ("statement", "shown"),
    [
        ("`y += 1` writes <y>.", "<code>y += 1</code> writes &lt;y&gt;."),
        ("Of `<b>` and `&`.", "Of <code>&lt;b&gt;</code> and <code>&amp;</code>."),
        ("One ` alone <b>.", "One ` alone &lt;b&gt;."),
    ],
)
def test_backticks_of_a_statement_set_off_code(statement: str, shown: str) -> None:
    """And what is set off stays text."""
    matrix = one_cell()
    row = msgspec.structs.replace(matrix.behaviours[0], statement=statement)
    assert f">{shown}</a>" in html.render(msgspec.structs.replace(matrix, behaviours=[row]))


def test_highlighted_chapters_and_rows_come_first() -> None:
    """A chapter with a broken promise, then one with different conventions, then the others; so within a chapter."""
    ids = [f"{chapter}.row_{number}" for chapter in ("calm", "conventions", "broken") for number in (1, 2)]
    records = [msgspec.structs.replace(VECTOR, id=id, chapter=id.partition(".")[0]) for id in ids]
    conventions = {ids[3]: ("one", "other"), ids[5]: (None, None)}
    files = [
        results_file(
            spec,
            [
                result(id, FAIL if id == ids[5] else Verdict.PASS, convention=conventions.get(id, (None, None))[at])
                for id in ids
            ],
            records,
        )
        for at, spec in enumerate(("torch", "jax"))
    ]
    chapters = view.highlights_first(view.rows(merge(files)))
    assert [chapter.name for chapter in chapters] == ["broken", "conventions", "calm"]
    assert [row.behaviour.id for row in chapters[1].rows] == [ids[3], ids[2]]


def test_a_pair_without_a_cell_is_not_run() -> None:
    """A pair without a cell is neither pass nor absent, and an empty matrix is still a page."""
    matrix = six_cells()
    assert '<td class="none">not run</td>' in html.render(msgspec.structs.replace(matrix, cells=matrix.cells[1:]))
    assert "0 behaviours" in html.render(msgspec.structs.replace(matrix, engines=[], behaviours=[], cells=[]))


def luminance(colour: str) -> float:
    """Relative luminance by WCAG 2."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(colour: str, other: str) -> float:
    """Contrast ratio by WCAG 2."""
    light, dark = sorted([luminance(colour), luminance(other)], reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_all_text_has_enough_contrast(scheme: int) -> None:
    """WCAG AA asks for 4.5 to 1, of verdicts, code and plain, quiet and linked text on every background."""
    pairs = re.findall(r"--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);", CSS)
    colours = {name: both[scheme] for name, *both in pairs}
    tested = [(f"{verdict.value}-ink", f"{verdict.value}-paint") for verdict in Verdict]
    tested += [(ink, ground) for ink in ("ink", "quiet", "accent") for ground in ("page", "band", "target")]
    tested += [(name, "band") for name in colours if name.startswith("code-")]
    poor = {pair: contrast(colours[pair[0]], colours[pair[1]]) for pair in tested}
    assert {pair: ratio for pair, ratio in poor.items() if ratio < 4.5} == {}


def test_no_two_verdicts_have_the_same_shape() -> None:
    """Colour is never alone."""
    shapes = dict(re.findall(r"^\.(\w+)::before \{ (.*) \}$", CSS, flags=re.MULTILINE))
    assert len({shapes[verdict.value] for verdict in Verdict}) == len(Verdict)


def test_every_part_of_the_script_is_in_the_page() -> None:
    """Browser code that is not listed would not be in the page."""
    parts = {path.stem for path in TEMPLATES.glob("*.js")}
    assert parts == {*html.SCRIPTS, "early"}


def test_two_versions_of_one_engine_are_named_once() -> None:
    """The version is beside the name, and not in it as well."""
    files = [results_file("torch", [result(VECTOR.id)], [VECTOR], version=version) for version in ("2.13.0", "2.15.0")]
    page = html.render(merge(files))
    assert "torch <small>2.13.0</small>" in page
    assert "torch@2.13.0 <small>" not in page
    assert page.count(">torch 2.15.0</option>") == 2


def test_a_citation_without_a_sentence_has_its_reason() -> None:
    """In the place of the sentence."""
    cited = msgspec.structs.replace(VECTOR.citations[0], evidence=[], unstated="only the message states it")
    claim = msgspec.structs.replace(VECTOR, citations=[cited])
    page = html.render(merge([results_file("torch", [result(claim.id)], [claim])]))
    assert "not stated there: only the message states it" in json.dumps(block(page, "data"))
