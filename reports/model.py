"""The published sections: their types, from which `workshop/schemas.py` generates `matrix.schema.json`.

Parts that results files have too are those of `conformance.results`.
"""

from __future__ import annotations

from enum import Enum
from typing import Annotated, Any, Final, Literal

from msgspec import Meta

from conformance.programs.source.report import ProgramReport
from conformance.results import ClaimRecord, Count, EngineRecord, KnownRecord, PublishedPart, Seconds, SuiteRecord
from conformance.verdicts import Reason, Verdict, Witness

SCHEMA: Final = "autograd-conformance/matrix/2"


class Section(str, Enum):
    """Subject of the claims of a matrix; the value is the name of its file."""

    BEHAVIOURS = "matrix"
    OPERATIONS = "operations"
    PROGRAMS = "programs"

    # `str` has a method of this name, which nothing needs of a section.
    @property
    def title(self) -> str:  # type: ignore[override]
        """Its name on pages and terminals."""
        return "behaviours" if self is Section.BEHAVIOURS else self.value


class MatrixEngine(EngineRecord, frozen=True):
    """A column of the matrix: an engine, with its parameters, as it was run once."""

    column: Annotated[
        str,
        Meta(description="Its name in cells: the spec, or `spec@version` where several versions were run."),
    ]
    started: Annotated[str, Meta(description="When the run began (ISO 8601).")]
    duration_s: Annotated[Seconds, Meta(description="How long the run took, in seconds.")]
    seed: Annotated[int, Meta(description="Seed of the random inputs and of the order; 0: none.")]
    complete: Annotated[bool, Meta(description="Whether the whole suite was selected.")]
    stale: Annotated[list[str], Meta(description="Stale known failures, a line each.")]

    @property
    def names(self) -> tuple[str, str, str]:
        """What people call it, from the strictest name to the loosest, which other versions may share."""
        return self.column, f"{self.spec}@{self.version}", self.spec


class MatrixBehaviour(ClaimRecord, frozen=True, omit_defaults=True):
    """A claim: a documented behaviour, a law on operations, or that no generated program shows a signature.

    A file has it once with all its cases, whose ids are `id[case]`; a matrix in memory has a row for each.
    """

    level: Annotated[
        Literal["must", "should", "may"],
        Meta(description="What the documentation's own words carry. Never changes a verdict."),
    ]
    cases: Annotated[list[str], Meta(description="Cases that were run; empty: none has a name.")] = []


class GeneratedProgram(PublishedPart, frozen=True, omit_defaults=True):
    """The program of the lowest seed that shows a signature."""

    oracle: Annotated[str, Meta(description="The oracle or law that it breaks, or for example `crash`.")]
    kind: Annotated[str, Meta(description="Kind of the program.")]
    seed: Annotated[Count, Meta(description="Seed of the program.")]
    steps: Annotated[dict[str, Any], Meta(description="The program as data, made smaller.")] = {}

    @property
    def name(self) -> str:
        """KIND:SEED, as the command `program` takes it."""
        return f"{self.kind}:{self.seed}"


class MatrixCell(PublishedPart, frozen=True, omit_defaults=True):
    """The outcome of one claim on one engine. The page shows `script`; matrix.json leaves it out, for its size."""

    behaviour: Annotated[str, Meta(description="Id of the claim, with its case: `id[case]`.")]
    engine: Annotated[str, Meta(description="Column of the engine.")]
    verdict: Verdict
    convention: Annotated[str | None, Meta(description="The named outcome that was given, where there are several.")]
    message: Annotated[str, Meta(description="What was observed. Untrusted text: it comes from the engine.")]
    duration_s: Annotated[Seconds, Meta(description="How long the behaviour took, in seconds.")]
    known: Annotated[KnownRecord | None, Meta(description="The known failure that lists it, if any.")]
    reason: Annotated[Reason | None, Meta(description="Why it has this verdict, where the verdict leaves it open.")] = (
        None
    )
    witness: Annotated[Witness | None, Meta(description="What was got and what was expected, as fields.")] = None
    counts: Annotated[dict[str, Count], Meta(description="Generated programs that show it, by kind.")] = {}
    program: Annotated[GeneratedProgram | None, Meta(description="One of them; none of a known failure.")] = None
    shown: Annotated[ProgramReport | None, Meta(description="It as source and native program, if asked.")] = None
    script: Annotated[str, Meta(description="The same program in the engine's own API; left out of this file.")] = ""

    @property
    def engine_wide(self) -> bool:
        """Whether its cause concerns a law with any operation, so that it marks the column, and not the row."""
        return self.known is not None and self.known.engine_wide


class OperationRow(PublishedPart, frozen=True, omit_defaults=True):
    """An operation. Where the table of the suite does not have it, it has a name alone."""

    name: Annotated[str, Meta(description="Its name, which is the case of a law.")]
    family: Annotated[str, Meta(description="The family that it belongs to.")] = ""
    meaning: Annotated[str, Meta(description="What it computes.")] = ""
    points: Annotated[str, Meta(description="Kinds of its special points, or why it has none.")] = ""
    names: Annotated[list[str], Meta(description="Functions of engines that it is, by their public names.")] = []


class Tally(PublishedPart, frozen=True):
    """Generated programs of one kind that were run on an engine."""

    engine: Annotated[str, Meta(description="Column of the engine.")]
    kind: Annotated[str, Meta(description="Kind of the programs.")]
    adapter: Annotated[str, Meta(description="Digest of the adapter's source.")]
    ranges: Annotated[
        list[tuple[Count, Count]], Meta(description="Seeds, sorted: the first, and the one after the last.")
    ]
    programs: Annotated[Count, Meta(description="Number of programs.")]
    judged: Annotated[Count, Meta(description="Those of them that came to an oracle.")]
    unsupported: Annotated[Count, Meta(description="Those that the engine does not take.")]
    seconds: Annotated[Seconds, Meta(description="Time that workers were busy with them, summed.")]


class Matrix(PublishedPart, frozen=True, omit_defaults=True):
    """A section: claims down, engines across. A pair without a cell was not run, or does not concern the case."""

    # A literal again: no type can be made of the constant.
    schema: Annotated[Literal["autograd-conformance/matrix/2"], Meta(description="Name of this format.")]
    suite: SuiteRecord
    engines: Annotated[list[MatrixEngine], Meta(description="The columns, in the order in which they are shown.")]
    behaviours: Annotated[list[MatrixBehaviour], Meta(description="The claims, in reading order.")]
    cells: Annotated[list[MatrixCell], Meta(description="At most one for each pair of a row and an engine.")]
    section: Annotated[Section, Meta(description="What the claims are about; if missing, behaviours.")] = (
        Section.BEHAVIOURS
    )
    operations: Annotated[list[OperationRow], Meta(description="The operations, family by family.")] = []
    programs: Annotated[
        dict[str, str], Meta(description="Native programs of causes of known failures: name of the cause to text.")
    ] = {}
    tallies: Annotated[list[Tally], Meta(description="Generated programs: one for each engine and kind.")] = []
