"""Programs that were found: each file of tests/programs/found is a check, tried on the engines that are installed.

`autograd-conformance program KIND:SEED --engine ENGINE --as-test` prints such a file. `FAILS` names the engines on
which it fails, with the cause: strict, so a check that passes there fails the test.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from conformance import trial
from conformance.behaviour import MAY, Behaviour
from conformance.collection import load_file
from conformance.programs.engine import engine_of
from conformance.verdicts import Verdict

FILES = sorted((Path(__file__).parent / "programs" / "found").glob("*.py"))
# Engine to the distribution that it needs.
ENGINES = {"reference": "numpy", "torch": "torch", "torch_func": "torch"}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_program_that_was_found(path: Path, engine: str) -> None:
    """It passes, or fails on the engines in `FAILS`."""
    if find_spec(ENGINES[engine]) is None:
        pytest.skip(f"{engine} is not installed")
    module, loaded_engine = load_file(path, f"_found_{path.stem}"), engine_of(engine)
    check = Behaviour("programs", path.stem, MAY, "A program that was found.", (), module.check)
    outcome = trial.run(check, loaded_engine.adapter, declaration=loaded_engine.declaration)
    if outcome.verdict in (Verdict.ABSENT, Verdict.UNSUPPORTED):
        pytest.skip(outcome.message)
    wanted = Verdict.DIFFERS if engine in module.FAILS else Verdict.PASS
    assert outcome.verdict is wanted, f"{outcome.message}; FAILS is {module.FAILS}"


def test_programs_were_found() -> None:
    """Each names engines that there are."""
    assert len(FILES) >= 3
    for path in FILES:
        assert set(load_file(path, f"_found_{path.stem}").FAILS) <= ENGINES.keys()
