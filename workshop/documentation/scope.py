"""Stored facts about each library: which names count, and its public names when it was last read.

People write scope.toml; `names/` is written by a command, a name per line, so that a version control system
shows which name changed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from conformance import sources
from conformance.sources import tomllib

DATA = Path(__file__).parent


class ScopeError(click.ClickException):
    """No such library, or its stored facts cannot be used; the message has the remedy."""

    # Click's own is 1, which means a finding here.
    exit_code = 2


@dataclass(frozen=True)
class CitedLibrary:
    """A library whose documentation promises: a table of scope.toml."""

    name: str
    sources: list[str]
    docstrings: str
    namespaces: dict[str, str]
    documented_on: dict[str, list[str]] = field(default_factory=dict)
    out_of_scope: dict[str, str] = field(default_factory=dict)

    def is_docstring(self, source: str, page: str) -> bool:
        """Whether a page is made from the docstring of the object whose name it bears."""
        return source in self.sources and sources.path(source, page).startswith(self.docstrings)

    def why_not(self, name: str) -> str:
        """Why no behaviour is wanted for a public name; empty if it is."""
        # The first pattern that fits: a name may fall under several.
        return next((why for pattern, why in self.out_of_scope.items() if re.fullmatch(pattern, name)), "")


@dataclass(frozen=True)
class PublicNames:
    """The public names of a library in one version, each with its other names."""

    version: str
    names: Mapping[str, list[str]]


def libraries() -> dict[str, CitedLibrary]:
    """All tables of scope.toml, by name."""
    return {name: CitedLibrary(name, **table) for name, table in _table(DATA / "scope.toml").items()}


def library(name: str) -> CitedLibrary:
    """The library of that name. Raises ScopeError."""
    if name in libraries():
        return libraries()[name]
    raise ScopeError(f"unknown library {name!r}; scope.toml knows {', '.join(libraries())}")


def public_names(name: str) -> PublicNames:
    """The public names of a library when it was last read."""
    table = _table(DATA / f"names/{name}.toml")
    return PublicNames(table.get("version", ""), table.get("names", {}))


def save_public_names(name: str, public: PublicNames) -> None:
    """Store the public names."""
    # JSON's strings and lists of strings are TOML, too.
    lines = (f"{json.dumps(key)} = {json.dumps(others)}" for key, others in public.names.items())
    head = [
        f"# Written by `python -m workshop sources {name} --names`: each public name, and what else it is called.",
        f"version = {json.dumps(public.version)}\n\n[names]",
    ]
    _write(DATA / "names" / f"{name}.toml", [*head, *lines])


def _table(path: Path) -> dict[str, Any]:
    # A library that was never read has no names yet.
    if not path.exists():
        return {}
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ScopeError(f"{path}: is not TOML: {error}; restore it from version control") from None


def _write(path: Path, lines: Iterable[str]) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(lines) + "\n", "utf-8")
