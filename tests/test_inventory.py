"""The laws on an engine's inventory: its items are operations at a point, and cells like those of the table."""

from __future__ import annotations

import json
from pathlib import Path

import numpy
import pytest

from conformance.collection import load_all
from conformance.laws import LAWS
from conformance.operations import TABLE, Cases, of_order, with_matrices
from conformance.operations.inventory import chosen, laws_on, outline, table_of, table_of_outline
from conformance.operations.samples import generic
from conformance.protocol import Inventory
from tests.support import Call, conform
from tests.zoo.inventories import ITEMS, POINT

ZOO = "tests.zoo.inventories"


def test_the_generic_point_of_an_item_is_its_own_and_neighbours_lie_beside_it() -> None:
    """Zeros stay zero."""
    sample = generic(table_of(Inventory(ITEMS, {}))["sine_1"])
    assert numpy.array_equal(sample.values[0], POINT)
    beside = sample.neighbour().values[0]
    assert numpy.array_equal(beside, sample.neighbour().values[0])
    assert 0 < numpy.max(abs(beside - POINT)) <= 0.02 * numpy.max(POINT)
    assert beside[1, 1] == 0


def test_a_law_concerns_items_by_the_predicate_that_chose_its_cases_on_the_table() -> None:
    """All cases of laws are such; an outline has what the items have."""
    laws = load_all(LAWS)
    assert all(isinstance(law.cases, Cases) for law in laws)
    table = table_of(Inventory(ITEMS, {}))
    assert list(of_order(2).on(table)) == ["sine_1", "product"]
    assert list(with_matrices().on(table)) == ["sine_1", "product"]
    assert dict(of_order(2)) == {name: (row,) for name, row in TABLE.items() if row.differentiated and row.order > 1}
    outlined = json.loads(json.dumps(outline(table)))
    cases = [{law.id: list(law.cases) for law in laws_on(rows, laws)} for rows in (table, table_of_outline(outlined))]
    assert cases[0] == cases[1]
    assert "exact_values.reverse_mode_gives_the_exact_derivative" not in cases[0]


def test_a_word_names_an_operation_or_its_samples() -> None:
    """An unknown word raises an error that suggests a near name."""
    assert chosen(["sine"], ITEMS) == ["sine_1", "sine_2"]
    assert chosen(["sine_2", "product"], ITEMS) == ["sine_2", "product"]
    assert chosen([], ITEMS) == list(ITEMS)
    with pytest.raises(ValueError, match=r"^unknown operation 'sin'; did you mean 'sine'\?$"):
        chosen(["sin"], ITEMS)


def test_a_law_names_the_item_that_is_wrong(tmp_path: Path) -> None:
    """By its public name, at a point; what is not covered is in a file; a resumed run has nothing left to do."""
    call = _sweep(tmp_path, "Listing", "--law", "derivatives")
    assert call.status == 1
    cells = json.loads((tmp_path / "operations.json").read_text())["cells"]
    places = [cell["behaviour"].removesuffix("]").partition("[") for cell in cells]
    by_place = {(item, law.partition(".")[2]): cell for (law, _, item), cell in zip(places, cells, strict=True)}
    second = "reverse_over_reverse_gives_the_second_derivative"
    assert {name for name, law in by_place if law == second} == {"sine_1", "product"}
    assert {name for name, _ in by_place} == set(ITEMS)
    first = by_place["product", "reverse_mode_gives_the_derivative"]
    assert first["verdict"] == "fail"
    assert " at mul([[" in first["message"]
    assert by_place["sine_1", second]["verdict"] == "pass"
    uncovered = next((tmp_path / "results").glob("*.uncovered.json"))
    assert json.loads(uncovered.read_text()) == {"zeta": "it has no derivative"}
    again = _sweep(tmp_path, "Listing", "--law", "derivatives", "--resume")
    assert again.status == 1
    assert json.loads((tmp_path / "operations.json").read_text())["cells"] == cells


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("Listing", "sinus"), "unknown operation 'sinus'; did you mean 'sine"),
        (("Listing", "--law", "kinks"), "no law of these concerns"),
        (("MisnamedItem",), "operation 'Sine' of the inventory: use lower-case"),
        (("ItemOfIntegers",), "'sine' of the inventory: its values are"),
        (("Unlisted",), "its inventory needs the package `lists`"),
        (("BrokenList",), "its inventory raised KeyError: 'items'"),
    ],
)
def test_an_inventory_that_cannot_be_used_is_one_line(
    tmp_path: Path, arguments: tuple[str, ...], complaint: str
) -> None:
    """Which names the engine."""
    call = _sweep(tmp_path, *arguments)
    assert call.status == 2
    assert complaint in call.err
    assert arguments[0] in call.err
    assert len(call.err.splitlines()) == 1


def test_an_engine_without_an_inventory_is_an_error(tmp_path: Path) -> None:
    """In a single line."""
    call = conform("operations", "-e", "reference", "--inventory", "-o", tmp_path, output=tmp_path)
    assert (call.status, "brings no inventory" in call.err) == (2, True)


def _sweep(output: Path, adapter: str, *arguments: object) -> Call:
    engine = f"{ZOO}:{adapter}"
    return conform("operations", "-e", engine, *arguments, "--inventory", "-n", 1, "-o", output, output=output)


def test_the_inventory_of_pytorch_is_its_operator_database() -> None:
    """Three samples of an entry at most; an item can be called again, in single precision, and leaves its arguments."""
    torch = pytest.importorskip("torch")
    # The database imports it, and PyTorch does not require it.
    pytest.importorskip("expecttest")
    from adapters.inventories.of_torch import inventory

    listed = inventory()
    assert len(listed.items) > 1000
    assert {f"cumprod_{number}" for number in (1, 2, 3)} < set(listed.items)
    assert "cumprod_4" not in listed.items
    assert listed.uncovered["torch.argmax"] == "its entry says that it has no derivative"
    # Of its outputs, the counts have no derivative; its running means change with each call.
    for name in ("nn_functional_batch_norm_1", "nn_functional_instance_norm_1", "addmm_1"):
        item = listed.items[name]
        for dtype in (torch.float64, torch.float32):
            xs = [torch.tensor(value, dtype=dtype, requires_grad=True) for value in item.values]
            first, second = (item.call(*xs) for _ in range(2))
            assert all(x.requires_grad and torch.equal(x, y) for x, y in zip(first, second, strict=True))
            assert all(x.dtype == dtype for x in first)


def test_pytorch_without_its_database_names_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a single line."""
    pytest.importorskip("torch")
    import sys

    from adapters.inventories import of_torch
    from conformance.protocol import AdapterError

    # None in the place of a module makes its import fail; an inventory that is cached would not import it.
    monkeypatch.setitem(sys.modules, "torch.testing._internal.common_methods_invocations", None)
    of_torch.inventory.cache_clear()
    try:
        with pytest.raises(AdapterError, match="needs the package"):
            of_torch.inventory()
    finally:
        of_torch.inventory.cache_clear()
