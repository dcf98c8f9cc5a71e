"""A program as source: the lines of each step are those of its form's function, with the values in place."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from types import FunctionType
from typing import Any

from conformance.programs.forms import FORMS
from conformance.programs.program import Body, Step
from conformance.scripts.trees import Filled, literal, open_definition, static, text_of, without_getattr

# Letters of values by depth: of the program, of a body within, of a body within that, ...
LETTERS = "vwuyz"


class Writer:
    """A writer of steps as source. `heard`: bodies of hooks append the number of their step to a list `heard`."""

    def __init__(self, heard: bool = False) -> None:
        self.heard = heard

    def function(self, name: str, body: Body, names: Sequence[str], depth: int, heard: bool = False) -> ast.FunctionDef:
        """A body as a function; `names` are those of the values that were made before it."""
        start = len(names)
        parameters = [f"{LETTERS[depth]}{start + at}" for at in range(body.parameters)]
        inner = [*names, *parameters]
        lines = ast.parse(f"heard.append({start})").body if self.heard and heard else []
        lines += self.lines(body.steps, inner, depth)
        if body.gives:
            lines.append(ast.Return(ast.Name(inner[body.gives[0]], ast.Load())))
        arguments = ast.arguments([], [ast.arg(parameter) for parameter in parameters], None, [], [], None, [])
        return ast.FunctionDef(name=name, args=arguments, body=lines or [ast.Pass()], decorator_list=[])

    def lines(self, steps: Sequence[Step], names: list[str], depth: int = 0) -> list[ast.stmt]:
        """Steps as statements. Adds the names of their values to `names`."""
        lines: list[ast.stmt] = []
        for step in steps:
            made = f"{LETTERS[depth]}{len(names)}"
            lines += self.step(step, names, made, depth)
            names.append(made)
        return lines

    def step(self, step: Step, names: Sequence[str], made: str, depth: int) -> list[ast.stmt]:
        """A step as statements: functions for its bodies, and its form's own lines."""
        form = FORMS[step.form]
        functions = [
            self.function(f"f{len(names)}{'ab'[at] if step.bodies[1:] else ''}", body, names, depth + 1, form.heard)
            for at, body in enumerate(step.bodies)
        ]
        arguments = [ast.Name(function.name, ast.Load()) for function in functions]
        arguments += [ast.Name(names[number], ast.Load()) for number in step.takes]
        return [*functions, *_inline_call(form.call, [*arguments, *map(_literal, step.options)], made, len(names))]


def _inline_call(call: Any, arguments: Sequence[ast.expr], made: str, number: int) -> list[ast.stmt]:
    """Inline a call of a form's function; its result gets the name `made`."""
    assert isinstance(call, FunctionType)
    tree = open_definition(call)
    (_, *parameters), rest = (argument.arg for argument in tree.args.args), tree.args.vararg
    parts: dict[str, ast.expr] = dict(zip(parameters, arguments, strict=False))
    if rest:
        parts[rest.arg] = ast.Tuple([*arguments[len(parameters) :]], ast.Load())
    cells = zip(call.__code__.co_freevars, call.__closure__ or (), strict=True)
    parts |= {name: _literal(cell.cell_contents) for name, cell in cells}
    nodes = (node for line in tree.body for node in ast.walk(line))
    # The form's own variables get the number of the step: a program may have the same form twice.
    stores = (node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    lowered = _InPlace(parts, {name: f"{name}{number}" for name in stores}, made)
    return [lowered.visit(line) for line in tree.body]


class _InPlace(Filled):
    """Replaces parameters by arguments, and simplifies what is then constant."""

    def __init__(self, parts: dict[str, ast.expr], local: dict[str, str], made: str) -> None:
        super().__init__(parts)
        self.local, self.made = local, made

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        """Parameters of a function within hide those of the form."""
        arguments = (*node.args.args, *node.args.kwonlyargs, node.args.vararg)
        own = {argument.arg for argument in arguments if argument}
        parts = {name: part for name, part in self.parts.items() if name not in own}
        return _InPlace(parts, self.local, self.made).generic_visit(node)  # type: ignore[no-any-return]

    def visit_Name(self, node: ast.Name) -> Any:
        return ast.Name(self.local[node.id], node.ctx) if node.id in self.local else super().visit_Name(node)

    def visit_Return(self, node: ast.Return) -> ast.stmt:
        assert node.value is not None
        return ast.Assign([ast.Name(self.made, ast.Store())], self.visit(node.value), lineno=0)

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        """An index or slice of the arguments: `arguments[-1]`, `arguments[:-1]`."""
        done: ast.Subscript = self.generic_visit(node)
        parts, index = getattr(done.value, "elts", None), static(done.slice)
        if not isinstance(node.value, ast.Name):  # a tuple of the form's own: what it leaves out is done, too
            return done
        if parts is not None and isinstance(index, int):
            return parts[index]  # type: ignore[no-any-return]
        if parts is not None and isinstance(done.slice, ast.Slice) and done.slice.upper and not done.slice.lower:
            return ast.Tuple(parts[: static(done.slice.upper)], ast.Load())
        return done

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """`getattr` with a constant name, and `list` of a tuple."""
        done: ast.Call = self.generic_visit(node)
        if getattr(done.func, "id", "") == "list" and isinstance(done.args[0], ast.Tuple):
            return ast.List(done.args[0].elts, ast.Load())
        return without_getattr(done)


def _literal(value: Any) -> ast.expr:
    node = literal(value)
    assert node is not None, value
    return node


def listing(body: Body) -> str:
    """A program as a function of its inputs, for people to read."""
    return text_of([Writer().function("program", body, (), 0)]) + "\n"
