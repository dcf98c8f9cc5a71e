"""Scripts, line by line as JSON: `show` gives that of a cell, `derive` those of a results file.

It imports an engine, so the command line starts it as another process, and watches that.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from autograd_conformance.answering import answer
from conformance import collection
from conformance.behaviour import Behaviour
from conformance.compiled_trials import run
from conformance.engines import load, parse
from conformance.messages import format_error, printable
from conformance.protocol import Adapter
from conformance.results import ResultRecord
from conformance.results_file import read
from conformance.running.header import digest
from conformance.scripts.derivation import SCRIPTED, derive
from conformance.scripts.trees import Underivable
from conformance.verdicts import Outcome, Verdict
from reports.scripts import ScriptLine, read_scripts

Cases = Mapping[str, tuple[Behaviour, str | None]]


def main() -> int:
    """Do what the arguments ask for. Returns the exit status: 2 for misuse."""
    parser = argparse.ArgumentParser(prog="python -m autograd_conformance.scripts_worker", description=__doc__)
    parser.add_argument("--chapters", type=Path, default=collection.CHAPTERS)
    tasks = parser.add_subparsers(dest="task", required=True)
    one = tasks.add_parser("show", help="the script of a cell")
    one.add_argument("engine")
    one.add_argument("cell")
    one.add_argument("--seen", choices=["crash", "timeout"], help="do not run the cell: this is what it does")
    every = tasks.add_parser("derive", help="the scripts of a results file that a file of scripts lacks")
    every.add_argument("results", type=Path)
    every.add_argument("scripts", type=Path)
    given = parser.parse_args()
    return answer(lambda: _lines(given), ScriptLine())


def _lines(given: argparse.Namespace) -> Iterator[ScriptLine]:
    cases = collection.cells(given.chapters)
    return _one(given, cases) if given.task == "show" else _every(given.results, given.scripts, cases)


def _one(given: argparse.Namespace, cases: Cases) -> Iterator[ScriptLine]:
    """A line once the engine is imported, and the script of the cell."""
    adapter = load(parse(given.engine))
    yield ScriptLine(cell=given.cell)
    yield ScriptLine(cell=given.cell, script=_shown(cases[given.cell], adapter, given.seen))


def _shown(cell: tuple[Behaviour, str | None], adapter: Adapter, seen: str | None = None) -> str:
    """The script of a cell, which is run to see what the engine does, unless that is known. Raises Underivable."""
    behaviour, case = cell
    return derive(behaviour, case, adapter, Outcome(Verdict(seen)) if seen else run(behaviour, adapter, case))


def _every(results: Path, scripts: Path, cases: Cases) -> Iterator[ScriptLine]:
    """A line when a script is begun, and one when it is there; one that is kept comes at once.

    A script is kept as long as adapter, check and outcome are the same.
    """
    gc.disable()  # it would look through the syntax trees of all chapters again and again
    file, found = read(results), read_scripts(scripts)
    adapter = load(parse(file.header.engine.spec))
    about = f"{adapter.name} {adapter.version} {digest(adapter)} {_sources(Path(__file__).parent)}"
    for row in file.results:
        if row.verdict not in SCRIPTED or row.id not in cases or row.id in found.cells:
            continue
        check = Path(cases[row.id][0].check.__code__.co_filename)
        key = f"{about} {_sources(check)} {row.verdict} {row.convention} {row.message}"
        key = hashlib.sha256(key.encode(errors="surrogatepass")).hexdigest()[:16]
        kept = found.every.get(row.id)
        if kept and kept.key == key:
            yield kept
        else:
            yield ScriptLine(cell=row.id)
            yield _derived(row, cases[row.id], adapter, key)


def _derived(row: ResultRecord, case: tuple[Behaviour, str | None], adapter: Adapter, key: str) -> ScriptLine:
    """A script, or why there is none. An adapter from outside may be anything, and so may what it raises here."""
    try:
        text = derive(*case, adapter, Outcome(row.verdict, row.convention, row.message))
        return ScriptLine(cell=row.id, key=key, script=text)
    except BaseException as error:  # no Ctrl-C comes here: this process is in a group apart from the terminal's
        problem = str(error) if isinstance(error, Underivable) else format_error(error)
        return ScriptLine(cell=row.id, key=key, problem=printable(problem) or "no reason is given")


def _sources(path: Path) -> str:
    """A digest of a file, or of the files of a folder."""
    files = sorted(path.glob("*.py")) if path.is_dir() else [path]
    return hashlib.sha256(b"\0".join(one.read_bytes() for one in files)).hexdigest()


if __name__ == "__main__":
    sys.exit(main())
