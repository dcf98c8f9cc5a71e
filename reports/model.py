"""The published matrix: its types, from which `matrix.schema.json` is generated.

They repeat part of the result model on purpose: results files may change, this format is a promise.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from conformance.verdicts import Reason, Verdict, Witness

__all__ = [
    "SCHEMA",
    "Known",
    "Matrix",
    "MatrixBehaviour",
    "MatrixCell",
    "MatrixCitation",
    "MatrixEngine",
    "MatrixEvidence",
    "MatrixPart",
    "Suite",
    "json_schema",
    "schema_text",
]

SCHEMA: Final = "autograd-conformance/matrix/1"

Seconds = Annotated[float, Meta(ge=0)]


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
    """Who promises a behaviour, and where it can be read. Texts that do not apply are empty."""

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
    """A row of the matrix: one documented claim, or one case of it."""

    id: Annotated[str, Meta(description="`chapter.function` or `chapter.function[case]`; never reused.")]
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


class MatrixCell(MatrixPart, frozen=True, omit_defaults=True):
    """The outcome of one behaviour on one engine. The page shows `script`; matrix.json leaves it out, for its size."""

    behaviour: Annotated[str, Meta(description="Id of the behaviour.")]
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
    script: Annotated[str, Meta(description="The same program in the engine's own API; left out of this file.")] = ""


class Matrix(MatrixPart, frozen=True):
    """Behaviours down, engines across. A pair without a cell was not run."""

    schema: Annotated[Literal["autograd-conformance/matrix/1"], Meta(description="Name of this format.")]
    suite: Suite
    engines: Annotated[list[MatrixEngine], Meta(description="The columns, in the order in which they are shown.")]
    behaviours: Annotated[list[MatrixBehaviour], Meta(description="The rows, in reading order.")]
    cells: Annotated[list[MatrixCell], Meta(description="At most one for each pair of a behaviour and an engine.")]


def json_schema() -> dict[str, Any]:
    """The JSON schema (draft 2020-12) of matrix.json; `matrix.schema.json` holds the same."""
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:autograd-conformance:matrix:1",
        "title": "The matrix of the autograd conformance suite",
    }
    return head | msgspec.json.schema(Matrix)


def schema_text() -> str:
    """The text of `matrix.schema.json`."""
    return json.dumps(json_schema(), indent=2) + "\n"
