"""Adapters that attack the files of a run: its folders, its cache, its results. Each one thing."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

from tests.zoo.adapters import Healthy


def _cache() -> Path:
    return Path(os.environ["AUTOGRAD_CONFORMANCE_CACHE"])


class NestsFolders(Healthy):
    """Leaves folders within folders, deeper than Python recurses."""

    def detach(self, x: Any) -> Any:
        here = os.getcwd()
        os.chdir(tempfile.gettempdir())
        for _ in range(1200):
            os.mkdir("d")
            os.chdir("d")
        # The working directory is watched, too, and not what this is about.
        os.chdir(here)
        return x


class LocksAFolder(Healthy):
    """Leaves a file in a folder that its owner may not read or change."""

    def detach(self, x: Any) -> Any:
        folder = Path(tempfile.mkdtemp())
        (folder / "file").touch()
        folder.chmod(0)
        return x


class CachesUnderABadName(Healthy):
    """Keeps a file whose name is not UTF-8."""

    def detach(self, x: Any) -> Any:
        Path(os.fsdecode(os.fsencode(_cache()) + b"/\xff")).touch()
        return x


class CachesATerabyte(Healthy):
    """Keeps a sparse file that no memory can hold."""

    def detach(self, x: Any) -> Any:
        with open(_cache() / "large", "wb") as stream:
            stream.truncate(2**40)
        return x


class CachesWhatHasNoEnd(Healthy):
    """Keeps a named pipe and links to devices."""

    def detach(self, x: Any) -> Any:
        os.mkfifo(_cache() / "pipe")
        (_cache() / "zero").symlink_to("/dev/zero")
        return x


class CachesTheSystem(Healthy):
    """Puts a link to a large folder where its cache was."""

    def detach(self, x: Any) -> Any:
        shutil.rmtree(_cache())
        _cache().symlink_to("/usr")
        return x


class PutsAPipeForItsResults(Healthy):
    """Replaces the results file by a named pipe, whose reading does not end."""

    def detach(self, x: Any) -> Any:
        # The recorder goes on writing to a file without a name, and in its place is the pipe at the end.
        for path in Path(os.environ["ZOO_OUTPUT"]).rglob("*.partial"):
            path.unlink()
            os.mkfifo(path)
        return x


class PutsAPipeForItsLog(Healthy):
    """Replaces the log by a named pipe, whose opening does not end, and dies."""

    def detach(self, x: Any) -> Any:
        for path in Path(os.environ["ZOO_OUTPUT"]).rglob("*.log"):
            path.unlink()
            os.mkfifo(path)
        os._exit(3)
