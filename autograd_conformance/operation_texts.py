"""Texts for a sweep over operations, from the table of operations and the files of known failures."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from types import FunctionType

from conformance.known_failures import file_of, script_of
from conformance.operations import TABLE
from conformance.operations.row import Operation
from conformance.scripts.trees import open_definition
from reports.model import Matrix, OperationRow
from reports.operations import described

# As programs import these modules.
SHORT = {"torch.nn.functional.": "F.", "jax.numpy.": "jnp.", "autograd.numpy.": "np."}


def with_texts(matrix: Matrix) -> Matrix:
    """With families and meanings of operations, and native programs of the causes of known failures."""
    names = engine_names()
    rows = [OperationRow(it.name, it.group, it.meaning, points_of(it), names.get(it.name, [])) for it in TABLE.values()]
    engines = {engine.column: engine.name for engine in matrix.engines}
    # By engine and not by column: several versions share a file of known failures.
    causes = {(engines[cell.engine], cell.known.cause) for cell in matrix.cells if cell.known and cell.known.cause}
    scripts = {cause: script_of(cause, file_of(engine)) for engine, cause in sorted(causes)}
    texts = [(cause, path.read_text("utf-8")) for cause, path in scripts.items() if path.exists()]
    return described(matrix, rows, texts)


@cache
def engine_names() -> Mapping[str, list[str]]:
    """The public names by which engines have each operation, and the short ones that people write."""
    names: dict[str, dict[str, None]] = defaultdict(dict)
    for library in ("torch", "jax", "hips_autograd"):
        # Tables of names: no engine is imported.
        for operation, spelling in import_module(f"adapters.spellings.of_{library}").SPELLINGS.items():
            for name in [spelling] if isinstance(spelling, str) else _named_in(spelling):
                short = [alias + name.removeprefix(start) for start, alias in SHORT.items() if name.startswith(start)]
                names[operation] |= dict.fromkeys([name, *short])
    return {operation: list(its) for operation, its in names.items()}


def _named_in(spelling: FunctionType) -> list[str]:
    """The function of the engine, its first argument, that a function of a table calls; none where it composes some."""
    tree = open_definition(spelling)
    engine = f"{tree.args.args[0].arg}."
    dotted = {ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    # Of `torch.linalg.eigh(x).Q` that is part of it, and a call within.
    plain = [name for name in dotted if name.startswith(engine) and name.replace(".", "").isidentifier()]
    whole = [name for name in plain if not any(other.startswith(f"{name}.") for other in plain)]
    return whole if len(whole) == 1 else []


def operation_named(word: str) -> str:
    """The operation that an engine has by that name; the word itself where there is none."""
    return next((operation for operation, names in engine_names().items() if word in names), word)


def points_of(row: Operation) -> str:
    """The kinds of its special points, smooth ones and kinks; or why it has none."""
    kinds = [(kind, points) for kind, points in (("smooth", row.smooth), ("kinks", row.kinks)) if points]
    listed = "; ".join(f"{kind}: {', '.join(point.kind for point in points)}" for kind, points in kinds)
    return f"Special points, {listed}." if listed else f"No special point: {row.ordinary}."
