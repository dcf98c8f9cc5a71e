"""Plots of failing cells: the numbers that an engine computes near a point, and what a reader sees of them."""

from __future__ import annotations

import json
import math
from pathlib import Path

import msgspec
import pytest

from adapters.with_reference import ReferenceAdapter
from autograd_conformance import derive_worker
from autograd_conformance.derived import DerivedCurve
from conformance.collection import load_all
from conformance.declaration import declared
from conformance.laws import LAWS
from conformance.operations import TABLE
from conformance.operations.samples import samples
from conformance.plots.compute import MODES, PLOTTED, NoCurve, curve, order_of, place_of, sample_at
from conformance.plots.model import PLACES_FILE, Curve, CurvePlace, ModeCurve, plotted_places
from conformance.protocol import Adapter
from conformance.recording_adapter import RecordingAdapter
from reports.beside import Curves, beside, read_beside
from reports.plot_groups import caption, grouped
from reports.plots import Plot, plots_of_cells, plots_of_places
from reports.sources import joined_sections
from tests.reports.making import curve_file
from tests.support import conform
from tests.zoo.plotted import PlainAdapter, PlottedAdapter
from workshop.plots import text_of

ZERO = CurvePlace("tanh", 1, "zero")
# In a zero derivative's place: what is compared with numbers that are read off a picture's file.
DIGITS = 1e-4


def drawn(adapter: Adapter, place: CurvePlace) -> Curve:
    """The curve of an adapter at a place."""
    ad = RecordingAdapter(adapter, declared(adapter, checked=False).absent)
    return curve(ad, TABLE[place.operation], place)


def only(files: dict[str, Curves]) -> Plot:
    """The only plot of these files."""
    (plot,) = plots_of_places(files).values()
    return plot


def test_every_law_that_compares_a_derivative_at_a_point_has_plots() -> None:
    """Of these three chapters all laws about derivatives, and no others; their order is that of the modes."""
    chapters = ("derivatives", "exact_values", "kinks")
    plotted = {law.id for law in load_all(LAWS) if PLOTTED.fullmatch(law.id)}
    about = {law.id for law in load_all(LAWS) if law.chapter in chapters and "derivative" in law.id}
    assert plotted == about | {"kinks.the_modes_agree_at_a_kink"}
    assert set(map(order_of, plotted)) == MODES.keys()


@pytest.mark.parametrize("name", ["tanh", "pow", "det", "cumprod", "abs"])
def test_a_point_follows_from_its_place(name: str) -> None:
    """Every sample, simplified to every degree: engines meet at the same numbers."""
    operation = TABLE[name]
    for sample in (*samples(operation), *samples(operation, smooth=False, kinks=True)):
        for simpler in sample.simpler():
            place = place_of(simpler, 1)
            assert place is not None
            again = sample_at(operation, place)
            assert again is not None
            assert all((x == y).all() for x, y in zip(again.values, simpler.values, strict=True))
    assert sample_at(operation, CurvePlace(name, 1, "no such kind")) is None


@pytest.mark.parametrize("degree", [1, 2, 3])
def test_a_curve_has_the_derivative_of_the_operation_alone(degree: int) -> None:
    """Of exp that is exp, in every order, by every mode that the engine has: without the cubes that laws add."""
    computed = drawn(ReferenceAdapter(), CurvePlace("exp", degree, "generic point"))
    assert computed.origin is not None
    assert computed.exact
    assert float(computed.expected[0]) == pytest.approx(math.exp(computed.origin), rel=1e-8)
    modes = {mode.mode: mode for mode in computed.modes}
    assert modes.keys() <= MODES[degree].keys()
    numbers = [float(mode.got) for mode in modes.values() if not mode.problem]
    assert numbers
    assert numbers == pytest.approx([math.exp(computed.origin)] * len(numbers), rel=1e-8)
    assert not computed.wrong
    # Numbers beside a point are computed only where a mode is wrong at it.
    assert computed.ts == []


def test_a_derivative_that_is_wrong_at_one_point_is_right_beside_it() -> None:
    """The reverse mode of an adapter whose slope of tanh at zero is 2: its line is the true line."""
    computed = drawn(PlottedAdapter(), ZERO)
    modes = {mode.mode: mode for mode in computed.modes}
    assert (modes["reverse"].got, modes["reverse"].agrees, computed.expected) == ("2.0", False, ["1.0"])
    assert computed.value_there == 0.0
    assert 0.0 not in computed.ts
    assert min(map(abs, computed.ts)) <= 1e-3
    assert computed.true == pytest.approx([1 - math.tanh(t) ** 2 for t in computed.ts], abs=DIGITS)
    assert modes["reverse"].values == pytest.approx(computed.true, abs=DIGITS)
    assert computed.value == pytest.approx([math.tanh(t) for t in computed.ts], abs=DIGITS)


