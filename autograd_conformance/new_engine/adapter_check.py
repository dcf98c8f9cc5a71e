"""The check of an adapter: a client of its process, and the printed outcome."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import msgspec
from rich.console import Console

from autograd_conformance import terminal
from autograd_conformance.new_engine.records import AdapterCheckRecord, Finding, Reach, Unloadable
from autograd_conformance.options import BadInput, OutputForm, Verbosity
from autograd_conformance.worker_lines import WorkerEnded, worker_lines
from conformance.engines import EngineError, parse

WORKER = "autograd_conformance.new_engine.check_worker"
LIMIT_S = 60


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
    end = ""
    try:
        with contextlib.closing(worker_lines(WORKER, limit_s, engine)) as lines:
            for message in (message for line in lines for message in _decode(line)):
                if isinstance(message, Unloadable):
                    raise EngineError(message.message)
                if isinstance(message, Reach):
                    return AdapterCheckRecord(_answered(findings), message)
                findings.append(message)
    except WorkerEnded as ended:
        end = f"{ended}: {ended.printed}" if ended.printed else str(ended)
    return _interrupted(findings, end)


def _answered(findings: list[Finding]) -> list[Finding]:
    return [finding for finding in findings if finding.ok or finding.got]


def _interrupted(findings: list[Finding], end: str) -> AdapterCheckRecord:
    """The answers of a process that ended, or was ended, before the last one."""
    if not findings:
        raise BadInput(f"the engine could not be asked: {end}; import the adapter to see why")
    answered = _answered(findings)
    # Usually the last line is a question, written before it was asked: it ended the process.
    name = findings[-1].name if findings[-1] not in answered else f"after {findings[-1].name}"
    return AdapterCheckRecord([*answered, Finding(name, False, end, "an answer", "run it by hand")])


def _decode(line: bytes) -> Iterator[Unloadable | Finding | Reach]:
    """The message of a line; none if an engine wrote it, into a file that is not for it."""
    with contextlib.suppress(msgspec.MsgspecError):
        yield msgspec.json.decode(line, type=Unloadable | Finding | Reach)


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
