"""Files of checks: a finding as a regression test."""

from __future__ import annotations

import re
import textwrap

from conformance.programs.source.report import ProgramReport


def module_of(heading: str, *parts: str) -> str:
    """The source of a file of checks. `heading` is its docstring."""
    # Only those that a check calls: an unused import would not pass the linter.
    used = [name for name in ("close", "equal") if any(re.search(rf"^ +{name}\(", part, re.M) for part in parts)]
    imports = f"from conformance.expect import {', '.join(used)}\n" if used else ""
    return "\n\n".join([f'"""{heading}"""\n\n{imports}', *parts])


def as_test(report: ProgramReport) -> str:
    """The file of a regression test: the check, and the engine on which it fails."""
    # Below the length of lines in which the file is kept.
    about = "\n".join(textwrap.wrap(_about(report), 110))
    command = f"autograd-conformance program {report.name} --engine {report.engine} --as-test"
    fails = f"FAILS = {{{report.engine!r}: {report.signature[:60]!r}}}"
    known = f"# Engines on which it fails, each with the cause.\n{fails}\n"
    return module_of(f"{about}\n\nWritten by `{command}`.\n", report.check, known)


def _about(report: ProgramReport) -> str:
    return f"Program {report.name} on {report.engine}: {report.signature}"
