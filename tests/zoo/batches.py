"""Stands in for the programs of the suite: the same functions, of programs that do what their kind and seed say."""

from __future__ import annotations

import ctypes
import os
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from conformance.engines import EngineError, load, parse
from conformance.results import ResultRecord, TallyRecord
from conformance.verdicts import Verdict

KINDS = ("plain", "slow", "crashing", "hanging", "faulty", "once", "large")
# Seeds of programs that end their process, and how.
CRASHES: dict[int, Callable[[], object]] = {
    21: lambda: ctypes.string_at(0),
    37: lambda: os._exit(3),
    38: lambda: os.abort(),
}


def prepare(engine: str) -> tuple[str, ...]:
    """All, but for engines whose name says otherwise."""
    load(parse(engine))
    if engine == "tests.zoo.adapters:LacksDetaching":
        return ()
    if engine == "tests.zoo.adapters:Slow":
        raise EngineError(f"engine {engine!r} has no verb for programs")
    return KINDS


def finding_of(kind: str, seed: int, verdict: Verdict, message: str) -> ResultRecord:
    """The finding of a program that ended its process."""
    what = "" if verdict is Verdict.TIMEOUT else f": {message}"
    return _finding(verdict.value, kind, seed, verdict, f"{verdict.value}{what}", message)


def _finding(oracle: str, kind: str, seed: int, verdict: Verdict, signature: str, message: str) -> ResultRecord:
    program = {"kind": kind, "seed": seed}
    cell = f"{oracle}[{kind}:{seed}]"
    return ResultRecord(cell, verdict, None, message, 0.0, signature=signature, program=program)


def try_batch(
    engine: str, kind: str, first: int, last: int, known: tuple[str, ...], begin: Callable[[int], None]
) -> tuple[TallyRecord, list[ResultRecord]]:
    """Two signatures, one of them of every seventh seed, the other of some from 40 on."""
    began = time.perf_counter()
    seen: Counter[str] = Counter()
    findings: dict[str, ResultRecord] = {}
    for seed in range(first, last):
        begin(seed)
        _note(seed)
        _act(kind, seed)
        for signature in _signatures(seed):
            seen[signature] += 1
            if signature not in known:
                message = f"got {seed}.0, expected 0.0"
                finding = _finding("reverse", kind, seed, Verdict.FAIL, signature, message)
                findings.setdefault(signature, finding)
    # Some are never judged, so that programs and judged programs are different numbers.
    unsupported = sum(seed % 11 == 0 for seed in range(first, last))
    count, seconds = last - first, time.perf_counter() - began
    tally = TallyRecord(kind, first, last, count, count - unsupported, unsupported, dict(seen), seconds)
    return tally, list(findings.values())


def _signatures(seed: int) -> list[str]:
    # The first comes in any range of seven seeds; the other first at 53, in a campaign that is extended beyond 40.
    return ["reverse: sin: value"] * (seed % 7 == 3) + ["forward: cos: shape"] * (seed >= 40 and seed % 40 == 13)


def _note(seed: int) -> None:
    """Write down that a program was tried, and in which process, where a test asks for that."""
    if path := os.environ.get("PROGRAMS_TRIED"):
        with open(path, "a", encoding="utf-8") as stream:
            stream.write(f"{seed}\n")
    if path := os.environ.get("PROGRAMS_PROCESSES"):
        with open(path, "a", encoding="utf-8") as stream:
            stream.write(f"{os.getpid()}\n")


def _act(kind: str, seed: int) -> None:
    """The harm that the program of a seed does to its process."""
    if kind == "slow":
        time.sleep(0.02)
    elif kind == "crashing" and seed in CRASHES:
        CRASHES[seed]()
    elif kind == "hanging" and seed == 5:
        time.sleep(1000)
    elif kind == "faulty" and seed == 4:
        raise KeyError("nothing")
    elif kind == "large" and seed == 7:
        # In place of three gibibytes: the worker's module is the one that was started (program_worker.LARGEST).
        sys.modules["__main__"].LARGEST = 0  # type: ignore[attr-defined]
    elif kind == "once" and seed == 9:
        _end_once(Path(os.environ["PROGRAMS_ENDED_ONCE"]))


def _end_once(mark: Path) -> None:
    """End the process if it has not been ended before."""
    if not mark.exists():
        mark.touch()
        os._exit(1)
