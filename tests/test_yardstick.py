"""The yardstick: each mistake has a right twin, a public thread and laws about it; tools are scored on a few cases."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("jax")

from conformance.collection import load_all
from conformance.laws import LAWS
from workshop.yardstick.case import CustomCase
from workshop.yardstick.scores import scores
from workshop.yardstick.tools import TOOLS
from workshop.yardstick.trial import ToolTrial, cases_apart, trials_apart

SAMPLE = {
    "torch": ("Cubed", "CubedOfContiguousMemory", "CubedInItsCotangent"),
    "jax": ("sine_product", "sine_product_with_a_sign"),
}


@pytest.fixture(scope="module")
def cases() -> dict[str, CustomCase]:
    return {case.name: case for engine in TOOLS for case in cases_apart(engine)}


def test_a_mistake_has_a_right_twin_and_a_thread(cases: dict[str, CustomCase]) -> None:
    """The twin is of the same engine, and right; the address is of a thread; the docstring is the mistake."""
    for case in cases.values():
        if case.twin:
            assert not cases[case.twin].twin, case
            assert cases[case.twin].engine == case.engine, case
            assert case.thread.startswith("https://"), case
            assert case.text, f"{case.name} needs a docstring: the mistake"


def test_the_laws_about_a_mistake_exist(cases: dict[str, CustomCase]) -> None:
    """A part of a law's name that no law has would never be named."""
    own = (Path(__file__).parents[1] / "conformance/own/laws.py").read_text("utf-8")
    known = [*(law.id for law in load_all(LAWS)), own]
    for case in cases.values():
        assert bool(case.laws) == bool(case.twin), case
        for law in case.laws:
            assert any(law in text for text in known), f"{case.name}: no law is named {law!r}"


def test_tools_are_scored(cases: dict[str, CustomCase]) -> None:
    """`check` names the mistakes of a sample and accuses no twin; a tool that complains about both names none."""
    chosen = [cases[name] for names in SAMPLE.values() for name in names]
    trials = [trial for engine, names in SAMPLE.items() for trial in trials_apart(engine, names, 120.0)]
    by_tool = {score.tool: score for score in scores(chosen, trials)}
    assert not by_tool["check"].missed, trials
    assert not by_tool["check"].accused, trials
    assert by_tool["gradcheck"].missed == ["CubedOfContiguousMemory", "CubedInItsCotangent"]
    assert by_tool["check_grads"].named == ["sine_product_with_a_sign"]
    both = [ToolTrial("gradcheck", name, {"default": "wrong"}) for name in SAMPLE["torch"]]
    (score,) = scores(chosen, both)
    assert (score.named, score.accused) == ([], ["Cubed"])
