"""The process that derives scripts, curves and reports of programs with an engine, as JSON lines (`derived`)."""

from __future__ import annotations

import gc
import hashlib
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import msgspec

from autograd_conformance.worker_lines import line_stream
from conformance import collection, compiled_trials, trial
from conformance.behaviour import Behaviour, RegistrationError
from conformance.declaration import declared
from conformance.engines import EngineError, load, parse
from conformance.laws.judge import Deviation
from conformance.messages import format_error, printable
from conformance.operations import TABLE
from conformance.operations.row import Operation
from conformance.plots.compute import PLOTTED, curve, place_of
from conformance.plots.model import Curve, CurvePlace, plotted_places
from conformance.programs.source.make_report import show_finding, show_seed
from conformance.programs.source.report import ProgramQuery, ProgramReport
from conformance.protocol import Adapter
from conformance.recording_adapter import FeatureMissing, RecordingAdapter
from conformance.results import ResultRecord, ResultsError
from conformance.results_file import read
from conformance.running.header import digest
from conformance.scripts.derivation import SCRIPTED, derive
from conformance.scripts.trees import Underivable
from conformance.verdicts import Outcome, Reason, Verdict
from reports.beside import CurveLine, ScriptLine, encode_line, read_curves, read_lines, read_scripts

FAILED = (Verdict.FAIL, Verdict.DIFFERS)
MISUSE = (EngineError, RegistrationError, ResultsError, Underivable)


class NoCurve(Exception):
    """There is no curve; the message says why."""


def main(task: str, *arguments: str) -> int:
    """Write the lines of a task, and an empty one. Returns the exit status: 2 for misuse."""
    stream = line_stream()
    try:
        for line in TASKS[task](*arguments):
            stream.write(encode_line(line))
        stream.write(b"{}\n")  # before the exit, at which an engine may crash
    except MISUSE as error:
        print(printable(" ".join(str(error).split())), file=sys.stderr)
        return 2
    return 0


def script(chapters: str, engine: str, cell: str, verdict: str = "") -> Iterator[ScriptLine]:
    """The script of a cell, which is run unless its verdict is known, after a line once the engine is imported."""
    behaviour, case = collection.cells(Path(chapters))[cell]
    adapter = load(parse(engine))
    yield ScriptLine(cell=cell)
    outcome = Outcome(Verdict(verdict)) if verdict else compiled_trials.run(behaviour, adapter, case)
    yield ScriptLine(cell=cell, script=derive(behaviour, case, adapter, outcome))


def scripts(chapters: str, results: str, target: str) -> Iterator[ScriptLine]:
    """The scripts of a results file that a file of scripts lacks, each after a line that it is begun.

    A script is kept as long as adapter, check and outcome are the same.
    """
    gc.disable()  # it would look through the syntax trees of all chapters again and again
    cases, file, earlier = collection.cells(Path(chapters)), read(Path(results)), read_scripts(Path(target))
    adapter = load(parse(file.header.engine.spec))
    about = f"{adapter.name} {adapter.version} {digest(adapter)} {_sources(Path(__file__).parent)}"
    for row in file.results:
        if row.verdict not in SCRIPTED or row.id not in cases or row.id in earlier.cells:
            continue
        check = Path(cases[row.id][0].check.__code__.co_filename)
        key = f"{about} {_sources(check)} {row.verdict} {row.convention} {row.message}"
        key = hashlib.sha256(key.encode(errors="surrogatepass")).hexdigest()[:16]
        kept = earlier.every.get(row.id)
        if kept and kept.key == key:
            yield kept
        else:
            yield ScriptLine(cell=row.id)
            yield _derive(row, cases[row.id], adapter, key)


def _derive(row: ResultRecord, case: tuple[Behaviour, str | None], adapter: Adapter, key: str) -> ScriptLine:
    """A script, or why there is none. An adapter from outside may be anything, and so may what it raises here."""
    try:
        text = derive(*case, adapter, row.outcome)
        return ScriptLine(cell=row.id, key=key, script=text)
    except BaseException as error:  # no Ctrl-C comes here: this process is in a group apart from the terminal's
        return ScriptLine(cell=row.id, key=key, problem=_reason(error))


def _sources(path: Path) -> str:
    """A digest of a file, or of the files of a folder."""
    files = sorted(path.glob("*.py")) if path.is_dir() else [path]
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()


