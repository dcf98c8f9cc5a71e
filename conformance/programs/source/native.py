"""The native program of a finding: its check in the engine's own API, which exits with 1 while the finding is there."""

from __future__ import annotations

import tempfile
from pathlib import Path

from conformance import trial
from conformance.behaviour import MAY, Behaviour
from conformance.collection import load_file
from conformance.programs.engine import LoadedEngine
from conformance.programs.program import Program
from conformance.programs.program_trial import FoundDifference
from conformance.programs.source.checks import check_of, statement_of
from conformance.programs.source.files import module_of
from conformance.scripts.derivation import derive
from conformance.scripts.trees import definition


def native_of(program: Program, failure: FoundDifference, engine: LoadedEngine, heading: str = "") -> str:
    """Derive the native program. Raises Underivable, with the reason."""
    behaviour = behaviour_of(check_of(program, failure.oracle, engine, failure), failure.oracle)
    outcome = trial.run(behaviour, engine.adapter, declaration=engine.declaration)
    return derive(behaviour, None, engine.adapter, outcome, [heading or f"a program of kind {program.kind}"])


def behaviour_of(source: str, oracle: str) -> Behaviour:
    """The check as a behaviour."""
    return loaded(oracle, statement_of(oracle), module_of(statement_of(oracle), source))


def loaded(name: str, statement: str, module: str) -> Behaviour:
    """The check of a module that is text. Its source stays known after its file is gone."""
    # A file, as the source of a function is read from the file that its code names.
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "check.py"
        path.write_text(module, "utf-8")
        check = load_file(path, f"_check_{Path(folder).name}").check
        # Read here and kept, as the file is gone when a program is derived.
        definition(check)
    return Behaviour("programs", name, MAY, statement, (), check)
