"""What `foresee` and `findings` do. Imported only when one of them runs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.text import Text

from autograd_conformance.foreseeing.editing import edit, entry_text
from autograd_conformance.foreseeing.findings import markdown
from autograd_conformance.foreseeing.plans import Plan, columns, plans
from autograd_conformance.selection import suite
from reports.files import write_or_print
from reports.text import clean, excerpt

__all__ = ["findings", "foresee"]


def findings(output: Path | None) -> None:
    """Print the page, or write it."""
    write_or_print(output, markdown(suite(None)))


def foresee(results: Sequence[Path], file: Path | None, write: bool) -> None:
    """Print what is to change in each expectations file, and change it if asked for."""
    console = Console(soft_wrap=True)
    # All are made before any is written: a bad file must not leave another one changed.
    for plan in list(plans([column for path in results for column in columns(path)], file)):
        _tell(console, plan)
        if write and (plan.drafts or plan.path.exists()):
            edit(plan.path, plan.drafts, plan.stale)
        if plan.drafts or plan.stale:
            console.print(Text(_outlook(plan, write)))


def _tell(console: Console, plan: Plan) -> None:
    console.print(Text(f"# {plan.path}: {len(plan.drafts)} to foresee, {len(plan.stale)} stale", style="bold"))
    for draft in plan.drafts:
        console.print(Text(clean(entry_text(draft))))
    for number, problem in plan.stale.items():
        console.print(Text(f"# entry {number + 1} is stale: {excerpt(problem, 400)}"))


def _outlook(plan: Plan, write: bool) -> str:
    if not write:
        return "# nothing is written; with --write it is"
    return "# written; give each draft its reason, or mend the engine: until then a run refuses the file"
