"""The published outcome of a sweep over operations: its types, from which `operations.schema.json` is generated."""

from __future__ import annotations

import json
from enum import Enum
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from reports.model import Known, MatrixCitation, MatrixEngine, MatrixPart, Suite

__all__ = ["SCHEMA", "Law", "OperationRow", "Operations", "OperationsCell", "OperationsVerdict", "schema_text"]

SCHEMA: Final = "autograd-conformance/operations/1"


class OperationsVerdict(str, Enum):
    """The outcome of a law on an operation."""

    PASS = "pass"
    FAIL = "fail"
    RAISES = "raises"
    NOT_OFFERED = "not offered"
    NOT_APPLICABLE = "not applicable"
    CRASH = "crash"
    TIMEOUT = "timeout"
    ERROR = "error"


class Law(MatrixPart, frozen=True, omit_defaults=True):
    """What is claimed of every operation."""

    id: Annotated[str, Meta(description="`chapter.function`.")]
    title: Annotated[str, Meta(description="The title of its chapter.")]
    level: Annotated[
        Literal["must", "should", "may"],
        Meta(description="What the documentation's own words carry. Never changes a verdict."),
    ]
    statement: Annotated[str, Meta(description="The claim, in one or two sentences.")]
    citations: Annotated[list[MatrixCitation], Meta(description="Who promises it.")]
    check: Annotated[str, Meta(description="Source of the function that checks it.")] = ""
    was: Annotated[list[str], Meta(description="Ids that it had earlier.")] = msgspec.field(default_factory=list)


class OperationRow(MatrixPart, frozen=True, omit_defaults=True):
    """An operation. Where the table of the suite does not have it, it has a name alone."""

    name: Annotated[str, Meta(description="Its name in cells.")]
    family: Annotated[str, Meta(description="The family that it belongs to.")] = ""
    meaning: Annotated[str, Meta(description="What it computes.")] = ""


class OperationsCell(MatrixPart, frozen=True, omit_defaults=True):
    """The outcome of one law on one operation of one engine."""

    operation: Annotated[str, Meta(description="Name of the operation.")]
    law: Annotated[str, Meta(description="Id of the law.")]
    engine: Annotated[str, Meta(description="Column of the engine.")]
    verdict: OperationsVerdict
    witness: Annotated[str, Meta(description="What was got, what was expected, and where; or why there is no outcome.")]
    known: Annotated[Known | None, Meta(description="The known failure that lists it, if any.")]
    promised: Annotated[
        bool,
        Meta(description="Of a fail or an error that was raised: whether the engine's own documentation excludes it."),
    ] = True
    convention: Annotated[
        str,
        Meta(
            description="Of a pass, which convention the engine follows, such as `zero` at a kink; empty for most laws."
        ),
    ] = ""


class Operations(MatrixPart, frozen=True):
    """Operations by laws by engines. What is not there was not run, or does not concern the operation."""

    schema: Annotated[Literal["autograd-conformance/operations/1"], Meta(description="Name of this format.")]
    suite: Suite
    engines: Annotated[list[MatrixEngine], Meta(description="The columns.")]
    operations: Annotated[list[OperationRow], Meta(description="The operations, family by family.")]
    laws: Annotated[list[Law], Meta(description="The laws, in reading order.")]
    programs: Annotated[
        dict[str, str],
        Meta(description="Native programs that show causes of known failures: name of the cause to text."),
    ]
    cells: list[OperationsCell]


def schema_text() -> str:
    """The text of `operations.schema.json` (draft 2020-12)."""
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:autograd-conformance:operations:1",
        "title": "Laws on operations, by engine",
    }
    return json.dumps(head | msgspec.json.schema(Operations), indent=2) + "\n"
