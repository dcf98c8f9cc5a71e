"""Tensors, and objects made of them, to and from files."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

__all__ = ["load", "save"]


def save(obj: Any, f: Any) -> None:
    """Write an object that may hold tensors to a path or an open file, in a format of its own (torch.save)."""
    if hasattr(f, "write"):
        pickle.dump(obj, f)
    else:
        Path(f).write_bytes(pickle.dumps(obj))


def load(f: Any, *, weights_only: bool = True) -> Any:
    """What `save` wrote (torch.load). Only for files that you trust: they are pickles, whatever `weights_only` says."""
    return pickle.load(f) if hasattr(f, "read") else pickle.loads(Path(f).read_bytes())
