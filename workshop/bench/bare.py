"""The checks of a column and nothing else, in a single process: `python -m workshop.bench.bare ENGINE OUTCOMES`.

It is what a run is held against: import the adapter, collect, and try every cell. Cells that are known to end the
process are left out. OUTCOMES is the file for verdict and convention of each cell, as JSON.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from conformance import collection, known_failures, trial
from conformance.engines import load_declared, parse
from conformance.verdicts import Verdict


def outcomes(engine: str) -> dict[str, tuple[str, str | None]]:
    """Verdict and convention of every cell that leaves the process alive."""
    adapter, declaration = load_declared(parse(engine))
    path = known_failures.file_for(declaration.name, declaration.known_failures)
    known = known_failures.load(path, declaration.name, declaration.version)
    deadly = [entry for entry in known if entry.verdict in (Verdict.CRASH, Verdict.TIMEOUT)]
    outcomes = {}
    for cell, (behaviour, case) in collection.cells().items():
        if not any(entry.concerns(cell) for entry in deadly):
            outcome = trial.run(behaviour, adapter, case, declaration=declaration)
            outcomes[cell] = outcome.verdict.value, outcome.convention
    return outcomes


if __name__ == "__main__":
    Path(sys.argv[2]).write_text(json.dumps(outcomes(sys.argv[1])))
    # Not sys.exit: some engines take long to end their threads, and a run does not wait for them either.
    os._exit(0)
