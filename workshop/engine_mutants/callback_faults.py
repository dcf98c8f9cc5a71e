"""Faults of calls of functions that are arguments of a target: hooks, rules, bodies of loops."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

from workshop.engine_mutants.engine_fault import Call, EngineFault
from workshop.engine_mutants.library import Library
from workshop.engine_mutants.target import Target

Around = Callable[[Callable[..., Any], tuple[Any, ...], dict[str, Any], int], Any]


def callback_faults(target: Target, lib: Library) -> Iterator[EngineFault]:
    """For each argument that is a function: called with other things, or for another result, or not again."""
    for name in target.callbacks:
        for text, weight, family, around in _ways(lib, "hook" in name or name == "fn"):
            # Names as defaults: the loops go on, and the functions are called later.
            def when(call: Call, name: str = name) -> bool:
                return callable(call.bound.get(name))

            def changed_arguments(call: Call, name: str = name, around: Around = around) -> Any:
                return call.rebound(name, _wrapped(call.bound[name], around))

            neutral = EngineFault(
                "nothing", weight, family, when, change_arguments=functools.partial(changed_arguments, around=_as_it_is)
            )
            yield EngineFault(
                f"{name} {text}", weight, family, when, change_arguments=changed_arguments, neutral=neutral
            )


def _wrapped(function: Callable[..., Any], around: Around) -> Any:
    count = 0

    # JAX and PyTorch read names and signatures of callbacks.
    @functools.wraps(function)
    def wrapped(*args: Any, **options: Any) -> Any:
        nonlocal count
        count += 1
        return around(function, args, options, count)

    return wrapped


def _as_it_is(function: Callable[..., Any], args: tuple[Any, ...], options: dict[str, Any], count: int) -> Any:
    return function(*args, **options)


def _calls_of_hooks() -> Iterator[tuple[str, int, str, Around]]:
    """Faults of when a hook is called, and of the use of its result."""
    yield "is not called", 0, "forgotten", lambda function, args, options, count: None
    yield "returns in vain", 0, "hook", lambda function, args, options, count: (function(*args, **options), None)[1]
    yield (
        "is called once only",
        2,
        "second call",
        lambda function, args, options, count: function(*args, **options) if count == 1 else None,
    )
    yield (
        "returns in vain the second time",
        2,
        "second call",
        lambda function, args, options, count: (
            (function(*args, **options), None)[1] if count == 2 else function(*args, **options)
        ),
    )


def _ways(lib: Library, is_hook: bool) -> Iterator[tuple[str, int, str, Around]]:
    def of_args(change: Callable[[Any], Any]) -> Around:
        return lambda function, args, options, count: function(*change(args), **options)

    def of_result(change: Callable[[Any], Any]) -> Around:
        return lambda function, args, options, count: change(function(*args, **options))

    def at(number: int, change: Callable[[Any], Any]) -> Callable[[Any], Any]:
        return lambda tree: lib.changed(tree, lambda n: n == number, change)

    def exchanged(tree: Any) -> Any:
        arrays = lib.arrays(tree)
        return at(1, lambda x: arrays[0])(at(0, lambda x: arrays[1])(tree)) if len(arrays) > 1 else tree

    # Whether a call is forgotten shows for hooks only: rules and bodies have to return something.
    if is_hook:
        yield from _calls_of_hooks()
    yield "is given a doubled argument", 0, "hook", of_args(at(0, lambda x: 2 * x))
    yield "is given a second argument doubled", 1, "second argument", of_args(at(1, lambda x: 2 * x))
    yield "is given arguments exchanged", 1, "exchanged results", of_args(exchanged)
    yield "is given an argument without history", 2, "second order", of_args(at(0, lib.constant))
    yield "is given a second argument without history", 2, "second order", of_args(at(1, lib.constant))
    yield "has its result doubled", 0, "hook", of_result(at(0, lambda x: 2 * x))
    yield "has its second result doubled", 1, "second result", of_result(at(1, lambda x: 2 * x))
    yield "has its results exchanged", 1, "exchanged results", of_result(exchanged)
    yield "has its result without history", 2, "second order", of_result(at(0, lib.constant))
    yield "has its second result without history", 2, "second order", of_result(at(1, lib.constant))
    yield (
        "has its result doubled the second time",
        2,
        "second call",
        lambda function, args, options, count: at(0, lambda x: 2 * x if count == 2 else x)(function(*args, **options)),
    )
