"""Scripts on a command line: `show` prints one, `verify` tries those of results files in fresh interpreters.

It runs in the environment of an engine, and imports it: the command line starts it in a process of its own.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from conformance import collecting
from conformance.behaviour import RegistrationError
from conformance.engines import EngineError, load, parse
from conformance.messages import printable
from conformance.results import ResultsError, read
from conformance.scripts.deriving import derive
from conformance.scripts.trees import Underivable
from conformance.scripts.verifying import mismatches, tried

__all__ = ["main"]


def main() -> int:
    """Do what the arguments ask for. Returns the exit status: 1 if a script shows something else, 2 for misuse."""
    arguments = _parser().parse_args()
    try:
        return _show(arguments) if arguments.task == "show" else _verify(arguments)
    except (EngineError, RegistrationError, ResultsError, Underivable) as error:
        print(printable(" ".join(str(error).split())), file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m conformance.scripts", description=__doc__)
    tasks = parser.add_subparsers(dest="task", required=True)
    show = tasks.add_parser("show", help="print the script of a cell")
    show.add_argument("engine")
    show.add_argument("cell")
    show.add_argument("--chapters", type=Path, default=collecting.CHAPTERS)
    verify = tasks.add_parser("verify", help="try all scripts of results files")
    verify.add_argument("results", nargs="+", type=Path)
    verify.add_argument("--folder", type=Path, default=Path("conformance-report/scripts"))
    verify.add_argument("--workers", type=int, default=2)
    verify.add_argument("--resume", action="store_true", help="leave out scripts that an earlier call found right")
    return parser


def _show(arguments: argparse.Namespace) -> int:
    known = {cell: one for one in collecting.load_all(arguments.chapters) for cell in one.ids()}
    behaviour = known[arguments.cell]
    case = arguments.cell.partition("[")[2].removesuffix("]") or None
    print(derive(behaviour, case, load(parse(arguments.engine))), end="")
    return 0


def _verify(arguments: argparse.Namespace) -> int:
    wrong = 0
    for path in arguments.results:
        rows = tried(read(path).results)
        found = 0
        for line in mismatches(rows, arguments.folder / path.stem, arguments.workers, resume=arguments.resume):
            print(f"{path.stem}: {line}", flush=True)
            found += 1
        print(f"{path.stem}: {len(rows) - found} of {len(rows)} scripts show what the run saw", flush=True)
        wrong += found
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
