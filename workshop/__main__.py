"""The maintainers' commands: `python -m workshop NAME`; README.md says what each is for."""

from __future__ import annotations

import click

from workshop.mutants.command import mutants

__all__ = ["workshop"]


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def workshop() -> None:
    """Tools of the maintainers, run from a checkout."""


for command in (mutants,):
    workshop.add_command(command)


if __name__ == "__main__":
    workshop(prog_name="python -m workshop")