def curves(laws: str, results: str, target: str) -> Iterator[CurveLine]:
    """The curves of failing cells, and at the points where other engines fail, that a file of curves lacks.

    Each comes after a line that its cell is begun.
    """
    file, earlier = read(Path(results)), read_curves(Path(target))
    adapter = load(parse(file.header.engine.spec))
    rows = {row.id: row for row in file.results}
    cells = collection.cells(Path(laws)).items()
    drawn = set(earlier.curves)
    for cell, (law, case) in cells:
        if cell in rows and _has_curve(rows[cell]) and cell not in earlier.cells and cell not in earlier.problems:
            for line in _curve_of_cell(cell, law, case, adapter, drawn):
                yield line
                drawn |= {line.place} if line.place else set()
    operations = {row.partition("[")[2].rstrip("]") for row in rows} & TABLE.keys()
    for place in plotted_places():
        name = f"{place.operation}, order {place.order}, {place.at} {place.variant} {place.step}"
        if place not in drawn and place.operation in operations and name not in earlier.problems:
            yield from _curve_at_place(name, place, adapter)


def _has_curve(row: ResultRecord) -> bool:
    """Whether a law that compares a derivative failed; an engine that raised an error gave none."""
    return row.verdict in FAILED and row.reason is not Reason.RAISED and row.id.partition("[")[0] in PLOTTED


def _curve_of_cell(
    cell: str, law: Behaviour, case: str | None, adapter: Adapter, drawn: set[CurvePlace]
) -> Iterator[CurveLine]:
    """Lines of a cell, the last with the curve at the first point at which the law fails, if it is new."""
    yield CurveLine(cell=cell)
    try:
        place = _failing(law, case, adapter)
        # The law may have taken the time of a cell: the curve has as much for itself.
        yield CurveLine(cell=cell)
        new = None if place in drawn else _compute(law.cases[str(case)][0], place, adapter)
        line = CurveLine(cell=cell, place=place, curve=new)
    except GeneratorExit:
        raise
    except BaseException as error:  # an adapter from outside may be anything, and so may what it raises here
        line = CurveLine(cell=cell, problem=_reason(error))
    yield line


def _failing(law: Behaviour, case: str | None, adapter: Adapter) -> CurvePlace:
    """The first point at which the law fails. Raises NoCurve."""
    outcome = trial.run(law, adapter, case)
    if not isinstance(outcome.raised, Deviation):
        raise NoCurve(f"when it was tried again: {outcome.verdict.value} {outcome.message}".strip())
    places = (place_of(point, PLOTTED[law.id]) for point in outcome.raised.points)
    if place := next(filter(None, places), None):
        return place
    raise NoCurve("the table does not lead to the point")


def _curve_at_place(name: str, place: CurvePlace, adapter: Adapter) -> Iterator[CurveLine]:
    """Lines of a place where another engine is wrong; none with a curve if this one does not have the operation."""
    yield CurveLine(cell=name)
    try:
        line = CurveLine(cell=name, place=place, curve=_compute(TABLE[place.operation], place, adapter))
    except FeatureMissing:
        return
    except BaseException as error:
        line = CurveLine(cell=name, problem=_reason(error))
    yield line


def _compute(operation: Operation, place: CurvePlace, adapter: Adapter) -> Curve:
    """The curve. Raises NoCurve where the table has no such place, and what the engine raises."""
    computed = curve(RecordingAdapter(adapter, declared(adapter, checked=False).absent), operation, place)
    if computed is None:
        raise NoCurve("the table has no such place")
    return computed


def _reason(error: BaseException) -> str:
    plain = isinstance(error, (NoCurve, FeatureMissing, Underivable))
    return printable(str(error) if plain else format_error(error)) or "no reason is given"


def program(engine: str, name: str) -> Iterator[ProgramReport]:
    """The report of KIND:SEED, after a line that it is begun."""
    yield ProgramReport(name)
    yield _show_seed(engine, name)


def programs(engine: str, findings: str, target: str) -> Iterator[ProgramReport]:
    """The reports of the findings in a file that a file of reports lacks, each after a line that it is begun."""
    done = {(line.name, line.signature) for line in read_lines(Path(target), ProgramReport)}
    for asked in msgspec.json.decode(Path(findings).read_bytes(), type=list[ProgramQuery]):
        if (asked.name, asked.signature) not in done:
            yield ProgramReport(asked.name, signature=asked.signature)
            yield _show_finding(engine, asked)


def _show_finding(engine: str, asked: ProgramQuery) -> ProgramReport:
    """The report of a finding, or why there is none: findings may be of any age, and their programs of any form."""
    try:
        if asked.program is not None:
            return show_finding(engine, asked.program, asked.oracle, asked.name, asked.signature)
        return msgspec.structs.replace(_show_seed(engine, asked.name), signature=asked.signature)
    except Exception as error:
        return ProgramReport(asked.name, engine, asked.signature, problem=printable(format_error(error)))


def _show_seed(engine: str, name: str) -> ProgramReport:
    kind, _, seed = name.partition(":")
    return show_seed(engine, kind, int(seed))


TASKS: Mapping[str, Callable[..., Iterator[msgspec.Struct]]] = {
    task.__name__: task for task in (script, scripts, curves, program, programs)
}

if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
