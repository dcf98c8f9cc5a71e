"""Eager = compiled: a program, written as a check of what it shows in eager mode, is compiled as a whole."""

from __future__ import annotations

import ast
import re

from conformance import compiled_trials
from conformance.declaration import declared
from conformance.programs.case import Difference
from conformance.programs.engine import LoadedEngine
from conformance.programs.generator.kinds import KINDS
from conformance.programs.program import Program
from conformance.programs.source.checks import Unwritable, check_of
from conformance.programs.source.native import behaviour_of
from conformance.programs.trying import FoundDifference, ProgramOutcome
from conformance.protocol import CompilingAdapter
from conformance.recording_adapter import RecordingAdapter
from conformance.verdicts import Outcome, Verdict

__all__ = ["compiled_is_eager"]

# The verb whose result differs, where the message names it.
ASSERTED = re.compile(r" in \w+\(ad\.(\w+)")
ERROR = re.compile(r"raised (\w+)(?:: (.*))?", re.DOTALL)


def compiled_is_eager(program: Program, engine: LoadedEngine) -> ProgramOutcome:
    """Whether a compiled program shows what it shows in eager mode: numbers, flags, gradients, and calls of hooks.

    Versions are left out: those of values inside of what is compiled are promised nowhere.
    """
    assert isinstance(engine.adapter, CompilingAdapter)
    adapter = engine.adapter.eager
    declaration = declared(adapter)
    eager = LoadedEngine(adapter.name, adapter, declaration, RecordingAdapter(adapter, declaration.absent))
    oracle = "observations" if KINDS[program.kind].tape else "reference"
    try:
        lines = check_of(program, oracle, eager, eager).splitlines(keepends=True)
        check = ast.parse("".join(line for line in lines if "version_of" not in line))
        behaviour = behaviour_of(f"{ast.unparse(_WithoutJvp().visit(check))}\n", oracle)
    except Unwritable as reason:
        return ProgramOutcome(str(reason))
    outcome = compiled_trials.run(behaviour, engine.adapter, declaration=engine.declaration)
    if outcome.verdict in (Verdict.PASS, Verdict.ABSENT):
        return ProgramOutcome(outcome.message)
    return ProgramOutcome(found=FoundDifference("compiled_is_eager", _difference(outcome)))


class _WithoutJvp(ast.NodeTransformer):
    """Takes the jvp from custom functions: nothing asks for it here, and with one Dynamo runs them in eager mode."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if ast.unparse(node.func) == "ad.custom_function":
            del node.args[3:]
        return self.generic_visit(node)


def _difference(outcome: Outcome) -> Difference:
    message = " ".join(outcome.message.splitlines()[:2])[:300]
    if error := ERROR.match(message):
        return Difference(f"raises {error[1]}", f"{error[1]}: {error[2] or ''}", "what eager mode gives")
    asserted = ASSERTED.search(message)
    return Difference(asserted[1] if asserted else outcome.verdict.value, message, "what eager mode gives")
