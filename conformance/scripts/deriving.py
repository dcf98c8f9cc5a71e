"""From a behaviour and an adapter to a script."""

from __future__ import annotations

import ast
from functools import cache
from typing import Any

from conformance.behaviour import Behaviour
from conformance.protocol import Adapter
from conformance.scripts import naming, runtime
from conformance.scripts.checks import lowered_check
from conformance.scripts.lowering import Lowering, without_docstring
from conformance.scripts.members import Method, member
from conformance.scripts.parts import PROGRAM, Library, Origin, Parts
from conformance.scripts.trees import Underivable, names_in
from conformance.scripts.writing import NameTaken, heading, written
from conformance.verdicts import Outcome, Verdict

__all__ = ["SCRIPTED", "derive", "script_or_nothing"]

# Of an absence there is nothing to show, and an error is none of the engine's.
SCRIPTED = (Verdict.PASS, Verdict.FAIL, Verdict.DIFFERS, Verdict.CRASH, Verdict.TIMEOUT)


def script_or_nothing(behaviour: Behaviour, case: str | None, adapter: Adapter, outcome: Outcome) -> str:
    """The script of a cell in which the engine did something; empty where none can be derived.

    An adapter from outside may be anything: what it raises here is not the run's concern.
    """
    if outcome.verdict not in SCRIPTED:
        return ""
    try:
        return derive(behaviour, case, adapter, outcome)
    except Exception:
        return ""


def derive(behaviour: Behaviour, case: str | None, adapter: Adapter, seen: Outcome | None = None) -> str:
    """The script of a cell. Raises Underivable, which says why there is none."""
    try:
        return _derived(behaviour, case, adapter, seen, _library(adapter))
    except NameTaken:
        taken = names_in(behaviour.check.__code__.co_filename)
        return _derived(behaviour, case, adapter, seen, Library({PROGRAM, *taken}))


def _derived(behaviour: Behaviour, case: str | None, adapter: Adapter, seen: Outcome | None, library: Library) -> str:
    parts = Parts(adapter, _array_type(adapter), library, own=Library({PROGRAM}), was_run=seen is not None)
    lowering = Lowering(parts, Origin({}, {"ad": adapter}))
    library.names[naming.RUNTIME, "to_numpy"] = lowering.function_of(_method("to_numpy", lowering))
    run = naming.of_name(parts, Origin(vars(runtime)), "run", lowering.define)
    program = lowered_check(parts, behaviour, case)
    start = ast.Expr(ast.Call(run, [ast.Name(program.name, ast.Load())], []))
    cell = behaviour.id if case is None else f"{behaviour.id}[{case}]"
    return written(parts, heading(behaviour, cell, adapter, seen), _setup(lowering), program, start)


@cache
def _library(adapter: Adapter) -> Library:
    """What all scripts of an adapter share, as far as it was needed."""
    return Library()


def _method(name: str, lowering: Lowering) -> Method:
    found = member(ast.Attribute(ast.Name("ad", ast.Load()), name, ast.Load()), lowering.origin, lowering.parts.adapter)
    if not isinstance(found, Method):
        raise Underivable(f"engine {lowering.parts.adapter.name!r}: {name} is no method of its adapter's class")
    return found


def _setup(lowering: Lowering) -> list[ast.stmt]:
    """What the adapter does before its engine is used, as statements at the top."""
    method = _method("set_up", lowering)
    if method.kind is Adapter:
        return []
    return Lowering(lowering.parts, method.origin).code(without_docstring(method.definition().body))


@cache
def _array_type(adapter: Adapter) -> Any:
    """The type of the engine's arrays, whose methods are looked at; None if it makes none."""
    try:
        return type(adapter.array(1.0))  # type: ignore[attr-defined]
    except Exception:
        return None
