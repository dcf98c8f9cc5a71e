"""Tries programs on a mutant: the first seed whose program shows it, and the signature of what is found."""

from __future__ import annotations

import multiprocessing
import os
import time
import warnings
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any

import msgspec
import numpy

from conformance.programs.batch import findings_of
from conformance.programs.engine import LoadedEngine, engine_of
from conformance.programs.generator.generate import generated
from conformance.programs.program import Program, walk
from conformance.programs.trying import applying, tried
from workshop.programs.program_mutant import ProgramMutant

__all__ = ["Shown", "isolated", "searched"]


class Shown(msgspec.Struct, frozen=True, omit_defaults=True):
    """What came of a mutant: the kind and the seed of the first program that shows it, and the signature.

    `programs` counts those that were drawn, of which some may not reach what is wrong, and are not run.
    """

    name: str
    family: str
    engine: str
    what: str
    programs: int
    kind: str = ""
    seed: int = -1
    signature: str = ""
    seconds: float = 0.0


def searched(
    mutant: ProgramMutant, programs: int, first: int = 0, started: Callable[[int], Any] = lambda number: None
) -> Shown:
    """Try programs, kinds in turn, from the first on until a number of them were drawn, or one shows the mutant.

    A program shows it that has a finding with the mutant, which it has not without. `started` is called with the number
    of each program before it is tried.
    """
    begun = time.process_time()
    engine, second = engine_of(mutant.engine), engine_of(mutant.second) if mutant.second else None
    told = Shown(mutant.name, mutant.family, mutant.engine, mutant.what, programs)
    with warnings.catch_warnings(), numpy.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for number in range(first, programs):
            started(number)
            kind, seed = mutant.kinds[number % len(mutant.kinds)], number // len(mutant.kinds)
            program = generated(kind, seed)
            if _shows(mutant, program, seed, engine, second):
                name = _signature(mutant, program, seed, engine, second)
                told = msgspec.structs.replace(told, programs=number + 1, kind=kind, seed=seed, signature=name)
                break
    return msgspec.structs.replace(told, seconds=round(time.process_time() - begun, 2))


def isolated(mutant: ProgramMutant, programs: int) -> Shown:
    """The same in a separate process, which a program that ends it costs no more than that program."""
    if mutant.engine.startswith("jax"):
        # Its threads do not survive a fork.
        return searched(mutant, programs)
    # A fork has none of the threads that PyTorch may have started, and would wait for them.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    _warmed(mutant.engine, mutant.second, mutant.kinds)
    context = multiprocessing.get_context("fork")
    number, first = context.Value("l", 0), 0
    while True:
        here, there = context.Pipe(duplex=False)
        child = context.Process(target=_child, args=(mutant, programs, first, number, there))
        child.start()
        there.close()
        try:
            return msgspec.json.decode(here.recv_bytes(), type=Shown)
        except EOFError:
            first = number.value + 1
        finally:
            child.join()


@cache
def _warmed(engine: str, second: str, kinds: tuple[str, ...]) -> None:
    """Load the engines, and fill what they keep, once for all mutants."""
    with warnings.catch_warnings(), numpy.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for kind in kinds:
            _found(generated(kind, 0), 0, engine_of(engine), engine_of(second))


def _child(mutant: ProgramMutant, programs: int, first: int, number: Any, there: Any) -> None:
    def started(at: int) -> None:
        number.value = at

    there.send_bytes(msgspec.json.encode(searched(mutant, programs, first, started)))


def _shows(
    mutant: ProgramMutant, program: Program, seed: int, engine: LoadedEngine, second: LoadedEngine | None
) -> bool:
    forms = {step.form for _, step in walk(program.body)}
    if mutant.forms and not mutant.forms & forms:
        return False
    with mutant.change(engine) as wrong:
        found = _found(program, seed, wrong, second)
    return found != ("", "") and found != _found(program, seed, engine, second)


def _found(program: Program, seed: int, engine: LoadedEngine, second: LoadedEngine | None) -> tuple[str, str]:
    """The oracle that finds something, and the kind of difference."""
    found = tried(program, engine, second, applying(program, engine, seed)).found
    return (found.oracle, found.difference.kind) if found else ("", "")


def _signature(
    mutant: ProgramMutant, program: Program, seed: int, engine: LoadedEngine, second: LoadedEngine | None
) -> str:
    with mutant.change(engine) as wrong:
        found = findings_of(program, seed, wrong, second, (), Counter(), Counter())
    # What is wrong may change from run to run, as an error does that leaves a mode behind.
    return found.signature if found else "not found again"
