"""Constructors of faults that are written by hand, beside those that are generated."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from workshop.engine_mutants.engine_fault import Call, EngineFault


def wrong(
    text: str, weight: int, family: str, when: Callable[[Call], bool] = lambda call: True, **changes: Any
) -> EngineFault:
    """A fault whose conditions weigh so much; `changes` are the fields of EngineFault that make it wrong."""
    return EngineFault(text, weight, family, when, **changes)


def always(text: str, family: str, change: Callable[[Any], Any]) -> EngineFault:
    """Change each result."""
    return wrong(text, 0, family, change_result=lambda call: change(call.result))


def doing(text: str, family: str, instead: Callable[[Call], Any]) -> EngineFault:
    """Do something else in each call."""
    return wrong(text, 0, family, instead=instead)


# A condition of the second call weighs 2 by itself: see conditions.py.
def second_time(text: str, family: str, change: Callable[[Any], Any]) -> EngineFault:
    """Change the result of the second call on the same subject."""
    return wrong(
        f"{text} the second time",
        2,
        family,
        lambda call: call.number == 2,
        change_result=lambda call: change(call.result),
    )


def attempt(action: Callable[[], Any]) -> Any:
    """The result of an action, or the name of its error."""
    try:
        return action()
    except Exception as error:
        return type(error).__name__
