"""The published sections: their types, from which `matrix.schema.json` is generated.

They repeat part of the result model on purpose: results files may change, this format is a promise.
"""

from __future__ import annotations

import json
import textwrap
from enum import Enum
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from conformance.programs.source.report import ProgramReport
from conformance.verdicts import Reason, Verdict, Witness

__all__ = [
    "SCHEMA",
    "GeneratedProgram",
    "Known",
    "Matrix",
    "MatrixBehaviour",
    "MatrixCell",
    "MatrixCitation",
    "MatrixEngine",
    "MatrixEvidence",
    "MatrixPart",
    "OperationRow",
    "Section",
    "Suite",
    "Tally",
    "json_schema",
    "schema_text",
    "wrapped_json",
]

SCHEMA: Final = "autograd-conformance/matrix/2"

Seconds = Annotated[float, Meta(ge=0)]
Count = Annotated[int, Meta(ge=0)]


class Section(str, Enum):
    """Subject of the claims of a matrix; the value is the name of its file."""

    BEHAVIOURS = "matrix"
    OPERATIONS = "operations"
    PROGRAMS = "programs"

    @property
    def title(self) -> str:  # type: ignore[override]
        """Its name on pages and terminals."""
        return "behaviours" if self is Section.BEHAVIOURS else self.value


class MatrixPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of the matrix: immutable, and strict about its fields when read."""


class Suite(MatrixPart, frozen=True):
    """Which specification was run."""

    version: Annotated[str, Meta(description="Version of the suite, for people.")]
    revision: Annotated[str, Meta(description="Digest of everything that a verdict depends on.")]


class MatrixEngine(MatrixPart, frozen=True):
    """A column of the matrix: an engine, with its parameters, as it was run once."""

    column: Annotated[
        str,
        Meta(description="Its name in cells: the spec, or `spec@version` where several versions were run."),
    ]
    spec: Annotated[str, Meta(description="As given on the command line, for example `jax:jit`.")]
    name: Annotated[str, Meta(description="The adapter's own name for the engine.")]
    version: Annotated[str, Meta(description="Version of the engine.")]
    parameters: Annotated[dict[str, str], Meta(description="Parameters of the adapter: name to value.")]
    sources: Annotated[
        dict[str, str],
        Meta(description="Documentations that it is held to, the first to speak deciding: name to version."),
    ]
    platform: Annotated[str, Meta(description="Operating system and processor.")]
    python: Annotated[str, Meta(description="Version of Python.")]
    started: Annotated[str, Meta(description="When the run began (ISO 8601).")]
    duration_s: Annotated[Seconds, Meta(description="How long the run took, in seconds.")]
    seed: Annotated[int, Meta(description="Seed of the random inputs and of the order; 0: none.")]
    complete: Annotated[bool, Meta(description="Whether the whole suite was selected.")]
    stale: Annotated[list[str], Meta(description="Stale known failures, a line each.")]


class MatrixEvidence(MatrixPart, frozen=True, omit_defaults=True):
    """The sentence of a page that carries a citation. The sentence itself is not stored."""

    kind: Annotated[str, Meta(description="`rule`, `error`, `precondition`, `example`, `observation` or `permission`.")]
    words: Annotated[str, Meta(description="its first words, at most five.")]
    count: Annotated[int, Meta(description="How many words it has.", ge=1)]
    digest: Annotated[str, Meta(description="Digest of its words.")]
    version: Annotated[str, Meta(description="Version of the page; empty for a docstring.")] = ""


class MatrixCitation(MatrixPart, frozen=True):
    """The source that promises a behaviour, and where to read it. Texts that do not apply are empty."""

    source: Annotated[str, Meta(description="The documentation that promises, for example `torch`.")]
    page: Annotated[str, Meta(description="Key of the page.")]
    section: Annotated[str, Meta(description="Section of the page.")]
    title: Annotated[str, Meta(description="Title of the page.")]
    address: Annotated[str, Meta(description="Address or file name of the page.")]
    since: Annotated[str, Meta(description="First documented version that makes the promise.")]
    until: Annotated[str, Meta(description="Last documented version that makes the promise.")]
    raises: Annotated[str, Meta(description="Type of the error that is promised.")]
    warns: Annotated[str, Meta(description="Type of the warning that is promised.")]
    says: Annotated[str, Meta(description="A characteristic phrase of the promised error's or warning's message.")]
    convention: Annotated[str | None, Meta(description="The named outcome that is cited, where there are several.")]
    evidence: Annotated[list[MatrixEvidence], Meta(description="The sentences that carry it.")] = []


class MatrixBehaviour(MatrixPart, frozen=True, omit_defaults=True):
    """A claim: a documented behaviour, a law on operations, or that no generated program shows a signature.

    A file has it once with all its cases, whose ids are `id[case]`; a matrix in memory has a row for each.
    """

    id: Annotated[str, Meta(description="`chapter.function`, never reused; of a program, its signature.")]
    chapter: Annotated[str, Meta(description="The chapter that it belongs to.")]
    level: Annotated[
        Literal["must", "should", "may"],
        Meta(description="What the documentation's own words carry. Never changes a verdict."),
    ]
    statement: Annotated[str, Meta(description="The claim, in one or two sentences.")]
    citations: Annotated[list[MatrixCitation], Meta(description="Who promises it.")]
    conventions: Annotated[
        list[str], Meta(description="Outcomes that documentations allow, where they disagree; else empty.")
    ]
    cases: Annotated[list[str], Meta(description="Cases that were run; empty: none has a name.")] = []
    check: Annotated[str, Meta(description="Source of the function that checks it.")] = ""
    was: Annotated[list[str], Meta(description="Ids that it had earlier.")] = []
    aliases: Annotated[list[str], Meta(description="What people type who look for it.")] = []
    group: Annotated[str, Meta(description="The part of the contents that its chapter belongs to.")] = ""
    chapter_title: Annotated[str, Meta(description="The title of its chapter.")] = ""


class Known(MatrixPart, frozen=True, omit_defaults=True):
    """The known failure that lists the cell. It never changes the verdict."""

    reason: Annotated[str, Meta(description="Why the engine does this.")]
    upstream: Annotated[str, Meta(description="Address of the engine's own issue, or empty.")]
    review_after: Annotated[str, Meta(description="Date after which the entry is to be looked at again, or empty.")]
    cause: Annotated[str, Meta(description="Name of its cause, which may explain many cells.")] = ""
    title: Annotated[str, Meta(description="The cause in a line.")] = ""
    kind: Annotated[str, Meta(description="Class of the cause, for example `silent wrong value`.")] = ""
    issues: Annotated[list[str], Meta(description="Addresses of issues about the cause.")] = []


class GeneratedProgram(MatrixPart, frozen=True, omit_defaults=True):
    """The program of the lowest seed that shows a signature."""

    oracle: Annotated[str, Meta(description="The oracle or law that it breaks, or for example `crash`.")]
    kind: Annotated[str, Meta(description="Kind of the program.")]
    seed: Annotated[Count, Meta(description="Seed of the program.")]
    steps: Annotated[dict[str, Any], Meta(description="The program as data, made smaller.")] = {}

    @property
    def name(self) -> str:
        """KIND:SEED, as the command `program` takes it."""
        return f"{self.kind}:{self.seed}"


class MatrixCell(MatrixPart, frozen=True, omit_defaults=True):
    """The outcome of one claim on one engine. The page shows `script`; matrix.json leaves it out, for its size."""

    behaviour: Annotated[str, Meta(description="Id of the claim, with its case: `id[case]`.")]
    engine: Annotated[str, Meta(description="Column of the engine.")]
    verdict: Verdict
    convention: Annotated[str | None, Meta(description="The named outcome that was given, where there are several.")]
    message: Annotated[str, Meta(description="What was observed. Untrusted text: it comes from the engine.")]
    duration_s: Annotated[Seconds, Meta(description="How long the behaviour took, in seconds.")]
    known: Annotated[Known | None, Meta(description="The known failure that lists it, if any.")]
    reason: Annotated[Reason | None, Meta(description="Why it has this verdict, where the verdict leaves it open.")] = (
        None
    )
    witness: Annotated[Witness | None, Meta(description="What was got and what was expected, as fields.")] = None
    counts: Annotated[dict[str, Count], Meta(description="Generated programs that show it, by kind.")] = {}
    program: Annotated[GeneratedProgram | None, Meta(description="One of them; none of a known failure.")] = None
    shown: Annotated[ProgramReport | None, Meta(description="It as source, native program and graph, if asked.")] = None
    script: Annotated[str, Meta(description="The same program in the engine's own API; left out of this file.")] = ""


class OperationRow(MatrixPart, frozen=True, omit_defaults=True):
    """An operation. Where the table of the suite does not have it, it has a name alone."""

    name: Annotated[str, Meta(description="Its name, which is the case of a law.")]
    family: Annotated[str, Meta(description="The family that it belongs to.")] = ""
    meaning: Annotated[str, Meta(description="What it computes.")] = ""


class Tally(MatrixPart, frozen=True):
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


class Matrix(MatrixPart, frozen=True, omit_defaults=True):
    """A section: claims down, engines across. A pair without a cell was not run, or does not concern the case."""

    schema: Annotated[Literal["autograd-conformance/matrix/2"], Meta(description="Name of this format.")]
    suite: Suite
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


def json_schema() -> dict[str, Any]:
    """The JSON schema (draft 2020-12) of matrix.json; `matrix.schema.json` holds the same."""
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:autograd-conformance:matrix:2",
        "title": "A section of a report of the autograd conformance suite",
    }
    return head | msgspec.json.schema(Matrix)


def schema_text() -> str:
    """The text of `matrix.schema.json`."""
    return wrapped_json(json_schema()) + "\n"


def wrapped_json(value: Any, indent: int = 0) -> str:
    """JSON in lines of up to 120 characters: a part is on one line where it fits, else an item a line."""
    line = json.dumps(value)
    if indent + len(line) < 120 or not isinstance(value, (dict, list)):
        return line
    if isinstance(value, dict):
        items = [f"{json.dumps(key)}: {wrapped_json(part, indent + len(key) + 6)}" for key, part in value.items()]
    else:
        items = [wrapped_json(part, indent + 2) for part in value]
    first, last = ("{", "}") if isinstance(value, dict) else ("[", "]")
    body = ",\n".join(items)
    return f"{first}\n{textwrap.indent(body, '  ')}\n{last}"
