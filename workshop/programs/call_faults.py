"""What is wrong with a call, and with which calls: the parts of which the tables of mutants are made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from workshop.programs.wrong_verbs import WrongCall

__all__ = [
    *("all_of", "always", "aliased", "broadcast", "expanded", "first_alone", "in_turn", "nothing", "of_a_view"),
    *(
        "reversed_results",
        "same_operand",
        "scaled",
        "scaled_results",
        "swapped",
        "twice",
        "under",
        "under_not",
        "unread",
    ),
    *("with_results", "within", "without_history", "of_leaf", "of_written", "of_result", "view_of_target"),
]

Where = Callable[[WrongCall], bool]
Instead = Callable[[WrongCall], Any]


# Which calls.


def always(call: WrongCall) -> bool:
    """Every call."""
    return True


def within(*verbs: str) -> Where:
    """Calls inside of a verb that is inside of another, and so on; others may be in between."""

    def where(call: WrongCall) -> bool:
        left = iter(call.under)
        return all(verb in left for verb in verbs)

    return where


def under(*verbs: str) -> Where:
    """Calls while exactly these verbs are under way."""
    return lambda call: call.under == verbs


def under_not(verb: str) -> Where:
    """Calls that are not inside of a verb."""
    return lambda call: verb not in call.under


def all_of(*conditions: Where) -> Where:
    """Calls that all of these choose."""
    return lambda call: all(condition(call) for condition in conditions)


def _arrays(call: WrongCall) -> list[Any]:
    flat = [x for one in call.args for x in (one if isinstance(one, (list, tuple)) else (one,))]
    return [x for x in flat if hasattr(x, "shape")]


def same_operand(call: WrongCall) -> bool:
    """One array is given twice."""
    arrays = _arrays(call)
    return len(arrays) > 1 and arrays[0] is arrays[1]


def aliased(call: WrongCall) -> bool:
    """Two arrays that are given share memory, and are not the same."""
    arrays = _arrays(call)
    return len(arrays) > 1 and arrays[0] is not arrays[1] and arrays[0]._base is not None and _base(*arrays[:2])


def _base(x: Any, y: Any) -> bool:
    return any(
        one._base is other or one._base is other._base for one, other in ((x, y), (y, x)) if one._base is not None
    )


def view_of_target(call: WrongCall) -> bool:
    """The operand is a view of what is written."""
    arrays = _arrays(call)
    return len(arrays) > 1 and arrays[1]._is_view() and arrays[1]._base is arrays[0]


def of_a_view(call: WrongCall) -> bool:
    """The first array is a view."""
    return bool(_arrays(call)[0]._is_view())


def of_leaf(call: WrongCall) -> bool:
    """The first array is a leaf."""
    return bool(_arrays(call)[0].is_leaf)


def of_result(call: WrongCall) -> bool:
    """The first array is the result of an operation."""
    return not _arrays(call)[0].is_leaf


def of_written(call: WrongCall) -> bool:
    """The first array was written in place before."""
    return bool(_arrays(call)[0]._version)


def expanded(call: WrongCall) -> bool:
    """An array has elements that share a place in memory."""
    return any(0 in x.stride() for x in _arrays(call))


def broadcast(call: WrongCall) -> bool:
    """The arrays have different shapes."""
    return len({tuple(x.shape) for x in _arrays(call)}) > 1


# What is done instead.


def _each(change: Callable[[Any], Any], found: Any) -> Any:
    if isinstance(found, tuple):
        return tuple(_each(change, one) for one in found)
    return change(found) if hasattr(found, "shape") else found


def scaled(factor: float) -> Instead:
    """The same value, with a derivative times a factor; without any for zero."""

    def instead(call: WrongCall) -> Any:
        def change(z: Any) -> Any:
            constant = call.ad.detach(z)
            return constant if not factor else constant + (z - constant) * factor

        return _each(change, call.done())

    return instead


def unread(number: int) -> Instead:
    """An argument without its derivative."""

    def instead(call: WrongCall) -> Any:
        args = list(call.args)
        if len(args) > number and hasattr(args[number], "shape"):
            args[number] = call.ad.detach(args[number])
        return call.given(*args)

    return instead


def without_history(call: WrongCall) -> Any:
    """All arguments without their derivative."""
    return call.given(*_each(call.ad.detach, call.args))


def first_alone(call: WrongCall) -> Any:
    """Arrays after the first without their derivative."""
    return call.given(call.args[0], *_each(call.ad.detach, call.args[1:]))


def swapped(call: WrongCall) -> Any:
    """The first two arguments exchanged."""
    return call.given(*call.args[1::-1], *call.args[2:])


def nothing(call: WrongCall) -> Any:
    """The first argument is returned, and nothing is done."""
    return call.args[0] if call.args else None


def twice(call: WrongCall) -> Any:
    """The call is done twice."""
    call.done()
    return call.done()


def in_turn(*options: tuple[str, Any]) -> Instead:
    """The call with other options."""
    return lambda call: call.right(*call.args, **{**call.options, **dict(options)})


def with_results(change: Callable[[Any, Any], Any]) -> Instead:
    """Of a verb that returns a function: what that returns is changed, given the adapter and the result."""

    def instead(call: WrongCall) -> Any:
        function = call.done()
        return lambda *args, **options: change(call.ad, function(*args, **options))

    return instead


def scaled_results(factor: float) -> Instead:
    """The same: what is returned, times a factor."""
    return with_results(lambda ad, found: _each(lambda x: x * factor, found))


reversed_results = with_results(lambda ad, found: found[::-1] if isinstance(found, tuple) else found)
