"""The text of a script, from its parts."""

from __future__ import annotations

import ast
import sys

from conformance import __version__, sources
from conformance.behaviour import Behaviour, Citation
from conformance.protocol import Adapter
from conformance.scripts.layout import laid_out
from conformance.scripts.parts import PROGRAM, Origin, Parts, Piece
from conformance.scripts.trees import bound_in, is_inserted, plain_imports
from conformance.verdicts import Outcome

__all__ = ["SHARED", "NameTaken", "heading", "written"]


ADAPTER = "# How this engine is asked: the suite's own code for it."
SHARED = "# How it is judged: the same in every script."


class NameTaken(Exception):
    """A program uses for a value of its own the name of something that it needs."""


def written(parts: Parts, heading: str, setup: list[ast.stmt], program: ast.stmt, start: ast.stmt) -> str:
    """The whole script: the program first, what it leans on behind it, and at last the statement that starts it."""
    own = [_piece(statement) for statement in (*setup, program, start)]
    pieces = _reached(parts, own)
    lines = _imports(parts, [*own, *pieces.values()])
    _refuse_taken(parts, program)
    chapter, adapter, shared = (
        [piece.text for name, piece in pieces.items() if _kind(name, piece) == kind]
        for kind in ("chapter", "adapter", "shared")
    )
    head = [heading, "\n".join(lines)] + (["\n".join(map(laid_out, setup))] if setup else [])
    body = [*chapter, laid_out(program)]
    body += [f"{ADAPTER}\n\n{adapter[0]}", *adapter[1:]] if adapter else []
    body += [f"{SHARED}\n\n{shared[0]}", *shared[1:], laid_out(start)]
    return "\n\n".join(head) + "\n\n\n" + "\n\n\n".join(body) + "\n"


def _refuse_taken(parts: Parts, program: ast.stmt) -> None:
    """Raises NameTaken if a value of the program, or of what its chapter has, hides a name that the script brings."""
    pieces = [piece.statement for piece in parts.own.pieces.values()]
    own = [node for tree in (program, *pieces) if tree is not None for node in ast.walk(tree)]
    bound = {name for node in own if isinstance(node, (ast.FunctionDef, ast.Lambda)) for name in bound_in(node)}
    brought = {node.id for node in own if isinstance(node, ast.Name) and is_inserted(node)}
    shared = {*parts.library.pieces, *(known.name for known in parts.library.imports.values())}
    if brought & bound or {*parts.own.pieces, PROGRAM} & shared:
        raise NameTaken


def _piece(statement: ast.stmt) -> Piece:
    piece = Piece("")
    piece.statement = statement
    return piece


def _kind(name: str, piece: Piece) -> str:
    if Origin({"__name__": piece.module}).is_chapter:
        return "chapter"
    return "shared" if piece.module.startswith("conformance.") else "adapter"


def _reached(parts: Parts, roots: list[Piece]) -> dict[str, Piece]:
    """The pieces that are used in the end: what was tried on the way and not taken falls away."""
    pieces, found, left = parts.pieces, set[str](), list(roots)
    while left:
        for name in left.pop().loaded:
            if name in pieces and name not in found:
                found.add(name)
                left.append(pieces[name])
    return {name: piece for name, piece in pieces.items() if name in found}


def _imports(parts: Parts, pieces: list[Piece]) -> list[str]:
    """The lines that import what the script uses; with submodules that the adapter imports by their full name."""
    used = {name for piece in pieces for name in piece.loaded}
    lines = {known.line for known in parts.library.imports.values() if known.name in used}
    text = "\n".join(piece.text for piece in pieces)
    for module in _full_names(parts.adapter):
        if f"import {module.partition('.')[0]}" in lines and f"{module}." in text:
            lines.add(f"import {module}")
    return sorted(lines, key=lambda line: (line.startswith("from"), line))


def _full_names(adapter: Adapter) -> list[str]:
    files = {getattr(sys.modules[kind.__module__], "__file__", None) for kind in type(adapter).__mro__[:-1]}
    return [name for path in files if path for name in plain_imports(path) if "." in name]


def heading(behaviour: Behaviour, cell: str, adapter: Adapter, seen: Outcome | None) -> str:
    """The docstring of a script: what is claimed, by whom, of which engine, and what a run saw."""
    cited = [_cited(citation) for citation in behaviour.citations]
    lines = [behaviour.statement, "", cell, *dict.fromkeys(cited), f"{adapter.name} {adapter.version}"]
    if seen is not None:
        convention = f", convention {seen.convention}" if seen.convention else ""
        lines.append(f"seen: {seen.verdict.value}{convention}" + (f": {seen.message[:500]}" if seen.message else ""))
    lines.append(f"autograd-conformance {__version__}")
    text = "\n".join(lines).replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    return f'"""{text}\n"""'


def _cited(citation: Citation) -> str:
    """Where a promise can be read: the address, or the title of what has none."""
    address = sources.address(citation.source, citation.page)
    return address if "://" in address else sources.title(citation.source, citation.page)
