"""What `new-adapter` does. Imported only when it runs."""

from __future__ import annotations

from pathlib import Path

from autograd_conformance import terminal
from autograd_conformance.options import OutputForm, Verbosity
from autograd_conformance.starting.skeleton import Plan, SkeletonRecord, write

__all__ = ["new_adapter"]


def new_adapter(name: str, module: str, like: str, folder: Path, form: OutputForm) -> None:
    """Write the files, and say what is to be done next: quietly, the folder alone. Raises StartingError."""
    record = write(Plan(name, module, like), folder)
    if form.as_json:
        terminal.print_json(record)
    elif form.verbosity is Verbosity.QUIET:
        terminal.console().print(terminal.text(record.folder))
    else:
        _print(record, verbose=form.verbosity is Verbosity.VERBOSE)


def _print(record: SkeletonRecord, verbose: bool) -> None:
    console = terminal.console()
    what = f"{record.package}/ with every verb of the protocol, README.md, pyproject.toml, a test"
    console.print(terminal.text(f"wrote {record.folder}: {what}"))
    if verbose:
        for name in record.files:
            console.print(terminal.text(f"  {name}"))
    if not record.installed:
        console.print(terminal.text(f"{record.module} is not installed here: install it first", "yellow"))
    smoke = f"autograd-conformance smoke --engine {record.engine}"
    console.print(terminal.text(f"next: cd {record.folder} && {smoke}"))
