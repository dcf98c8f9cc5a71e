"""Starts a smoke test in a process of its own, follows it, and says what came of it."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from dataclasses import dataclass, field

import msgspec
from rich.console import Console
from rich.text import Text

from autograd_conformance.starting.findings import Account, Begun, Finding
from autograd_conformance.starting.refused import StartingError
from conformance.engines import EngineError, parse
from conformance.messages import printable

__all__ = ["Smoke", "ask", "smoke"]

LIMIT_S = 300


@dataclass
class Smoke:
    """What was heard of an engine. `account` is missing where it did not live to the end."""

    findings: list[Finding] = field(default_factory=list)
    account: Account | None = None

    @property
    def problems(self) -> list[Finding]:
        """What is to be mended."""
        return [one for one in self.findings if not one.ok]


def smoke(engine: str, as_json: bool, quiet: bool) -> int:
    """Ask, and print. Returns the exit status: 1 if there is a problem. Raises EngineError, StartingError."""
    parse(engine)
    heard = ask(engine)
    if as_json:
        print(msgspec.json.format(msgspec.json.encode(heard), indent=2).decode())
    else:
        _print(Console(soft_wrap=True, highlight=False), heard, quiet)
    return int(bool(heard.problems))


def ask(engine: str, limit_s: float = LIMIT_S) -> Smoke:
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


def _heard(lines: list[bytes], status: int, end: str, noise: str) -> Smoke:
    told = [msgspec.json.decode(line, type=Begun | Finding | Account) for line in lines]
    findings = [one for one in told if isinstance(one, Finding)]
    if status == 2 and findings:
        raise EngineError(findings[0].got)
    if not told:
        raise StartingError(f"the engine could not be asked: {end}{_last(noise)}; import the adapter to see why")
    if isinstance(told[-1], Account):
        return Smoke(findings, told[-1])
    # It died of a question, or after the last one.
    died = Finding(told[-1].name, False, end + _last(noise), "an answer", "run it by hand, in a process of its own")
    return Smoke([*findings, died])


def _last(noise: str) -> str:
    """The last line that an engine wrote to standard error, as the end of a sentence."""
    return "".join(f": {printable(line.strip())}" for line in noise.strip().splitlines()[-1:])


def _print(console: Console, heard: Smoke, quiet: bool) -> None:
    for one in heard.findings:
        if one.ok and not quiet:
            console.print(Text.assemble(("ok       ", "green"), one.name))
        elif not one.ok:
            said = f"{one.name}: got {one.got}, expected {one.expected}; {one.todo}"
            console.print(Text.assemble(("problem  ", "bold red"), said))
    if heard.account and not quiet:
        _print_account(console, heard.account)
    if not quiet:
        problems = len(heard.problems)
        console.print(f"{len(heard.findings)} checks, {problems} problem{'' if problems == 1 else 's'}")


def _print_account(console: Console, account: Account) -> None:
    console.print(
        f"\n{account.engine} {account.version}: verbs written, of those that are not declared absent", markup=False
    )
    for group in account.groups:
        if group.absent < group.verbs:
            console.print(f"  {group.group:<20}{group.written:>4} of {group.verbs - group.absent}")
    console.print(f"cells within reach: {account.reach} of {account.cells}")
    for verb in account.following:
        more = f"would reach {verb.cells} more" if verb.cells else "is touched by most of the others"
        console.print(f"next verb to write: ad.{verb.verb}, {more}")
    console.print()
