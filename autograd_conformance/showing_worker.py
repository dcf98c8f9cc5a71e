"""Programs as they are shown, as lines of JSON: `seed` gives that of a seed, `findings` those of a file of findings.

It imports an engine, so the command line starts it as another process, and watches that.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec

from autograd_conformance.answering import answer
from conformance.messages import format_error, printable
from conformance.programs.source.make_report import show_finding, show_seed
from conformance.programs.source.report import AskedProgram, ShownProgram


def main() -> int:
    """Do what the arguments ask for. Returns the exit status: 2 for misuse."""
    parser = argparse.ArgumentParser(prog="python -m autograd_conformance.showing_worker", description=__doc__)
    parser.add_argument("--chapters", help="not used")
    tasks = parser.add_subparsers(dest="task", required=True)
    one = tasks.add_parser("seed", help="the program of a seed")
    one.add_argument("engine")
    one.add_argument("name", help="KIND:SEED")
    every = tasks.add_parser("findings", help="those of a file of findings that a file of shown programs lacks")
    every.add_argument("engine")
    every.add_argument("findings", type=Path)
    every.add_argument("shown", type=Path)
    given = parser.parse_args()
    return answer(lambda: _lines(given), ShownProgram())


def _lines(given: argparse.Namespace) -> Iterator[ShownProgram]:
    if given.task == "seed":
        yield ShownProgram(given.name)
        yield _seed(given.engine, given.name)
        return
    done = {(line.name, line.signature) for line in _shown_in(given.shown)}
    for asked in msgspec.json.decode(given.findings.read_bytes(), type=list[AskedProgram]):
        if (asked.name, asked.signature) not in done:
            yield ShownProgram(asked.name, signature=asked.signature)
            yield _finding(given.engine, asked)


def _shown_in(path: Path) -> list[ShownProgram]:
    return [msgspec.json.decode(line, type=ShownProgram) for line in path.read_bytes().splitlines() if line]


def _seed(engine: str, name: str) -> ShownProgram:
    kind, _, seed = name.partition(":")
    return show_seed(engine, kind, int(seed))


def _finding(engine: str, asked: AskedProgram) -> ShownProgram:
    """What is shown of a finding. What comes in between is told: findings may be of anything."""
    try:
        if asked.program is not None:
            return show_finding(engine, asked.program, asked.oracle, asked.name, asked.signature)
        return msgspec.structs.replace(_seed(engine, asked.name), signature=asked.signature)
    except Exception as error:
        return ShownProgram(asked.name, engine, asked.signature, problem=printable(format_error(error)))


if __name__ == "__main__":
    sys.exit(main())
