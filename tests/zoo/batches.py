"""Stands in for the programs of the suite: the same functions, of programs that do what their kind and seed say."""

from __future__ import annotations

import ctypes
import os
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from conformance.engines import EngineError, load, parse

KINDS = ("plain", "slow", "crashing", "hanging", "faulty", "once")
# Seeds of programs that end their process, and how.
CRASHES: dict[int, Callable[[], object]] = {
    21: lambda: ctypes.string_at(0),
    37: lambda: os._exit(3),
    38: lambda: os.abort(),
}


class Finding(msgspec.Struct, frozen=True):
    """A program that is wrong."""

    signature: str
    oracle: str
    kind: str
    seed: int
    message: str
    program: dict[str, Any]


class Batch(msgspec.Struct, frozen=True):
    """Programs that were tried."""

    first: int
    last: int
    programs: int
    judged: int
    unsupported: dict[str, int]
    explained: dict[str, int]
    findings: list[Finding]
    seconds: float


def kinds_of(engine: str) -> tuple[str, ...]:
    """All, but for engines whose name says otherwise."""
    load(parse(engine))
    if engine == "tests.zoo.adapters:LacksDetaching":
        return ()
    if engine == "tests.zoo.adapters:Slow":
        raise EngineError(f"engine {engine!r} has no verb for programs")
    return KINDS


def finding_of(engine: str, kind: str, seed: int, oracle: str, message: str) -> Finding:
    """The finding of a program that ended its process."""
    what = "" if oracle == "timeout" else f": {message}"
    return Finding(f"{oracle}{what}", oracle, kind, seed, message, _program(kind, seed))


def _program(kind: str, seed: int) -> dict[str, Any]:
    return {"kind": kind, "seed": seed}


def try_batch(
    engine: str, kind: str, first: int, last: int, known: tuple[str, ...], begin: Callable[[int], None]
) -> Batch:
    """Two signatures, one of them of every seventh seed, the other of some from 40 on."""
    began = time.perf_counter()
    explained: Counter[str] = Counter()
    findings: list[Finding] = []
    for seed in range(first, last):
        begin(seed)
        _note(seed)
        _act(kind, seed)
        for signature in _signatures(seed):
            if signature in known or any(one.signature == signature for one in findings):
                explained[signature] += 1
            else:
                message = f"got {seed}.0, expected 0.0"
                findings.append(Finding(signature, "reverse", kind, seed, message, _program(kind, seed)))
    unsupported = Counter("every eleventh" for seed in range(first, last) if seed % 11 == 0)
    count, judged = last - first, last - first - unsupported.total()
    return Batch(first, last, count, judged, unsupported, explained, findings, time.perf_counter() - began)


def _signatures(seed: int) -> list[str]:
    return ["reverse: sin: value"] * (seed % 7 == 3) + ["forward: cos: shape"] * (seed >= 40 and seed % 40 == 13)


def _note(seed: int) -> None:
    """Write down that a program was tried, where a test asks for that."""
    if path := os.environ.get("PROGRAMS_TRIED"):
        with open(path, "a", encoding="utf-8") as stream:
            stream.write(f"{seed}\n")


def _act(kind: str, seed: int) -> None:
    """What the program of a seed does to its process."""
    if kind == "slow":
        time.sleep(0.02)
    elif kind == "crashing" and seed in CRASHES:
        CRASHES[seed]()
    elif kind == "hanging" and seed == 5:
        time.sleep(1000)
    elif kind == "faulty" and seed == 4:
        raise KeyError("nothing")
    elif kind == "once" and seed == 9:
        _end_once(Path(os.environ["PROGRAMS_ENDED_ONCE"]))


def _end_once(mark: Path) -> None:
    """End the process if it has not been ended before."""
    if not mark.exists():
        mark.touch()
        os._exit(1)
