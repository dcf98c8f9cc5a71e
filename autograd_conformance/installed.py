"""Whether an adapter could be imported here, found out without importing it: engines take seconds."""

from __future__ import annotations

import ast
from importlib.util import find_spec
from pathlib import Path

__all__ = ["missing_imports", "source_of"]


def missing_imports(module: str) -> list[str]:
    """The top-level modules that the source of `module` imports and that are not there; itself, if it is not."""
    source = source_of(module)
    if source is None:
        return [module]
    return sorted(name for name in _imports(source.read_text("utf-8")) if not _found(name))


def source_of(module: str) -> Path | None:
    """The file of a module, if it can be found."""
    try:
        spec = find_spec(module)
    except (ImportError, ValueError):
        return None
    return Path(spec.origin) if spec and spec.origin else None


def _imports(source: str) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module)
    return {name.partition(".")[0] for name in names}


def _found(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except (ImportError, ValueError):
        return False
