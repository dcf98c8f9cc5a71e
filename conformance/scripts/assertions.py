"""A check as plain statements: its expectations as `assert`, and as `try` where an error is expected."""

from __future__ import annotations

import ast
import re
import sys
from types import FunctionType
from typing import Any

import numpy as np

from conformance.compare import TOLERANCES, Terms
from conformance.scripts.lowering import VerbLowering
from conformance.scripts.source import Origin
from conformance.scripts.trees import SCOPES, Underivable, binding, bound_in, definition, literal, static, template

# Source of Python's numbers; of those and NumPy's arrays; and of expressions that may be evaluated again.
NUMBER = re.compile(r"(len|float|int)\(.*|.*\.item\(\)", re.DOTALL)
PLAIN = re.compile(rf"{NUMBER.pattern}|.*\.numpy\(\)", re.DOTALL)
AGAIN = re.compile(r"\w+(\.grad|\[\w+\]|\['\w+'\])*")


class CheckLowering(VerbLowering):
    """The lowering of a check, or of a helper of its chapter."""

    def generic_visit(self, node: ast.AST) -> Any:
        """A parameter of the check may have the name of a variable in a function within."""
        outer, inner = self.own, bound_in(node) - self.origin.roots.keys() if isinstance(node, SCOPES) else set()
        self.own = outer | inner
        lowered = super().generic_visit(node)
        self.own = outer
        return lowered

    def give(self, name: str, value: Any, uses: int) -> list[ast.stmt]:
        """Replace a parameter of the check by its value, or assign it where that is long and used twice."""
        expression = self.expression_of(value, name)
        # A script reads better with short values in place than with a line of assignment for each.
        if uses < 2 or isinstance(expression, ast.Name) or len(ast.unparse(expression)) <= 20:
            self.given[name] = expression
            return []
        self.known[name] = expression
        self.own.add(name)
        return template(f"{name} = value", value=expression)

    def expression_of(self, value: Any, name: str) -> ast.expr:
        """The value of a case as an expression. Raises Underivable."""

        def other(value: Any) -> ast.expr | None:
            if isinstance(value, FunctionType):
                origin, bound = Origin(value.__globals__, self.origin.roots), binding(value.__globals__, value.__name__)
                return self.define(origin, value.__name__ if bound else name, bound or definition(value, name))
            if isinstance(value, type) and value.__module__ == "builtins":
                return ast.Name(value.__name__, ast.Load())
            return ast.Call(ast.Name("object", ast.Load()), [], []) if type(value) is object else None

        if (expression := literal(value, other)) is None:
            raise Underivable(f"the case gives {name} = {value!r}, which has no source")
        return expression

    def visit_Expr(self, node: ast.Expr) -> Any:
        return self._expectation(node.value) or super().visit_Expr(node)

    def visit_Return(self, node: ast.Return) -> Any:
        return self._expectation(node.value) or self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> Any:
        """Remember literals; assign the result of `warns` within its block."""
        if getattr(getattr(node.value, "func", None), "id", "") == "warns":
            target = f"{ast.unparse(node.targets[0])} = "
            if statements := self._expectation(node.value, target=target):
                return statements
        done = self.generic_visit(node)
        if isinstance(node.targets[0], ast.Name):
            plain = static(done.value, self.known) is not ... or PLAIN.fullmatch(ast.unparse(done.value))
            self.known[node.targets[0].id] = done.value if plain else node.targets[0]
        return done

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self.known[node.name] = node
        return super().visit_FunctionDef(node)

    def _expectation(self, node: ast.expr | None, **more: Any) -> Any:
        """The statements that replace a call of `close` and the like; None for anything else."""
        name = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
        expect = getattr(self, f"_expect_{name}", None) if name in self.origin.namespace else None
        return expect(node, **more) if expect else None

    def _expect_close(self, call: ast.Call) -> list[ast.stmt]:
        options = {str(part.arg): static(self.visit(part.value), self.known) for part in call.keywords}
        got, expected = self.visit(call.args[0]), self.visit(call.args[1])
        return self._close(got, expected, options.get("dtype"), options.get("within"))

    def _expect_equal(self, call: ast.Call) -> list[ast.stmt]:
        got, expected = call.args
        # An engine's own boolean would pass `==`, and is no plain True.
        same = "is" if ast.unparse(expected) in ("True", "False", "None") else "=="
        warned = isinstance(got, ast.Call) and getattr(got.func, "id", "") == "warns"
        made = self._expect_warns(got, "result = ") if warned else []  # type: ignore[arg-type]
        parts = {"got": ast.Name("result", ast.Load()) if warned else self.visit(got), "expected": self.visit(expected)}
        return made + template(f"assert got {same} expected", **parts)

    def _close(self, got: ast.expr, expected: ast.expr, dtype: Any = None, within: Any = None) -> list[ast.stmt]:
        """Assertions of a value, item by item if it is a container."""
        known = self.known.get(expected.id) if isinstance(expected, ast.Name) else None
        expected = known if isinstance(known, (ast.Tuple, ast.Dict)) else expected
        if ast.unparse(expected) == "None":
            return template("assert got is None", got=got)
        if not isinstance(expected, (ast.Tuple, ast.Dict)):
            return self._close_array(got, expected, dtype, within)
        values = expected.elts if isinstance(expected, ast.Tuple) else expected.values
        keys: Any = map(ast.Constant, range(len(values))) if isinstance(expected, ast.Tuple) else expected.keys
        made: list[ast.stmt] = []
        items = getattr(got, "elts", [])
        if not items or len(items) != len(values) or any(isinstance(item, ast.Starred) for item in items):
            made, got = self._again(got)
            made += template(f"assert len(got) == {len(values)}", got=got)
            items = [ast.Subscript(got, key, ast.Load()) for key in keys]
        pairs = zip(items, values, strict=True)
        return made + [line for item, value in pairs for line in self._close(item, value, dtype, within)]

    def _close_array(self, got: ast.expr, expected: ast.expr, dtype: Any, within: Any) -> list[ast.stmt]:
        """Assertions of shape and numbers: NumPy's own comparison would broadcast."""
        value, text = static(expected, self.known), ast.unparse(self.known.get(ast.unparse(got), got))
        # The dtype and tolerance that `close` would use, so that script and check agree.
        terms = Terms(np.asarray, self.script.adapter.missing_dtypes, dtype)
        asked = terms.asked(np.asarray(1.0 if value is ... else value)).name
        rounding = float(f"{TOLERANCES.get(asked, TOLERANCES['float64']):.0e}") if within is None else 0
        tolerances = f"rtol={rounding}"
        # Of numbers of 1 and more an absolute part changes little, and the line is shorter without.
        if within is not None or value is ... or np.any(np.abs(value) < 1):
            tolerances += f", atol={rounding or within}"
        parts = {"np": self.script.imported("import numpy", "np"), "expected": expected}
        made: list[ast.stmt] = []
        if not NUMBER.fullmatch(text):
            made, got = self._again(got)
            shape = "np.shape(expected)" if value is ... else str(np.shape(value))
            made += template(f"assert got.shape == {shape}", **parts, got=got)
        got = got if PLAIN.fullmatch(text) else self.numbers(got)
        tests = f"assert np.asarray(got).dtype == {asked!r}\n" * self.script.typed
        return made + template(f"{tests}np.testing.assert_allclose(got, expected, {tolerances})", **parts, got=got)

    def _again(self, got: ast.expr) -> tuple[list[ast.stmt], ast.expr]:
        """A statement, where needed, and an expression that may be evaluated again after it."""
        if AGAIN.fullmatch(ast.unparse(got)):
            return [], got
        return template("result = got", got=got), ast.Name("result", ast.Load())

    def numbers(self, got: ast.expr) -> ast.expr:
        """The numbers of an array of the engine, by the adapter's code for it, unless NumPy converts it by itself."""
        lowering = VerbLowering(self.script, Origin({}, {"ad": self.script.adapter}), given={"got": got})
        done = lowering.visit(ast.parse("ad.to_numpy(got)", mode="eval").body)
        return got if ast.unparse(done).startswith("np.asarray(") else done

    def _expect_raises(self, call: ast.Call, convention: str | None = None) -> list[ast.stmt]:
        promise = [citation for citation in self.script.promise if citation.convention == convention]
        kinds = [self._kind(citation.raises) for citation in promise if citation.raises]
        phrases = dict.fromkeys(citation.says.lower() for citation in promise if citation.says)
        tests = [line for text in phrases for line in template(f"assert {text!r} in str(error).lower()")]
        return template(
            f"try: body\nexcept kind{' as error' * bool(tests)}: tests\n"
            "else: raise AssertionError('expected an error')",
            kind=kinds[0] if kinds else ast.Name("Exception", ast.Load()),
            tests=tests or [ast.Pass()],
            body=self.statements(ast.Expr(action_of(call.args[0]))),
        )

    def _kind(self, kind: type | str) -> ast.expr:
        """An exception's type: Python's own by its name, an engine's by its public name."""
        name = kind if isinstance(kind, str) else f"{kind.__module__}.{kind.__qualname__}"
        name = name.removeprefix("builtins.")
        if "." in name and name.partition(".")[0] in sys.modules:
            return self.script.dotted(name)
        return ast.Name("Exception" if isinstance(kind, str) else name, ast.Load())

    def _expect_warns(self, call: ast.Call, target: str = "") -> list[ast.stmt]:
        tests = dict.fromkeys(
            f"any(issubclass(w.category, {ast.unparse(self._kind(citation.warns or Warning))})"
            f"{f' and {citation.says.lower()!r} in str(w.message).lower()' if citation.says else ''} for w in caught)"
            for citation in self.script.promise
        )
        return template(
            "with warnings.catch_warnings(record=True) as caught:\n    warnings.simplefilter('always')\n    body\n"
            + "\n".join(f"assert {test}" for test in tests or ["caught"]),
            warnings=self.script.imported("import warnings", "warnings"),
            body=self.statements(*template(f"{target}action", action=action_of(call.args[0]))),
        )

    def _expect_one_of(self, call: ast.Call) -> list[ast.stmt]:
        first = call.args[0]
        conventions = {str(part.arg): part.value for part in call.keywords}
        name = self.script.convention or next(iter(conventions))
        if ast.unparse(conventions[name]) == "an_error":
            return self._expect_raises(call, name)
        called = isinstance(first, ast.Lambda) or isinstance(self.known.get(getattr(first, "id", "")), ast.FunctionDef)
        return self._close(self.visit(action_of(first) if called else first), self.visit(conventions[name]))


def action_of(node: ast.expr) -> ast.expr:
    """The call of a function without arguments, as an expression."""
    return node.body if isinstance(node, ast.Lambda) else ast.Call(node, [], [])
