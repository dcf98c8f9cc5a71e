"""Conditions on calls of verbs, and what a wrong verb does instead: the parts of the tables of mutants."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from workshop.wrong_adapter import WrongCall

Where = Callable[[WrongCall], bool]
Instead = Callable[[WrongCall], Any]


# Conditions.


def always(call: WrongCall) -> bool:
    """Every call."""
    return True


def within(*verbs: str) -> Where:
    """Calls inside of a verb that is inside of another, and so on; others may be in between."""

    def where(call: WrongCall) -> bool:
        # `verb in left` consumes the iterator: the verbs have to come in this order.
        left = iter(call.under)
        return all(verb in left for verb in verbs)

    return where


def under_not(verb: str) -> Where:
    """Calls that are not inside of a verb."""
    return lambda call: verb not in call.under


def all_of(*conditions: Where) -> Where:
    """Calls that all of these choose."""
    return lambda call: all(condition(call) for condition in conditions)


def _arrays(call: WrongCall) -> list[Any]:
    flat = [x for arg in call.args for x in (arg if isinstance(arg, (list, tuple)) else (arg,))]
    return [x for x in flat if hasattr(x, "shape")]


def same_operand(call: WrongCall) -> bool:
    """One array is an argument twice."""
    arrays = _arrays(call)
    # By identity: equal values would be a coincidence.
    return len(arrays) > 1 and arrays[0] is arrays[1]


def aliased(call: WrongCall) -> bool:
    """Two arguments share memory, and are not the same array."""
    arrays = _arrays(call)
    return len(arrays) > 1 and arrays[0] is not arrays[1] and arrays[0]._base is not None and _base(*arrays[:2])


def _base(x: Any, y: Any) -> bool:
    # Both ways round, as either may be the view, or both views of a third.
    return any(a._base is b or a._base is b._base for a, b in ((x, y), (y, x)) if a._base is not None)


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
    # PyTorch counts writes: any other number than zero is a write.
    return bool(_arrays(call)[0]._version)


def expanded(call: WrongCall) -> bool:
    """An array has elements that share a place in memory."""
    # expand() makes strides of zero: one place in memory for several elements.
    return any(0 in x.stride() for x in _arrays(call))


def broadcast(call: WrongCall) -> bool:
    """The arrays have different shapes."""
    return len({tuple(x.shape) for x in _arrays(call)}) > 1


# Faults.


def map_arrays(change: Callable[[Any], Any], tree: Any) -> Any:
    """A result with a change to each of its arrays."""
    if isinstance(tree, tuple):
        return tuple(map_arrays(change, item) for item in tree)
    return change(tree) if hasattr(tree, "shape") else tree


def scaled(factor: float) -> Instead:
    """The same value, with a derivative times a factor; without any for zero."""

    def instead(call: WrongCall) -> Any:
        def change(z: Any) -> Any:
            constant = call.ad.detach(z)
            # A factor of zero is lost history, not a gradient of zeros.
            return constant if not factor else constant + (z - constant) * factor

        return map_arrays(change, call.run())

    return instead


def unread(number: int) -> Instead:
    """An argument without its derivative."""

    def instead(call: WrongCall) -> Any:
        args = list(call.args)
        if len(args) > number and hasattr(args[number], "shape"):
            args[number] = call.ad.detach(args[number])
        return call.run_with(*args)

    return instead


def first_alone(call: WrongCall) -> Any:
    """Arrays after the first without their derivative."""
    return call.run_with(call.args[0], *map_arrays(call.ad.detach, call.args[1:]))


def swapped(call: WrongCall) -> Any:
    """The first two arguments exchanged."""
    return call.run_with(*call.args[1::-1], *call.args[2:])


def nothing(call: WrongCall) -> Any:
    """The first argument is returned, and nothing is done."""
    return call.args[0] if call.args else None


def twice(call: WrongCall) -> Any:
    """The call runs twice."""
    call.run()
    return call.run()


def in_turn(*options: tuple[str, Any]) -> Instead:
    """The call with other options."""
    return lambda call: call.right(*call.args, **{**call.options, **dict(options)})


def with_results(change: Callable[[Any, Any], Any]) -> Instead:
    """For a verb that returns a function: a change of that function's result, from the adapter and the result."""

    def instead(call: WrongCall) -> Any:
        # A verb such as grad returns the function that computes the gradient.
        function = call.run()
        return lambda *args, **options: change(call.ad, function(*args, **options))

    return instead


def scaled_results(factor: float) -> Instead:
    """The results of a returned function, times a factor."""
    return with_results(lambda ad, result: map_arrays(lambda x: x * factor, result))


reversed_results = with_results(lambda ad, result: result[::-1] if isinstance(result, tuple) else result)
