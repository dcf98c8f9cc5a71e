"""A check as plain statements: what it expects becomes `assert`s, and `try` where an error is expected."""

from __future__ import annotations

import ast
import re
import sys
import warnings
from types import FunctionType
from typing import Any

import numpy as np

from conformance.scripts.folding import is_static, literal, static
from conformance.scripts.lowering import VerbLowering
from conformance.scripts.source import Origin
from conformance.scripts.trees import Underivable, binding, definition, fresh, template

__all__ = ["CheckLowering"]

# What is a number of Python's; what is that or an array of NumPy's; and what may be evaluated again.
NUMBER = re.compile(r"(len|float|int)\(.*|.*\.item\(\)", re.DOTALL)
PLAIN = re.compile(rf"{NUMBER.pattern}|.*\.numpy\(\)", re.DOTALL)
AGAIN = re.compile(r"\w+(\.grad)?")


class CheckLowering(VerbLowering):
    """Rewrites a check, or a function that a chapter has for its checks."""

    # Cases.

    def give(self, name: str, value: Any, uses: int) -> list[ast.stmt]:
        """Replace a parameter of the check by its value, or assign it where that is long and used twice."""
        shown = self.expressed(value, name)
        if uses < 2 or isinstance(shown, ast.Name) or len(ast.unparse(shown)) <= 20:
            self.given[name] = shown
            return []
        self.known[name] = shown
        self.own.add(name)
        return template(f"{name} = value", value=shown)

    def expressed(self, value: Any, name: str) -> ast.expr:
        """The value of a case as an expression. Raises Underivable."""
        if isinstance(value, FunctionType):
            origin, statement = Origin(value.__globals__, self.origin.roots), binding(value.__globals__, value.__name__)
            return self.define(origin, value.__name__ if statement else name, statement or definition(value, name))
        if isinstance(value, dict):
            return ast.Dict([ast.Constant(key) for key in value], [self.expressed(one, name) for one in value.values()])
        if isinstance(value, (list, tuple)):
            parts = [self.expressed(part, name) for part in value]
            return ast.List(parts, ast.Load()) if isinstance(value, list) else ast.Tuple(parts, ast.Load())
        if isinstance(value, type) and value.__module__ == "builtins":
            return ast.Name(value.__name__, ast.Load())
        found = ast.Call(ast.Name("object", ast.Load()), [], []) if type(value) is object else literal(value)
        if found is None:
            raise Underivable(f"the case gives {name} = {value!r}, which has no source")
        return found

    # Expectations.

    def visit_Expr(self, node: ast.Expr) -> Any:
        expect = self._expectation(node.value)
        return expect(node.value) if expect else super().visit_Expr(node)

    def visit_Return(self, node: ast.Return) -> Any:
        expect = self._expectation(node.value)
        return expect(node.value) if expect else self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> Any:
        """Literals are remembered; a value that comes with a warning is assigned where the warning is awaited."""
        expect = self._expectation(node.value)
        if expect:
            return expect(node.value, node.targets)
        done = self.generic_visit(node)
        if isinstance(node.targets[0], ast.Name):
            plain = self._static(node.value) is not None or PLAIN.fullmatch(ast.unparse(node.value))
            self.known[node.targets[0].id] = node.value if plain else node.targets[0]
        return done

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.known[node.name] = node
        return self.generic_visit(node)

    def _expectation(self, node: ast.expr | None) -> Any:
        name = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
        known = name in ("close", "equal", "raises", "warns", "one_of") and name in self.origin.namespace
        return getattr(self, f"_expect_{name}") if known else None

    def _static(self, node: ast.expr) -> Any:
        return static(node, self.known) if is_static(node, self.known) else None

    def _expect_close(self, call: ast.Call) -> list[ast.stmt]:
        within = next((self._static(part.value) for part in call.keywords if part.arg == "within"), None)
        return self._pairwise(self._close, call.args[0], call.args[1], within)

    def _expect_equal(self, call: ast.Call) -> list[ast.stmt]:
        got, expected = call.args
        if expect := self._expectation(got):
            result = ast.Name("result", ast.Store())
            self.own.add(result.id)
            return [*expect(got, [result]), *self._equal(ast.Name(result.id, ast.Load()), expected)]
        return self._pairwise(self._equal, got, expected)

    def _pairwise(self, compare: Any, got: ast.expr, expected: ast.expr, *rest: Any) -> list[ast.stmt]:
        """Compares the items of two tuples of the same length one by one."""
        both = (got, expected)
        items = [one.elts for one in both if isinstance(one, ast.Tuple) and not any(map(_is_starred, one.elts))]
        if len(items) == 2 and len(items[0]) == len(items[1]):
            return [one for pair in zip(*items, strict=True) for one in self._pairwise(compare, *pair, *rest)]
        return compare(self.visit(got), self.visit(expected), *rest)  # type: ignore[no-any-return]

    def _equal(self, got: ast.expr, expected: ast.expr) -> list[ast.stmt]:
        text = ast.unparse(expected)
        plain = got.args[0] if isinstance(got, ast.Call) and ast.unparse(got.func) == "bool" else got
        if text in ("True", "False") and (plain is not got or isinstance(got, ast.Compare)):
            return template("assert got" if text == "True" else "assert not got", got=plain)
        same = "is" if text in ("True", "False", "None") else "=="
        return template(f"assert got {same} expected", got=got, expected=expected)

    def _close(self, got: ast.expr, expected: ast.expr, within: Any = None, name: str = "result") -> list[ast.stmt]:
        """Asserts a value, item by item if it is a container; `name` is for what is used twice."""
        known = self.known.get(expected.id) if isinstance(expected, ast.Name) else None
        expected = fresh(known) if isinstance(known, (ast.Tuple, ast.Dict)) else expected
        if ast.unparse(expected) == "None":
            return template("assert got is None", got=got)
        if not isinstance(expected, (ast.Tuple, ast.Dict)):
            return self._close_array(got, expected, within, name)
        values = expected.elts if isinstance(expected, ast.Tuple) else expected.values
        names = [f"{name}_{number}" for number in range(1, len(values) + 1)] if len(values) > 1 else [name]
        if isinstance(expected, ast.Tuple):
            made = template(f"({', '.join(names)},) = got", got=got)
            items: list[ast.expr] = [ast.Name(one, ast.Load()) for one in names]
        else:
            keys = [ast.unparse(key) for key in expected.keys if key]
            made = template(f"{name} = got\nassert {name}.keys() == {{{', '.join(keys)}}}", got=got)
            items = [ast.parse(f"{name}[{key}]", mode="eval").body for key in keys]
        parts = zip(items, values, names, strict=True)
        return made + [one for item, value, stem in parts for one in self._close(item, value, within, stem)]

    def _close_array(self, got: ast.expr, expected: ast.expr, within: Any, name: str) -> list[ast.stmt]:
        """Asserts shape and numbers: NumPy's own comparison would broadcast."""
        value, text = self._static(expected), ast.unparse(got)
        stands_for = ast.unparse(self.known.get(text, got))
        rounding = self.script.rounding if within is None else 0
        given = f"rtol={rounding}"
        if within is not None or value is None or np.any(np.abs(value) < 1):
            given += f", atol={rounding or within}"
        parts = {"np": self.script.imported("import numpy", "np", np), "expected": expected}
        compare = f"np.testing.assert_allclose(got, expected, {given})"
        if NUMBER.fullmatch(stands_for):
            return template(compare, **parts, got=got)
        made: list[ast.stmt] = []
        if not AGAIN.fullmatch(text):
            made, got = template(f"{name} = got", got=got), ast.Name(name, ast.Load())
        shape = "np.shape(expected)" if value is None else str(np.shape(value))
        made += template(f"assert got.shape == {shape}", **parts, got=got)
        return made + template(compare, **parts, got=got if PLAIN.fullmatch(stands_for) else self.numbers(got))

    def numbers(self, got: ast.expr) -> ast.expr:
        """The numbers of an array of the engine, by the adapter's code for it; NumPy asks for them by itself."""
        lowering = VerbLowering(self.script, Origin({}, {"ad": self.script.adapter}), {"got": got})
        done = lowering.visit(ast.parse("ad.to_numpy(got)", mode="eval").body)
        return got if ast.unparse(done).startswith("np.asarray(") else done

    # Errors, warnings, conventions.

    def _expect_raises(self, call: ast.Call, convention: str | None = None) -> list[ast.stmt]:
        promise = [one for one in self.script.promise if one.convention == convention]
        kinds = [self._kind(citation.raises) for citation in promise if citation.raises]
        phrases = dict.fromkeys(citation.says.lower() for citation in promise if citation.says)
        says = [one for phrase in phrases for one in template(f"assert {phrase!r} in str(error).lower()")]
        (tried,) = template(
            f"try: body\nexcept kind{' as error' * bool(says)}: says\nelse: raise AssertionError('expected an error')",
            kind=kinds[0] if kinds else ast.Name("Exception", ast.Load()),
            says=says or [ast.Pass()],
            body=self.statements(ast.Expr(_action(call.args[0]))),
        )
        return [tried]

    def _kind(self, kind: type | str) -> ast.expr:
        """An exception's type: Python's own by name, an engine's by the name that its engine has it under."""
        name = kind if isinstance(kind, str) else f"{kind.__module__}.{kind.__qualname__}"
        name = name.removeprefix("builtins.")
        if "." in name and name.partition(".")[0] in sys.modules:
            return self.script.dotted(name)
        return ast.Name("Exception" if isinstance(kind, str) else name, ast.Load())

    def _expect_warns(self, call: ast.Call, targets: list[ast.expr] | None = None) -> list[ast.stmt]:
        action = _action(call.args[0])
        tests = dict.fromkeys(
            f"any(issubclass(w.category, {ast.unparse(self._kind(one.warns or Warning))})"
            f"{f' and {one.says.lower()!r} in str(w.message).lower()' if one.says else ''} for w in caught)"
            for one in self.script.promise
        )
        return template(
            "with warnings.catch_warnings(record=True) as caught:\n    warnings.simplefilter('always')\n    body\n"
            + "\n".join(f"assert {test}" for test in tests or ["caught"]),
            warnings=self.script.imported("import warnings", "warnings", warnings),
            body=self.statements(ast.Assign(targets, action) if targets else ast.Expr(action)),
        )

    def _expect_one_of(self, call: ast.Call) -> list[ast.stmt]:
        first = call.args[0]
        conventions = {str(part.arg): part.value for part in call.keywords}
        name = self.script.convention or next(iter(conventions))
        if ast.unparse(conventions[name]) == "an_error":
            return self._expect_raises(call, name)
        called = isinstance(first, ast.Lambda) or isinstance(self.known.get(getattr(first, "id", "")), ast.FunctionDef)
        return self._pairwise(self._close, _action(first) if called else first, conventions[name])


def _is_starred(node: ast.expr) -> bool:
    return isinstance(node, ast.Starred)


def _action(node: ast.expr) -> ast.expr:
    """What a function without arguments does, as an expression."""
    return node.body if isinstance(node, ast.Lambda) else ast.Call(node, [], [])
