"""An absence is proven: its probe holds on the engine that lacks the notion, and fails on every engine that has it.

Each engine is asked in a process of its own: no two frameworks meet.
"""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from adapters.transform_like import TAPE_NOTIONS
from conformance.protocol import Absence, vocabulary

PROBES = sorted({absence.probe.__name__ for absence in TAPE_NOTIONS})

ASK = """
import json, sys, warnings
from adapters.transform_like import TAPE_NOTIONS
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

print(json.dumps({absence.probe.__name__: attempt(absence.probe) for absence in TAPE_NOTIONS}))
"""


@pytest.fixture(scope="module", params=["torch", "reference", "jax"])
def engine(request: pytest.FixtureRequest) -> tuple[str, dict[str, str]]:
    """An engine's name, and what each probe did on it; skipped where the engine is not installed."""
    done = subprocess.run([sys.executable, "-c", ASK, request.param], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    if isinstance(answer, str):
        pytest.skip(answer)
    return request.param, answer


@pytest.mark.parametrize("probe", PROBES)
def test_a_probe_tells_the_engines_apart(engine: tuple[str, dict[str, str]], probe: str) -> None:
    """A probe holds on JAX; on an engine with a tape it fails, and says so by AssertionError and nothing else."""
    name, answers = engine
    assert answers[probe] == ("holds" if name == "jax" else "AssertionError")


def test_absent_notions_exist() -> None:
    """What is declared absent is a notion of the protocol, each once."""
    declared = [notion for absence in TAPE_NOTIONS for notion in absence.notions]
    known = {notion for verb in vocabulary().values() for notion in verb.notions}
    assert [notion for notion in declared if notion not in known] == []
    assert len(declared) == len(set(declared))


@pytest.mark.parametrize("absence", TAPE_NOTIONS, ids=lambda absence: absence.notions[0])
def test_an_absence_is_explained(absence: Absence) -> None:
    """An absence has a reason that is a sentence, and the address of the page that gives it."""
    assert absence.reason.endswith(".")
    assert absence.source.startswith("https://docs.jax.dev/")
