"""The places at which some engine fails: every engine computes a curve there, for comparison."""

from __future__ import annotations

from pathlib import Path

import msgspec

from conformance.plots.model import CurvePlace

# Written by `python -m workshop plots`.
PLACES_FILE = Path(__file__).with_name("places.json")


def plotted_places() -> list[CurvePlace]:
    """The places, in the order of their operations."""
    return msgspec.json.decode(PLACES_FILE.read_bytes(), type=list[CurvePlace])
