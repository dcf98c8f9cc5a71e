"""The cited documentation: who cites what, what of each library is covered, and which docstrings changed."""

from __future__ import annotations

from conformance.behaviour import Behaviour
from conformance.collection import load_all
from conformance.laws import LAWS


def behaviours_and_laws() -> list[Behaviour]:
    """All that cites a page: the behaviours of the chapters, and the laws on operations."""
    return [*load_all(), *load_all(LAWS)]
