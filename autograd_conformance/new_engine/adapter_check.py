"""The check of an adapter: a client of its process, and the printed outcome."""

from __future__ import annotations

import contextlib

import msgspec
from rich.console import Console

from autograd_conformance import terminal
from autograd_conformance.new_engine.records import QUESTIONS, AdapterCheckRecord, Finding, Reach
from autograd_conformance.options import BadInput, OutputForm, Verbosity
from conformance.engines import parse
from conformance.running.answers import AnsweringProcess, WorkerEnded

WORKER = "autograd_conformance.new_engine.check_worker"
LIMIT_S = 60.0


def check(engine: str, form: OutputForm) -> int:
    """Ask, and print the answers. Returns the exit status: 1 if there is a problem. Raises EngineError, BadInput."""
    parse(engine)
    record = ask(engine)
    if form.as_json:
        terminal.print_json(record)
    else:
        _print(terminal.console(), record, form.verbosity)
    return int(bool(record.problems))


def ask(engine: str, limit_s: float = LIMIT_S) -> AdapterCheckRecord:
    """Ask an engine all questions. Each answer may take `limit_s` seconds; processes that it leaves are ended.

    Raises EngineError if its adapter cannot be loaded, BadInput if loading it ends the process, or takes too long.
    """
    findings: list[Finding] = []
    with contextlib.closing(AnsweringProcess(engine, limit_s, WORKER)) as process:
        try:
            ((_, names),) = process.ask([QUESTIONS])
            for _, answer in process.ask(msgspec.json.decode(names, type=list[str])):
                message = msgspec.json.decode(answer, type=Finding | Reach | None)
                if isinstance(message, Reach):
                    return AdapterCheckRecord(findings, message)
                # None: the adapter lacks the verbs that the question needs.
                findings += [message] if message else []
        except WorkerEnded as ended:
            return _interrupted(findings, ended)
    raise AssertionError("the last question is that for the reach")


def _interrupted(findings: list[Finding], ended: WorkerEnded) -> AdapterCheckRecord:
    """The answers of a process that ended, or was ended, before the last one."""
    if not findings and not ended.question:
        raise BadInput(f"the engine could not be asked: {ended}; import the adapter to see why")
    # Usually it ended in a question; else something that a verb left behind has ended it.
    name = ended.question or f"after {findings[-1].name}"
    return AdapterCheckRecord([*findings, Finding(name, False, str(ended), "an answer", "run it by hand")])


def _print(console: Console, record: AdapterCheckRecord, verbosity: Verbosity) -> None:
    for finding in record.findings:
        if not finding.ok:
            line = f"{finding.name}: got {finding.got}, expected {finding.expected}; {finding.todo}"
            console.print(terminal.text("problem  ", "bold red").append(terminal.text(line, "default not bold")))
        elif verbosity is Verbosity.VERBOSE or (finding.note and verbosity is not Verbosity.QUIET):
            line = f"{finding.name}: {finding.note}" if finding.note else finding.name
            console.print(terminal.text("ok       ", "green").append(terminal.text(line, "default")))
    if verbosity is Verbosity.QUIET:
        return
    problems = len(record.problems)
    console.print(f"{len(record.findings)} questions, {problems} problem{'' if problems == 1 else 's'}")
    if record.reach:
        _print_reach(console, record.reach)


def _print_reach(console: Console, reach: Reach) -> None:
    of = f"{reach.written} of {reach.verbs} verbs are written, {reach.absent} are declared absent"
    console.print(terminal.text(f"{reach.engine} {reach.version}: {of}"))
    console.print(f"cells within reach: {reach.reach} of {reach.cells}")
    for verb, cells in reach.following.items():
        more = f"would reach {cells} more" if cells else "is touched by most of the others"
        console.print(terminal.text(f"next verb to write: ad.{verb}, {more}"))
