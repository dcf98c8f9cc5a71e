"""`engines`: the registered adapters, and whether each could be run here."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from importlib.machinery import PathFinder
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from autograd_conformance.options import OutputForm, Verbosity, form_options
from autograd_conformance.terminal import console, print_json, print_line, table, text

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from autograd_conformance.records import InstalledEngineRecord


@click.command()
@form_options
def engines(form: OutputForm) -> None:
    """List the engines, and whether they can be run here.

    A parameter may follow an engine's name, after a colon: jax:jit, torch:compile.

    Example: autograd-conformance engines
    """
    from conformance.engines import installed

    listed = [_engine(name, point) for name, point in installed().items()]
    if form.as_json:
        print_json(listed)
    elif form.verbosity is Verbosity.QUIET:
        for engine in listed:
            # Names have no room for what is missing: a script that reads them could not start such an engine.
            if not engine.missing:
                print_line(console(), engine.name)
    else:
        _print_table(listed, verbose=form.verbosity is Verbosity.VERBOSE)


def _print_table(listed: Sequence[InstalledEngineRecord], verbose: bool) -> None:
    rows = table("engine", "adapter", "can be run", *(["source"] if verbose else []))
    for engine in listed:
        runs = f"no: {', '.join(engine.missing)} missing" if engine.missing else "yes"
        rows.add_row(text(engine.name), text(engine.adapter), text(runs), *([text(engine.source)] if verbose else []))
    console().print(rows)


def _engine(name: str, point: EntryPoint) -> InstalledEngineRecord:
    """A registered adapter. Its source is read and not imported: importing an engine takes seconds."""
    from autograd_conformance.records import InstalledEngineRecord

    origin = _origin(point.module)
    source = Path(origin) if origin else None
    # Without a source the adapter itself is what is missing.
    needed = _imports(source.read_text("utf-8")) if source else {point.module}
    missing = sorted(module for module in needed if _origin(module) is None)
    return InstalledEngineRecord(name, point.value, str(source or ""), missing)


def _imports(source: str) -> set[str]:
    """The top-level modules that a source text imports."""
    names: set[str] = set()
    # Also within functions and `try`: an adapter may import its engine late.
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        # A relative import is of the adapter's own package, which is there.
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module)
    return {name.partition(".")[0] for name in names}


def _origin(module: str) -> str | None:
    """Where a module would be imported from; None if there is none. Nothing is imported.

    `find_spec` of a dotted name would import the parent, and an adapter's package may import its engine.
    """
    top, *below = module.split(".")
    try:
        spec = find_spec(top)
        for name in below:
            inside = spec and spec.submodule_search_locations
            spec = PathFinder.find_spec(f"{spec.name}.{name}", inside) if spec and inside else None
    # ValueError is of a loaded module that has no spec, as `__main__` of a script.
    except (ImportError, ValueError):
        return None
    # A namespace package is there, and has no file.
    return (spec.origin or "") if spec else None
