"""Searches in the trackers of engines, by cause and day: how it is known that nobody has reported it."""

from __future__ import annotations

from pathlib import Path

from conformance.sources import tomllib


def searches(engine: str) -> dict[str, dict[str, list[str]]]:
    """The queries for each cause of an engine's file, by day (ISO 8601)."""
    path = Path(__file__).with_name(f"{engine}.toml")
    return tomllib.loads(path.read_text("utf-8")) if path.exists() else {}
