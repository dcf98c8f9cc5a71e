"""Starts the check of an adapter in a separate process, follows it, and says what came of it."""

from __future__ import annotations

import subprocess
import sys
import tempfile

import msgspec
from rich.console import Console

from autograd_conformance import terminal
from autograd_conformance.new_engine.records import AdapterCheckRecord, Finding, Reach, Unloadable
from autograd_conformance.options import BadInput, OutputForm, Verbosity
from conformance.engines import EngineError, parse
from conformance.messages import printable

__all__ = ["ask", "check"]

LIMIT_S = 300


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
    """Everything that an engine answers. Raises EngineError if its adapter cannot be loaded."""
    command = [sys.executable, "-m", "autograd_conformance.new_engine.asking", engine]
    # Files, not pipes: what was answered before a timeout can still be read.
    with tempfile.TemporaryFile() as lines, tempfile.TemporaryFile() as noise:
        try:
            status = subprocess.run(command, stdout=lines, stderr=noise, timeout=limit_s, check=False).returncode
            end = f"the process ended with status {status}" if status >= 0 else f"the process died of signal {-status}"
        except subprocess.TimeoutExpired:
            end = f"no answer within {limit_s:g} seconds"
        lines.seek(0)
        noise.seek(0)
        return _heard(lines.read().splitlines(), end, noise.read().decode(errors="replace"))


def _heard(lines: list[bytes], end: str, noise: str) -> AdapterCheckRecord:
    told = [msgspec.json.decode(line, type=Unloadable | Finding | Reach) for line in lines]
    findings = [one for one in told if isinstance(one, Finding)]
    answered = [one for one in findings if one.ok or one.got]
    if told and isinstance(told[0], Unloadable):
        raise EngineError(told[0].message)
    if not told:
        raise BadInput(f"the engine could not be asked: {end}{_last(noise)}; import the adapter to see why")
    if isinstance(told[-1], Reach):
        return AdapterCheckRecord(answered, told[-1])
    # The last line is a question, written before it was asked: the one that ended the process.
    died = Finding(findings[-1].name, False, end + _last(noise), "an answer", "run it by hand")
    return AdapterCheckRecord([*answered, died])


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
