"""Compiled code of engines, kept between runs: an archive for each engine in the user's cache folder.

A cache that an engine keeps itself does not survive what happens in a run. JAX writes an entry in place: a process
that is killed leaves half an entry, which is never replaced, and each later reading warns, even inside a check that
waits for a warning. So each worker gets a copy of the archive in a folder that no other process uses (`lend`), named
by VARIABLE. What it adds goes into the archive once it has ended as it should (`keep`): the archive is replaced whole,
and each of its members has a checksum. Without the variable, an adapter's engine must compile everything anew.
"""

from __future__ import annotations

import os
import platform
import shutil
import stat
from pathlib import Path
from zipfile import ZipFile, ZipInfo

import platformdirs

VARIABLE = "AUTOGRAD_CONFORMANCE_CACHE"
# An archive that has grown beyond this many bytes begins again with what the last worker added.
LARGEST = 2**28
# A worker's folder holds at most an archive and what was added; with more bytes than this, none of it is kept.
ENDLESS = 2 * LARGEST
# What a file counts at least: many empty ones cost time, too.
BLOCK = 2**12
# With less room than this, what the engine has just written may be torn.
ROOM = 2**26


def cache_folder() -> tuple[Path | None, str]:
    """The folder for archives, made if need be; or None, and the reason why there is none."""
    # By machine, because a home directory may be shared by several, and compiled code is for a kind of processor.
    folder = platformdirs.user_cache_path("autograd-conformance", appauthor=False) / platform.node()
    if not folder.is_absolute():
        return None, f"the user has no home directory: {folder}"
    try:
        # An engine runs what it finds here: others must not write to it.
        folder.mkdir(0o700, parents=True, exist_ok=True)
    except OSError as error:
        return None, f"{folder} cannot be made: {error.strerror}"
    return folder, ""


def lend(archive: Path, folder: Path) -> None:
    """Make the folder, and fill it with what the archive holds: nothing, if it does not exist or is damaged."""
    folder.mkdir(parents=True)
    try:
        with ZipFile(archive) as members:
            members.extractall(folder)
    except Exception:  # damage shows as any of many: BadZipFile, zlib.error, EOFError, NotImplementedError, ...
        shutil.rmtree(folder)
        folder.mkdir()


def keep(folder: Path, archive: Path) -> None:
    """Add to the archive what is new in the folder of a worker that has ended by itself. Where that fails, it stays."""
    try:
        made = _files(folder)
        kept = _read(archive)
        added = {name: made[name].read_bytes() for name in made.keys() - kept.keys()}
        if added and shutil.disk_usage(folder).free > ROOM:
            _replace(archive, added if sum(map(len, kept.values())) > LARGEST else kept | added)
    except (OSError, UnicodeError):  # a folder that is gone, read-only or full: the next run compiles again
        return


def _files(folder: Path) -> dict[str, Path]:
    """The files of a folder by name; none if that is not the worker's own, or holds more than any engine compiles."""
    files: dict[str, Path] = {}
    size = 0
    # Links are not followed: what they lead to may be endless.
    for path in () if folder.is_symlink() else folder.rglob("*"):
        state = path.lstat()
        size += max(state.st_size, BLOCK)
        if size > ENDLESS:
            return {}
        if stat.S_ISREG(state.st_mode):
            files[path.relative_to(folder).as_posix()] = path
    return files


def _read(archive: Path) -> dict[str, bytes]:
    try:
        with ZipFile(archive) as members:
            return {name: members.read(name) for name in members.namelist()}
    except Exception:  # as in `lend`
        return {}


def _replace(archive: Path, members: dict[str, bytes]) -> None:
    part = archive.with_name(f"{archive.name}.{os.getpid()}.part")
    try:
        with ZipFile(part, "w") as written:
            for name in sorted(members):
                # Without the time: a clock before 1980 would raise ValueError.
                written.writestr(ZipInfo(name), members[name])
        part.replace(archive)
    finally:
        part.unlink(missing_ok=True)
