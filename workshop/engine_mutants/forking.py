"""Runs things in forks of this process, where forks can be made: what one of them changes, the next does not see."""

from __future__ import annotations

import os
import pickle
import traceback
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

__all__ = ["each", "isolated"]

Item = TypeVar("Item")
Result = TypeVar("Result")


def isolated(library: str, action: Callable[[], Result]) -> Result:
    """What an action returns. Raises RuntimeError for any exception of it, and where it ends its process."""
    # JAX has threads, which a fork does not have.
    if library == "jax":
        return action()
    answers = _forked(lambda say: say(action()))
    if not answers:
        raise RuntimeError("a fork ended without an answer")
    return answers[0]  # type: ignore[no-any-return]


def each(library: str, items: Sequence[Item], action: Callable[[Item], Result]) -> dict[Item, Result]:
    """What an action returns for each item; those that end their process are left out."""
    if library == "jax":
        return {item: action(item) for item in items}
    found: dict[Item, Result] = {}
    left = list(items)
    while left:

        def run(say: Callable[[Any], None], left: list[Item] = left) -> None:
            for item in left:
                say(action(item))

        answers = _forked(run)
        found.update(zip(left, answers, strict=False))
        left = left[len(answers) + 1 :]
    return found


def _forked(run: Callable[[Callable[[Any], None]], None]) -> list[Any]:
    """What a fork says, until it is done or has ended."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        _live(run, writing)
    os.close(writing)
    answers: list[Any] = []
    with os.fdopen(reading, "rb") as stream:
        while True:
            try:
                kind, answer = pickle.load(stream)
            except (EOFError, pickle.UnpicklingError):
                break
            if kind == "error":
                raise RuntimeError(answer)
            answers.append(answer)
    os.waitpid(child, 0)
    return answers


def _live(run: Callable[[Callable[[Any], None]], None], writing: int) -> None:
    """The life of a fork. Does not return."""
    try:
        with os.fdopen(writing, "wb") as stream:

            def say(answer: Any, kind: str = "done") -> None:
                pickle.dump((kind, answer), stream)
                stream.flush()

            try:
                run(say)
            except BaseException:
                say(traceback.format_exc(), "error")
    finally:
        # Not sys.exit, which would run the cleanup of the process that forked.
        os._exit(0)
