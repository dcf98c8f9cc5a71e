"""The model of a program's report: outcomes of oracles, source, and native program.

`conformance.programs.source.make_report` makes it in the engine's process; the page and the command line print it.
"""

from __future__ import annotations

import msgspec

from conformance.programs.program import Program


class OracleOutcome(msgspec.Struct, frozen=True):
    """An oracle, its claim, and its outcome: holds, a difference, or the reason why it could not judge."""

    oracle: str
    claim: str
    outcome: str


class ProgramQuery(msgspec.Struct, frozen=True):
    """A request for the report of a finding; without a program, of the kind and seed in `name`."""

    name: str
    signature: str
    oracle: str = ""
    # An example of a known failure is a seed, whose program is generated again.
    program: Program | None = None


class ProgramReport(msgspec.Struct, frozen=True, omit_defaults=True):
    """A program on an engine.

    `drawn` is the program of the seed, `listing` the smallest program with the difference, or the same. `check` and
    `native` are that with the oracle's comparison; without them, `problem` has the reason.
    """

    name: str = ""
    engine: str = ""
    signature: str = ""
    oracle: str = ""
    message: str = ""
    drawn: str = ""
    oracles: list[OracleOutcome] = []
    listing: str = ""
    check: str = ""
    native: str = ""
    problem: str = ""
