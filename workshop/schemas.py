"""The published JSON schemas (draft 2020-12): of a section of a report, and of what each command prints with --json.

`refresh` writes both files. No part of the product needs them: msgspec validates by the types themselves.
"""

from __future__ import annotations

import json
import textwrap
from typing import Any

import msgspec

from autograd_conformance.known_drafts import KnownFileRecord
from autograd_conformance.new_engine.records import AdapterCheckRecord, SkeletonRecord
from autograd_conformance.records import (
    InstalledEngineRecord,
    OutcomeRecord,
    ScriptRecord,
    ShownOperationRecord,
    ShownRecord,
)
from conformance.own.answers import Answer
from conformance.programs.source.report import ProgramReport
from conformance.results import BehaviourRecord
from reports.changes import Changes
from reports.guide import Guide
from reports.model import Matrix

DRAFT = "https://json-schema.org/draft/2020-12/schema"
# Output by name of the command.
SHAPES: dict[str, Any] = {
    "run": OutcomeRecord,
    "operations": OutcomeRecord,
    "programs": OutcomeRecord,
    "program": ProgramReport,
    "check": list[Answer],
    "report": OutcomeRecord,
    "diff": Changes,
    "list": list[BehaviourRecord],
    # A text with --script or --issue, else behaviours.
    "guide": Guide,
    "show": list[ShownRecord] | ShownOperationRecord | ScriptRecord,
    "engines": list[InstalledEngineRecord],
    "adapter new": SkeletonRecord,
    "adapter check": AdapterCheckRecord,
    "known": list[KnownFileRecord],
}


def matrix_schema() -> str:
    """The text of `matrix.schema.json`."""
    head = {"$schema": DRAFT, "$id": "urn:autograd-conformance:matrix:2"}
    head["title"] = "A section of a report of the autograd conformance suite"
    return wrapped_json(head | msgspec.json.schema(Matrix)) + "\n"


def output_schema() -> str:
    """The text of `output.schema.json`: of an object with a command's output under its name."""
    # Together, so that types that several commands share are defined once.
    shapes, parts = msgspec.json.schema_components(SHAPES.values(), ref_template="#/$defs/{name}")
    schema = {
        "$schema": DRAFT,
        "$id": "urn:autograd-conformance:output:1",
        "title": "What the commands print with --json, by name of the command",
        "type": "object",
        "properties": dict(zip(SHAPES, shapes, strict=True)),
        "additionalProperties": False,
        "$defs": parts,
    }
    return wrapped_json(schema) + "\n"


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
