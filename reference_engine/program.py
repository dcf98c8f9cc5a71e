"""Running a program that was written for PyTorch, with this engine in PyTorch's place.

While the program runs, ``torch`` and its submodules are this package and its modules, in this process only. What the
engine does not have is not there: the program gets Python's own ImportError or AttributeError.
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

_PACKAGE = __package__


def stand_in() -> None:
    """Let ``import torch`` and ``import torch.anything`` find this engine from now on."""
    ours = {name: module for name, module in sys.modules.items() if (name + ".").startswith(_PACKAGE + ".")}
    for name, module in ours.items():
        sys.modules["torch" + name[len(_PACKAGE) :]] = module


def run(path: str, arguments: list[str]) -> int:
    """Run a program file as ``python FILE`` would; 2 if it cannot be read, after a line on standard error.

    1 if it raises, after the traceback that Python would show.
    """
    try:
        Path(path).open("rb").close()
    except OSError as error:
        print(f"reference_engine: cannot read {path}: {error.strerror}", file=sys.stderr)
        return 2
    stand_in()
    sys.argv = [path, *arguments]
    sys.path[0] = str(Path(path).resolve().parent)
    try:
        runpy.run_path(path, run_name="__main__")
    except Exception as error:
        frames = error.__traceback__
        # Without the frames of this module and of `runpy`, which are above the program's.
        while frames is not None and frames.tb_frame.f_code.co_filename != path:
            frames = frames.tb_next
        sys.excepthook(type(error), error.with_traceback(frames), frames)
        return 1
    return 0
