"""Eager = compiled: a program, written as a check of what it shows in eager mode, is compiled as a whole."""

from __future__ import annotations

import ast
from dataclasses import replace

from conformance import compiled_trials
from conformance.declaration import declared
from conformance.laws.comparison import Difference
from conformance.programs.engine import LoadedEngine
from conformance.programs.generator.kinds import KINDS
from conformance.programs.program import Program
from conformance.programs.program_trial import FoundDifference, ProgramOutcome
from conformance.programs.source.checks import check_of
from conformance.programs.source.native import behaviour_of
from conformance.protocol import CompilingAdapter
from conformance.scripts.trees import Underivable
from conformance.verdicts import Outcome, Verdict, Witness

LONGEST_TEXT = 300  # characters: messages of compilers are pages


def compiled_is_eager(program: Program, engine: LoadedEngine) -> ProgramOutcome:
    """Whether a compiled program shows what it shows in eager mode: numbers, flags, gradients, and calls of hooks.

    Versions are left out: those of values inside of what is compiled are promised nowhere.
    """
    assert isinstance(engine.adapter, CompilingAdapter)
    eager = LoadedEngine(engine.adapter.eager, declared(engine.adapter.eager))
    # The check expects numbers of eager mode, so both of its engines are the eager engine.
    eager = replace(eager, reference=eager)
    oracle = "observations" if KINDS[program.kind].tape else "reference"
    try:
        check = _WithoutTangents().visit(ast.parse(check_of(program, oracle, eager, versions=False)))
        behaviour = behaviour_of(f"{ast.unparse(check)}\n", oracle)
    except Underivable as reason:
        return ProgramOutcome(str(reason))
    outcome = compiled_trials.run(behaviour, engine.adapter, declaration=engine.declaration)
    if outcome.verdict in (Verdict.PASS, Verdict.ABSENT):
        return ProgramOutcome(outcome.message)
    return ProgramOutcome(failure=FoundDifference("compiled_is_eager", _difference(outcome)))


class _WithoutTangents(ast.NodeTransformer):
    """Takes the jvp from custom functions: nothing asks for it, and with one Dynamo runs them in eager mode."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if ast.unparse(node.func) == "ad.custom_function":
            del node.args[3:]
        return self.generic_visit(node)


def _difference(outcome: Outcome) -> Difference:
    witness = outcome.witness or Witness()
    if witness.error:
        return Difference.of_error(witness.error, witness.text, "what eager mode gives", LONGEST_TEXT)
    message = " ".join(outcome.message.splitlines()[:2])[:LONGEST_TEXT]
    return Difference(witness.verb or outcome.verdict.value, message, "what eager mode gives")
