"""Known failures: a TOML file per engine package, a cause with its cells below it, and how they match a run's cells.

```toml
[cause.inplace_square_tangent]           # known/scripts/<file>/<cause>.py, a native program, fails while it is there
title = "In forward mode, y.mul_(y) has a wrong tangent"
kind = "silent wrong value"
reason = "The tangent is computed after y was overwritten."
versions = ">=2.13,<2.16"                # what cells leave out is the cause's: versions, columns, verdict, message
columns = ["torch", "torch_func"]
behaviours = [                           # PARTS has the other lists
    "inplace.a_square_has_its_tangent",
    { cell = "transforms.*[square]", verdict = "differs", message = 'got 18' },
]
```

An entry never changes a published verdict. It is strict, as pytest's strict xfail: an entry is stale if its cell has
another outcome, or does not exist. The reason is written by a person; `autograd-conformance known` drafts the
lines below it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Any

import msgspec
from packaging.version import InvalidVersion

from conformance.known_causes import PARTS, Cause, KnownFailure
from conformance.messages import InputError
from conformance.results import KnownRecord
from conformance.sources import tomllib
from conformance.verdicts import Outcome

KNOWN = Path(__file__).parent / "known"
# Engines whose file or distribution has another name than they have.
FILES = {"torch_func": "torch"}
DISTRIBUTIONS = {"hips_autograd": "autograd"}


class KnownFailureError(InputError):
    """A file of known failures cannot be used; the message names file, cause and what to do."""


def file_of(engine: str) -> Path:
    """The suite's own file for an engine, by the adapter's name for it; it need not exist."""
    name = engine.partition(":")[0]
    return KNOWN / f"{FILES.get(name, name)}.toml"


def file_for(engine: str, brought: str) -> Path:
    """The file that an adapter from outside brings, which must be there (KnownFailureError); else the suite's."""
    if brought and not Path(brought).exists():
        problem = "no such file, but the adapter's `known_failures` names it; create it, empty"
        raise KnownFailureError(f"{brought}: {problem}")
    return Path(brought) if brought else file_of(engine)


def script_of(cause: str, file: Path) -> Path:
    """The native program that shows a cause of the file: it fails while the cause is there. It need not exist."""
    return file.parent / "scripts" / file.stem / f"{cause}.py"


def load(path: Path, engine: str, version: str, part: str = "") -> list[KnownFailure]:
    """The entries of a part (empty: of behaviours) for an engine in a version; none if there is no such file.

    Raises KnownFailureError.
    """
    entries = read(path) if path.exists() else []
    # Entries of other parts would be stale: their cells are not in such a run.
    its = [entry for entry in entries if entry.is_of(engine) and entry.part == (part or PARTS[0])]
    try:
        return [entry for entry in its if entry.applies_to(version)]
    except InvalidVersion:
        raise KnownFailureError(
            f"{path}: has entries with a range of versions, but the engine's version is {version!r}, which is not a "
            "version (PEP 440); correct the adapter's `version`, or leave `versions` out"
        ) from None


def read(path: Path) -> list[KnownFailure]:
    """All entries of a file, in its order. Raises KnownFailureError."""
    entries: list[KnownFailure] = []
    for name, cause in causes_of(path).items():
        try:
            entries += cause.entries()
        except ValueError as error:
            raise KnownFailureError(f"{path}: cause {name}: {error}") from None
    return entries


def causes_of(path: Path) -> dict[str, Cause]:
    """The [cause.NAME] tables of a file, by name. Raises KnownFailureError, which names the cause."""
    causes = {}
    for name, table in _tables(path).items():
        try:
            causes[name] = msgspec.structs.replace(msgspec.convert(table, Cause), name=name)
        except msgspec.ValidationError as error:
            raise KnownFailureError(f"{path}: cause {name}: {error}") from None
    return causes


def _tables(path: Path) -> dict[str, Any]:
    try:
        document = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise KnownFailureError(f"{path}: cannot be read: {error.strerror}; give a TOML file") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise KnownFailureError(f"{path}: is not TOML: {error}") from None
    # Popped: what is left then is misspelt, and its entries would be ignored.
    tables = document.pop("cause", {})
    if document or not isinstance(tables, dict):
        raise KnownFailureError(f"{path}: expected [cause.NAME] tables, and nothing else, got {sorted(document)}")
    return tables


def find(entries: list[KnownFailure], cell: str, outcome: Outcome) -> KnownRecord | None:
    """The published part of the first entry that lists a cell with this outcome, else None."""
    return next((entry.record() for entry in entries if entry.concerns(cell) and entry.holds(outcome)), None)


def stale(entries: Iterable[KnownFailure], outcomes: Mapping[str, Outcome], complete: bool) -> list[str]:
    """Why entries are stale. Entries without a cell count only if all cells of the suite were run."""
    return [problem for entry in entries if (problem := entry.stale(outcomes, complete))]


def installed_version(engine: str) -> str:
    """The version of the engine of a file, such as torch; empty if it is not installed."""
    try:
        return version_of(DISTRIBUTIONS.get(engine, engine))
    except PackageNotFoundError:
        return ""
