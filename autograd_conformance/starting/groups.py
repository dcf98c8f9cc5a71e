"""The protocol as a newcomer is to read it: its files, their groups, and the header and meaning of every verb."""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Generic, Protocol, get_type_hints

from conformance.protocol import Ad, Verb, vocabulary

__all__ = ["Group", "Part", "Written", "parts"]

WIDTH = 120
# Which files come first: what every engine needs, then what an engine of that family is asked for most.
FIRST = {
    "tape": ("arrays", "functions", "tape", "memory", "transforms", "mathematics", "rules", "hooks"),
    "transforms": ("arrays", "functions", "transforms", "rules", "mathematics", "matrices", "memory", "tracing"),
}


class _Plain(str):
    """An annotation as it is written: the standard library would show it in quotes."""

    def __repr__(self) -> str:
        return str(self)


@dataclass(frozen=True)
class Written:
    """A verb as it stands in a class: its dotted name, and the lines of its header and docstring."""

    name: str
    header: str
    docstring: str


@dataclass(frozen=True)
class Group:
    """A class of verbs. `bases` are groups that it takes in; `namespaces` maps an attribute to the group behind it."""

    name: str
    doc: str
    prefix: str
    verbs: tuple[Written, ...]
    bases: tuple[tuple[str, str], ...]
    namespaces: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True)
class Part:
    """A file of the protocol: its groups, and what its annotations need."""

    file: str
    doc: str
    groups: tuple[Group, ...]
    imports: tuple[ast.ImportFrom, ...]
    aliases: tuple[ast.Assign, ...]

    def rank(self, like: str) -> tuple[int, str]:
        """Where the file stands in the order of use for a family of engines."""
        first = FIRST[like]
        return first.index(self.file) if self.file in first else len(first), self.file


@cache
def parts() -> tuple[Part, ...]:
    """All files of the protocol that hold verbs."""
    by_module: dict[str, list[type]] = {}
    prefixes = dict(_kinds(Ad, ""))
    for kind in prefixes:
        by_module.setdefault(kind.__module__, []).append(kind)
    return tuple(_part(module, kinds, prefixes) for module, kinds in by_module.items())


def _kinds(composed: type, prefix: str) -> Iterator[tuple[type, str]]:
    """Every group within a composed one, and the prefix of its verbs; groups behind a property come with theirs."""
    for kind in composed.__mro__:
        if kind in (Ad, Generic, Protocol, object):
            continue
        yield kind, prefix
        for name, inner in _namespaces(kind):
            yield from _kinds(inner, f"{prefix}{name}.")


def _namespaces(kind: type) -> Iterator[tuple[str, type]]:
    for name, member in vars(kind).items():
        if isinstance(member, property):
            yield name, get_type_hints(member.fget)["return"]


def _part(module: str, kinds: list[type], prefixes: dict[type, str]) -> Part:
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    imports = [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.module != "__future__"]
    aliases = [node for node in tree.body if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) != "__all__"]
    # A group behind a namespace stands above the one that has the namespace.
    groups = sorted((_group(kind, prefixes) for kind in kinds), key=lambda group: bool(group.namespaces))
    return Part(
        _file(module),
        str(kinds[0].__doc__) if module == Ad.__module__ else (ast.get_docstring(tree) or "").partition("\n")[0],
        tuple(groups),
        tuple(node for node in imports if not str(node.module).startswith("conformance")),
        tuple(aliases),
    )


def _file(module: str) -> str:
    name = module.rpartition(".")[2]
    return "arrays" if name == "verbs" else name  # the file that composes them all makes and reads arrays as well


def _group(kind: type, prefixes: dict[type, str]) -> Group:
    verbs = tuple(_written(verb) for verb in vocabulary().values() if verb.group == kind.__name__)
    bases = tuple((base.__name__, _file(base.__module__)) for base in kind.__bases__ if base in prefixes)
    inner = tuple((name, one.__name__, _file(one.__module__)) for name, one in _namespaces(kind))
    return Group(kind.__name__, _docstring(inspect.getdoc(kind) or "", " " * 4), prefixes[kind], verbs, bases, inner)


def _written(verb: Verb) -> Written:
    return Written(verb.name, _header(verb), _docstring(verb.doc, " " * 8))


def _docstring(doc: str, indent: str) -> str:
    quotes = f'"""{doc}\n"""' if "\n" in doc else f'"""{doc}"""'
    return textwrap.indent(quotes, indent)


def _header(verb: Verb) -> str:
    """The `def` line of a verb in a class, broken as ruff breaks it where it is too long for one line."""
    parameters = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    parameters += [one.replace(annotation=_Plain(one.annotation)) for one in verb.signature.parameters.values()]
    given = list(_arguments(parameters))
    name, returns = verb.name.rpartition(".")[2], verb.signature.return_annotation
    one_line = f"    def {name}({', '.join(given)}) -> {returns}:"
    if len(one_line) <= WIDTH:
        return one_line
    inside = f"        {', '.join(given)}"
    if len(inside) <= WIDTH:
        return f"    def {name}(\n{inside}\n    ) -> {returns}:"
    inside = "".join(f"        {argument},\n" for argument in given)
    return f"    def {name}(\n{inside}    ) -> {returns}:"


def _arguments(parameters: list[inspect.Parameter]) -> Iterator[str]:
    for one in parameters:
        if isinstance(one.default, str):
            one = one.replace(default=_Plain(f'"{one.default}"'))
        yield str(one).replace("Ellipsis", "...")
