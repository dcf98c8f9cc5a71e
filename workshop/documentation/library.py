"""Public names and docstrings of an installed library, read in another process: no two frameworks share a process.

`python -m workshop.documentation.library NAME` is that process; it reads a question and writes an answer, both JSON.
"""

from __future__ import annotations

import contextlib
import importlib
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from types import ModuleType
from typing import Any

import msgspec

from workshop.documentation.scope import CitedLibrary, ScopeError


class LibraryQuestion(msgspec.Struct):
    """`namespaces` maps a module or class to a pattern for its public names; docstrings are wanted of `names`."""

    namespaces: dict[str, str]
    names: list[str]


class LibraryAnswer(msgspec.Struct):
    """`public` maps a name to its other names, `docstrings` to its docstring, or None where there is no such name."""

    version: str
    public: dict[str, list[str]]
    docstrings: dict[str, str | None]


def read_library(library: CitedLibrary, names: Iterable[str] = ()) -> LibraryAnswer:
    """Public names of the library, and docstrings of `names`. Raises ScopeError if it is not installed here."""
    question = LibraryQuestion(library.namespaces, sorted(names))
    # Deprecated names warn when they are looked up.
    command = [sys.executable, "-W", "ignore", "-m", "workshop.documentation.library", library.name]
    done = subprocess.run(command, input=msgspec.json.encode(question), capture_output=True, check=False)
    if done.returncode:
        error = done.stderr.decode(errors="replace").strip().splitlines()[-1:] or [f"status {done.returncode}"]
        raise ScopeError(
            f"library {library.name!r} cannot be read: {error[0]}; run this where it is installed: "
            "`python -m nox -l` lists sessions `sources(...)`"
        )
    return msgspec.json.decode(done.stdout, type=LibraryAnswer)


def answer(library: str, question: LibraryQuestion) -> LibraryAnswer:
    """Read the library. Raises ImportError if it, or one of the namespaces' parents, cannot be imported."""
    version: str = importlib.import_module(library).__version__
    docstrings = {name: _docstring(name) for name in question.names}
    # Without the local part: the documentation is that of 2.13.0, also for 2.13.0+cpu.
    return LibraryAnswer(version.partition("+")[0], _public(question.namespaces), docstrings)


def _docstring(name: str) -> str | None:
    try:
        thing = pkgutil.resolve_name(name)
    except (ImportError, AttributeError, ValueError):  # ValueError: a section's title, which is no name
        return None
    return str(getattr(thing, "__doc__", None) or "")


def _public(namespaces: Mapping[str, str]) -> dict[str, list[str]]:
    """The public names, each under its shortest path; with the other names of the same object."""
    groups: dict[int, list[str]] = {}
    kept = []  # an object that nothing keeps alive (a bound method) would leave its id to the next
    for namespace, pattern in namespaces.items():
        for name, value in _members(namespace):
            if re.search(pattern, name):
                kept.append(value)
                groups.setdefault(id(value), []).append(f"{namespace}.{name}")
    ordered = [sorted(dict.fromkeys(group), key=lambda path: path.count(".")) for group in groups.values()]
    return {first: others for first, *others in sorted(ordered)}


def _members(namespace: str) -> Iterator[tuple[str, Any]]:
    """Exports of a namespace: its `__all__`, or else its names without underscore; modules are left out."""
    try:
        place = pkgutil.resolve_name(namespace)
    except (ImportError, AttributeError):
        return  # another version of the library does not have it
    for name in getattr(place, "__all__", None) or [name for name in dir(place) if not name.startswith("_")]:
        value = getattr(place, name, None)
        if value is not None and not isinstance(value, ModuleType):
            yield name, value


def main() -> None:
    """Read a question from standard input, and write the answer to standard output."""
    question = msgspec.json.decode(sys.stdin.buffer.read(), type=LibraryQuestion)
    with contextlib.redirect_stdout(sys.stderr):
        answered = answer(sys.argv[1], question)
    sys.stdout.buffer.write(msgspec.json.encode(answered))


if __name__ == "__main__":
    main()
