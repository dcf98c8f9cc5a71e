"""Every chapter keeps to the grammar of checks, read from its syntax tree.

A check that writes `x += 1` or `x.sum()` would silently mean something else on another engine: in a check a value
supports operators, indexing, `shape`, `dtype` and `ndim`, and everything else is a verb.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from conformance import collection
from conformance.operations import of_order
from conformance.protocol import vocabulary
from tests.support import named_in_chapters

CHAPTERS = collection.chapter_files()
# What every engine's arrays have under these names.
VALUE_ATTRIBUTES = {"shape", "dtype", "ndim"}
IMPORTS = {"conformance.behaviour", "conformance.expect"}
EXPECTATIONS = {"close", "equal", "one_of", "an_error", "raises", "warns"}
# A check is one path through verbs; what varies from run to run is a case. `+=` writes in place on some engines only.
FORBIDDEN = (
    ast.AugAssign,
    ast.For,
    ast.While,
    ast.If,
    ast.IfExp,
    ast.Try,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
    ast.Import,
    ast.ImportFrom,
    ast.Global,
    ast.Assert,
    ast.ClassDef,
    ast.Await,
    ast.Delete,
)
LONGEST_BODY = 12


def offences(source: str) -> list[str]:
    """Where a chapter leaves the grammar, each as `line: what`."""
    tree = ast.parse(source)
    wrong = [f"{node.lineno}: imports {name}" for node, name in _imports(tree) if name not in IMPORTS]
    for check in (node for node in tree.body if isinstance(node, ast.FunctionDef) and node.decorator_list):
        wrong += [f"{line}: {what}" for line, what in _in_check(check)]
    return wrong


def _imports(tree: ast.Module) -> Iterator[tuple[ast.stmt, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            yield node, str(node.module)
        elif isinstance(node, ast.Import):
            yield from ((node, alias.name) for alias in node.names)


def _in_check(check: ast.FunctionDef) -> Iterator[tuple[int, str]]:
    length = check.body[-1].end_lineno - check.body[1].lineno + 1 if len(check.body) > 1 else 0  # type: ignore[operator]
    if length > LONGEST_BODY:
        yield check.lineno, f"{check.name} has {length} lines of body, at most {LONGEST_BODY} are allowed"
    if not _names(check) & EXPECTATIONS:
        yield check.lineno, f"{check.name} expects nothing"
    for node in (node for statement in check.body for node in ast.walk(statement)):
        if isinstance(node, FORBIDDEN):
            yield node.lineno, f"{type(node).__name__} in a check"
        elif isinstance(node, (ast.Assign, ast.AnnAssign)) and not _plain_target(node):
            yield node.lineno, "assigns to an item or attribute: use a verb such as ad.set_item_"
        elif isinstance(node, ast.Attribute) and (complaint := _attribute(node)):
            yield node.lineno, complaint


def _names(check: ast.FunctionDef) -> set[str]:
    return {node.id for node in ast.walk(check) if isinstance(node, ast.Name)}


def _plain_target(node: ast.Assign | ast.AnnAssign) -> bool:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return all(isinstance(part, (ast.Name, ast.Tuple)) for part in targets)


def _attribute(node: ast.Attribute) -> str:
    """Complaints about an attribute; a namespace such as `ad.np` is judged with the verb behind it."""
    name = _dotted(node)
    if name.startswith("ad."):
        verb = name.removeprefix("ad.")
        known = verb in vocabulary() or any(other.startswith(f"{verb}.") for other in vocabulary())
        return "" if known else f"no verb is called {name}"
    # Lists in which hooks and programs note that they were called.
    allowed = node.attr in VALUE_ATTRIBUTES or name in ("seen.append", "calls.append", "order.append")
    return "" if allowed else f"uses the attribute .{node.attr} of a value"


def _dotted(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return f"{_dotted(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else "?"


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda path: path.stem)
def test_a_chapter_keeps_to_the_grammar(chapter: Path) -> None:
    """Only the two imports, no loops or branches, no attributes but the three, and every `ad.x` exists."""
    assert offences(chapter.read_text("utf-8")) == []


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda path: path.stem)
def test_a_chapter_can_be_read_in_one_sitting(chapter: Path) -> None:
    """A chapter has a title with a clause, and at most 300 lines."""
    text = chapter.read_text("utf-8")
    title = (ast.get_docstring(ast.parse(text)) or "").split("\n", 1)[0]
    assert ": " in title
    assert text.count("\n") <= 300


WRONG = {
    "import torch": "1: imports torch",
    "@b\ndef f(ad):\n    '''S.'''\n    x += 1\n    close(x, 1)": "4: AugAssign in a check",
    "@b\ndef f(ad):\n    '''S.'''\n    x[0] = 1\n    close(x, 1)": "4: assigns to an item or attribute",
    "@b\ndef f(ad):\n    '''S.'''\n    close(x.sum(), 1)": "4: uses the attribute .sum of a value",
    "@b\ndef f(ad):\n    '''S.'''\n    close(ad.grda(x), 1)": "4: no verb is called ad.grda",
    "@b\ndef f(ad):\n    '''S.'''\n    ad.np.exp(x)": "2: f expects nothing",
}


@pytest.mark.parametrize("source", WRONG, ids=list(WRONG.values()))
def test_a_check_outside_the_grammar_is_an_offence(source: str) -> None:
    """The checker finds each kind of offence: it is not a check that cannot fail."""
    assert any(offence.startswith(WRONG[source]) for offence in offences(source))


def test_every_verb_is_used() -> None:
    """Adapters write no verb in vain: for one that no behaviour uses, add a behaviour, or remove the verb."""
    # Laws use every operation that is differentiated, and its forms that write.
    used = named_in_chapters() | {f"np.{name}" for name in of_order(1)} | {"operate_", "operate_out_"}
    # Checks call neither to_numpy, as every comparison does, nor compile_operation, as each subject of a law does.
    assert sorted(set(vocabulary()) - used - {"to_numpy", "compile_operation"}) == []
