"""`python -m workshop yardstick`: tools that check derivatives, scored on wrong and on right ones."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from itertools import chain
from typing import Any

import click

from workshop.yardstick.case import CustomCase
from workshop.yardstick.scores import groups_table, scores, table
from workshop.yardstick.tools import TOOLS
from workshop.yardstick.trial import ToolTrial, cases_apart, trials_apart


@click.command()
@click.argument("names", nargs=-1)
@click.option("--engine", "engines", multiple=True, type=click.Choice([*TOOLS]), help="Default: all.")
@click.option("--tool", "tools", multiple=True, type=click.Choice([*dict.fromkeys(chain(*TOOLS.values()))]))
@click.option("--limit", default=60.0, show_default=True, help="CPU seconds for a tool on a case.")
@click.option("--json", "as_json", is_flag=True, help="Print the cases, and each trial of a tool, as JSON.")
def yardstick(names: Sequence[str], engines: Sequence[str], tools: Sequence[str], limit: float, as_json: bool) -> None:
    """Print the scores of check and of the engines' own tools (NAMES of cases; default: all).

    The twin of a named case is tried, too.
    """
    cases = [case for engine in engines or TOOLS for case in cases_apart(engine)]
    if unknown := {*names} - {case.name for case in cases}:
        raise click.UsageError(f"unknown case {min(unknown)!r}: workshop/yardstick/cases/ lists them")
    wanted = with_twins(cases, names)
    chosen = [case for case in cases if not names or case.name in wanted]
    trials = list[ToolTrial]()
    for engine in dict.fromkeys(case.engine for case in chosen):
        of_engine = [case.name for case in chosen if case.engine == engine]
        for trial in trials_apart(engine, of_engine, limit, tools):
            click.echo(f"{trial.tool}: {trial.case}: {summary(trial)}", err=True)
            trials.append(trial)
    results = scores(chosen, trials)
    if as_json:
        parts: dict[str, Sequence[Any]] = {"cases": chosen, "trials": trials, "scores": results}
        click.echo(json.dumps({name: [*map(asdict, part)] for name, part in parts.items()}))
        return
    click.echo("\n".join([*table(results), "", *groups_table(chosen, results)]))


def with_twins(cases: Sequence[CustomCase], names: Sequence[str]) -> set[str]:
    """The names with those of their twins."""
    return {*names, *(case.twin for case in cases if case.name in names)}


def summary(trial: ToolTrial) -> str:
    """The complaints in a line."""
    return trial.failure or ", ".join(sorted(trial.complained)) or ("nothing" if trial.was_asked else "not asked")
