"""`show`: a behaviour in full, or a cell as a program in the engine's own API."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from autograd_conformance import completion
from autograd_conformance.options import BadInput, OutputForm, Verbosity, chapters_option, form_options
from autograd_conformance.terminal import console, print_json, print_line, print_source, text

if TYPE_CHECKING:
    from rich.console import Console

    from autograd_conformance.records import ShownRecord
    from conformance.behaviour import Behaviour
    from conformance.results import BehaviourRecord, CitationRecord

# With which names of engines begin, as programs import them.
ENGINES = ("torch", "F", "jax", "jnp", "autograd", "np")
# Without -v, this many mutants: enough to see what a check detects.
MUTANTS = 5


@click.command()
@click.argument("behaviour", shell_complete=completion.behaviours)
@click.option("--engine", "-e", shell_complete=completion.engines, help="With --script or --issue: which engine.")
@click.option("--script", is_flag=True, help="Print the check as a program in the engine's own API, and nothing else.")
@click.option(
    "--issue", is_flag=True, help="Print an issue for the engine's tracker: versions, script, seen, documented."
)
@chapters_option
@form_options
def show(
    behaviour: str, engine: str | None, script: bool, issue: bool, chapters: Path | None, form: OutputForm
) -> None:
    """Show a behaviour, a law or an operation, or a cell's script.

    A behaviour or a law comes with its sources and its check, and with mutants that the check kills: engines with one
    deliberate mistake. An operation, which engines' names find too (torch.linalg.det, jnp.exp), comes with its special
    points and the laws on it.

    Example: autograd-conformance show accumulation.a_second_backward_adds_to_the_first

    As a program: autograd-conformance show leaves.a_leaf_has_no_grad_fn --engine torch --script > program.py

    As an issue: autograd-conformance show kinks.clip_has_gradient_zero_at_a_bound[lower] --engine torch --issue
    """
    if (script or issue) != (engine is not None):
        raise BadInput("--script and --engine go together: give both, or none; so do --issue and --engine")
    if script and issue:
        raise BadInput("--script and --issue are two outputs: give one of them")
    if engine is not None:
        _print_text(behaviour, engine, issue, chapters, form)
    else:
        _print_behaviours(behaviour, chapters, form)


def _print_behaviours(word: str, chapters: Path | None, form: OutputForm) -> None:
    """Everything about the behaviours that the word names."""
    from autograd_conformance.selection import behaviours_of
    from conformance.collection import load_all
    from conformance.laws import LAWS

    laws = [] if chapters else load_all(LAWS)
    if word.partition(".")[0] in ENGINES:
        from autograd_conformance.operation_texts import operation_named

        word = operation_named(word)
    if word in {name for law in laws for name in law.cases}:
        _print_operation(word, [law for law in laws if word in law.cases], form)
        return
    named = [law for law in laws if word in (law.id, law.name)]
    records = [_shown(behaviour) for behaviour in named or behaviours_of([word], chapters)]
    if form.as_json:
        print_json(records)
        return
    for record in records:
        _print_behaviour(console(), record, form.verbosity)


def _print_operation(name: str, laws: Sequence[Behaviour], form: OutputForm) -> None:
    """An operation: its signature and meaning, its special points, and the laws on it."""
    from autograd_conformance.operation_texts import points_of
    from autograd_conformance.records import ShownOperationRecord
    from conformance.operations import TABLE

    row = TABLE[name]
    record = ShownOperationRecord(row.signature, row.meaning, points_of(row), [law.id for law in laws])
    if form.as_json:
        print_json(record)
        return
    shown = console()
    print_line(shown, text(record.signature, "bold"))
    print_line(shown, record.meaning)
    print_line(shown, record.points)
    if form.verbosity is not Verbosity.QUIET:
        print_line(shown, f"Laws, which `autograd-conformance operations --engine ENGINE {name}` tries:")
        for law in laws:
            print_line(shown, f"  {law.id}: {law.statement}")


def _shown(declared: Behaviour) -> ShownRecord:
    from autograd_conformance.records import ShownRecord
    from conformance.behaviour_records import behaviour_record
    from conformance.mutants import killed_by

    return ShownRecord(behaviour_record(declared, declared.ids()), killed_by(declared.ids()))


def _print_behaviour(shown: Console, record: ShownRecord, verbosity: Verbosity) -> None:
    behaviour = record.behaviour
    print_line(shown, text(behaviour.id, "bold"), f"({behaviour.level}: {_why(behaviour)})")
    print_line(shown, behaviour.statement)
    if verbosity is Verbosity.QUIET:
        return
    for citation in behaviour.citations:
        print_line(shown, _citation_line(citation, verbosity))
        for sentence in citation.evidence:
            print_line(shown, f"    {sentence.kind}: “{sentence.words} ...”")
        if citation.unstated:
            print_line(shown, f"    not stated there: {citation.unstated}")
    _print_mutants(shown, record.mutants, verbosity)
    print_line(shown, "")
    print_source(shown, behaviour.check)


def _why(behaviour: BehaviourRecord) -> str:
    """Why it has its level, as `conformance.evidence` decides it."""
    from conformance.evidence import KINDS

    # An article (`document`) is evidence, to which no engine is held.
    cited = [citation for citation in behaviour.citations if citation.source != "document"]
    promised = [sentence.kind for citation in cited for sentence in citation.evidence]
    kinds = [kind for kind in promised if KINDS[kind].value == behaviour.level]
    if kinds:
        return f"the page has a sentence of kind {kinds[0]}"
    return "a rule promises it, but no error" if promised else "no engine's page states it"


def _citation_line(citation: CitationRecord, verbosity: Verbosity) -> str:
    convention = f" [{citation.convention}]" if citation.convention else ""
    place = f"{citation.title}, {citation.section}" if citation.section else citation.title
    bounds = {"since": citation.since, "until": citation.until, "raises": citation.raises, "warns": citation.warns}
    more = [f" {name} {value}" for name, value in bounds.items() if value and verbosity is Verbosity.VERBOSE]
    return f"  {citation.source}{convention}: {place} <{citation.address}>{''.join(more)}"


def _print_mutants(shown: Console, killed: Sequence[str], verbosity: Verbosity) -> None:
    named = killed if verbosity is Verbosity.VERBOSE else killed[:MUTANTS]
    if named:
        more = f" ({len(named)} of {len(killed)}; all with -v)" if len(named) < len(killed) else ""
        print_line(shown, f"Mutants that the check kills{more}:")
    for mutant in named:
        print_line(shown, f"  {mutant}")


def _print_text(word: str, engine: str, issue: bool, chapters: Path | None, form: OutputForm) -> None:
    """Print the script of the cell that the word names, or an issue about it. Raises BadInput or EngineError."""
    from autograd_conformance.derived import show_script
    from autograd_conformance.issues import issue_text
    from autograd_conformance.records import ScriptRecord
    from autograd_conformance.selection import behaviours_of, cells_of, suite
    from conformance.engines import parse

    # For its error: a misspelt engine is reported before chapters are imported.
    parse(engine)
    cells = cells_of([word], suite(chapters))
    if len(cells) > 1:
        # A chapter has dozens of cells, and an error is a single line.
        named = ", ".join(cells[:3]) + (", ..." if len(cells) > 3 else "")
        what = "an issue" if issue else "a script"
        raise BadInput(f"{word!r} names {len(cells)} cells, and {what} is for one: give one of {named}")
    (declared,) = behaviours_of(cells, chapters)  # one cell has one behaviour
    printed = (
        issue_text(declared, cells[0], engine, chapters) + "\n" if issue else show_script(cells[0], engine, chapters)
    )
    if form.as_json:
        print_json(ScriptRecord(printed))
    else:
        # Not by rich, which may colour or break lines: this is piped into a file.
        print(printed, end="")
