"""A behaviour as data, for results files, `list` and `show`."""

from __future__ import annotations

import ast
import linecache
import sys
from collections.abc import Callable, Collection
from functools import cache
from typing import Any

from conformance import sources
from conformance.behaviour import Behaviour, Citation
from conformance.contents import group_of
from conformance.evidence import Evidence, evidence_of
from conformance.results import BehaviourRecord, CitationRecord, EvidenceRecord


def behaviour_record(behaviour: Behaviour, cells: Collection[str] = ()) -> BehaviourRecord:
    """The record of a behaviour, its code included; of its cells, those among `cells`."""
    return BehaviourRecord(
        id=behaviour.id,
        chapter=behaviour.chapter,
        level=behaviour.level.value,
        statement=behaviour.statement,
        citations=[_citation_record(citation, evidence_of(behaviour, citation)) for citation in behaviour.citations],
        conventions=list(behaviour.conventions),
        cells=[cell for cell in behaviour.ids() if cell in cells],
        check=_source(behaviour.check),
        was=list(behaviour.was),
        aliases=list(behaviour.aliases),
        group=group_of(behaviour.chapter),
        chapter_title=_chapter_title(behaviour),
    )


def _chapter_title(behaviour: Behaviour) -> str:
    """The beginning of the docstring of a chapter, `Title: one clause.`; else its name in words."""
    names = behaviour.check.__globals__
    package = str(names.get("__package__") or "")
    # A chapter in several files is a package, whose docstring is that of the whole.
    whole = sys.modules[package].__doc__ if package.endswith(f".{behaviour.chapter}") else names.get("__doc__")
    title, colon, _ = str(whole or "").partition(":")
    return title if colon else behaviour.chapter.replace("_", " ").capitalize()


def _source(check: Callable[..., Any]) -> str:
    # Not inspect.getsource, which reads each function token by token: a second for the suite.
    first = check.__code__.co_firstlineno
    lines, last = _lines(check.__code__.co_filename)
    return "".join(lines[first - 1 : last.get(first, 0)])


@cache
def _lines(path: str) -> tuple[list[str], dict[int, int]]:
    """The lines of a file, and for the first line of each function, decorators included, the number of its last."""
    lines = linecache.getlines(path)  # none where it was typed at a prompt, or its file is gone
    functions = [node for node in ast.parse("".join(lines)).body if isinstance(node, ast.FunctionDef)]
    firsts = [min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]) for node in functions]
    return lines, {first: node.end_lineno or first for first, node in zip(firsts, functions, strict=True)}


def _citation_record(citation: Citation, its: list[Evidence]) -> CitationRecord:
    # All fields of a citation are published, its classes by their names.
    published = {
        "title": sources.title(citation.source, citation.page),
        "address": sources.address(citation.source, citation.page),
        "raises": _name(citation.raises),
        "warns": _name(citation.warns),
        "evidence": [EvidenceRecord(it.kind, it.words, it.count, it.digest, it.version) for it in its],
    }
    return CitationRecord(**(vars(citation) | published))


def _name(kind: type | str | None) -> str:
    return "" if kind is None else kind if isinstance(kind, str) else kind.__name__
