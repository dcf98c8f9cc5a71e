"""Starts the check of an adapter in a separate process, follows it, and says what came of it."""

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
NOISE = 2**16  # bytes: the last line of what an engine prints is wanted


def check(engine: str, form: OutputForm) -> int:
    """Ask, and print. Returns the exit status: 1 if there is a problem. Raises EngineError, BadInput."""
    parse(engine)
    heard = ask(engine)
    if form.as_json:
        terminal.print_json(heard)
    else:
        _print(terminal.console(), heard, form.verbosity)
    return int(bool(heard.problems))


def ask(engine: str, limit_s: float = LIMIT_S) -> AdapterCheckRecord:
    """Everything that an engine answers. Each answer may take `limit_s` seconds; processes that it leaves are ended.

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
            end = _followed(process, lines, limit_s)
        finally:
            systems.end_group(process)
            process.communicate()
        lines.seek(0)
        noise.seek(max(0, noise.seek(0, os.SEEK_END) - NOISE))
        return _heard(lines.read().splitlines(), end, noise.read().decode(errors="replace"))


def _followed(process: subprocess.Popen[bytes], lines: IO[bytes], limit_s: float) -> str:
    """How the process ended, or that it took too long since its last line."""
    size, since, allowed = 0, time.monotonic(), IMPORTS * limit_s
    while time.monotonic() < since + allowed:
        with contextlib.suppress(subprocess.TimeoutExpired):
            return f"the process {systems.how_it_ended(process.wait(POLL_S))}"
        if (now := os.fstat(lines.fileno()).st_size) != size:
            size, since, allowed = now, time.monotonic(), limit_s
    return f"no answer within {allowed:g} seconds"


def _heard(lines: list[bytes], end: str, noise: str) -> AdapterCheckRecord:
    said = [one for line in lines for one in _decoded(line)]
    findings = [one for one in said if isinstance(one, Finding)]
    answered = [one for one in findings if one.ok or one.got]
    if said and isinstance(said[-1], Unloadable):
        raise EngineError(said[-1].message)
    if not findings:
        raise BadInput(f"the engine could not be asked: {end}{_last(noise)}; import the adapter to see why")
    if isinstance(said[-1], Reach):
        return AdapterCheckRecord(answered, said[-1])
    # Usually the last line is a question, written before it was asked: the one that ended the process.
    name = findings[-1].name if findings[-1] not in answered else f"after {findings[-1].name}"
    died = Finding(name, False, end + _last(noise), "an answer", "run it by hand")
    return AdapterCheckRecord([*answered, died])


def _decoded(line: bytes) -> Iterator[Unloadable | Finding | Reach]:
    """What a line says; nothing where an engine wrote it, to a file that is not for it."""
    with contextlib.suppress(msgspec.MsgspecError):
        yield msgspec.json.decode(line, type=Unloadable | Finding | Reach)


def _last(noise: str) -> str:
    """The last line that an engine wrote to standard error, as the end of a sentence."""
    return "".join(f": {printable(line.strip())}" for line in noise.strip().splitlines()[-1:])


def _print(console: Console, heard: AdapterCheckRecord, verbosity: Verbosity) -> None:
    for one in heard.findings:
        if not one.ok:
            said = f"{one.name}: got {one.got}, expected {one.expected}; {one.todo}"
            console.print(terminal.text("problem  ", "bold red").append(terminal.text(said, "default not bold")))
        elif verbosity is Verbosity.VERBOSE or (one.note and verbosity is not Verbosity.QUIET):
            said = f"{one.name}: {one.note}" if one.note else one.name
            console.print(terminal.text("ok       ", "green").append(terminal.text(said, "default")))
    if verbosity is Verbosity.QUIET:
        return
    problems = len(heard.problems)
    console.print(f"{len(heard.findings)} questions, {problems} problem{'' if problems == 1 else 's'}")
    if heard.reach:
        _print_reach(console, heard.reach)


def _print_reach(console: Console, reach: Reach) -> None:
    of = f"{reach.written} of {reach.verbs} verbs are written, {reach.absent} are declared absent"
    console.print(terminal.text(f"{reach.engine} {reach.version}: {of}"))
    console.print(f"cells within reach: {reach.reach} of {reach.cells}")
    for verb, cells in reach.following.items():
        more = f"would reach {cells} more" if cells else "is touched by most of the others"
        console.print(terminal.text(f"next verb to write: ad.{verb}, {more}"))
