"""A check as one function of the engine's own API that asserts nothing: it hands on what is to be asserted."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any

from conformance.behaviour import Behaviour
from conformance.protocol import Adapter
from conformance.scripts.asserting import CheckLowering
from conformance.scripts.deriving import helpers_of, imports_of, settled, text_of
from conformance.scripts.lowering import VerbLowering
from conformance.verdicts import Outcome

__all__ = ["EXPECTED", "WholeProgram", "whole_program"]

# The functions of `conformance.expect` that a program calls under the name with an underscore in front, the number of
# the assertion as its first argument.
EXPECTED = ("close", "equal", "one_of", "raises", "warns")


@dataclass(frozen=True)
class WholeProgram:
    """The text of a module with a function `program`, and the lines of the check that assert, by their numbers."""

    text: str
    sites: tuple[str, ...]


class RecordedLowering(CheckLowering):
    """Rewrites a check whose assertions are handed on."""

    def _expectation(self, node: ast.expr | None) -> Any:
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
        given = VerbLowering.generic_visit(self, ast.Call(ast.Constant(None), node.args, node.keywords))
        return ast.Call(ast.Name(f"_{name}", ast.Load()), [number, *given.args], given.keywords)


def whole_program(behaviour: Behaviour, case: str | None, adapter: Adapter, seen: Outcome) -> WholeProgram:
    """The program of a cell with the outcome that was seen. Raises Underivable."""
    script, _, program = settled(behaviour, case, adapter, seen, RecordedLowering)
    made = template_of(program)
    body = "\n\n\n".join([*helpers_of(script), made])
    return WholeProgram("\n\n".join(filter(None, [imports_of(script, body), body])) + "\n", tuple(script.sites))


def template_of(program: list[ast.stmt]) -> str:
    """The statements as the body of a function."""
    arguments = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    return text_of([ast.FunctionDef(name="program", args=arguments, body=program, decorator_list=[])])
