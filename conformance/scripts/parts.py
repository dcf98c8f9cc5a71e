"""What a script consists of beside its program: imports, and functions and values that came along, each once.

What comes from an adapter is the same for all of its scripts: it is rewritten once, and kept in a library.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from conformance.behaviour import Citation
from conformance.protocol import Adapter
from conformance.scripts.layout import laid_out
from conformance.scripts.trees import free_in

__all__ = ["PROGRAM", "Import", "Library", "Origin", "Parts", "Piece"]

Make = Callable[[str], ast.stmt]
# What a check is called in its script.
PROGRAM = "check"


@dataclass(frozen=True)
class Origin:
    """Where names of a piece of code are looked up: its module, what `ad` or `self` is there, and in which class."""

    namespace: Mapping[str, Any]
    roots: Mapping[str, Any] = field(default_factory=dict)
    kind: type | None = None

    @property
    def module(self) -> str:
        """The name of the module."""
        return str(self.namespace.get("__name__", ""))

    @property
    def is_chapter(self) -> bool:
        """Whether it belongs to a check, and not to an adapter or to the suite."""
        return self.module.startswith(("conformance.chapters.", "chapter_"))


class Piece:
    """A definition of the script, from a module."""

    def __init__(self, module: str) -> None:
        self.module = module
        self.statement: ast.stmt | None = None
        self._text, self._loaded = "", frozenset[str]()

    @property
    def text(self) -> str:
        """As it is written."""
        if not self._text and self.statement is not None:
            self._text = laid_out(self.statement)
        return self._text

    @property
    def loaded(self) -> frozenset[str]:
        """The names that it takes from outside."""
        if not self._loaded and self.statement is not None:
            self._loaded = frozenset(free_in(self.statement))
        return self._loaded


@dataclass(frozen=True)
class Import:
    """A line that imports, and the name that it binds."""

    line: str
    name: str


@dataclass
class Library:
    """Imports and pieces by name. None of them is called by a name that is `taken`."""

    taken: Collection[str] = ()
    imports: dict[str, Import] = field(default_factory=dict)  # by line as the adapter has it
    pieces: dict[str, Piece] = field(default_factory=dict)
    names: dict[Any, str] = field(default_factory=dict)

    def imported(self, name: str, source: str) -> str:
        """The name under which an import is known, such as `import jax.numpy` wanted as `jnp`."""
        key = f"{source} as {name}"
        if key not in self.imports:
            free = self.free(name)
            plain = source.split()[-1] == free
            self.imports[key] = Import(source if plain else f"{source} as {free}", free)
        return self.imports[key].name

    def defined(self, key: Any, wanted: str, module: str, make: Make) -> str:
        """The name of a definition, which is made when it is needed first, and may need itself."""
        if key not in self.names:
            name = self.free(wanted)
            self.names[key], self.pieces[name] = name, Piece(module)
            try:
                self.pieces[name].statement = make(name)
            except BaseException:
                del self.names[key], self.pieces[name]
                raise
        return self.names[key]

    def free(self, name: str) -> str:
        """The name, or one like it that nothing is called by."""
        used = {known.name for known in self.imports.values()}
        while name in self.taken or name in self.pieces or name in used:
            name += "_"
        return name


@dataclass
class Parts:
    """Everything that one program was found to need: pieces of its own, and those of its engine's library.

    A program that `was_run` may name verbs that the engine lacks: it never came so far.
    """

    adapter: Adapter
    array_type: Any
    library: Library
    own: Library
    was_run: bool = False
    promise: tuple[Citation, ...] = ()

    def defined(self, key: Any, wanted: str, origin: Origin, make: Make) -> str:
        """The name of a definition."""
        home = self.own if origin.is_chapter else self.library
        return home.defined(key, wanted, origin.module, make)

    @property
    def pieces(self) -> dict[str, Piece]:
        """All of them by name, what the chapter has first."""
        return self.own.pieces | self.library.pieces
