"""An engine from outside with a file of known failures, and results of runs with it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
from click.testing import CliRunner, Result

from autograd_conformance.cli import cli
from conformance.results import KnownRecord, ResultRecord
from conformance.results_file import append
from tests.reports.making import FAIL, RECORDS, result, results_file

VECTOR, CONJUGATE, TIES = (record.id for record in RECORDS)
FILE = f"""
[cause.adding]
title = "It adds"
kind = "error"
reason = "It adds one."
message = "got 1"
behaviours = [
    "{VECTOR}",
]
"""


class Toy:
    """A file of known failures of an engine from outside, and results of runs with it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.file = folder, folder / "toy.toml"
        self.file.write_text(FILE)

    def results(self, *cells: ResultRecord, name: str = "run", **changes: Any) -> Path:
        """A results file with these cells; the others pass, but a known one fails as known."""
        known = KnownRecord("It adds one.", "", "", cause="adding")
        rows = {
            VECTOR: msgspec.structs.replace(result(VECTOR, FAIL, "got 1"), known=known),
            CONJUGATE: result(CONJUGATE),
            TIES: result(TIES),
        }
        rows |= {cell.id: cell for cell in cells}
        made = results_file("toy", list(rows.values()), **{"known_failures": str(self.file), **changes})
        path = self.folder / f"{name}.jsonl"
        with path.open("w") as stream:
            for record in (made.header, *made.behaviours, *made.results, made.footer):
                append(stream, record)
        return path

    def known(self, *words: object) -> Result:
        return CliRunner().invoke(cli, ["known", *map(str, words)])


def of_engine(name: str, results: Path) -> Path:
    """The same results, of an engine with another name."""
    first, end, rest = results.read_bytes().partition(b"\n")
    header = msgspec.json.decode(first)
    # By its name an engine has a file; the spec that was called stays.
    header["engine"]["name"] = name
    results.write_bytes(msgspec.json.encode(header) + end + rest)
    return results
