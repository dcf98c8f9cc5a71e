"""Whether a check's transforms can be shown in the adapter's plain form: without containers, none inside another."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from typing import Any

from conformance.scripts.trees import Rewriter


def is_plain(check: ast.FunctionDef, kind: type) -> bool:
    """Whether each transform of a check is outside of all programs, and is applied to arrays that the check makes."""
    transforms = {name.removeprefix("_plain_") for name in dir(kind) if name.startswith("_plain_")}
    bound = [pair for node in ast.walk(check) if isinstance(node, ast.Assign) for pair in _bound(node)]
    derivatives = {name for name, value in bound if _verb(value) in transforms}
    remover = _Remover({name for name, value in bound if _verb(value) == "array"}, derivatives, transforms)
    # What is left has no plain use: a transform, or a named derivative, among it is inside of something.
    left = [node for statement in check.body for node in ast.walk(remover.visit(statement))]
    verbs = {node.attr for node in left if isinstance(node, ast.Attribute)}
    used = {node.id for node in left if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    return not used & derivatives and not verbs & transforms


class _Remover(Rewriter):
    """Removes the transforms, and the named derivatives, whose use is plain."""

    def __init__(self, arrays: Collection[str], derivatives: Collection[str], transforms: Collection[str]) -> None:
        self.arrays, self.derivatives, self.transforms = arrays, derivatives, transforms

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        """With parameters it is a program; without, an action that is to raise, and runs once."""
        return node if node.args.args else self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        # A program: what is in it is inside of a transform, or may be.
        return node

    def visit_Assign(self, node: ast.Assign) -> Any:
        """A derivative with a name, or the output and the pullback."""
        call = node.value
        if not isinstance(call, ast.Call) or _verb(call) not in self.transforms:
            return self.generic_visit(node)
        plain = isinstance(node.targets[0], ast.Name) or self._arrays(call.args[1:])
        return self.generic_visit(ast.Tuple(call.args) if plain else node)

    def visit_Call(self, node: ast.Call) -> Any:
        if not node.keywords and self._arrays(node.args):
            if isinstance(node.func, ast.Call) and _verb(node.func) in self.transforms:
                # The arguments stay, in which there may be other transforms.
                return self.generic_visit(ast.Tuple(node.func.args))
            if getattr(node.func, "id", "") in self.derivatives:
                return ast.Constant(None)
        return self.generic_visit(node)

    def _arrays(self, nodes: list[ast.expr]) -> bool:
        return all(_verb(node) == "array" or getattr(node, "id", "") in self.arrays for node in nodes)


def _verb(node: ast.AST) -> str:
    """The verb that is called; empty for anything else."""
    return node.func.attr if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else ""


def _bound(node: ast.Assign) -> Iterator[tuple[str, ast.expr]]:
    """The names that an assignment binds, each with its value."""
    (target,) = node.targets
    if isinstance(target, ast.Name):
        yield target.id, node.value
    elif isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
        yield from ((getattr(name, "id", ""), value) for name, value in zip(target.elts, node.value.elts, strict=True))
