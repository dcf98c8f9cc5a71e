"""Scripts on a command line: `show` prints one, `derive` makes those of a results file.

It runs in the environment of an engine, and imports it: the command line starts it in a process of its own.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from pathlib import Path
from typing import Any

from conformance import collecting
from conformance.behaviour import Behaviour, RegistrationError
from conformance.engines import EngineError, load, parse
from conformance.messages import format_error, printable
from conformance.protocol import Adapter
from conformance.results import ResultRecord, ResultsError, read
from conformance.running.header import digest
from conformance.scripts.deriving import SCRIPTED, derive
from conformance.scripts.trees import Underivable
from conformance.trial import run
from conformance.verdicts import Outcome, Verdict


def main() -> int:
    """Do what the arguments ask for. Returns the exit status: 2 for misuse."""
    parser = argparse.ArgumentParser(prog="python -m autograd_conformance.scripts_worker", description=__doc__)
    parser.add_argument("--chapters", type=Path, default=collecting.CHAPTERS)
    tasks = parser.add_subparsers(dest="task", required=True)
    one = tasks.add_parser("show", help="print the script of a cell")
    one.add_argument("engine")
    one.add_argument("cell")
    one.add_argument("--crashed", action="store_true", help="do not run the cell: it ends the process")
    every = tasks.add_parser("derive", help="write the scripts of a results file into a file of JSON")
    every.add_argument("results", type=Path)
    every.add_argument("output", type=Path)
    given = parser.parse_args()
    try:
        cases = _cases(given.chapters)
        if given.task == "show":
            print(_shown(cases[given.cell], load(parse(given.engine)), given.crashed), end="")
        else:
            _derive_all(given.results, given.output, cases)
    except (EngineError, RegistrationError, ResultsError, Underivable) as error:
        print(printable(" ".join(str(error).split())), file=sys.stderr)
        return 2
    return 0


def _shown(cell: tuple[Behaviour, str | None], adapter: Adapter, crashed: bool) -> str:
    """The script of a cell, which is run to see what the engine does. Raises Underivable."""
    behaviour, case = cell
    return derive(behaviour, case, adapter, Outcome(Verdict.CRASH) if crashed else run(behaviour, adapter, case))


def _cases(chapters: Path) -> dict[str, tuple[Behaviour, str | None]]:
    """The behaviour and the case of each cell."""
    declared = collecting.load_all(chapters)
    return {cell: (one, cell.partition("[")[2][:-1] or None) for one in declared for cell in one.ids()}


def _derive_all(results: Path, output: Path, cases: dict[str, tuple[Behaviour, str | None]]) -> None:
    """Derive what an earlier call did not: a script is kept as long as adapter, check and outcome are the same."""
    file = read(results)
    adapter = load(parse(file.header.engine.spec))
    before = json.loads(output.read_bytes())["cells"] if output.exists() else {}
    about = f"{adapter.name} {adapter.version} {digest(adapter)} {_sources(Path(__file__).parent)}"
    cells: dict[str, Any] = {}
    for row in (row for row in file.results if row.verdict in SCRIPTED and row.id in cases):
        check = Path(cases[row.id][0].check.__code__.co_filename)
        key = f"{about} {_sources(check)} {row.verdict} {row.convention} {row.message}"
        key = hashlib.sha256(key.encode()).hexdigest()[:16]
        kept = before.get(row.id, {})
        cells[row.id] = kept if kept.get("key") == key else {"key": key, **_derived(row, cases[row.id], adapter)}
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(json.dumps({"started": file.header.started, "cells": cells}, indent=1))


def _derived(row: ResultRecord, case: tuple[Behaviour, str | None], adapter: Adapter) -> dict[str, str]:
    """A script, or why there is none. An adapter from outside may be anything, and so may what it raises here."""
    try:
        return {"script": derive(*case, adapter, Outcome(row.verdict, row.convention, row.message))}
    except (Exception, SystemExit) as error:
        return {"problem": str(error) if isinstance(error, Underivable) else format_error(error)}


def _sources(path: Path) -> str:
    """A digest of a file, or of the files of a folder."""
    files = sorted(path.glob("*.py")) if path.is_dir() else [path]
    return hashlib.sha256(b"\0".join(one.read_bytes() for one in files)).hexdigest()


if __name__ == "__main__":
    sys.exit(main())
