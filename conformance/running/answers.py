"""Answers of a process with an engine to questions that are no cells of a run: scripts, curves, an adapter's check.

It speaks as a worker does, and is watched as one: a question is a cell to it. Here are both ends.
"""

from __future__ import annotations

import contextlib
import os
import queue
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import msgspec

from conformance.engines import EngineError, load_declared, parse
from conformance.running.channel import loading, open_channel
from conformance.running.exchange import Begun, Done, Message, Ready, Unusable
from conformance.running.header import digest
from conformance.running.loop import POLL_S, Events
from conformance.running.options import Limits, Options
from conformance.running.processes import EXIT_S, Process
from conformance.running.start import Run, Start
from conformance.verdicts import Verdict

# Answers a question. The function that it receives is called where the limit is to begin anew.
Answer = Callable[[str, Callable[[], None]], Any]


class WorkerEnded(Exception):
    """A process ended before its last answer, or was ended. `question`: that which it was at, if any.

    `verdict` is crash or timeout, or None where the process has exited by itself.
    """

    def __init__(self, reason: str, question: str, verdict: Verdict | None) -> None:
        super().__init__(reason)
        self.question, self.verdict = question, verdict


class AnsweringProcess:
    """A process of a module that calls `answer_questions`. Each answer may take `limit` seconds."""

    def __init__(self, engine: str, limit: float, module: str, *arguments: str) -> None:
        self._events: Events = queue.SimpleQueue()
        # Named after this process: nothing of a killed run is to be removed here.
        self._run = Run(Path(f"answers-{os.getpid()}"))
        options = Options(Path(), (), (), limits=Limits(limit))
        self._limits = options.limits
        self._process = Process(Start(engine, options, None, self._run, self._events, (module, *arguments)))

    def ask(self, questions: Sequence[str]) -> Iterator[tuple[str, msgspec.Raw]]:
        """Yield each question with its answer, as JSON.

        Raises EngineError if the engine cannot be loaded, and WorkerEnded.
        """
        while self._process.ready is None:
            self._hear()
        self._process.give(questions)
        while self._process.cells:
            message = self._hear()
            if isinstance(message, Done):
                yield message.id, message.answer

    def _hear(self) -> Message | None:
        """The next message, if there is one soon."""
        message: Message | str | None = ""
        with contextlib.suppress(queue.Empty):
            _, message = self._events.get(timeout=POLL_S)
        if message is None:
            raise self._ended(Verdict.CRASH, "")
        if isinstance(message, Unusable):
            raise EngineError(message.message)
        # An engine may write into files that are not its own: no verdict hangs on it here.
        if isinstance(message, str) or not self._process.expects(message):
            # Not before: of a process that has gone, what it answered is still in the queue.
            if exceeded := self._process.exceeded(self._limits):
                raise self._ended(*exceeded)
            return None
        self._process.take(message)
        return message

    def _ended(self, verdict: Verdict, message: str) -> WorkerEnded:
        question, loaded = self._process.cell, self._process.ready
        status = self._process.end(0.0 if message else EXIT_S)
        reason = f"it {message}" if message else self._process.how_it_ended(status)
        if verdict is Verdict.TIMEOUT and not loaded:
            reason = f"it made no progress for {self._limits.start_s:g} s when it was loaded"
        exited = not message and (status or 0) >= 0
        return WorkerEnded(reason, question, None if exited else verdict)

    def close(self) -> None:
        """End the process, and what it has started."""
        self._process.end()
        self._run.close()


def answer_questions(prepare: Callable[..., Answer]) -> NoReturn:
    """Answer the questions to this process, until that is ended.

    `prepare` receives the adapter, and the arguments that follow engine and token.
    """
    engine, token, *arguments = sys.argv[1:]
    channel = open_channel(token)
    channel.listen()
    with loading(channel):
        adapter, declaration = load_declared(parse(engine))
        answer = prepare(adapter, *arguments)
    channel.send(Ready.of(declaration, digest=digest(adapter), fallbacks=[]))
    while True:
        for question in channel.asked().cells:
            begin = partial(channel.send, Begun(question))
            begin()
            # Whole before it is sent: an engine that ends the process leaves no half of an answer.
            answered = msgspec.json.encode(answer(question, begin))
            channel.send(Done(question, [], answer=msgspec.Raw(answered)))
