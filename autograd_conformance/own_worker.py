"""The process that checks a person's function law by law (`own_checks`).

`python -m autograd_conformance.own_worker ENGINE TOKEN TASK`, where the task is JSON.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgspec
import numpy

from autograd_conformance.known_breaks import known_of
from autograd_conformance.own_checks import NAMES, OwnListing, OwnTask
from conformance.messages import format_error, printable
from conformance.own.answers import Answer as LawAnswer
from conformance.own.arguments import UnusableInput
from conformance.own.check import Declared, Laws, laws_on_function, title_of
from conformance.protocol import Adapter
from conformance.running.answers import Answer, answer_questions

# For the life of the process.
_opened = ExitStack()


def prepare(adapter: Adapter, task: str) -> Answer:
    """The function that answers for a law by its name."""
    laws: Laws | None = None
    listing = OwnListing()
    try:
        laws = _laws(adapter, msgspec.json.decode(task, type=OwnTask))
        listing = OwnListing([*laws.asked])
    except Exception as error:
        text = str(error) if isinstance(error, UnusableInput) else format_error(error)
        listing = OwnListing(problem=printable(text))

    def answer(name: str, begin: Callable[[], None]) -> OwnListing | LawAnswer:
        return laws.answer(name) if laws and name != NAMES else listing

    return answer


def _laws(adapter: Adapter, task: OwnTask) -> Laws:
    # As `python -m` does: the author's package may be in the working directory.
    sys.path.insert(0, str(Path.cwd()))
    function = resolved(task.target)
    # A Function of PyTorch is called by `apply`.
    applied = getattr(function, "apply", function) if isinstance(function, type) else function
    arguments = _arguments(adapter.name, task)
    declared = Declared(
        engine=adapter.name,
        reference=resolved(task.reference) if task.reference else None,
        constant=[int(name) if name.isdigit() else name for name in task.constant],
        order=task.order,
        deliberate=task.deliberate,
        skip=task.skip,
        compiler=task.compiler or None,
        known=known_of(task.known, title_of(applied)),
    )
    return _opened.enter_context(laws_on_function(applied, arguments, declared))


def resolved(path: str) -> Any:
    """The object of `package.module:Name.attribute`. Raises UnusableInput."""
    module, _, names = path.partition(":")
    try:
        value = importlib.import_module(module)
        for name in names.split("."):
            value = getattr(value, name)
    except Exception as error:
        raise UnusableInput(f"{path!r} cannot be imported: {format_error(error)}") from error
    return value


def _arguments(engine: str, task: OwnTask) -> Sequence[Any]:
    """The arguments of a call: those that `inputs` has or returns, or the values of the expression `at`."""
    if task.inputs:
        value = resolved(task.inputs)
        value = value() if callable(value) else value
    else:
        module = importlib.import_module({"jax": "jax.numpy"}.get(engine, engine))
        # Torch's own name, for the others too.
        names = {"randn": lambda *shape: module.asarray(numpy.random.default_rng(0).normal(size=shape)), **vars(module)}
        try:
            value = eval(task.at, names)
        except Exception as error:
            raise UnusableInput(f"--at {task.at!r}: {format_error(error)}") from error
    return value if isinstance(value, (tuple, list)) else (value,)


if __name__ == "__main__":
    answer_questions(prepare)
