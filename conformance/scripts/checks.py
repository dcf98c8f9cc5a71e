"""Checks in the engine's own words: what is particular to them are cases, and what they expect."""

from __future__ import annotations

import ast
import builtins
from types import FunctionType
from typing import Any

from conformance.behaviour import Behaviour
from conformance.protocol import Adapter
from conformance.recording_adapter import RecordingAdapter
from conformance.scripts.folding import literal
from conformance.scripts.lowering import Lowering
from conformance.scripts.members import Method
from conformance.scripts.parts import PROGRAM, Origin, Parts
from conformance.scripts.trees import Underivable, binding, definition
from conformance.trial import Trial

__all__ = ["CheckLowering", "lowered_check"]


def lowered_check(parts: Parts, behaviour: Behaviour, case: str | None) -> ast.FunctionDef:
    """The check as a function without arguments."""
    check = behaviour.check
    assert isinstance(check, FunctionType)
    program = definition(check)
    assert isinstance(program, ast.FunctionDef)
    program.decorator_list, program.name = [], PROGRAM
    if not parts.was_run:
        _refuse_absent(program, parts.adapter)
    parts.promise = Trial(behaviour, parts.adapter, RecordingAdapter(parts.adapter)).promise
    lowering = CheckLowering(parts, Origin(check.__globals__, {"ad": parts.adapter}))
    values = behaviour.cases[case] if case else ()
    names = [argument.arg for argument in program.args.args[1:]]
    program.args.args = program.args.args[:1]
    lowering.given = {name: lowering.expressed(value, name) for name, value in zip(names, values, strict=True)}
    return lowering.visit(program)  # type: ignore[no-any-return]


def _refuse_absent(check: ast.FunctionDef, adapter: Adapter) -> None:
    """Raises Underivable if a check asks for a feature that the engine lacks by design."""
    reasons = {feature: absence.reason for absence in adapter.absences for feature in absence.features}
    for call in (node for node in ast.walk(check) if isinstance(node, ast.Call)):
        verb = ast.unparse(call.func).removeprefix("ad.")
        for feature in (verb, *(f"{verb}.{keyword.arg}" for keyword in call.keywords)):
            if feature in reasons:
                raise Underivable(
                    f"engine {adapter.name!r} has no ad.{feature}; it is absent by design: {reasons[feature]}"
                )


class CheckLowering(Lowering):
    """Rewrites a check, or a function that a chapter has for its checks."""

    def expressed(self, value: Any, name: str) -> ast.expr:
        """The value of a case as an expression. Raises Underivable."""
        if isinstance(value, FunctionType):
            return ast.Name(self._function_of_a_case(value, name), ast.Load())
        if isinstance(value, (list, tuple)):
            parts = [self.expressed(part, name) for part in value]
            return ast.List(parts, ast.Load()) if isinstance(value, list) else ast.Tuple(parts, ast.Load())
        if isinstance(value, dict) and all(isinstance(key, str) for key in value):
            keys: list[ast.expr | None] = [ast.Constant(key) for key in value]
            return ast.Dict(keys, [self.expressed(part, name) for part in value.values()])
        if type(value) is object:
            return ast.parse("object()", mode="eval").body
        if isinstance(value, type) and _is_pythons(value):
            return ast.Name(value.__name__, ast.Load())
        if (found := literal(value)) is None:
            raise Underivable(f"the case gives {name} = {value!r}, which has no source")
        return found

    def _function_of_a_case(self, function: FunctionType, name: str) -> str:
        origin = Origin(function.__globals__, self.origin.roots)
        if function.__name__ != "<lambda>" and binding(function.__globals__, function.__name__):
            tree = definition(function)
            assert isinstance(tree, ast.FunctionDef)
            return self.define(origin, function.__name__, tree)

        def make(name: str) -> ast.stmt:
            tree = definition(function)
            assert isinstance(tree, ast.Lambda)
            body: list[ast.stmt] = [ast.Return(tree.body)]
            named = ast.FunctionDef(name=name, args=tree.args, body=body, decorator_list=[])
            return CheckLowering(self.parts, origin).visit(named)  # type: ignore[no-any-return]

        return self.parts.defined(function, name, origin, make)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in ("raises", "warns"):
            kind = "raises" if name == "raises" else "warns"
            node.args += self._promised(kind, None)
        for keyword in node.keywords if name == "one_of" else ():
            if isinstance(keyword.value, ast.Name) and keyword.value.id == "an_error":
                keyword.value = ast.Call(keyword.value, self._promised("raises", keyword.arg), [])
        return super().visit_Call(node)

    def _promised(self, attribute: str, convention: str | None) -> list[ast.expr]:
        """What the deciding citations say of an exception or warning: its type, and a phrase of its message."""
        cited = [citation for citation in self.parts.promise if citation.convention == convention]
        said = [(getattr(citation, attribute), citation.says) for citation in cited]
        told = dict.fromkeys(pair for pair in said if any(pair))
        return [ast.Tuple([_kind(kind), ast.Constant(phrase)], ast.Load()) for kind, phrase in told]

    def visit_Expr(self, node: ast.Expr) -> ast.stmt | list[ast.stmt]:
        """What a refusal's action returns is of no interest: a verb may be replaced there by statements, too."""
        call = node.value
        acts = isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in ("raises", "warns")
        action = call.args[0] if isinstance(call, ast.Call) and acts and call.args else None
        inner = action.body if isinstance(action, ast.Lambda) and not action.args.args else None
        found = self._member(inner.func) if isinstance(inner, ast.Call) else None
        if not isinstance(call, ast.Call) or not isinstance(inner, ast.Call) or not isinstance(found, Method):
            return super().visit_Expr(node)
        inner.args = [argument for argument in inner.args if not self._is_root(argument)]
        lowered = self._call(found, self._visited(inner), as_statement=True)
        return self._expecting(call, lowered)

    def _expecting(self, call: ast.Call, lowered: ast.expr | list[ast.stmt]) -> ast.stmt | list[ast.stmt]:
        """The expectation of what an action does, which is an expression, or statements under a name."""
        none = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
        rest = call.args[1:]
        if isinstance(lowered, list) and isinstance(lowered[0], ast.Expr):
            lowered = lowered[0].value
        if isinstance(lowered, ast.expr):
            call.args = rest
            done = self.visit_Call(call)
            assert isinstance(done, ast.Call)
            done.args.insert(0, ast.Lambda(none, lowered))
            return ast.Expr(done)
        name = "action"
        while name in self.scopes[-1]:
            name += "_"
        call.args = [ast.Name(name, ast.Load()), *rest]
        self.scopes[-1].add(name)
        made = ast.FunctionDef(name=name, args=none, body=lowered, decorator_list=[])
        return [made, ast.Expr(self.visit_Call(call))]


def _kind(kind: type | str | None) -> ast.expr:
    """An exception's type: by name if it is Python's own, and else as a dotted name."""
    if isinstance(kind, type) and _is_pythons(kind):
        return ast.Name(kind.__name__, ast.Load())
    return ast.Constant(f"{kind.__module__}.{kind.__qualname__}" if isinstance(kind, type) else kind)


def _is_pythons(kind: type) -> bool:
    return getattr(builtins, kind.__name__, None) is kind
