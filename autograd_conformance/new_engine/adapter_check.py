"""The check of an adapter: a client of its process, and the printed outcome."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from typing import IO

import msgspec
from rich.console import Console

from autograd_conformance import terminal
from autograd_conformance.new_engine.records import AdapterCheckRecord, Finding, Reach, Unloadable
from autograd_conformance.options import BadInput, OutputForm, Verbosity
from conformance.engines import EngineError, parse
from conformance.messages import printable
from conformance.running import systems

__all__ = ["ask", "check"]

LIMIT_S = 60
IMPORTS = 2  # limits: a framework's first import from a slow disk takes a minute
POLL_S = 0.05
NOISE = 2**16  # bytes that are read of what an engine prints: its last line is part of a message


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
    command = [sys.executable, "-m", "autograd_conformance.new_engine.check_worker", engine]
    # Files, not pipes: what was answered before the end can still be read, and no child of the engine keeps them open.
    with tempfile.TemporaryFile() as lines, tempfile.TemporaryFile() as noise:
        # A group of processes, to be ended as a whole. Its standard input closes when this process dies.
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=lines, stderr=noise, bufsize=0, **systems.OWN_GROUP
        )
        try:
            end = _follow(process, lines, limit_s)
        finally:
            systems.end_group(process)
            process.communicate()
        lines.seek(0)
        noise.seek(max(0, noise.seek(0, os.SEEK_END) - NOISE))
        return _parse(lines.read().splitlines(), end, noise.read().decode(errors="replace"))


def _follow(process: subprocess.Popen[bytes], lines: IO[bytes], limit_s: float) -> str:
    """Wait for the process; how it ended, or that it took too long since its last line."""
    size, since, allowed = 0, time.monotonic(), IMPORTS * limit_s
    while time.monotonic() < since + allowed:
        with contextlib.suppress(subprocess.TimeoutExpired):
            return f"the process {systems.how_it_ended(process.wait(POLL_S))}"
        if (now := os.fstat(lines.fileno()).st_size) != size:
            size, since, allowed = now, time.monotonic(), limit_s
    return f"no answer within {allowed:g} seconds"


def _parse(lines: list[bytes], end: str, noise: str) -> AdapterCheckRecord:
    messages = [message for line in lines for message in _decode(line)]
    findings = [message for message in messages if isinstance(message, Finding)]
    answered = [finding for finding in findings if finding.ok or finding.got]
    if messages and isinstance(messages[-1], Unloadable):
        raise EngineError(messages[-1].message)
    if not findings:
        raise BadInput(f"the engine could not be asked: {end}{_last(noise)}; import the adapter to see why")
    if isinstance(messages[-1], Reach):
        return AdapterCheckRecord(answered, messages[-1])
    # Usually the last line is a question, written before it was asked: it ended the process.
    name = findings[-1].name if findings[-1] not in answered else f"after {findings[-1].name}"
    died = Finding(name, False, end + _last(noise), "an answer", "run it by hand")
    return AdapterCheckRecord([*answered, died])


def _decode(line: bytes) -> Iterator[Unloadable | Finding | Reach]:
    """The message of a line; none if an engine wrote it, into a file that is not for it."""
    with contextlib.suppress(msgspec.MsgspecError):
        yield msgspec.json.decode(line, type=Unloadable | Finding | Reach)


def _last(noise: str) -> str:
    """The last line that an engine wrote to standard error, as the end of a sentence."""
    return "".join(f": {printable(line.strip())}" for line in noise.strip().splitlines()[-1:])


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
