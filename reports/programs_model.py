"""The published outcome of campaigns of generated programs: its types, of which `programs.schema.json` is made."""

from __future__ import annotations

import json
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from conformance.programs.source.report import ShownProgram
from reports.model import Known, MatrixEngine, MatrixPart, Seconds, Suite

__all__ = ["PROGRAMS_SCHEMA", "CampaignRow", "Programs", "SignatureRow", "programs_schema_text"]

PROGRAMS_SCHEMA: Final = "autograd-conformance/programs/1"

Count = Annotated[int, Meta(ge=0)]


class CampaignRow(MatrixPart, frozen=True):
    """What was tried on an engine with programs of one kind."""

    engine: Annotated[str, Meta(description="Column of the engine.")]
    kind: Annotated[str, Meta(description="Kind of the programs.")]
    adapter: Annotated[str, Meta(description="Digest of the adapter's source.")]
    ranges: Annotated[
        list[tuple[Count, Count]], Meta(description="Seeds, sorted: the first, and the one after the last.")
    ]
    programs: Annotated[Count, Meta(description="How many programs.")]
    judged: Annotated[Count, Meta(description="How many of them came to an oracle.")]
    unsupported: Annotated[Count, Meta(description="How many the engine does not take.")]
    seconds: Annotated[Seconds, Meta(description="How long workers were busy with them, summed.")]


class SignatureRow(MatrixPart, frozen=True, omit_defaults=True):
    """What is wrong with programs on an engine, and how often. The program is the one with the lowest seed.

    Of a known failure there may be counts only.
    """

    engine: Annotated[str, Meta(description="Column of the engine.")]
    signature: Annotated[
        str, Meta(description="Oracle, features, operation and kind of difference: what is one finding.")
    ]
    counts: Annotated[dict[str, Count], Meta(description="How many programs have it, by kind of program.")]
    known: Annotated[Known | None, Meta(description="The known failure that lists it, if any.")]
    oracle: Annotated[str, Meta(description="What found it, for example `crash`; empty if there are counts only.")] = ""
    kind: Annotated[str, Meta(description="Kind of the program.")] = ""
    seed: Annotated[Count | None, Meta(description="Seed of the program.")] = None
    message: Annotated[str, Meta(description="What was observed. Untrusted text: it may come from the engine.")] = ""
    program: Annotated[dict[str, Any], Meta(description="The program as data, made smaller.")] = msgspec.field(
        default_factory=dict
    )

    shown: Annotated[
        ShownProgram | None, Meta(description="The program as source, native program and graph, if that was asked for.")
    ] = None

    @property
    def count(self) -> int:
        """How many programs have it."""
        return sum(self.counts.values())


class Programs(MatrixPart, frozen=True):
    """Campaigns of generated programs, by engine and kind, and what they found."""

    schema: Annotated[Literal["autograd-conformance/programs/1"], Meta(description="Name of this format.")]
    suite: Suite
    engines: Annotated[list[MatrixEngine], Meta(description="The columns.")]
    campaigns: Annotated[list[CampaignRow], Meta(description="At most one for each engine and kind.")]
    signatures: Annotated[
        list[SignatureRow], Meta(description="By engine: new ones first, then known ones, the most frequent first.")
    ]


def programs_schema_text() -> str:
    """The text of `programs.schema.json` (draft 2020-12)."""
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:autograd-conformance:programs:1",
        "title": "Generated programs, by engine",
    }
    return json.dumps(head | msgspec.json.schema(Programs), indent=2) + "\n"
