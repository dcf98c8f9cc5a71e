"""Starts a smoke test in a process of its own, follows it, and says what came of it."""

from __future__ import annotations

import subprocess
import sys
import tempfile

import msgspec
from rich.console import Console

from autograd_conformance import terminal
from autograd_conformance.options import OutputForm, Verbosity
from autograd_conformance.starting.findings import Account, Begun, Finding, Refused, SmokeRecord
from autograd_conformance.starting.refused import StartingError
from conformance.engines import EngineError, parse
from conformance.messages import printable

__all__ = ["ask", "smoke"]

LIMIT_S = 300


def smoke(engine: str, form: OutputForm) -> int:
    """Ask, and print. Returns the exit status: 1 if there is a problem. Raises EngineError, StartingError."""
    parse(engine)
    heard = ask(engine)
    if form.as_json:
        terminal.print_json(heard)
    else:
        _print(terminal.console(), heard, form.verbosity)
    return int(bool(heard.problems))


def ask(engine: str, limit_s: float = LIMIT_S) -> SmokeRecord:
    """Everything that an engine answers. Raises EngineError if it cannot be spoken to."""
    command = [sys.executable, "-m", "autograd_conformance.starting.sanity", engine]
    with tempfile.TemporaryFile() as lines, tempfile.TemporaryFile() as noise:
        try:
            status = subprocess.run(command, stdout=lines, stderr=noise, timeout=limit_s, check=False).returncode
            end = f"the process ended with status {status}" if status >= 0 else f"the process died of signal {-status}"
        except subprocess.TimeoutExpired:
            status, end = -1, f"no answer within {limit_s:g} seconds"
        lines.seek(0)
        noise.seek(0)
        return _heard(lines.read().splitlines(), status, end, noise.read().decode(errors="replace"))


def _heard(lines: list[bytes], status: int, end: str, noise: str) -> SmokeRecord:
    told = [msgspec.json.decode(line, type=Refused | Begun | Finding | Account) for line in lines]
    findings = [one for one in told if isinstance(one, Finding)]
    if told and isinstance(told[0], Refused):
        raise EngineError(told[0].message)
    if not told:
        raise StartingError(f"the engine could not be asked: {end}{_last(noise)}; import the adapter to see why")
    if isinstance(told[-1], Account):
        return SmokeRecord(findings, told[-1])
    # It died of a question, or after the last one.
    name = told[-1].name if isinstance(told[-1], Begun | Finding) else ""
    died = Finding(name, False, end + _last(noise), "an answer", "run it by hand, in a process of its own")
    return SmokeRecord([*findings, died])


def _last(noise: str) -> str:
    """The last line that an engine wrote to standard error, as the end of a sentence."""
    return "".join(f": {printable(line.strip())}" for line in noise.strip().splitlines()[-1:])


def _print(console: Console, heard: SmokeRecord, verbosity: Verbosity) -> None:
    for one in heard.findings:
        if not one.ok:
            said = f"{one.name}: got {one.got}, expected {one.expected}; {one.todo}"
            console.print(terminal.text("problem  ", "bold red").append(terminal.text(said, "default not bold")))
        elif verbosity is not Verbosity.QUIET:
            console.print(terminal.text("ok       ", "green").append(terminal.text(one.name, "default")))
    if verbosity is Verbosity.QUIET:
        return
    if heard.account:
        _print_account(console, heard.account, verbosity is Verbosity.VERBOSE)
    problems = len(heard.problems)
    console.print(f"{len(heard.findings)} checks, {problems} problem{'' if problems == 1 else 's'}")


def _print_account(console: Console, account: Account, verbose: bool) -> None:
    head = f"{account.engine} {account.version}: verbs written, of those that are not declared absent"
    console.print(terminal.text(f"\n{head}"))
    for group in account.groups:
        if verbose or group.absent < group.verbs:
            console.print(f"  {group.group:<20}{group.written:>4} of {group.verbs - group.absent}")
        if verbose and group.missing:
            console.print(terminal.text(f"    not written: {', '.join(group.missing)}"))
    console.print(f"cells within reach: {account.reach} of {account.cells}")
    for verb in account.following:
        more = f"would reach {verb.cells} more" if verb.cells else "is touched by most of the others"
        console.print(terminal.text(f"next verb to write: ad.{verb.verb}, {more}"))
    console.print()
