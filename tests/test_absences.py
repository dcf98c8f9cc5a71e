"""An absence is proven: its probe holds on the engines that lack the feature, and fails on every engine that has it.

Each engine of the suite is asked in another process: no two frameworks meet.
"""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
from collections.abc import Callable
from operator import attrgetter
from types import SimpleNamespace
from typing import Any

import numpy
import pytest

import reference_engine
from adapters.absences.of_hips_autograd import UNSTAGED_FEATURES, UNTAPED_FEATURES
from adapters.absences.of_jax import TAPE_FEATURES
from adapters.absences.of_torch import NUMPY_FEATURES, RECORDED_FEATURES, TENSOR_FEATURES, TRACED_FEATURES
from adapters.absences.probes import require
from conformance.absence_proofs import Unproven, prove
from conformance.engines import load, parse
from conformance.protocol import Absence, vocabulary
from tests.support import named_in_chapters
from tests.test_spellings import NOT_IN_THE_REFERENCE
from tests.zoo.adapters import Healthy

# Which lists an engine declares; of the other lists it has a feature each.
TAPE = ("recorded", "traced")
DECLARED = {
    "jax": ("tape",),
    "jax:jit": ("tape",),
    "torch_func": ("tensor", "traced"),
    "torch": TAPE,
    "torch:compile": TAPE,
    "torch:functionalize": ("tensor", "traced"),
    "reference": (*TAPE, "numpy"),
    "hips_autograd": ("untaped", "unstaged"),
}
LISTS = {
    "tape": TAPE_FEATURES,
    "tensor": TENSOR_FEATURES,
    "recorded": RECORDED_FEATURES,
    "traced": TRACED_FEATURES,
    "numpy": NUMPY_FEATURES,
    "untaped": UNTAPED_FEATURES,
    "unstaged": UNSTAGED_FEATURES,
}
# A list's probes have to fail on these: the engines that have its features.
HAVE = {
    "tape": ("torch", "torch:compile", "reference"),
    "tensor": ("torch", "torch:compile", "reference"),
    "recorded": ("torch_func", "jax", "jax:jit"),
    "traced": ("jax", "jax:jit"),
    "numpy": ("torch", "torch:compile", "torch_func"),
    "untaped": ("torch", "torch:compile", "reference"),
    "unstaged": ("jax", "jax:jit"),
}
ALL = [absence for absences in LISTS.values() for absence in absences]

# The type of the error counts: a probe that fails with a NameError would seem to distinguish the engines.
ASK = """
import json, sys, warnings
from conformance.engines import EngineError, load, parse
from conformance.absence_proofs import Unproven, prove

warnings.simplefilter("ignore")
try:
    adapter = load(parse(sys.argv[1]))
except EngineError as error:
    print(json.dumps(str(error)))
    sys.exit()

def attempt(absence):
    try:
        prove(absence, adapter)
    except Unproven as error:
        return type(error.__cause__).__name__ if error.got.startswith("a probe that does not hold") else str(error)
    return "proven"

from tests.test_absences import LISTS
print(json.dumps({name: [attempt(absence) for absence in absences] for name, absences in LISTS.items()}))
"""