def test_a_window_ends_where_the_domain_ends() -> None:
    """No number at the end of the domain of a logarithm or to the left of it."""
    computed = drawn(PlottedAdapter(), CurvePlace("log", 1, "one"))
    assert computed.origin == 1.0
    # A window has sixteenths (compute.PARTS), and a whole one to the left would be the logarithm of zero.
    assert min(computed.ts) == pytest.approx(-15 / 16)
    assert max(computed.ts) == 1.0
    assert None not in computed.true


def test_a_kink_is_expected_between_both_sides() -> None:
    """The gradient of abs at zero is between both slopes, and no mode is wrong; 3 is not."""
    computed = drawn(ReferenceAdapter(), CurvePlace("abs", 1, "zero"))
    assert [float(side) for side in computed.expected] == pytest.approx([-1.0, 1.0])
    assert not computed.wrong
    beyond = drawn(PlottedAdapter(), computed.place)
    assert {(mode.got, mode.agrees) for mode in beyond.modes if not mode.problem} == {("3.0", False)}


def test_curves_of_a_sweep_lie_beside_its_results(tmp_path: Path) -> None:
    """Of each failing cell, once for each point; a crash loses the plot of its cell, with a reason."""
    engine = "tests.zoo.plotted:PlottedAdapter"
    names = ("exp", "sin", "tanh", "cosh")
    laws = ("exact_values.reverse_mode_gives_the_exact_derivative", "derivatives.reverse_mode_gives_the_derivative")
    only_these = ("--law", laws[0], "--law", laws[1])
    conform("operations", "-e", engine, "-n", 1, *names, *only_these, "--pictures", "-o", tmp_path, output=tmp_path)
    (results,) = (tmp_path / "results").glob("*.jsonl")
    file = read_beside(beside(results, Curves), Curves)
    failing = {f"{law}[{name}]" for law in laws for name in ("sin", "tanh", "cosh")}
    assert {*file.cells, *(cell for cell in file.problems if "[" in cell)} == failing
    assert {cell for cell in file.problems if "[" in cell} == {cell for cell in failing if "cosh" in cell}
    assert set(file.problems.values()) == {"the process was ended by SIGABRT"}
    assert {place for cell, place in file.cells.items() if "[tanh]" in cell} == {ZERO}
    compared = {curve.place.operation for curve in file.curves if not curve.wrong}
    assert compared <= {"exp", "sin", "tanh"}
    assert {place.operation for place in plots_of_places({"plotted": file})} == {"sin", "tanh"}
    of_cells = plots_of_cells({"plotted": file})
    assert {f"{law}[{name}]" for name, _, law in of_cells} == {cell for cell in failing if "cosh" not in cell}
    assert list(joined_sections([results]).curves.values()) == [file]
    lines = beside(results, Curves).read_text()
    beside(results, Curves).write_text(lines.replace('"started":"', '"started":"another'))
    assert joined_sections([results]).curves == {}


