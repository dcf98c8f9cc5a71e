"""Programs as they are shown, in the process of their engine (`deriving`)."""

from __future__ import annotations

import tempfile
from pathlib import Path

import msgspec

from autograd_conformance.deriving import LIMIT_S, WorkerEnded, WorkerLines
from conformance.known_failures import file_of, load
from conformance.programs.program import Program
from conformance.programs.source.report import AskedProgram, ShownProgram
from reports.model import MatrixEngine
from reports.programs_model import Programs, SignatureRow

__all__ = ["shown_program", "with_shown"]

# What ended its process, or the suite: it is not tried again.
ENDED = ("crash", "timeout", "error")
WORKER = "autograd_conformance.showing_worker"


def shown_program(engine: str, name: str, limit: float = LIMIT_S) -> ShownProgram:
    """The program of KIND:SEED on an engine. Where its process ends or takes too long, `problem` says so."""
    try:
        *_, shown = worker(limit).said("seed", engine, name)
    except WorkerEnded as ended:
        return ShownProgram(name, engine, problem=str(ended))
    return shown


def worker(limit: float) -> WorkerLines[ShownProgram]:
    """The worker's lines. A finding in which it ends has that reason in the place of a program."""
    return WorkerLines(ShownProgram, "program", _without, WORKER, Path(), limit)


def _without(cell: str, problem: str) -> ShownProgram:
    name, _, signature = cell.partition(" ")
    return ShownProgram(name, signature=signature, problem=problem)


def with_shown(found: Programs, limit: float = LIMIT_S) -> Programs:
    """The same with what is shown of each signature that has a program, or an example among the known signatures.

    Raises KnownFailureError for a file of known signatures that is wrong.
    """
    shown = {
        (engine.column, line.signature): line
        for engine in found.engines
        for line in _shown_on(engine.spec, _asked(found, engine), limit)
    }
    rows = [msgspec.structs.replace(row, shown=shown.get((row.engine, row.signature))) for row in found.signatures]
    return msgspec.structs.replace(found, signatures=rows)


def _asked(found: Programs, engine: MatrixEngine) -> list[AskedProgram]:
    """The findings on an engine whose programs can be tried again."""
    listed = load(file_of(engine.name), engine.name, engine.version, "programs")
    examples = {entry.cell: entry.example for entry in listed}
    its = [row for row in found.signatures if row.engine == engine.column]
    made = [_made(row, examples.get(row.signature, "")) for row in its]
    return [one for one in made if one is not None]


def _made(row: SignatureRow, example: str) -> AskedProgram | None:
    if row.program and row.oracle not in ENDED:
        program = msgspec.convert(row.program, Program)
        return AskedProgram(f"{row.kind}:{row.seed}", row.signature, row.oracle, program)
    return AskedProgram(example, row.signature) if example else None


def _shown_on(spec: str, asked: list[AskedProgram], limit: float) -> list[ShownProgram]:
    if not asked:
        return []
    with tempfile.TemporaryDirectory() as folder:
        findings, target = Path(folder) / "findings.json", Path(folder) / "shown.ndjson"
        findings.write_bytes(msgspec.json.encode(asked))
        with target.open("wb") as stream:
            worker(limit).append_all(stream, "findings", spec, str(findings), str(target))
        return [msgspec.json.decode(line, type=ShownProgram) for line in target.read_bytes().splitlines()]
