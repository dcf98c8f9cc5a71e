"""A run of the laws on an engine's inventory: what the worker reads from its adapter, and the recorder makes of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from conformance.behaviour import Behaviour
from conformance.collection import cells_by_case
from conformance.engines import EngineError
from conformance.messages import format_error
from conformance.operations.inventory import chosen, laws_on, outline, table_of, table_of_outline
from conformance.operations.row import RowError
from conformance.protocol import Adapter, AdapterError
from conformance.results import ResultsError
from conformance.running.exchange import Ready
from conformance.running.options import Options


def on_inventory(engine: str, adapter: Adapter, laws: Sequence[Behaviour]) -> tuple[list[Behaviour], Mapping[str, Any]]:
    """The laws on the adapter's inventory, and the fields of `Ready` that say what is in it. Raises EngineError."""
    try:
        inventory = adapter.inventory()
        table = table_of(inventory) if inventory else {}
    except (AdapterError, RowError) as error:
        raise EngineError(f"engine {engine!r}: {error}") from None
    except Exception as error:  # third-party code: anything may come out of it
        raise EngineError(f"engine {engine!r}: its inventory raised {format_error(error)}") from error
    if inventory is None:
        raise EngineError(f"engine {engine!r} brings no inventory; leave --inventory out to try the shared table")
    return laws_on(table, laws), {"inventory": outline(table), "uncovered": dict(inventory.uncovered)}


def with_inventory(options: Options, ready: Ready, uncovered: Path) -> Options:
    """The options with the cells of the inventory that a worker has sent. Writes what it does not cover into a file.

    Raises ResultsError for a name that it does not have, and where no law concerns the operations.
    """
    laws = laws_on(table_of_outline(ready.inventory), options.behaviours)
    try:
        names = set(chosen(options.chosen, ready.inventory))
    except ValueError as error:
        raise ResultsError(str(error)) from None
    cells = cells_by_case(laws, names)
    # A run of nothing would count as one in which nothing is wrong.
    if not cells:
        raise ResultsError("no law of these concerns an operation of its inventory")
    # Beside the results file, which has cells only.
    uncovered.write_bytes(msgspec.json.format(msgspec.json.encode(dict(sorted(ready.uncovered.items())))))
    return replace(options, behaviours=laws, cells=cells)
