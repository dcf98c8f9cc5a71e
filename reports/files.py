"""Writing files atomically: each is written beside its place, then renamed."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from conformance.messages import InputError


class ReportError(InputError):
    """A report cannot be made; the message is a line: what is wrong, where, and what to do."""


def replace_all(directory: Path, contents: Mapping[str, bytes]) -> None:
    """Write the named files into a directory, made if need be. Raises ReportError, with none replaced.

    A name may contain a folder. The renames come last: they need no disk space and no further permissions, so in
    practice either all files are replaced or none.
    """
    beside = {name: _beside(directory / name) for name in contents}
    try:
        for path in beside.values():
            path.parent.mkdir(parents=True, exist_ok=True)
        _reject_directories(directory, contents)
        for name, path in beside.items():
            _write(path, contents[name])
        for name, path in beside.items():
            os.replace(path, directory / name)
    except OSError as error:
        # The message of `mkdir` is "File exists" where a file has the name of the folder.
        problem = "Not a directory" if isinstance(error, FileExistsError) else error.strerror or str(error)
        remedy = "make room or give another directory; what was there is unchanged"
        raise ReportError(f"{directory}: cannot write {_named(contents)}: {problem}; {remedy}") from error
    finally:
        for path in beside.values():
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)


def _beside(path: Path) -> Path:
    # In the same folder: a rename across file systems would be a copy. With the process id: two reports may be written.
    return path.parent / f".{path.name}.{os.getpid()}.tmp"


def _named(names: Iterable[str]) -> str:
    """The files; of those in the same folder, the folder."""
    return ", ".join(dict.fromkeys(name.partition("/")[0] for name in names))


def _reject_directories(directory: Path, names: Mapping[str, bytes]) -> None:
    # Found before the first rename, not in the middle of them.
    for name in names:
        if (directory / name).is_dir():
            raise IsADirectoryError(None, f"{name} is a directory")


def _write(path: Path, content: bytes) -> None:
    # Not `tempfile`: its files are private to the user, and a report is there to be read by others.
    with path.open("wb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())  # a full disk shows here, before the first rename
