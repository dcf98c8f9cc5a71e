"""The cited documentation: citations by page, coverage of each library, and drift of docstrings."""

from __future__ import annotations

from conformance.behaviour import Behaviour
from conformance.collection import load_all
from conformance.laws import LAWS


def behaviours_and_laws() -> list[Behaviour]:
    """Everything with citations: the behaviours of the chapters, and the laws on operations."""
    return [*load_all(), *load_all(LAWS)]
