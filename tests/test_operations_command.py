"""The command `operations` as a user meets it: verdicts, witnesses and exit status."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.support import Call, conform

WRONG = "tests.zoo.operations:WrongAdapter"


def _sweep(output: Path, *arguments: object) -> Call:
    return conform("operations", *arguments, "-o", output, output=output)


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> Call:
    """An adapter from outside, which has five spellings: right, wrong, wrong at zero, raising, and lost."""
    output = tmp_path_factory.mktemp("swept")
    return _sweep(output, "-e", WRONG, "exp", "sin", "tanh", "sinh", "cosh", "log", "-n", 1)


def _verdicts(call: Call) -> dict[tuple[str, str], str]:
    cells = json.loads((call.output / "operations.json").read_text())["cells"]
    return {_place(cell["behaviour"]): (cell["verdict"], cell.get("reason")) for cell in cells}


def _place(id: str) -> tuple[str, str]:
    """Operation and law."""
    law, _, operation = id.removesuffix("]").partition("[")
    return operation, law.partition(".")[2]


def test_an_adapter_from_outside_has_verdicts_from_its_spellings_alone(swept: Call) -> None:
    """A right operation passes, a wrong one fails; an error is `raises`, a missing function `not offered`."""
    law = "reverse_mode_gives_the_derivative"
    verdicts = _verdicts(swept)
    assert {name for name, _ in verdicts} == {"exp", "sin", "tanh", "sinh", "cosh", "log"}
    assert {name: verdicts[name, law] for name in ("exp", "sin", "tanh", "sinh", "cosh", "log")} == {
        "exp": ("pass", None),
        "sin": ("fail", "deviates"),
        "tanh": ("fail", "deviates"),
        "sinh": ("fail", "raised"),
        "cosh": ("absent", "not_offered"),
        "log": ("absent", "not_offered"),
    }
    assert swept.status == 1


def test_a_witness_has_its_point(swept: Call) -> None:
    """The simplest point: a single element, at the special point if only that is wrong."""
    with (swept.output / "operations.csv").open(newline="") as stream:
        rows = {row["behaviour"]: row["message"] for row in csv.DictReader(stream)}
    message = rows["exact_values.reverse_mode_gives_the_exact_derivative[tanh]"]
    assert message.startswith("derivative of order 1: got 2.0, expected 1.0 at tanh(0.0), a zero")


def test_two_seeds_of_the_order_and_two_workers_give_the_same(tmp_path: Path) -> None:
    """Verdicts and witnesses do not depend on what else ran before."""
    outcomes = []
    for number, options in enumerate((("-n", 1), ("-n", 2, "--seed", 7))):
        output = tmp_path / str(number)
        call = _sweep(output, "-e", "reference", "exp", "maximum", "pow", *options)
        assert call.status in (0, 1), call.err
        cells = json.loads((output / "operations.json").read_text())["cells"]
        outcomes.append(sorted((cell["behaviour"], cell["verdict"], cell["message"]) for cell in cells))
    assert outcomes[0] == outcomes[1]
