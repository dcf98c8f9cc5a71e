"""An absence is proven: its probe holds on the engines that lack the feature, and fails on every engine that has it.

Each engine is asked in another process: no two frameworks meet.
"""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from adapters.absences.of_hips_autograd import UNSTAGED_FEATURES, UNTAPED_FEATURES
from adapters.absences.of_jax import TAPE_FEATURES
from adapters.absences.of_torch import NUMPY_FEATURES, RECORDED_FEATURES, TENSOR_FEATURES, TRACED_FEATURES
from conformance.protocol import Absence, vocabulary

# Which lists an engine declares; of the other lists it has a feature each.
TAPE = ("recorded", "traced")
DECLARED = {
    "jax": ("tape",),
    "jax:jit": ("tape",),
    "torch_func": ("tensor", "traced"),
    "torch": TAPE,
    "torch:compile": TAPE,
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
# What a list says is shown against these: the engines that have its features.
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

# The type of the error counts: a probe that fails with a NameError would seem to tell the engines apart.
ASK = """
import json, sys, warnings
from conformance.engines import EngineError, load, parse

warnings.simplefilter("ignore")
try:
    adapter = load(parse(sys.argv[1]))
except EngineError as error:
    print(json.dumps(str(error)))
    sys.exit()

def attempt(probe):
    try:
        probe(adapter)
    except Exception as error:
        return type(error).__name__
    return "holds"

from tests.test_absences import ALL
probes = {absence.probe for absence in ALL}
print(json.dumps({probe.__name__: attempt(probe) for probe in probes}))
"""


@pytest.fixture(scope="module", params=list(DECLARED))
def engine(request: pytest.FixtureRequest) -> tuple[str, dict[str, str]]:
    """An engine's name, and what each probe did on it; skipped where the engine is not installed."""
    done = subprocess.run([sys.executable, "-c", ASK, request.param], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    if isinstance(found, str):
        pytest.skip(found)
    return request.param, found


@pytest.mark.parametrize("absences", LISTS)
def test_probes_tell_the_engines_apart(engine: tuple[str, dict[str, str]], absences: str) -> None:
    """Its own probes hold on an engine; on one that has the features each fails, by AssertionError alone."""
    name, found = engine
    if absences not in DECLARED[name] and name not in HAVE[absences]:
        pytest.skip("neither lacks these features nor has all of them")
    expected = "holds" if absences in DECLARED[name] else "AssertionError"
    told = {absence.probe.__name__: found[absence.probe.__name__] for absence in LISTS[absences]}
    assert told == dict.fromkeys(told, expected)


@pytest.mark.parametrize("absences", LISTS.values(), ids=LISTS)
def test_absent_features_exist(absences: tuple[Absence, ...]) -> None:
    """What is declared absent is a feature of the protocol, each once."""
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
