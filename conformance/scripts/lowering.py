"""Code in the engine's own API: each verb is replaced by the adapter's code for it, inline or as a function."""

from __future__ import annotations

import ast
from functools import cache
from types import ModuleType
from typing import Any

from conformance.scripts.source import Method, Origin, Script
from conformance.scripts.trees import SCOPES, Rewriter, Underivable, bound_in, names_in, static, without_getattr

STATEMENTS = (ast.Assign, ast.AugAssign, ast.Delete, ast.Expr)


class VerbLowering(Rewriter):
    """The lowering of a piece of code. `given` are expressions that replace names, `known` are names of literals."""

    def __init__(self, script: Script, origin: Origin, *code: ast.AST, given: Any = None, known: Any = None) -> None:
        self.script, self.origin, self.given = script, origin, given or {}
        self.known: dict[str, Any] = {} if known is None else known
        self.own = bound_in(*code) - self.given.keys() - origin.roots.keys()  # the names of variables

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        body = node.body[1:] if ast.get_docstring(node) else node.body
        return self.generic_visit(ast.FunctionDef(**{**vars(node), "returns": None, "body": body}))  # type: ignore

    def visit_arguments(self, node: ast.arguments) -> ast.arguments:
        lowered: ast.arguments = self.generic_visit(node)
        lowered.args = [argument for argument in lowered.args if argument.arg not in self.origin.roots]
        return lowered

    def visit_arg(self, node: ast.arg) -> ast.arg:
        return ast.arg(node.arg)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        return self.visit(ast.Assign([node.target], node.value)) if node.value else []

    def statements(self, statement: ast.stmt) -> list[ast.stmt]:
        """Lower a statement."""
        done = self.visit(statement)
        return done if isinstance(done, list) else [done]

    def visit_Name(self, node: ast.Name) -> ast.expr:
        root = self.origin.roots.get(node.id)
        if node.id in self.own or not isinstance(node.ctx, ast.Load):
            return node
        if node.id in self.given:
            return self.given[node.id]  # type: ignore[no-any-return]
        if root is None:
            return self.script.global_name(self.origin, node.id, self.define)
        if not isinstance(root, ModuleType):
            raise Underivable(f"the engine itself, as {node.id!r}, is used as a value")
        return self.script.dotted(root.__name__, node.id)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        member = self.script.member(node, self.origin)
        if isinstance(member, Method):
            return self.function_of(member)
        return self.generic_visit(node) if member is None else member

    def define(self, origin: Origin, name: str, statement: Any) -> ast.Name:
        """The name of a function, class or value of a module, whose definition becomes part of the script."""
        value, module = getattr(statement, "value", None), str(origin.namespace.get("__name__"))

        def make(free: str) -> ast.stmt:
            tree = statement if value is None else ast.Assign([ast.Name(free, ast.Store())], value)
            lowering = type(self)(self.script, origin, tree)
            lowering.own.discard(getattr(statement, "name", ""))  # a recursive function may have another name here
            made = lowering.visit(tree)
            vars(made)["name"] = free
            return made  # type: ignore[no-any-return]

        in_chapter = module.startswith(("conformance.chapters.", "chapter_"))
        return self.script.defined(name, (in_chapter, value is not None, module, statement.lineno, name), make)

    def function_of(self, method: Method) -> ast.Name:
        """The name of the function that a verb becomes."""
        name, function = method.name.strip("_"), method.definition()
        return VerbLowering(self.script, method.origin).define(method.origin, name, function)

    def visit_Expr(self, node: ast.Expr) -> Any:
        """A verb that is called for what it does may be replaced by a statement."""
        done = self.visit_Call(node.value, STATEMENTS) if isinstance(node.value, ast.Call) else self.visit(node.value)
        return ast.Expr(done) if isinstance(done, ast.expr) else done

    def visit_keyword(self, node: ast.keyword) -> Any:
        """The spread value may be empty: `f(**{})`."""
        done = self.generic_visit(node)
        return [] if done.arg is None and isinstance(done.value, ast.Dict) and not done.value.keys else done

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        """Its parts may be at hand: `f"{'zero'}_"`."""
        done: ast.JoinedStr = self.generic_visit(node)
        parts = [part.value if isinstance(part, ast.FormattedValue) else part for part in done.values]
        words = [str(part.value) for part in parts if isinstance(part, ast.Constant)]
        return ast.Constant("".join(words)) if len(words) == len(parts) else done

    def visit_Call(self, node: ast.Call, kinds: tuple[type, ...] = ()) -> Any:
        """Lower a call; `kinds` are the statements that may take its place."""
        if isinstance(node.func, ast.Call) and ast.unparse(node.func.func) == "getattr":
            owner, name = node.func.args
            named = without_getattr(ast.Call(node.func.func, [owner, self.visit(name)], []))
            if isinstance(named, ast.Attribute):  # a verb, or an operation of a table
                node = ast.Call(named, node.args, node.keywords)
        member = self.script.member(node.func, self.origin)
        args = [argument for argument in node.args if getattr(argument, "id", "") not in self.origin.roots]
        if isinstance(member, Method):
            call = self.generic_visit(ast.Call(ast.Constant(None), args, node.keywords))
            inlined = self._inlined(member, call, kinds)
            return inlined or ast.Call(self.function_of(member), call.args, call.keywords)
        done = self.generic_visit(ast.Call(node.func, args, node.keywords))
        if isinstance(done.func, ast.Attribute):
            done.keywords = [part for part in done.keywords if not _is_default(part.value)]
            while done.args and _is_default(done.args[-1]):
                done.args.pop()
        return without_getattr(done)

    def _inlined(self, method: Method, call: ast.Call, kinds: tuple[type, ...]) -> Any:
        """The verb's code in place of its call: an expression, a statement, or None where that would differ.

        It does not differ where the verb has one statement, each argument is used once or does nothing when evaluated,
        and no name hides another.
        """
        if method.name.startswith("_") and (value := self._evaluated(method, call)):
            return value
        function = method.definition()
        body = function.body[1:] if ast.get_docstring(function) else function.body
        given, hidden = _bound(function, call, of_verb=method.kind is not None), bound_in(*body)
        if given is None or len(body) > 1 or not isinstance(body[0], (ast.Return, *kinds)):
            return None
        if hidden & (given.keys() | names_in(*given.values())) or (hidden and not isinstance(body[0], ast.Return)):
            return None
        if not all(_timeless(value) or _used_once(name, function) for name, value in given.items()):
            return None
        inner = VerbLowering(self.script, method.origin, *body, given=given, known=self.known)
        return inner.visit(body[0].value if isinstance(body[0], ast.Return) else body[0])  # type: ignore[arg-type]

    def _evaluated(self, method: Method, call: ast.Call) -> ast.expr | None:
        """The result of a helper of the adapter for literals; None for other arguments."""
        args = [static(argument, self.known) for argument in call.args]
        keywords = {str(part.arg): static(part.value, self.known) for part in call.keywords}
        if ... in (*args, *keywords.values()):
            return None
        return self.script.value(method.function(method.owner, *args, **keywords), method.name, method.owner)


