"""The maintainers' commands: `python -m workshop NAME`, listed in README.md."""

from __future__ import annotations

import sys
from importlib import import_module

import click

# By name, the module that declares the command; imported only when it is called, or its help is shown.
COMMANDS = {
    "refresh": "workshop.refresh",
    "mutants": "workshop.mutants.command",
    "engine-mutants": "workshop.engine_mutants.command",
    "cite": "workshop.documentation.cite",
    "sources": "workshop.documentation.sources",
    "coverage": "workshop.documentation.coverage",
    "trips": "workshop.trips",
    "trace": "workshop.documentation.trace",
    "accounts": "workshop.accounts.command",
    "findings": "workshop.findings",
    "laws": "workshop.laws.command",
    "bugs": "workshop.bugs.command",
    "plots": "workshop.plots",
    "programs": "workshop.programs.command",
    "mutated": "workshop.mutated.command",
    "bench": "workshop.bench.command",
    "style": "workshop.style",
}


class Tools(click.Group):
    """The commands of COMMANDS."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*COMMANDS, *self.commands]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return super().get_command(ctx, cmd_name)
        command: click.Command = getattr(import_module(COMMANDS[cmd_name]), cmd_name.replace("-", "_"))
        return command


@click.group(cls=Tools, context_settings={"help_option_names": ["-h", "--help"]})
def workshop() -> None:
    """Tools of the maintainers, run from a checkout."""


@workshop.command(context_settings={"ignore_unknown_options": True, "help_option_names": []})
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def scripts(arguments: tuple[str, ...]) -> None:
    """Run each cell's native program in a fresh interpreter, and compare the outcome."""
    sys.exit(import_module("workshop.scripts").main(arguments))


if __name__ == "__main__":
    workshop(prog_name="python -m workshop")
