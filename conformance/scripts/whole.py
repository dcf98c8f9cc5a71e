"""A check as a single function of the engine's own API, which hands on the values to be asserted."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any

from conformance.behaviour import Behaviour
from conformance.protocol import Adapter
from conformance.scripts.assertions import CheckLowering, action_of
from conformance.scripts.derivation import helpers_of, imports_of, script_and_statements
from conformance.scripts.lowering import VerbLowering
from conformance.scripts.trees import definition, text_of
from conformance.verdicts import Outcome

# The functions of `conformance.expect` that a program calls under the name with an underscore in front, the number of
# the assertion as its first argument.
EXPECTED = ("close", "equal", "one_of", "raises", "warns")


@dataclass(frozen=True)
class WholeProgram:
    """The text of a module with a function `_whole`, and the lines of the check that assert, by their numbers.

    Where the program ends with what may raise an error, `last` is that assertion's number: there the error is not
    caught. Of a compiled program it may come earlier, when it is traced.
    """

    text: str
    sites: tuple[str, ...]
    last: int | None


class RecordedLowering(CheckLowering):
    """The lowering of a check that hands on the values of its assertions."""

    ending: ast.expr | None = None  # the assertion of an error with which a program ends

    def _expectation(self, node: ast.expr | None, **more: Any) -> Any:
        return None

    def visit_Name(self, node: ast.Name) -> ast.expr:
        ours = node.id == "an_error" and node.id not in self.own and "an_error" in self.origin.namespace
        return ast.Name("_an_error", ast.Load()) if ours else super().visit_Name(node)

    def visit_Call(self, node: ast.Call, kinds: tuple[type, ...] = ()) -> Any:
        """A call of an assertion has its number in front."""
        name = getattr(node.func, "id", "")
        if name not in EXPECTED or name in self.own or name not in self.origin.namespace:
            return super().visit_Call(node, kinds)
        self.script.sites.append(ast.unparse(node))
        number = ast.Constant(len(self.script.sites) - 1)
        if node is self.ending:
            return self._ended(name, number, node)
        call = VerbLowering.generic_visit(self, ast.Call(ast.Constant(None), node.args, node.keywords))
        return ast.Call(ast.Name(f"_{name}", ast.Load()), [number, *call.args], call.keywords)

    def _ended(self, name: str, number: ast.expr, node: ast.Call) -> ast.expr:
        """`_ended(_ending(...), action)`: the assertion is announced before the action, which may raise."""
        options = VerbLowering.generic_visit(self, ast.Call(ast.Constant(None), [], node.keywords))
        begun = ast.Call(ast.Name("_ending", ast.Load()), [number, ast.Constant(name)], options.keywords)
        return ast.Call(ast.Name("_ended", ast.Load()), [begun, self.visit(action_of(node.args[0]))], [])


def whole_program(behaviour: Behaviour, case: str | None, adapter: Adapter, seen: Outcome) -> WholeProgram:
    """The program of a cell with its outcome. Raises Underivable."""
    ending = _ending(definition(behaviour.check).body[-1])
    kind = type("Lowering", (RecordedLowering,), {"ending": ending})
    script, _, program = script_and_statements(behaviour, case, adapter, seen, kind)
    nothing = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    function = text_of([ast.FunctionDef(name="_whole", args=nothing, body=program, decorator_list=[])])
    body = "\n\n\n".join([*helpers_of(script), function])
    text = "\n\n".join(filter(None, [imports_of(script, body), body])) + "\n"
    last = script.sites.index(ast.unparse(ending)) if ending and "_ended(" in function else None
    return WholeProgram(text, tuple(script.sites), last)


def _ending(statement: ast.stmt) -> ast.Call | None:
    """The call of `raises`, or of `one_of` with a function, with which a check ends, if it does."""
    if isinstance(statement, ast.With):
        return _ending(statement.body[-1])
    call = statement.value if isinstance(statement, (ast.Expr, ast.Return)) else None
    if not isinstance(call, ast.Call) or getattr(call.func, "id", "") not in ("raises", "one_of"):
        return None
    return call if getattr(call.func, "id", "") == "raises" or isinstance(call.args[0], ast.Lambda) else None
