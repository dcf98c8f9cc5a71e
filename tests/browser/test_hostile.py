"""Text of adapters, engines and citations stays text, in a browser that would act on it."""

from __future__ import annotations

from pathlib import Path

import msgspec

from reports.model import Matrix
from tests.browser.conftest import Opening, written
from tests.matrices import merge
from tests.reports.making import FAIL, VECTOR, hostile_citation, result, results_file
from tests.reports.test_page import HOSTILE

# Ends the strings, elements, comments and sections in which a page could have it, and begins what would run.
EVIL = HOSTILE + '\'); alert(3); </textarea></title><svg onload=alert(4)><a href="javascript:alert(5)">x</a>-->]]>'


def hostile() -> Matrix:
    """A matrix in which every text is an attempt, and links lead to scripts."""

    matrix = merge([results_file(spec, [result(VECTOR.id, FAIL, EVIL)], [VECTOR]) for spec in ("torch", "jax")])
    row, cell, engine = matrix.behaviours[0], matrix.cells[0], matrix.engines[0]
    cited = hostile_citation(EVIL)
    scripted = msgspec.structs.replace(cited, address="javascript:alert(6)")
    row = msgspec.structs.replace(
        row,
        id=EVIL,
        chapter=EVIL,
        statement=EVIL,
        citations=[cited, scripted],
        conventions=[EVIL],
        check=EVIL,
        was=[EVIL],
        aliases=[EVIL],
        group=EVIL,
    )
    known = msgspec.convert({"reason": EVIL, "upstream": "javascript:alert(7)", "review_after": EVIL}, type=object)
    changed = msgspec.convert({**msgspec.to_builtins(cell), "known": known}, type(cell))
    changed = msgspec.structs.replace(changed, behaviour=EVIL, engine=EVIL, convention=EVIL, script=EVIL)
    names = dict.fromkeys(("column", "spec", "name", "version", "platform", "python", "started"), EVIL)
    evil = msgspec.structs.replace(engine, **names, sources={EVIL: EVIL}, parameters={EVIL: EVIL}, stale=[EVIL])
    other = msgspec.structs.replace(matrix.cells[1], behaviour=EVIL)
    suite = msgspec.structs.replace(matrix.suite, version=EVIL, revision=EVIL)
    return msgspec.structs.replace(
        matrix, suite=suite, engines=[evil, matrix.engines[1]], behaviours=[row], cells=[changed, other]
    )


def test_injected_markup_stays_text_in_every_view(opened: Opening, tmp_path: Path) -> None:
    """No dialog opens, no handler is set, no link leads to a script; the text is there to be read."""
    path = written(hostile(), tmp_path)
    page = opened("#/matrix", path)
    # The matrix last, as its table is clicked next.
    for view in ("Highlights", "Matrix", "Compare", "Specification", "How to read", "Matrix"):
        page.click(f".views >> text={view}")
        assert "onerror=alert(2)" in page.locator("main").inner_text()
        _harmless(page)
    page.locator("#table .statement").click()
    page.locator("#panel .program").last.wait_for()
    _harmless(page)
    assert "<svg onload=alert(4)>" in page.locator("#panel h2").inner_text()
    page.evaluate("document.querySelectorAll('#panel summary').forEach(part => part.click())")
    assert "<svg onload=alert(4)>" in page.locator("#panel .program code").first.inner_text()


def test_nothing_of_a_hostile_address_is_shown(opened: Opening) -> None:
    """The address is text, too."""
    page = opened("#/b/<img src=x onerror=alert(1)>?at=<b>&q=<script>alert(2)</script>&v=<i>:fail")
    assert "<img src=x" in page.locator("#panel").inner_text()
    _harmless(page)


def _harmless(page: object) -> None:
    unescaped = page.evaluate(  # type: ignore[attr-defined]
        """() => [...document.querySelectorAll('*')].flatMap(element => [
          ...[...element.attributes].map(({name, value}) => name === 'style' ? value : name)
            .filter((part) => /^on|:/.test(part) && !/^--rows: \\d+;$/.test(part)),
          ...(/^(img|svg|iframe|object|embed|textarea)$/i.test(element.localName) ? [element.localName] : []),
          ...(element.href && /^javascript:/i.test(element.href) ? [element.href] : []),
        ])"""
    )
    assert unescaped == []
