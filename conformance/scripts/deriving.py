"""From a behaviour and an adapter to a script: what an engineer would paste into an issue."""

from __future__ import annotations

import ast
import re
import sys
import textwrap
from typing import Any

from conformance import __version__, sources
from conformance.behaviour import Behaviour
from conformance.protocol import Adapter
from conformance.recording_adapter import RecordingAdapter
from conformance.scripts.asserting import CheckLowering
from conformance.scripts.lowering import Lowering
from conformance.scripts.source import Method, Origin, Script
from conformance.scripts.trees import Underivable, bound_in, bound_in, definition, submodules, variables
from conformance.trial import Trial
from conformance.verdicts import Outcome, Verdict

__all__ = ["SCRIPTED", "derive"]

# Of an absence there is nothing to show, and an error is none of the engine's.
SCRIPTED = (Verdict.PASS, Verdict.FAIL, Verdict.DIFFERS, Verdict.CRASH, Verdict.TIMEOUT)
WIDTH = 100
# 512 units in the last place, as in a run, of the coarsest dtype that a check names.
ROUNDING = {"float16": 0.5, "bfloat16": 2.0, "float32": 6e-5, "complex64": 6e-5}


def derive(behaviour: Behaviour, case: str | None, adapter: Adapter, seen: Outcome) -> str:
    """The script of a cell with the outcome that was seen. It exits with 1 where the outcome is not the promised one.

    Raises Underivable, which says why there is no script.
    """
    if seen.verdict not in SCRIPTED:
        raise Underivable(f"{seen.verdict.value}: {seen.message}")
    taken: set[str] = set()
    while True:
        script = Script(adapter, taken)
        setup, program = _setup(script), _program(script, behaviour, case, seen)
        pieces = _reached(script, [*setup, *program])
        hidden = bound_in(ast.Module(program, [])) | variables([*pieces.values(), *program])
        hidden &= {*pieces, *script.imports.values()}
        if not hidden - taken:
            return _written(script, pieces, _heading(behaviour, case, adapter, seen), setup, program)
        taken |= hidden


def _files(adapter: Adapter) -> set[str]:
    """The source files of an adapter."""
    tops = {kind.__module__.partition(".")[0] for kind in type(adapter).__mro__} - {"builtins", "conformance"}
    modules = (module for name, module in sys.modules.items() if name.partition(".")[0] in tops)
    return {path for module in modules if (path := getattr(module, "__file__", None)) and path.endswith(".py")}


def _setup(script: Script) -> list[ast.stmt]:
    """What the adapter does before its engine is used, as statements at the top."""
    node = ast.Attribute(ast.Name("ad", ast.Load()), "set_up", ast.Load())
    method = script.member(node, Origin({}, {"ad": script.adapter}))
    if not isinstance(method, Method) or method.kind is Adapter:
        return []
    lowering = Lowering(script, method.origin)
    return [lowering.visit(statement) for statement in method.definition().body]


def _program(script: Script, behaviour: Behaviour, case: str | None, seen: Outcome) -> list[ast.stmt]:
    """The check as statements."""
    check: Any = behaviour.check
    tree = definition(check)
    lowering = CheckLowering(script, Origin(check.__globals__, {"ad": script.adapter}))
    script.promise = Trial(behaviour, script.adapter, RecordingAdapter(script.adapter)).promise
    script.convention = (script.promise[0].convention if script.promise else None) or seen.convention
    lowering.functions = frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    values = behaviour.cases[case] if case else ()
    named = f"{ast.unparse(tree)} {values}"
    script.rounding = max([size for name, size in ROUNDING.items() if name in named], default=1e-13)
    loads = [node.id for node in ast.walk(tree) if isinstance(node, ast.Name)]
    program: list[ast.stmt] = []
    lowering.scopes = [bound_in(ast.Module(tree.body, []))]
    for argument, value in zip(tree.args.args[1:], values, strict=True):
        program += lowering.give(argument.arg, value, loads.count(argument.arg))
    for statement in tree.body:
        done = lowering.visit(statement)
        program += done if isinstance(done, list) else [done]
    return program


def _heading(behaviour: Behaviour, case: str | None, adapter: Adapter, seen: Outcome) -> str:
    """The comment of a script: what is claimed, where, of which engine, what was seen, and what its status says."""
    cell = behaviour.id if case is None else f"{behaviour.id}[{case}]"
    cited = [sources.address(one.source, one.page) for one in behaviour.citations]
    where = [one for one in dict.fromkeys(cited) if "://" in one]
    lines = [behaviour.statement, f"{cell} ({behaviour.level.value})", *where]
    convention = f", convention {seen.convention}" if seen.convention else ""
    message = f": {seen.message[:300]}" if seen.message else ""
    about = f"{adapter.name} {adapter.version}, autograd-conformance {__version__}"
    lines.append(f"{about}; seen: {seen.verdict.value}{convention}{message}")
    if seen.verdict is Verdict.DIFFERS:
        lines.append("No source promises this of this engine: asserted is what others promise, so it exits with 1.")
    wrapped = [textwrap.wrap(" ".join(line.split()), WIDTH, break_long_words=False) for line in lines]
    return "\n".join(f"# {part}" for line in wrapped for part in line)


def _written(script: Script, pieces: dict[str, ast.stmt], heading: str, setup: list[ast.stmt], program: list[ast.stmt]) -> str:
    """The text: comment, imports, set-up, what comes along in the order of its source, and the program."""
    order = sorted(pieces, key=lambda name: script.places[name])
    parts = [_text([pieces[name]]) for name in order]
    main = _text(program)
    text = "\n\n\n".join([*parts, main])
    everything = "\n".join([text, *map(ast.unparse, setup)])
    lines = [line for line, name in script.imports.items() if re.search(rf"\b{name}\b", everything)]
    full = {name for path in _files(script.adapter) for name in submodules(path)}
    lines += sorted(f"import {one}" for one in full if re.search(rf"\b{one}\.", everything))
    lines.sort(key=lambda line: (line.startswith("from"), line))
    head = [heading, "\n".join(lines), "\n".join(map(ast.unparse, setup))]
    return "\n\n".join(filter(None, head)) + ("\n\n\n" if parts else "\n\n") + text + "\n"


def _reached(script: Script, program: list[ast.stmt]) -> dict[str, ast.stmt]:
    """The pieces that are used in the end: what was tried on the way and not taken falls away."""
    found: dict[str, ast.stmt] = {}
    left = list(program)
    while left:
        names = {node.id for node in ast.walk(left.pop()) if isinstance(node, ast.Name)}
        for name in sorted(names & script.pieces.keys() - found.keys()):
            piece = script.pieces[name]
            assert piece is not None
            found[name] = piece
            left.append(piece)
    return found


def _text(statements: list[ast.stmt]) -> str:
    """Statements, with a blank line around each definition."""
    texts = [ast.unparse(ast.fix_missing_locations(statement)) for statement in statements]
    text = ""
    for before, now, one in zip([None, *statements], statements, texts, strict=False):
        apart = before and any(isinstance(part, (ast.FunctionDef, ast.ClassDef)) for part in (before, now))
        text += ("\n\n" if apart else "\n" if before else "") + one
    return text
