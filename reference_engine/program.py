"""Running a program that was written for PyTorch, with this engine in PyTorch's place.

While the program runs, ``torch`` and its submodules are this package and its modules, in this process only. What the
engine does not have is not there: the program gets Python's own ImportError or AttributeError.
"""

from __future__ import annotations

import builtins
import sys
import types
from pathlib import Path
from typing import Any

_PACKAGE = __package__


def stand_in() -> None:
    """Let ``import torch`` and ``import torch.anything`` find this engine from now on."""
    ours = {name: module for name, module in sys.modules.items() if (name + ".").startswith(_PACKAGE + ".")}
    for name, module in ours.items():
        sys.modules["torch" + name[len(_PACKAGE) :]] = module


def run(path: str, arguments: list[str]) -> int:
    """Run a program file as ``python FILE`` would; 2 if it cannot be read, after one line on standard error."""
    try:
        source = Path(path).read_bytes()
    except OSError as error:
        print(f"reference_engine: cannot read {path}: {error.strerror}", file=sys.stderr)
        return 2
    stand_in()
    main = types.ModuleType("__main__")
    main.__dict__.update(__file__=path, __builtins__=builtins)
    sys.modules["__main__"] = main
    sys.argv = [path, *arguments]
    sys.path[0] = str(Path(path).resolve().parent)
    return _execute(source, path, main.__dict__)


def _execute(source: bytes, path: str, scope: dict[str, Any]) -> int:
    """Run the source; 1 if it raises, after the traceback that Python would show, without this module's frame."""
    try:
        exec(compile(source, path, "exec"), scope)
    except Exception as error:
        frames = error.__traceback__
        error = error.with_traceback(frames.tb_next if frames else None)
        sys.excepthook(type(error), error, error.__traceback__)
        return 1
    return 0
