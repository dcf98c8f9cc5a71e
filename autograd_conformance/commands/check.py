"""`check`: whether the derivative of a person's own function is right, in a process of its own."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from autograd_conformance import completion
from autograd_conformance.options import BadInput, OutputForm, Verbosity, form_options

if TYPE_CHECKING:
    from conformance.own.answers import Answer

STYLES = {"broken": "bold red", "known": "yellow", "holds": "green", "not supported": "yellow", "not asked": "dim"}


def _skipped(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """LAW=REASON. Raises click.BadParameter."""
    pairs = [value.partition("=") for value in values]
    if any(not reason for _, _, reason in pairs):
        raise click.BadParameter("write LAW=REASON, such as vmap='no batches'.", ctx, param)
    return {law: reason for law, _, reason in pairs}


@click.command()
@click.argument("target", metavar="MODULE:FUNCTION")
@click.option(
    "--inputs", metavar="MODULE:NAME", default="", help="The arguments: a tuple, or a function that returns it."
)
@click.option(
    "--at", metavar="EXPRESSION", default="", help="The arguments in Python, such as 'randn(3, 4), randn(4)'."
)
@click.option(
    "--engine", "-e", default="torch", show_default=True, shell_complete=completion.engines, help="Which engine."
)
@click.option(
    "--reference", metavar="MODULE:FUNCTION", default="", help="A function with the same values and gradients."
)
@click.option(
    "--constant", multiple=True, metavar="NAME", help="A floating argument that is data: its name or position."
)
@click.option(
    "--order", default=2, show_default=True, type=click.IntRange(1, 3), help="How often it is differentiable."
)
@click.option("--deliberate", metavar="REASON", default="", help="The gradient is meant to be another.")
@click.option("--skip", multiple=True, callback=_skipped, metavar="LAW=REASON", help="Laws not to ask, and why.")
@click.option("--compiler", metavar="BACKEND", default="", help="Also as this backend compiles it, such as aot_eager.")
@click.option("--known", metavar="FILE", default="", help="Known breaks, as TOML: one that holds counts as broken.")
@form_options
def check(target: str, inputs: str, at: str, engine: str, form: OutputForm, **declared: object) -> None:
    """Try the laws on your own function.

    It is a custom Function, an operator, a module, a custom_vjp. Exit status 1: a law is broken. Each law is asked in
    a process apart, so a crash costs one.

    Example: autograd-conformance check package.module:MyFunction --at 'randn(3, 4)'
    """
    from autograd_conformance.own_checks import OwnTask, check_apart
    from autograd_conformance.terminal import print_json
    from conformance.engines import parse

    if bool(inputs) == bool(at):
        raise BadInput("where to check it? Give --inputs MODULE:NAME, or --at EXPRESSION, one of them")
    if ":" not in target:
        raise BadInput(f"{target!r} names no function: write package.module:Function")
    parse(engine)
    task = OwnTask(target=target, inputs=inputs, at=at, **declared)  # type: ignore[arg-type]
    answers = check_apart(engine, task)
    if form.as_json:
        print_json(answers)
    else:
        _print(target, answers, form)
    sys.exit(int(any(answer.status == "broken" for answer in answers)))


def _print(target: str, answers: list[Answer], form: OutputForm) -> None:
    """One line per law, then the witness of the first that is broken."""
    from autograd_conformance.terminal import console, print_line, print_source, text
    from conformance.own.text import broken_lines, report_lines

    out = console()
    for status, line in report_lines(target, answers):
        if form.verbosity >= Verbosity.USUAL or status != "holds":
            print_line(out, text(line, STYLES.get(status, "bold")))
    broken = [answer for answer in answers if answer.status == "broken"]
    if broken:
        print_line(out, "")
        for line in broken_lines(target, broken[:1], program=False):
            print_line(out, line)
        print_source(out, broken[0].program)
