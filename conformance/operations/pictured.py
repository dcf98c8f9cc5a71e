"""The places at which some engine was seen to fail: every engine computes what it gives there, for comparison."""

from __future__ import annotations

from pathlib import Path

import msgspec

from conformance.curves import CurvePlace

__all__ = ["PICTURED_FILE", "pictured"]

# Written by `python -m workshop pictured`.
PICTURED_FILE = Path(__file__).with_name("pictured.json")


def pictured() -> list[CurvePlace]:
    """The places, in the order of their operations."""
    return msgspec.json.decode(PICTURED_FILE.read_bytes(), type=list[CurvePlace])