@pytest.fixture(scope="module", params=list(DECLARED))
def engine(request: pytest.FixtureRequest) -> tuple[str, dict[str, list[str]]]:
    """An engine's name, and what came of the proof of each absence on it; skipped where it is not installed."""
    # All lists in one process: importing an engine takes longer than the proofs.
    done = subprocess.run([sys.executable, "-c", ASK, request.param], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    proofs = json.loads(done.stdout)
    if isinstance(proofs, str):
        pytest.skip(proofs)
    return request.param, proofs


@pytest.mark.parametrize("absences", LISTS)
def test_probes_distinguish_the_engines(engine: tuple[str, dict[str, list[str]]], absences: str) -> None:
    """Its own absences are proven on an engine; where the features are there, no probe holds: AssertionError alone."""
    name, proofs = engine
    if absences not in DECLARED[name] and name not in HAVE[absences]:
        pytest.skip("neither lacks these features nor has all of them")
    expected = "proven" if absences in DECLARED[name] else "AssertionError"
    assert proofs[absences] == [expected] * len(LISTS[absences])


def on_numpy(probe: Callable[[Any], Any], *features: str) -> str:
    """The error of the proof of an absence on arrays of NumPy; empty if it is proven."""
    try:
        prove(Absence(features, "A reason.", "a page", probe), Healthy())
    except Unproven as error:
        return str(error)
    return ""


def adds(ad: Any) -> None:
    """Holds on every engine."""
    assert float(ad.to_numpy(ad.array(1.0) + ad.array(1.0))) == 2.0


@pytest.mark.parametrize(
    ("feature", "there"),
    [
        ("detach", True),
        ("np.exp", True),
        ("backward.retain_graph", True),
        # The reference engine declares it absent; declares its verb absent.
        ("jit", False),
        ("value_and_grad.has_aux", False),
    ],
)
def test_the_reference_engine_is_asked_for_what_it_has(feature: str, there: bool) -> None:
    """A probe that also holds there is no proof for a feature that it has; for any other nothing can be asked of it."""
    complaint = f"also holds on the reference engine, which has {feature};"
    assert (complaint in on_numpy(adds, feature)) == there
    assert there or on_numpy(adds, feature) == ""


def test_the_reference_engine_has_all_that_it_does_not_declare_absent() -> None:
    """On that rests what a proof asks of it: each verb has a method there, with each optional argument."""
    reference = load(parse("reference"))
    absent = {feature for absence in reference.absences for feature in absence.features}
    named = named_in_chapters()
    for verb in vocabulary().values():
        # Of operations, those that chapters name; others are not offered.
        of_chapters = verb.name in named - NOT_IN_THE_REFERENCE
        if verb.name not in absent and (of_chapters or not verb.name.startswith("np.")):
            taken = inspect.signature(attrgetter(verb.name)(reference)).parameters
            missing = {feature for feature in verb.features[1:] if feature.rpartition(".")[2] not in taken}
            assert missing <= absent, verb.name


def test_one_feature_that_the_reference_engine_has_suffices() -> None:
    """A probe is for all features of its absence: it cannot hide a feature among others."""
    assert "which has detach" in on_numpy(adds, "jit", "detach")


def test_a_call_through_a_namespace_asks_the_engine() -> None:
    """`ad.np.exp(...)` is a call of a verb; `ad.np` alone is none."""
    adapter = Healthy()
    adapter.np = SimpleNamespace(exp=numpy.exp)
    prove(Absence(("jit",), "A reason.", "a page", lambda ad: require(ad.np.exp(0.0) == 1.0, "")), adapter)
    with pytest.raises(Unproven, match="never uses `ad`"):
        prove(Absence(("jit",), "A reason.", "a page", lambda ad: require(ad.np.exp is not None, "")), adapter)


def test_a_probe_leaves_the_reference_engine_as_it_was() -> None:
    """A switch that a failing probe changes there is switched back before the next proof."""

    def switches(ad: Any) -> None:
        if not isinstance(ad.array(1.0), numpy.ndarray):
            reference_engine.set_default_dtype(reference_engine.float64)
            raise AssertionError

    before = reference_engine.get_default_dtype()
    assert on_numpy(switches, "detach") == ""
    assert reference_engine.get_default_dtype() == before


def test_what_ends_a_check_from_outside_ends_a_proof() -> None:
    """An exception that is let out, such as the time limit's, is no answer of the probe, on either engine."""

    class Late(BaseException):
        """The time is over."""

    def late(where: type) -> Callable[[Any], None]:
        def probe(ad: Any) -> None:
            if isinstance(ad.array(1.0), where):
                raise Late

        return probe

    for where in (numpy.ndarray, reference_engine.Tensor):
        with pytest.raises(Late):
            prove(Absence(("detach",), "A reason.", "a page", late(where)), Healthy(), (Late,))


@pytest.mark.parametrize("absences", LISTS.values(), ids=LISTS)
def test_absent_features_exist(absences: tuple[Absence, ...]) -> None:
    """An absent feature is a feature of the protocol, and declared once."""
    declared = [feature for absence in absences for feature in absence.features]
    known = {feature for verb in vocabulary().values() for feature in verb.features}
    assert [feature for feature in declared if feature not in known] == []
    assert len(declared) == len(set(declared))


@pytest.mark.parametrize("absence", ALL, ids=lambda absence: f"{absence.probe.__name__}-{absence.features[0]}")
def test_an_absence_is_explained(absence: Absence) -> None:
    """An absence has a reason that is a sentence, and the address of the page that gives it."""
    assert absence.reason.endswith(".")
    pages = ("docs.jax.dev/", "docs.pytorch.org/", "numpy.org/doc/", "github.com/HIPS/autograd/")
    assert absence.source.startswith(tuple(f"https://{page}" for page in pages))
