"""Matrices of results files, and their canonical form, by which two are equal."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from conformance.results import ResultsFile
from conformance.tallies import findings_of_tally, join_tallies
from reports.join import PathMatrix, join
from reports.matrix import alone
from reports.model import Matrix, Section
from reports.sources import joined_sections

# Fields that may differ between two equal runs. Staleness may depend on the date, by `review_after`.
_INCIDENTAL = {"duration_s", "seconds", "started", "platform", "python", "stale", "script", "shown"}


def merge(files: Sequence[ResultsFile]) -> Matrix:
    """Join complete results files. Raises ReportError if they do not belong together."""
    return join([PathMatrix(file.path, alone(file)) for file in files])


def joined(paths: Sequence[Path]) -> Matrix:
    """The behaviours in all of them."""
    return joined_sections(paths).sections[Section.BEHAVIOURS]


def canonical(matrix: Matrix) -> str:
    """The canonical form, a fact per line: sorted, without durations, dates, platform, Python and scripts.

    Seed and stale known failures are left out too: the first changes nothing, the second may depend on the date.
    """
    tables = msgspec.to_builtins(matrix)
    for engine in tables["engines"]:
        del engine["seed"]
    tables["engines"].sort(key=lambda engine: str(engine["column"]))
    tables["behaviours"].sort(key=lambda row: str(row["id"]))
    tables["cells"].sort(key=lambda cell: (str(cell["behaviour"]), str(cell["engine"])))
    return json.dumps(_essential(tables), indent=1, sort_keys=True, ensure_ascii=False)


def _essential(part: Any) -> Any:
    if isinstance(part, list):
        return [_essential(item) for item in part]
    if isinstance(part, dict):
        return {key: _essential(value) for key, value in part.items() if key not in _INCIDENTAL}
    return part


def canonical_campaign(file: ResultsFile) -> str:
    """Seeds, counts and findings of a run of programs, without times, machine and processes that ended."""
    engine = (file.header.engine.spec, file.header.engine.version, file.header.suite.revision)
    tallies = [msgspec.structs.replace(tally, seconds=0.0, ended=0) for tally in join_tallies(file.tallies)]
    findings = [
        msgspec.structs.replace(finding, duration_s=0.0)
        for tally in tallies
        for finding in findings_of_tally(tally, file.results)
    ]
    return msgspec.json.format(msgspec.json.encode([engine, tallies, findings, file.footer.known])).decode()
