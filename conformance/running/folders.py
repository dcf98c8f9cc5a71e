"""Folders of workers, in which checks may leave what Python does not remove."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from pathlib import Path

# The file of a folder that has what a generated program printed.
ERRORS = "errors.log"
# Both can do with any depth of folders.
COMMANDS = (["chmod", "-R", "u+rwx", "--"], ["rm", "-rf", "--"])


def remove(folder: Path) -> None:
    """Remove a folder, or the file in its place; also folders nested too deep for recursion, or not to be read.

    What the system does not let go stays.
    """
    with contextlib.suppress(RecursionError):
        shutil.rmtree(folder, ignore_errors=True)
    if os.name == "posix" and os.path.lexists(folder):
        for command in COMMANDS:
            with contextlib.suppress(OSError):
                subprocess.run([*command, folder], stderr=subprocess.DEVNULL, check=False)
