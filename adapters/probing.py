"""What probes of every family say alike."""

from __future__ import annotations

__all__ = ["shown"]


def shown(condition: bool, otherwise: str) -> None:
    """AssertionError that says what was seen instead, unless the probe's condition holds."""
    # Not an assert statement: a probe must also speak under python -O.
    if not condition:
        raise AssertionError(otherwise)
