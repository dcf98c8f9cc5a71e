"""What is refused to somebody who adds an engine. A module of its own: refusing needs no template engine."""

from __future__ import annotations

__all__ = ["StartingError"]


class StartingError(Exception):
    """A skeleton cannot be written, or an adapter not be asked; the message names the culprit and says what to do."""
