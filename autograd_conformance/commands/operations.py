"""`operations`: the laws on the table of operations."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zlib import crc32

import click

from autograd_conformance.options import OutputForm, form_options
from autograd_conformance.run_options import options_of, run_and_report, with_run_options

if TYPE_CHECKING:
    from conformance.running.options import Options


@click.command()
@click.argument("names", nargs=-1)
@with_run_options
@click.option("--law", "laws", multiple=True, help="Only this law, or the laws of this chapter. Repeatable.")
@click.option("--inventory", is_flag=True, help="The engine's own list of its functions, in place of the shared table.")
@click.option("--share", type=click.IntRange(1), default=1, help="One in so many operations, by their names.")
@click.option("--points", type=click.IntRange(0, 2**32 - 1), help="Draw other points, from this seed.")
@click.option("--eager", is_flag=True, help="In eager columns, ask no compiled function first, which takes long.")
@click.option("--pictures", is_flag=True, help="Compute what pictures of failing cells show.")
@form_options
def operations(
    engines: Sequence[str],
    names: Sequence[str],
    form: OutputForm,
    output: Path,
    laws: Sequence[str],
    inventory: bool,
    share: int,
    points: int | None,
    eager: bool,
    pictures: bool,
    **given: Any,
) -> None:
    """Try the laws of differentiation on operations.

    NAMES are operations (default: all). Each law is tried on each: reverse mode, forward mode and their compositions
    agree with differences and with exact values, vmap with a loop, and so on. `report` makes the page. Exit status 1: a
    fail, crash, timeout or error that is not a known failure.

    An eager column of an engine that compiles (jax) asks a compiled function first, and tries anew in eager mode what
    that says is wrong, and one in twenty of the other cells; with `--eager`, all.

    `--share 10` takes a tenth of the operations, which is the same each time.

    With `--inventory`, the names are those of the engine, such as nn_functional_conv2d; what it does not cover is in
    the folder's results, with reasons.

    Example: autograd-conformance operations --engine reference exp cumsum
    """
    if points is not None:
        # Workers draw them, and have the environment of this process.
        os.environ["AUTOGRAD_CONFORMANCE_POINTS"] = str(points)
    if eager:
        os.environ["AUTOGRAD_CONFORMANCE_EAGER"] = "1"
    run_and_report(engines, lambda: _options(names, laws, share, output, inventory, **given), form, pictures=pictures)


def _options(
    names: Sequence[str], laws: Sequence[str], share: int, output: Path, inventory: bool, **given: Any
) -> Options:
    """The options of a sweep. Raises SelectionError."""
    from autograd_conformance.selection import SelectionError, named
    from conformance.collection import cells_by_case, load_all
    from conformance.laws import LAWS
    from conformance.operations import TABLE
    from conformance.operations.inventory import INVENTORY

    declared = load_all(LAWS)
    kept = [law for law in declared if not laws or {law.name, law.chapter, law.id} & set(laws)]
    # For its error alone, which names what comes close.
    named(laws, [word for law in declared for word in (law.name, law.chapter, law.id)], "law")
    # A part decides less: that it lacks the cell of a known failure does not make the entry stale.
    complete = not names and not laws and share == 1
    if inventory and share > 1:
        raise SelectionError("--share takes a part of the shared table: leave out --inventory, or name its items")
    if inventory:
        # Its names and cells are known when the engine is loaded.
        return options_of(kept, [], LAWS, output, complete=complete, part=INVENTORY, chosen=names, **given)
    words = named(names, TABLE, "operation")
    # By a digest, so that a share has operations of each family, and the same ones tomorrow.
    chosen = words if share == 1 else [name for name in words or TABLE if crc32(name.encode()) % share == 0]
    cells = cells_by_case(kept, chosen) if chosen or share == 1 else []
    if not cells:
        which = ", ".join(names) or "the table"
        raise SelectionError(f"no law of these concerns {which}; `--law` narrows the laws, `--share` the operations")
    return options_of(kept, cells, LAWS, output, complete=complete, part="operations", **given)
