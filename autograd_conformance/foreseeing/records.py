"""What `findings` prints as JSON."""

from __future__ import annotations

import msgspec

from conformance.results import CitationRecord

__all__ = ["FindingRecord"]


class FindingRecord(msgspec.Struct):
    """A known cell in which an engine does otherwise than is documented."""

    engine: str
    behaviour: str
    verdict: str
    versions: str
    statement: str
    reason: str
    upstream: str
    citations: list[CitationRecord]
    check: str
