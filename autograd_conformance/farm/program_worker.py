"""The process in which programs run on an engine: `python -m autograd_conformance.farm.program_worker ENGINE MODULE`.

It answers requests until its standard input ends, or none has come for a minute. It decides about nothing: who asked
watches its clock. Where the system can fork, the process only loads the engine, and a fork of it runs the programs: if
that is ended, the next one is there in milliseconds.
"""

from __future__ import annotations

import faulthandler
import importlib
import os
import platform
import sys
import threading
import warnings
from collections import Counter
from typing import IO, Any

import msgspec

from autograd_conformance.farm.exchange import (
    Answer,
    BatchTried,
    EngineReady,
    EngineUnusable,
    FindingAsked,
    FindingTold,
    ProcessEnded,
    ProgramBegun,
    ProgramFailed,
    ProgramsAsked,
)
from conformance import collection
from conformance.engines import EngineError, load_declared, parse
from conformance.messages import format_error, printable
from conformance.programs.results import BatchRecord, FindingRecord
from conformance.results import EngineRecord
from conformance.running.header import digest
from conformance.running.systems import end_with_parent, threads

# A worker of a cluster lives on when a campaign is over; what it started for it does not.
IDLE_S = 60.0
# What `threads` says of a process that has one. Where it cannot count, no process is taken to have one.
ONE_THREAD = 3
_decoder = msgspec.json.Decoder(ProgramsAsked | FindingAsked)


def main() -> int:
    """Say what engine it is, then answer. Returns the exit status: 2 for an engine that cannot be used."""
    engine, module = sys.argv[1:3]
    end_with_parent()
    faulthandler.enable()
    requests, answers = _pipes()
    try:
        batches = importlib.import_module(module)
        ready = _ready(engine, batches)
        _say(answers, ready)
    except EngineError as error:
        _say(answers, EngineUnusable(printable(" ".join(str(error).split()))))
        return 2
    if ready.forks:
        _stay_in_front(answers)
    for line in iter(lambda: _request(requests), b""):
        _say(answers, _answer(engine, batches, _decoder.decode(line), answers))
    # What an engine does at exit may hang.
    os._exit(0)


def _pipes() -> tuple[IO[bytes], IO[bytes]]:
    """Both ends of the pipe, moved away from where an engine reads and prints."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb", buffering=0)
    silence = os.open(os.devnull, os.O_RDONLY)
    os.dup2(silence, 0)
    os.dup2(2, 1)
    os.close(silence)
    return requests, answers


def _request(requests: IO[bytes]) -> bytes:
    """The next line; empty where there will be none."""
    timer = threading.Timer(IDLE_S, os._exit, [0])
    timer.daemon = True
    timer.start()
    try:
        return requests.readline()
    finally:
        timer.cancel()


def _say(answers: IO[bytes], answer: Answer) -> None:
    answers.write(msgspec.json.encode(answer) + b"\n")


def _ready(engine: str, batches: Any) -> EngineReady:
    """What is to be known of the engine. Raises EngineError."""
    adapter, declared = load_declared(parse(engine))
    record = EngineRecord(
        spec=engine,
        name=declared.name,
        version=declared.version,
        parameters=dict(declared.parameters),
        sources=dict(declared.held_to),
        platform=platform.platform(),
        python=platform.python_version(),
    )
    kinds = list(batches.kinds_of(engine))
    # A thread is not there after a fork: what it held would never be given back.
    alone = threads() == ONE_THREAD
    return EngineReady(record, digest(adapter), collection.revision(), declared.known_failures, kinds, alone)


def _stay_in_front(answers: IO[bytes]) -> None:
    """Return in a fork. When that has ended, say how, and return in the next one."""
    with warnings.catch_warnings():
        # JAX warns of its threads, of which there is none yet.
        warnings.simplefilter("ignore")
        while (number := os.fork()) != 0:
            status = os.waitstatus_to_exitcode(os.waitpid(number, 0)[1])
            if status == 0:
                os._exit(0)
            _say(answers, ProcessEnded(status))
    end_with_parent()


def _answer(engine: str, batches: Any, asked: ProgramsAsked | FindingAsked, answers: IO[bytes]) -> Answer:
    """Try what was asked for, and say when each program begins."""
    try:
        if isinstance(asked, FindingAsked):
            return FindingTold(_finding(batches.finding_of(engine, *msgspec.structs.astuple(asked))))
        begin = lambda seed: _say(answers, ProgramBegun(seed))  # noqa: E731
        tried = batches.try_batch(engine, asked.kind, asked.first, asked.last, asked.known, begin)
    except EngineError as error:
        return EngineUnusable(printable(" ".join(str(error).split())))
    except Exception as error:
        return ProgramFailed(format_error(error))
    return BatchTried(_record(asked.kind, tried))


def _finding(found: Any) -> FindingRecord:
    # Its program is a structure of the generator's, and here data.
    return msgspec.convert(msgspec.to_builtins(found), FindingRecord)


def _record(kind: str, tried: Any) -> BatchRecord:
    """What was tried, as it is written into the results."""
    findings = [_finding(one) for one in tried.findings]
    seen = Counter(tried.explained) + Counter(one.signature for one in findings)
    return BatchRecord(
        kind=kind,
        first=tried.first,
        last=tried.last,
        programs=tried.programs,
        judged=tried.judged,
        unsupported=sum(tried.unsupported.values()),
        seen=dict(seen),
        findings=findings,
        seconds=round(tried.seconds, 3),
    )


if __name__ == "__main__":
    sys.exit(main())
