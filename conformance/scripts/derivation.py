"""The derivation of a script from a behaviour and an adapter."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Sequence
from typing import Any

from conformance import __version__, sources
from conformance.behaviour import Behaviour
from conformance.declaration import declared
from conformance.protocol import Adapter, CompilingAdapter
from conformance.scripts.assertions import CheckLowering
from conformance.scripts.lowering import VerbLowering
from conformance.scripts.plain import is_plain
from conformance.scripts.source import Method, Origin, Script
from conformance.scripts.trees import Underivable, bound_in, definition, text_of
from conformance.trial import promise
from conformance.verdicts import Outcome, Verdict

# An absence has no program, and an error is no outcome of the engine.
SCRIPTED = (Verdict.PASS, Verdict.FAIL, Verdict.DIFFERS, Verdict.CRASH, Verdict.TIMEOUT)


def derive(behaviour: Behaviour, case: str | None, adapter: Adapter, seen: Outcome, heading: Sequence[str] = ()) -> str:
    """Derive the script of a cell with its outcome. It exits with 1 where the outcome is not the promised one.

    `heading` replaces the lines that name the cell. Raises Underivable, with the reason.
    """
    if seen.verdict not in SCRIPTED:
        raise Underivable(f"{seen.verdict.value}: {seen.message}")
    if isinstance(adapter, CompilingAdapter):
        raise Underivable(f"{adapter.name} compiles the program of the column without a compiler: see the script there")
    script, setup, program = script_and_statements(behaviour, case, adapter, seen, CheckLowering)
    helpers = helpers_of(script)
    body = "\n\n\n".join([*helpers, text_of(program)])
    start = text_of(setup)
    head = [_heading(behaviour, case, adapter, seen, heading), imports_of(script, f"{start}\n{body}"), start]
    return "\n\n".join(filter(None, head)) + ("\n\n\n" if helpers else "\n\n") + body + "\n"


def script_and_statements(
    behaviour: Behaviour, case: str | None, adapter: Adapter, seen: Outcome, kind: type[CheckLowering]
) -> tuple[Script, list[ast.stmt], list[ast.stmt]]:
    """A script, the statements of the adapter's set-up, and those of the check. Raises Underivable."""
    check: Any = behaviour.check
    taken: set[str] = set()
    plain = is_plain(definition(check), type(adapter))
    # Names are known only when all code is lowered; a clash renames, and the lowering starts again.
    while True:  # until no variable hides what the script imports or defines
        script = Script(adapter, Origin(check.__globals__, {"ad": adapter}), taken, plain)
        setup, program = _setup(script), _program(script, behaviour, case, seen, kind)
        hidden = bound_in(*program).union(*(bound_in(piece) - {name} for name, piece in script.pieces.items()))
        hidden &= {*script.pieces, *script.imports.values()}
        if not hidden and script.plain == plain:
            return script, setup, program
        taken, plain = taken | hidden, script.plain


def helpers_of(script: Script) -> list[str]:
    """The helper functions and values: the adapter's, then the chapter's; values after functions."""
    return [text_of([script.pieces[name]]) for name in sorted(script.pieces, key=lambda name: script.places[name])]


def _setup(script: Script) -> list[ast.stmt]:
    """The adapter's set-up of its engine, as statements."""
    node = ast.Attribute(ast.Name("ad", ast.Load()), "set_up", ast.Load())
    method = script.member(node, Origin({}, {"ad": script.adapter}))
    if not isinstance(method, Method) or method.kind is Adapter:
        return []
    body = method.definition().body
    return [VerbLowering(script, method.origin, *body).visit(statement) for statement in body]


def _program(
    script: Script, behaviour: Behaviour, case: str | None, seen: Outcome, kind: type[CheckLowering]
) -> list[ast.stmt]:
    """The check as statements."""
    tree = definition(behaviour.check)
    script.promise = promise(behaviour, declared(script.adapter, checked=False))
    script.convention = (script.promise[0].convention if script.promise else None) or seen.convention
    values = behaviour.cases[case] if case else ()
    script.typed = seen.witness is not None and seen.witness.what == "dtype"
    body = tree.body[1:]  # without the statement of the behaviour
    lowering = kind(script, script.check, *body)
    # Arguments are replaced by the values of the case: no variables of the script.
    lowering.own -= {argument.arg for argument in tree.args.args}
    loads = [node.id for node in ast.walk(tree) if isinstance(node, ast.Name)]
    program: list[ast.stmt] = []
    for argument, value in zip(tree.args.args[1:], values, strict=True):
        program += lowering.give(argument.arg, value, loads.count(argument.arg))
    return program + [line for statement in body for line in lowering.statements(statement)]


def imports_of(script: Script, text: str) -> str:
    """The import lines of a text; a submodule is imported if the adapter imports it by its full name."""
    lines = [line for line, name in script.imports.items() if re.search(rf"\b{name}\b", text)]
    modules = {inspect.getmodule(kind) for kind in type(script.adapter).__mro__[:-1]}
    texts = [inspect.getsource(module) for module in modules if module]
    full = re.findall(r"^import (\w+\.[\w.]+)$", "\n".join(texts), re.M)
    lines += [f"import {name}" for name in {*full} if f"{name}." in text]
    return "\n".join(sorted(lines, key=lambda line: (line.startswith("from"), line)))


def _heading(
    behaviour: Behaviour, case: str | None, adapter: Adapter, seen: Outcome, instead: Sequence[str] = ()
) -> str:
    """The comment at the head of a script: statement, cell, citations, engine and outcome."""
    cell = behaviour.id if case is None else f"{behaviour.id}[{case}]"
    addresses = dict.fromkeys(sources.address(citation.source, citation.page) for citation in behaviour.citations)
    where = [address for address in addresses if "://" in address]
    convention = f", convention {seen.convention}" if seen.convention else ""
    message = f": {seen.message[:300]}" if seen.message else ""
    about = f"{adapter.name} {adapter.version}, autograd-conformance {__version__}"
    lines = [behaviour.statement, *(instead or [f"{cell} ({behaviour.level.value})"]), *where]
    lines.append(f"{about}; seen: {seen.verdict.value}{convention}{message}")
    if seen.verdict is Verdict.DIFFERS and not instead:
        lines.append("No source promises this of this engine: asserted is what others promise, so it exits with 1.")
    return "\n".join(f"# {part}" for line in lines for part in textwrap.wrap(line, 100, break_long_words=False))