def test_an_engine_is_compared_where_another_one_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its numbers at the point, and none beside it; nothing without such an operation."""
    monkeypatch.setattr(derive_worker, "plotted_places", lambda: [ZERO])
    answer = derive_worker.curves(ReferenceAdapter(), str(LAWS))
    line = answer(ZERO.name, lambda: None)
    assert line.place == ZERO
    assert line.curve is not None
    assert {mode.got for mode in line.curve.modes if not mode.problem} == {"1.0"}
    assert (line.curve.wrong, line.curve.ts) == (False, [])
    assert derive_worker.curves(PlainAdapter(), str(LAWS))(ZERO.name, lambda: None) == DerivedCurve()
    with pytest.raises(NoCurve, match="no such place"):
        drawn(ReferenceAdapter(), CurvePlace("tanh", 1, "no such kind"))


def test_a_plot_has_the_function_above_its_derivative() -> None:
    """The same each time, and small; a wrong number is a mark with its label."""
    plot = only(curve_file("0.5"))
    assert plot == only(curve_file("0.5"))
    assert len(json.dumps(plot)) < 4_000
    assert (plot.title, plot.label, plot.point) == ("Derivative of square(1.0)", "x", 1.0)
    function, derivative = plot.panels
    assert (function.label, derivative.label) == ("function", "derivative")
    assert [line.style for line in function.lines] == ["value"]
    assert (1.0, 1.0) in function.lines[0].points
    assert [line.style for line in derivative.lines] == ["true", "0"]
    # The true derivative goes through the point; the wrong derivative, which is right beside it, past the point.
    assert [dict(line.points).get(1.0) for line in derivative.lines] == [2.0, None]
    assert [(mark.style, mark.y, mark.label) for mark in derivative.marks] == [("true", 2.0, ""), ("0", 0.5, "0.5")]
    assert plot.legend[0] == ("true", "expected 2 (exact)")
    assert [style for style, _ in plot.legend] == ["true", "0", ""]


def test_a_caption_describes_the_plot() -> None:
    """Which engine and mode, what it got, what is expected, and where."""
    grouping = grouped({name: curve for name, file in curve_file("0.5").items() for curve in file.curves})
    assert grouping is not None
    assert (
        caption(grouping)
        == only(curve_file("0.5")).caption
        == (
            "The derivative of square(1.0) (one): expected 2 (exact); "
            "0.5 at this point only — one: forward; agree — one: reverse."
        )
    )


@pytest.mark.parametrize(
    ("got", "values", "words"),
    [
        ("2.5", None, "2.5 at this point only"),
        ("0.0", [0.0] * 20, "0 at this point and everywhere around it"),
        ("0.0", [0.0] * 10 + [2 * (1 + k / 10) for k in range(1, 11)], "0 at this point and on one side"),
        ("nan", None, "nan at this point only"),
        ("inf", None, "inf at this point only"),
        ("1000.0", None, "1000 at this point only"),
    ],
)
def test_what_is_wrong_is_marked_with_its_number(got: str, values: list[float] | None, words: str) -> None:
    """In the legend with the extent; at the point itself too, within the axes also where it is no number or far off."""
    plot = only(curve_file(got, values=values))
    assert any(text.startswith(words) for _, text in plot.legend)
    panel = plot.panels[1]
    mark = panel.marks[-1]
    assert mark.label == words.split()[0]
    assert panel.low <= mark.y <= panel.high
    assert mark.beyond == (got in ("inf", "1000.0"))
    assert "NaN" not in json.dumps(plot)


def test_engines_that_give_the_same_are_one_line() -> None:
    """Two with the same wrong derivative, a third with another, a fourth that is right."""
    files = curve_file("0.5", "one") | curve_file("0.5", "two") | curve_file("1.5", "three")
    right = ModeCurve("forward", True, "2.0")
    (curve,) = curve_file()["one"].curves
    files["four"] = Curves("", [Curve(curve.place, curve.call, curve.expected, [right])])
    grouping = grouped({name: its for name, file in files.items() for its in file.curves})
    assert grouping is not None
    assert [(group.got, group.members) for group in grouping.wrong] == [
        (0.5, {"one": ["forward"], "two": ["forward"]}),
        (1.5, {"three": ["forward"]}),
    ]
    assert grouping.agree == {"one": ["reverse"], "two": ["reverse"], "three": ["reverse"], "four": ["forward"]}
    close = curve_file("0.5001")["one"].curves
    apart = grouped({"one": curve_file("0.5")["one"].curves[0], "two": close[0]})
    assert apart is not None
    assert [group.got for group in apart.wrong] == [0.5, 0.5001]
    assert grouped({"four": files["four"].curves[0]}) is None


def test_a_zoom_shows_an_error_that_is_small_beside_the_range() -> None:
    """The widest part of the window is drawn in which the error at the point is seen."""
    wide, near = (only(curve_file(got)).panels[1].lines[0].points for got in ("2.6", "2.1"))
    assert wide[0][0] == 0.0
    assert near[0][0] > 0.7


def test_a_kink_has_both_slopes_at_the_point() -> None:
    """The lines are broken there, and what is between the slopes is joined."""
    (file,) = curve_file("3.0").values()
    (curve,) = file.curves
    place = CurvePlace("abs", 1, "zero")
    kink = msgspec.structs.replace(curve, place=place, expected=["-1.0", "1.0"], exact=False, origin=0.0)
    panel = only({"one": Curves("", [kink])}).panels[1]
    true, between, wrong = panel.lines
    assert [line.style for line in panel.lines] == ["true", "true", "0"]
    assert between.points == ((0.0, -1.0), (0.0, 1.0))
    assert (0.0, None) in true.points
    assert (0.0, None) in wrong.points


def test_the_listed_places_are_in_the_table() -> None:
    """The output of `python -m workshop plots`: sorted, and each leads to a point."""
    places = plotted_places()
    assert places == sorted(set(places))
    assert PLACES_FILE.read_text("utf-8") == text_of(places)
    lost = [place for place in places if sample_at(TABLE[place.operation], place) is None]
    assert lost == []
