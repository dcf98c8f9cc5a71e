"""The maintainers' commands: `python -m workshop NAME`, listed in README.md."""

from __future__ import annotations

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
    "guides": "workshop.guides",
    "joint": "workshop.joint",
    "laws": "workshop.laws.command",
    "bugs": "workshop.bugs.command",
    "yardstick": "workshop.yardstick.command",
    "ends": "workshop.ends",
    "plots": "workshop.plots",
    "scripts": "workshop.scripts",
    "programs": "workshop.programs.command",
    "mutated": "workshop.mutated.command",
    "bench": "workshop.bench.command",
    "style": "workshop.style",
}


class Tools(click.Group):
    """The commands of COMMANDS."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        # A command is called as the function that declares it.
        module = COMMANDS.get(cmd_name)
        return getattr(import_module(module), cmd_name.replace("-", "_")) if module else None


@click.group(cls=Tools, context_settings={"help_option_names": ["-h", "--help"]})
def workshop() -> None:
    """Tools of the maintainers, run from a checkout."""


if __name__ == "__main__":
    workshop(prog_name="python -m workshop")
