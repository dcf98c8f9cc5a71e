"""The JSON schema of what each command prints with --json; `output.schema.json` holds the same."""

from __future__ import annotations

from typing import Any

import msgspec

from autograd_conformance.known_drafts import KnownFileRecord
from autograd_conformance.new_engine.records import AdapterCheckRecord, SkeletonRecord
from autograd_conformance.records import (
    InstalledEngineRecord,
    OutcomeRecord,
    ScriptRecord,
    ShownRecord,
)
from conformance.programs.source.report import ProgramReport
from conformance.results import BehaviourRecord
from reports.changes import Changes
from reports.model import wrapped_json

SHAPES: dict[str, Any] = {
    "run": OutcomeRecord,
    "operations": OutcomeRecord,
    "programs": OutcomeRecord,
    "program": ProgramReport,
    "report": OutcomeRecord,
    "diff": Changes,
    "list": list[BehaviourRecord],
    "show": list[ShownRecord] | ScriptRecord,
    "engines": list[InstalledEngineRecord],
    "adapter new": SkeletonRecord,
    "adapter check": AdapterCheckRecord,
    "known": list[KnownFileRecord],
}


def schema_text() -> str:
    """The text of the file: a JSON schema (draft 2020-12) of an object with a command's output under its name."""
    shapes, parts = msgspec.json.schema_components(SHAPES.values(), ref_template="#/$defs/{name}")
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:autograd-conformance:output:1",
        "title": "What the commands print with --json, by name of the command",
        "type": "object",
        "properties": dict(zip(SHAPES, shapes, strict=True)),
        "additionalProperties": False,
        "$defs": parts,
    }
    return wrapped_json(schema) + "\n"
