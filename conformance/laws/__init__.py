"""Laws of differentiation: their chapters, the subjects that they are asked of, and what they compare."""

from __future__ import annotations

from pathlib import Path

__all__ = ["LAWS"]

# The chapters of laws: behaviours with a case for each operation that they concern.
LAWS = Path(__file__).parent / "chapters"
