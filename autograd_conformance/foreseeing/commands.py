"""What `foresee` and `findings` do. Imported only when one of them runs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from autograd_conformance.foreseeing.editing import edit, entry_text
from autograd_conformance.foreseeing.findings import markdown, records
from autograd_conformance.foreseeing.plans import Plan, columns, plans
from autograd_conformance.foreseeing.records import plan_record
from autograd_conformance.selection import suite
from autograd_conformance.terminal import console, json_text, print_json, text
from reports.files import write_or_print
from reports.text import excerpt

__all__ = ["findings", "foresee"]


def findings(output: Path | None, as_json: bool) -> None:
    """Print the page, or write it."""
    declared = suite(None)
    write_or_print(output, json_text(records(declared)) if as_json else markdown(declared))


def foresee(results: Sequence[Path], file: Path | None, write: bool, as_json: bool) -> None:
    """Print what is to change in each file of known failures, and change it if asked for."""
    # All are made before any is written: a bad file must not leave another one changed.
    found = list(plans([column for path in results for column in columns(path)], file))
    shown = console()
    for plan in found:
        if not as_json:
            _tell(shown, plan)
        if write and (plan.drafts or plan.path.exists()):
            edit(plan.path, plan.drafts, plan.stale)
        if not as_json and (plan.drafts or plan.stale):
            shown.print(text(_outlook(plan, write)), soft_wrap=True)
    if as_json:
        print_json([plan_record(plan, write) for plan in found])


def _tell(shown: Console, plan: Plan) -> None:
    head = f"# {plan.path}: {len(plan.drafts)} to foresee, {len(plan.stale)} stale"
    shown.print(text(head, style="bold"), soft_wrap=True)
    for draft in plan.drafts:
        shown.print(text(entry_text(draft)), soft_wrap=True)
    for number, problem in plan.stale.items():
        shown.print(text(f"# entry {number + 1} is stale: {excerpt(problem, 400)}"), soft_wrap=True)


def _outlook(plan: Plan, write: bool) -> str:
    if not write:
        return "# nothing is written; with --write it is"
    return "# written; give each draft its reason, or mend the engine: until then a run refuses the file"