def _bound(function: ast.FunctionDef, call: ast.Call, of_verb: bool) -> dict[str, ast.expr] | None:
    """Parameter to argument, or its default; None where that depends on the call.

    A default of a verb is that of the engine's function; a default of a spelling may be the table's own, unless it is
    None or False.
    """
    parameters, (_, *places) = function.args, [argument.arg for argument in function.args.args]
    spread = any(isinstance(argument, ast.Starred) for argument in call.args)
    spread |= any(isinstance(node, (ast.IfExp, ast.BoolOp)) for node in ast.walk(function))
    if parameters.kwarg:
        known = {parameter.arg for parameter in (*parameters.args, *parameters.kwonlyargs)}
        spread |= any(part.arg not in known for part in call.keywords)
    if spread or (len(call.args) > len(places) and not parameters.vararg):
        return None
    defaults = [*zip(places[::-1], parameters.defaults[::-1], strict=False)]
    defaults += [
        (key.arg, node) for key, node in zip(parameters.kwonlyargs, parameters.kw_defaults, strict=True) if node
    ]
    for _, node in defaults:
        if of_verb or static(node) is None or static(node) is False:
            vars(node)["default"] = True  # for `_is_default`
    bound: dict[str, ast.expr] = dict(defaults)
    bound |= dict(zip(places, call.args, strict=False)) | {str(part.arg): part.value for part in call.keywords}
    if parameters.vararg:
        bound[parameters.vararg.arg] = ast.Tuple(call.args[len(places) :], ast.Load())
    if parameters.kwarg:
        bound[parameters.kwarg.arg] = ast.Dict([], [])
    every = (*parameters.args[1:], *parameters.kwonlyargs, parameters.vararg, parameters.kwarg)
    names = {parameter.arg for parameter in every if parameter}
    return bound if bound.keys() == names else None


# An argument that is evaluated twice, or later, could be another value when it has side effects.
@cache
def _used_once(name: str, function: ast.FunctionDef) -> bool:
    """Whether a function evaluates a name once, and when it is called: not within a function or a loop."""
    nodes = [node for statement in function.body for node in ast.walk(statement)]
    uses = [node for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id == name]
    return len(uses) == 1 and not any(isinstance(node, SCOPES) for node in nodes)


def _timeless(node: ast.expr) -> bool:
    """Whether it does not matter when, and how often, an expression is evaluated."""
    return isinstance(node, (ast.Name, ast.Lambda)) or static(node) is not ...


def _is_default(node: ast.expr) -> bool:
    """Whether an argument is the verb's default, which adapters copy from the engine's function: it can be left out."""
    return "default" in vars(node)
