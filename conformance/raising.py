"""When an exception or a warning is the one that was promised."""

from __future__ import annotations

__all__ = ["mismatch"]


def mismatch(error: BaseException, kind: type[BaseException] | str | None, phrase: str) -> str:
    """How an exception or warning is mismatch the promised one; empty where it is not."""
    if kind is not None and not is_a(error, kind):
        name = kind if isinstance(kind, str) else kind.__name__
        return f"expected {name}"
    if phrase.lower() not in str(error).lower():
        return f"expected a message that says {phrase!r}"
    return ""


def is_a(error: BaseException, kind: type[BaseException] | str) -> bool:
    """By class, or by dotted name where the class lives in the engine."""
    if isinstance(kind, type):
        return isinstance(error, kind)
    return any(kind in (f"{base.__module__}.{base.__qualname__}", base.__qualname__) for base in type(error).__mro__)
