"""Families of mutants in derivative rules: sign, factor, conjugate, and the side of a kink."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from workshop.mutants.source import Fault, Place


def signs(place: Place) -> Iterator[Fault]:
    """A derivative rule with the wrong sign or factor, or without its conjugate."""
    node = place.node
    formula = _formula(place)
    # Zero with the wrong sign, or doubled, is zero: no behaviour could kill it.
    if formula is not None and "zero_like(g)" not in formula:
        what = f"{place.where} has the wrong sign: -({formula})"
        yield Fault("wrong_sign", _of_rule(place, formula), what, _negated)
        what = f"{place.where} is twice too large: 2 * ({formula})"
        yield Fault("wrong_factor", _of_rule(place, formula), what, _doubled)
    if isinstance(node, ast.Call) and place.text(node.func) in ("o.conj", "conj") and _is_rule(place):
        what = f"{place.where} misses a conjugate: {place.text(node.args[0])} for {place.text()}"
        text = _of_rule(place, place.text())
        yield Fault("misses_a_conjugate", text, what, lambda node: node.args[0])


def _is_rule(place: Place) -> bool:
    return ".rules." in place.module


def _formula(place: Place) -> str | None:
    """The text of a formula, where the node is a lambda of a table of rules."""
    is_formula = isinstance(place.node, ast.Lambda) and place.module.split(".")[1] == "rules" and place.around
    batches = place.module.endswith((".batching", ".families"))
    return place.text(place.node.body) if is_formula and not batches else None  # type: ignore[attr-defined]


def _of_rule(place: Place, formula: str) -> str:
    """The call that enters the rule, as `elementwise(o.div) 1 / y`."""
    entries = [node for node in place.around if isinstance(node, ast.Call) and node.args]
    heading = f"{place.text(entries[0].func)}({place.text(entries[0].args[0])}) " if entries else ""
    return heading + formula


def _negated(node: Any) -> ast.AST:
    node.body = ast.copy_location(ast.UnaryOp(ast.USub(), node.body), node.body)
    return node  # type: ignore[no-any-return]


def _doubled(node: Any) -> ast.AST:
    node.body = ast.copy_location(ast.BinOp(ast.Constant(2), ast.Mult(), node.body), node.body)
    return node  # type: ignore[no-any-return]


# Strict for not strict: the results differ only where both sides are equal, which is the tie.
_NEIGHBOURS = {"ge": "gt", "gt": "ge", "le": "lt", "lt": "le"}


def kinks(place: Place) -> Iterator[Fault]:
    """A convention taken the other way at a tie or a kink."""
    node: Any = place.node
    compares = isinstance(node, ast.Attribute) and place.text(node.value) == "o" and node.attr in _NEIGHBOURS
    if compares and _is_rule(place):
        what = f"{place.where} takes the other side: o.{_NEIGHBOURS[node.attr]} for o.{node.attr}"
        text = _of_rule(place, place.text())
        yield Fault("takes_the_other_side", text, what, _neighbour)


def _neighbour(node: Any) -> ast.AST:
    node.attr = _NEIGHBOURS[node.attr]
    return node  # type: ignore[no-any-return]
