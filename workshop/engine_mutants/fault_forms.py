"""Short forms of faults that are written by hand, beside those that are generated."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from workshop.engine_mutants.conditions import Condition
from workshop.engine_mutants.engine_fault import Call, EngineFault

__all__ = ["always", "attempt", "doing", "second_time", "wrong"]


def wrong(
    text: str, weight: int, family: str, when: Callable[[Call], bool] = lambda call: True, **told: Any
) -> EngineFault:
    """A fault whose conditions weigh so much; `told` says what is `given`, done `instead`, or `found`."""
    return EngineFault(text, Condition("", weight, when).grade, family, when, **told)


def always(text: str, family: str, change: Callable[[Any], Any]) -> EngineFault:
    """Each result is changed."""
    return wrong(text, 0, family, found=lambda call: change(call.found))


def doing(text: str, family: str, instead: Callable[[Call], Any]) -> EngineFault:
    """Each call does something else."""
    return wrong(text, 0, family, instead=instead)


def second_time(text: str, family: str, change: Callable[[Any], Any]) -> EngineFault:
    """The result of the second call on the same subject is changed."""
    return wrong(
        f"{text} the second time", 2, family, lambda call: call.number == 2, found=lambda call: change(call.found)
    )


def attempt(action: Callable[[], Any]) -> Any:
    """What an action returns, or the name of its error."""
    try:
        return action()
    except Exception as error:
        return type(error).__name__
