"""The model of a program as it is shown: what oracles say, its source, its native program, and its graph.

`conformance.programs.source.make_report` makes it in the engine's process; reports and the command line show it.
"""

from __future__ import annotations

import msgspec

from conformance.programs.program import Program

__all__ = ["AskedProgram", "GraphRow", "OracleSaid", "ShownProgram"]


class GraphRow(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of a program's graph: an input, a step, or the beginning of a body.

    `name` is that of its value, empty for a body. `takes` are the lines of the values that it is made of. `memory` is
    the line whose memory it shares, `writes` whether it writes there. `ends` is the last line of a body, whose box
    includes the lines up to it, and `depth` how many boxes a line is in.
    """

    text: str
    name: str = ""
    takes: list[int] = []
    memory: int | None = None
    writes: bool = False
    ends: int | None = None
    depth: int = 0


class OracleSaid(msgspec.Struct, frozen=True):
    """An oracle, what it claims, and what it found; or why it could not judge."""

    oracle: str
    claim: str
    said: str


class AskedProgram(msgspec.Struct, frozen=True):
    """A finding that is to be shown; without a program, it is that of the kind and seed that `name` says."""

    name: str
    signature: str
    oracle: str = ""
    program: Program | None = None


class ShownProgram(msgspec.Struct, frozen=True, omit_defaults=True):
    """A program on an engine.

    `given` is the program as it was drawn, `listing` the smallest one that shows what was found, else the same. `check`
    and `native` are that with the oracle's comparison; without them, `problem` says why.
    """

    name: str = ""
    engine: str = ""
    signature: str = ""
    oracle: str = ""
    message: str = ""
    given: str = ""
    said: list[OracleSaid] = []
    listing: str = ""
    check: str = ""
    native: str = ""
    problem: str = ""
    graph: list[GraphRow] = []

    @property
    def cell(self) -> str:
        """What the line is about: the program, and its signature."""
        return f"{self.name} {self.signature}".strip()

    @property
    def done(self) -> bool:
        """Whether it is more than that the program was begun."""
        return bool(self.listing or self.problem)
