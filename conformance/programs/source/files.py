"""Files of checks: a finding as a regression test, or as a behaviour."""

from __future__ import annotations

import re
import textwrap

from conformance.programs.source.report import ProgramReport


def module_of(heading: str, *checks: str) -> str:
    """The source of a file of checks. `heading` is its docstring."""
    # Only those that a check calls: an unused import would not pass the linter.
    used = [name for name in ("close", "equal") if any(re.search(rf"^ +{name}\(", check, re.M) for check in checks)]
    return "\n\n".join([f'"""{heading}"""\n\nfrom conformance.expect import {", ".join(used)}\n', *checks])


def as_test(report: ProgramReport) -> str:
    """The file of a regression test: the check, and the engine on which it fails."""
    about = "\n".join(textwrap.wrap(f"Program {report.name} on {report.engine}: {report.signature}", 110))
    command = f"autograd-conformance program {report.name} --engine {report.engine} --as-test"
    heading = f"{about}\n\nWritten by `{command}`.\n"
    fails = f"FAILS = {{{report.engine!r}: {report.signature[:60]!r}}}"
    known = f"# Engines on which it fails, each with the cause.\n{fails}\n\n"
    # `module_of` puts two blank lines before a function; before a constant there is one.
    return module_of(heading, f"{known}\n{report.check}").replace("\n\n\n# Engines", "\n\n# Engines")


def as_behaviour(report: ProgramReport) -> str:
    """The file of a chapter with the check as a behaviour; its level and citations are left to the maintainer."""
    name = report.oracle if report.oracle.isidentifier() else "check"
    check = report.check.replace("def check(", f"def of_{name}(", 1)
    head = f"Program {report.name} on {report.engine}: {report.signature}"
    source = module_of(head, f'@behaviour(MAY, document("000"))\n{check}')
    return source.replace(
        "from conformance.expect",
        "from conformance.behaviour import MAY, behaviour, document\nfrom conformance.expect",
        1,
    )
