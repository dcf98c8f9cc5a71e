"""The page of a sweep: the block of data, marks also for laws that no report knows; nothing without one."""

from __future__ import annotations

import msgspec

from reports import html
from reports.operations import laws
from reports.operations_data import OTHERS, aspects, operations_data
from reports.plots import Plot
from tests.browser.synthetic_sweep import synthetic_sweep
from tests.reports.making import block, six_cells
from tests.reports.making_operations import LAWS, PROGRAM, WITNESS, sweep


def _letters() -> list[tuple[str, str, list[int]]]:
    return [(aspect.letter, aspect.title, aspect.laws) for aspect in aspects(laws(sweep()))]


def test_laws_share_marks_by_mode_order_and_chapter() -> None:
    """A chapter that is not known has a letter of its title."""
    assert _letters() == [
        ("R", "reverse mode", [1]),
        ("F", "forward mode", [2]),
        ("2", "second order", [3]),
        ("V", "vmap", [0]),
        ("K", "kinks", [4]),
        ("U", "upside down", [5]),
    ]


def test_no_two_marks_have_one_letter() -> None:
    """Of twelve chapters whose titles begin alike."""
    law = laws(sweep())[-1]
    many = [msgspec.structs.replace(law, id=f"chapter{n}.law", chapter_title=f"Reversed {n}") for n in range(12)]
    letters = [aspect.letter for aspect in aspects([*laws(sweep()), *many])]
    # Six of the sweep, and the twelve.
    assert len(letters) == 18
    assert len(set(letters)) == len(letters)


def test_the_block_has_the_cells_with_what_is_known() -> None:
    """Outcomes by operation and engine, in the order of the marks; texts by number."""
    data = block(html.render(six_cells(), operations=sweep()), "operations-data")
    assert [law["id"] for law in data["laws"]] == [LAWS[number] for _, _, numbers in _letters() for number in numbers]
    assert [title for _, title, _ in data["aspects"]] == [title for _, title, _ in _letters()]
    det = data["operations"][0]
    assert (det["name"], det["family"]) == ("det", "Linear algebra")
    letters, witness, known, unpromised, *_ = det["on"][0]
    verdicts = [data["verdicts"][int(letter)] if letter != "-" else "" for letter in letters]
    assert verdicts == ["fail", "raises", "pass", "not applicable", "", "pass"]
    assert data["strings"][witness[0]] == WITNESS
    assert [data["strings"][number] for number in known["0"]][2:] == [
        *("det_at_zero", "det is wrong at a singular matrix", "silent wrong value"),
        *("https://example.org/issues/2", "https://example.org/issues/3"),
    ]
    assert unpromised == []
    assert [row["on"][2][3] for row in data["operations"]] == [[], [4], []]
    assert data["programs"] == {"det_at_zero": PROGRAM}


def test_plots_are_those_of_cells() -> None:
    """Each once, by operation, engine and law."""
    plot = Plot("derivative of det", "near zero", "x", 0.0)
    places = [("det", "torch", LAWS[1]), ("det", "torch", LAWS[2])]
    page = html.render(six_cells(), operations=sweep(), plots=dict.fromkeys(places, plot))
    data = block(page, "operations-data")
    assert block(page, "operations-plots") == [["derivative of det", "near zero", "x", 0.0, [], []]]
    assert "operations-plots" not in html.render(six_cells(), operations=sweep()).partition("<script>(async")[0]
    assert data["plot"] == {"/".join(place): 0 for place in places}


def test_an_operation_that_the_table_lacks_is_among_the_others() -> None:
    """As those of an engine's own inventory are."""
    rows = [msgspec.structs.replace(row, family="") for row in sweep().operations]
    bare = msgspec.structs.replace(sweep(), operations=rows)
    data = block(html.render(six_cells(), operations=bare), "operations-data")
    assert {row["family"] for row in data["operations"]} == {OTHERS}


def test_a_page_without_a_sweep_has_none_of_it() -> None:
    """Neither view nor block; a page with a sweep has both."""
    plain, with_it = html.render(six_cells()), html.render(six_cells(), operations=sweep())
    for part in ('id="operations-data"', 'id="/operations"', 'href="#operations"'):
        assert part not in plain
        assert part in with_it


def test_a_large_sweep_is_a_small_part_of_a_page() -> None:
    """775 operations by 40 laws by 6 engines, within the budget of 1.5 MB."""
    assert len(operations_data(synthetic_sweep(775, 40, 6))) < 1_500_000


def test_the_same_sweep_gives_the_same_bytes() -> None:
    """So that a report that is made again is the same."""
    assert operations_data(sweep()) == operations_data(sweep())
