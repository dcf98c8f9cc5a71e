"""A check of a person's function in a process that has the engine and is watched: a crash costs one law."""

from __future__ import annotations

from collections import deque
from contextlib import closing

import msgspec

from autograd_conformance.options import BadInput
from conformance.own.answers import BROKEN, Answer
from conformance.own.check import in_order
from conformance.running.answers import AnsweringProcess, WorkerEnded

WORKER = "autograd_conformance.own_worker"
# The question for the names of the laws, and seconds for each answer.
NAMES, LIMIT_S = "laws", 120.0


class OwnTask(msgspec.Struct, frozen=True, kw_only=True):
    """A check in words of the command line: see `commands.check`."""

    target: str
    inputs: str = ""
    at: str = ""
    reference: str = ""
    constant: tuple[str, ...] = ()
    order: int = 2
    deliberate: str = ""
    skip: dict[str, str] = {}
    compiler: str = ""
    known: str = ""


class OwnListing(msgspec.Struct):
    """The names of the laws, or why the function cannot be checked."""

    names: list[str] = []
    problem: str = ""


def check_apart(engine: str, task: OwnTask) -> list[Answer]:
    """The answer of each law. Raises BadInput, and EngineError."""
    answers, left = list[Answer](), deque([NAMES])
    while left:
        process = AnsweringProcess(engine, LIMIT_S, WORKER, msgspec.json.encode(task).decode())
        with closing(process):
            try:
                _take(process, left, answers)
            except WorkerEnded as ended:
                if not answers and (not ended.question or ended.question == NAMES):
                    raise BadInput(f"{task.target}: the process ended before a law was asked: {ended}") from None
                answers.append(Answer(left.popleft(), "", BROKEN, error=f"the process ended: {ended}"))
    try:
        return in_order(answers)
    except ValueError as error:
        raise BadInput(str(error)) from None


def _take(process: AnsweringProcess, left: deque[str], answers: list[Answer]) -> None:
    """Ask for what is left, and note the answers."""
    for name, raw in process.ask(list(left)):
        left.popleft()
        if name != NAMES:
            answers.append(msgspec.json.decode(raw, type=Answer))
            continue
        listing = msgspec.json.decode(raw, type=OwnListing)
        if listing.problem:
            raise BadInput(listing.problem)
        left += listing.names
