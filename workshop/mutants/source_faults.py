"""Families of mutants, generated from an engine's source: the faults of a place of some kind.

Each family looks at one node of a syntax tree and gives the ways in which it can be wrong. A new operation, error or
hook of the engine thereby brings its mutants with it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from workshop.mutants.rule_faults import kinks, signs
from workshop.mutants.source import Fault, Place, modules_of, parsed


def _never(node: ast.stmt) -> ast.AST:
    """A statement that does not run. It stays in the code, so that names remain in their scopes."""
    return ast.If(test=_truth(False), body=[node], orelse=[])


def _truth(value: bool) -> ast.expr:
    """True or false, in a form that no compiler folds: with a folded test go the names in what it guards."""
    return ast.parse("not bool()" if value else "bool()", mode="eval").body


def errors(place: Place) -> Iterator[Fault]:
    """An error that is not raised, or has no message. Its type is not changed: hardly any page promises it."""
    node = place.node
    if not isinstance(node, ast.Raise):
        return
    text = place.text()
    what = f"{place.where} does not raise: without `{text}`"
    yield Fault("does_not_raise", text, what, _never)
    if not isinstance(node.exc, ast.Call):
        return
    if any(isinstance(argument, (ast.JoinedStr, ast.BinOp, ast.Constant)) for argument in node.exc.args):
        what = f"{place.where} raises without a message: that of `{text}` is empty"
        yield Fault("raises_without_message", text, what, _without_words)


def _without_words(node: Any) -> ast.AST:
    call: Any = node.exc if isinstance(node, ast.Raise) else node.value
    call.args[0] = ast.Constant("")
    return node  # type: ignore[no-any-return]


def warnings_given(place: Place) -> Iterator[Fault]:
    """A warning that is not given, or has no message."""
    node = place.node
    if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)):
        return
    call = ast.unparse(node.value.func)
    if call not in ("warn.user", "warn.future", "warnings.warn"):
        return
    text = place.text()
    what = f"{place.where} does not warn: without `{text}`"
    yield Fault("does_not_warn", text, what, _never)
    what = f"{place.where} warns without a message: that of `{text}` is empty"
    yield Fault("warns_without_message", text, what, _without_words)


def defaults(place: Place) -> Iterator[Fault]:
    """A flag with the other default."""
    node = place.node
    # Defaults of inner functions are closures' parameters, not flags of users.
    if not isinstance(node, ast.FunctionDef) or place.function is not None:
        return
    positional = [*node.args.posonlyargs, *node.args.args]
    pairs = [*zip(positional[::-1], node.args.defaults[::-1], strict=False)]
    pairs += [*zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)]  # type: ignore[list-item]
    for argument, value in pairs:
        if isinstance(value, ast.Constant) and isinstance(value.value, bool):
            name, flipped = argument.arg, not value.value
            what = f"{place.where}.{node.name} takes {name}={flipped} where none is given"
            yield Fault("flips_a_default", f"{node.name}({name})", what, None, (name, flipped))


def conditions(place: Place) -> Iterator[Fault]:
    """A flag that is ignored, either way; an error for what is allowed; a part of the reason for an error forgotten.

    Other conditions choose between ways to compute the same: what they choose shows in speed, if at all.
    """
    node = place.node
    if place.function is None:
        return
    if isinstance(node, (ast.If, ast.IfExp)) and _is_flag(node.test, place):
        yield from (_taken(place, value) for value in (True, False))
    elif isinstance(node, ast.If) and isinstance(node.body[0], ast.Raise):
        yield _taken(place, True)
    guard = place.around[-1]
    if isinstance(node, ast.BoolOp) and isinstance(guard, ast.If) and isinstance(guard.body[0], ast.Raise):
        for index, part in enumerate(node.values):
            what = f"{place.where} forgets `{place.text(part)}` in `{place.text()}`"
            text = f"{place.text(part)} in {place.text()}"
            yield Fault("forgets_a_condition", text, what, _without(index), raising=True)


def _taken(place: Place, value: bool) -> Fault:
    test, word = place.text(place.node.test), str(value).lower()  # type: ignore[attr-defined]
    what = f"{place.where} takes `{test}` for {word} in every case"
    # It shows only where the test is ever otherwise.
    branch = not value if isinstance(place.node, ast.If) else None
    return Fault(f"test_always_{word}", test, what, _decided(value), branch=branch)


def _is_flag(test: ast.expr, place: Place) -> bool:
    """Whether a test is the name of a truth value, or its opposite."""
    # `not flag` chooses by the flag, too.
    bare = test.operand if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) else test
    name = getattr(bare, "attr", getattr(bare, "id", ""))
    return isinstance(bare, (ast.Name, ast.Attribute)) and name in flags(place.module.split(".")[0])


@cache
def flags(package: str) -> frozenset[str]:
    """The flags that a package offers: arguments that are true or false and have a default, and class attributes."""
    nodes = [node for path in modules_of(package).values() for node in ast.walk(parsed(path))]
    arguments = [argument for f in nodes if isinstance(f, ast.FunctionDef) for argument in _with_default(f)]
    named = {argument.arg for argument in arguments if _is_truth(argument.annotation)}
    for node in (inside for kind in nodes if isinstance(kind, ast.ClassDef) for inside in kind.body):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, bool):
            named |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return frozenset(named)


def _with_default(function: ast.FunctionDef) -> list[ast.arg]:
    positional = [*function.args.posonlyargs, *function.args.args]
    named = [a for a, value in zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True) if value]
    return positional[len(positional) - len(function.args.defaults) :] + named


def _is_truth(annotation: ast.expr | None) -> bool:
    return annotation is not None and ast.unparse(annotation) in ("bool", "bool | None")


def _decided(value: bool) -> Callable[[Any], ast.AST]:
    def rewrite(node: Any) -> ast.AST:
        # The old test stays in the code, so that names remain in their scopes, but does not run.
        join = ast.Or() if value else ast.And()
        node.test = ast.BoolOp(join, [_truth(value), node.test])
        return node  # type: ignore[no-any-return]

    return rewrite


def _without(index: int) -> Callable[[Any], ast.AST]:
    def rewrite(node: Any) -> ast.AST:
        del node.values[index]
        return node if len(node.values) > 1 else node.values[0]  # type: ignore[no-any-return]

    return rewrite


def steps(place: Place) -> Iterator[Fault]:
    """A step that is left out: a call for its effect, a change of an attribute or item, a mode put back."""
    node = place.node
    # A step left out of `__init__` is a missing attribute: an AttributeError at every use, which kills
    # it in every behaviour.
    if place.function is None or getattr(place.function, "name", "") == "__init__":
        return
    if not _is_step(node) or any(warnings_given(place)) or _only_raises(node):
        return
    text = place.text()
    if _puts_back(place):
        what = f"{place.where} does not put back: without `{text}`"
        yield Fault("does_not_restore", text, what, _never)
    else:
        what = f"{place.where} leaves out `{text}`"
        yield Fault("leaves_out_a_step", text, what, _never)


def _is_step(node: ast.AST) -> bool:
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Call)
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    kinds = (ast.Attribute, ast.Subscript)
    return isinstance(node, ast.AugAssign) or (
        isinstance(node, ast.Assign) and any(isinstance(target, kinds) for target in targets)
    )


def _only_raises(node: Any) -> bool:
    """Whether a step calls what only raises errors: those have other mutants."""
    called = getattr(getattr(node, "value", None), "func", None)
    name = getattr(called, "attr", getattr(called, "id", "")).lstrip("_")
    return name.startswith("check")


def _puts_back(place: Place) -> bool:
    leaving = getattr(place.function, "name", "") in ("__exit__", "_restore")
    return leaving or any(place.node in getattr(node, "finalbody", ()) for node in place.around)


def orders(place: Place) -> Iterator[Fault]:
    """Hooks that run the last one first."""
    node = place.node
    if isinstance(node, ast.For) and "hook" in place.text(node.target) + place.text(node.iter):
        text = f"for {place.text(node.target)} in {place.text(node.iter)}"
        what = f"{place.where} goes through them backwards: `{text}`"
        yield Fault("reverses_the_order", text, what, _backwards)


def _backwards(node: Any) -> ast.AST:
    node.iter = ast.parse(f"reversed(list({ast.unparse(node.iter)}))", mode="eval").body
    return node  # type: ignore[no-any-return]


FAMILIES = (errors, warnings_given, defaults, conditions, steps, orders, signs, kinks)
