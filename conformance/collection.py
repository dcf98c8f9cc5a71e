"""Collects behaviours: from the chapters of the suite, or any folder named `chapters`."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import os
import sys
import traceback
from collections.abc import Collection, Iterable
from functools import cache
from pathlib import Path
from types import ModuleType

from conformance.behaviour import Behaviour, RegistrationError, chapter_of
from conformance.contents import place_of
from conformance.messages import format_error

PACKAGE = Path(__file__).parent
CHAPTERS = PACKAGE / "chapters"


def is_chapter(path: Path) -> bool:
    """A chapter is a Python file below a folder named `chapters`."""
    return path.suffix == ".py" and not path.name.startswith("_") and "chapters" in path.parts[:-1]


def chapter_files(folder: Path = CHAPTERS) -> list[Path]:
    """The chapters below a folder, in the order of the contents; files of a chapter by name."""
    chapters = (path for path in folder.rglob("*.py") if is_chapter(path))
    return sorted(chapters, key=lambda path: (place_of(chapter_of(path)), path))


def load(path: Path) -> list[Behaviour]:
    """The behaviours of a file, in the order in which they are written.

    Raises RegistrationError, in a line, for any exception of the import.
    """
    try:
        module = _module(path)
    except RegistrationError:
        raise
    except (Exception, SystemExit) as error:  # a chapter may come from anywhere
        frames = traceback.extract_tb(error.__traceback__)
        lines = [frame.lineno for frame in frames if Path(frame.filename).resolve() == path.resolve()]
        where = f"{path}, line {lines[-1]}" if lines else str(path)
        raise RegistrationError(f"{where}: importing it raised {format_error(error)}") from error
    return list(getattr(module, "__behaviours__", {}).values())


def load_all(folder: Path = CHAPTERS) -> list[Behaviour]:
    """The behaviours of all chapters below a folder. Raises RegistrationError where an id is used twice."""
    declarations: dict[str, Behaviour] = {}
    for declared in (declared for path in chapter_files(folder) for declared in load(path)):
        # Earlier ids count as well: links and known failures that use them must not change their meaning.
        for name in (declared.id, *declared.was):
            if name in declarations:
                raise RegistrationError(f"behaviour {name!r} is declared twice; an id is never used again: rename one")
            declarations[name] = declared
    return list(dict.fromkeys(declarations.values()))


def cells(folder: Path = CHAPTERS) -> dict[str, tuple[Behaviour, str | None]]:
    """The behaviour and the case (None: it has none) of each cell, by id. Raises RegistrationError."""
    return cells_of(load_all(folder))


def cells_of(behaviours: Iterable[Behaviour]) -> dict[str, tuple[Behaviour, str | None]]:
    """The same for these behaviours."""
    return {
        cell: (declared, case)
        for declared in behaviours
        for cell, case in zip(declared.ids(), declared.cases or (None,), strict=True)
    }


def cells_by_case(behaviours: Iterable[Behaviour], chosen: Collection[str] = ()) -> list[str]:
    """The ids of the cells with these cases (none: with any), case by case: laws on a case share results."""
    cases = {
        cell: case
        for declared in behaviours
        for cell, case in zip(declared.ids(), declared.cases, strict=True)
        if not chosen or case in chosen
    }
    return sorted(cases, key=cases.__getitem__)


def select(behaviours: Iterable[Behaviour], wanted: str) -> list[str]:
    """The cell ids that a chapter, a behaviour (by its present or an earlier id) or a single case names."""
    return [
        cell
        for declared in behaviours
        for cell in declared.ids()
        if wanted in (declared.chapter, declared.id, cell, *declared.was)
    ]


@cache
def revision(chapters: tuple[Path, ...] = ()) -> str:
    """A digest of everything that a verdict depends on: the package with its protocol and chapters.

    `chapters` are the files of chapters outside the package.
    """
    digest = hashlib.sha256()
    for path in sorted([*PACKAGE.rglob("*.py"), *PACKAGE.glob("*.toml")]):
        digest.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    for path in sorted(path for path in chapters if not path.resolve().is_relative_to(PACKAGE)):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:12]  # enough to distinguish revisions, short enough to read


def _module(path: Path) -> ModuleType:
    """Import a chapter: under its own name if it belongs to the suite, else under a name made from its path."""
    path = path.resolve()
    if path.is_relative_to(CHAPTERS.resolve()):
        below = path.relative_to(CHAPTERS.resolve()).with_suffix("")
        return importlib.import_module(".".join(("conformance", "chapters", *below.parts)))
    name = f"chapter_{hashlib.sha256(os.fsencode(path)).hexdigest()[:12]}_{path.stem}"
    # A second import would declare everything twice.
    return sys.modules.get(name) or load_file(path, name)


def load_file(path: Path, name: str) -> ModuleType:
    """Import a file under a name, by which pdb and inspect find its functions."""
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise RegistrationError(f"{path}: cannot be imported as a chapter")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:  # a half-imported module would satisfy the next import
        sys.modules.pop(name, None)
        raise
    return module
