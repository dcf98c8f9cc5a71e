"""The first generated program that kills a mutant, and the signature of the difference."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from functools import cache, partial

import msgspec

from conformance.laws.comparison import without_warnings
from conformance.programs.batch import ProgramBatch
from conformance.programs.engine import LoadedEngine, engine_of
from conformance.programs.generator.generate import generate_program
from conformance.programs.program import Program, walk
from conformance.programs.program_trial import oracles_of, try_program
from conformance.programs.shrinking.signatures import signature
from workshop.isolation import Send, run_in_fork
from workshop.programs.program_mutant import ProgramMutant


class ProgramKill(msgspec.Struct, frozen=True, omit_defaults=True):
    """The kind and seed of the first program that kills a mutant, with the signature; without them it survives.

    `programs` counts those that were generated, of which some may not reach what is wrong, and are not run.
    """

    name: str
    programs: int
    kind: str = ""
    seed: int = -1
    signature: str = ""
    seconds: float = 0.0


def search(mutant: ProgramMutant, programs: int, first: int = 0, started: Send = lambda number: None) -> ProgramKill:
    """Run programs from the number `first` on, kinds in turn, until one kills the mutant or `programs` were generated.

    A program kills it if an oracle sees a difference on the mutant that it does not see without. `started` is called
    with the number of each program before it is run.
    """
    begun = time.process_time()
    engine = _with_second(mutant.engine, mutant.second)
    outcome = ProgramKill(mutant.name, programs)
    with without_warnings():
        for number in range(first, programs):
            started(number)
            # Kinds in turn, so that the number alone names a program: a fork resumes at the next.
            kind, seed = mutant.kinds[number % len(mutant.kinds)], number // len(mutant.kinds)
            program = generate_program(kind, seed)
            if _kills(mutant, program, seed, engine):
                signature = _signature(mutant, program, seed, engine)
                outcome = ProgramKill(mutant.name, number + 1, kind, seed, signature)
                break
    return msgspec.structs.replace(outcome, seconds=round(time.process_time() - begun, 2))


def search_in_fork(mutant: ProgramMutant, programs: int) -> ProgramKill:
    """The same in a separate process, so that a program that ends its process costs no other program."""
    if mutant.engine.startswith("jax"):
        # Its threads do not survive a fork.
        return search(mutant, programs)
    # A fork has none of the threads that PyTorch may have started, and would wait for them.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    _warm_up(mutant.engine, mutant.second, mutant.kinds)
    first = 0
    while True:
        end = run_in_fork(partial(_search_and_send, mutant, programs, first))
        if end.error:
            raise RuntimeError(end.error)
        if end.messages and isinstance(end.messages[-1], dict):
            return msgspec.convert(end.messages[-1], ProgramKill)
        # The last number that was sent is that of the program that ended the fork.
        first = end.messages[-1] + 1 if end.messages else first + 1


def _search_and_send(mutant: ProgramMutant, programs: int, first: int, send: Send) -> None:
    send(msgspec.to_builtins(search(mutant, programs, first, send)))


@cache
def _warm_up(engine: str, second: str, kinds: tuple[str, ...]) -> None:
    """Load the engines, and fill what they keep, once for all mutants."""
    with without_warnings():
        # A program of each kind imports and caches what others of it use.
        for kind in kinds:
            _difference(generate_program(kind, 0), 0, _with_second(engine, second))


def _with_second(engine: str, second: str) -> LoadedEngine:
    """The engine of a mutant, beside the one that gives the expected outcome, if there is one."""
    return replace(engine_of(engine), reference=engine_of(second) if second else None)


def _kills(mutant: ProgramMutant, program: Program, seed: int, engine: LoadedEngine) -> bool:
    forms = {step.form for step in walk(program.body)}
    if mutant.forms and not mutant.forms & forms:
        return False
    with mutant.opened(engine) as wrong:
        difference = _difference(program, seed, wrong)
    # The engine's real bugs are seen by some programs, and are no kills.
    return difference != ("", "") and difference != _difference(program, seed, engine)


def _difference(program: Program, seed: int, engine: LoadedEngine) -> tuple[str, str]:
    """The oracle that sees a difference, and its kind; empty words where all agree."""
    seen = try_program(program, engine, oracles_of(program, engine, seed)).failure
    return (seen.oracle, seen.difference.kind) if seen else ("", "")


def _signature(mutant: ProgramMutant, program: Program, seed: int, engine: LoadedEngine) -> str:
    with mutant.opened(engine) as wrong:
        shrunk = ProgramBatch(wrong).failure_in(program, seed)
    # What is wrong may change from run to run, as an error does that leaves a mode behind.
    return signature(*shrunk) if shrunk else "not seen again"
