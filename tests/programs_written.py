"""Helpers of the tests of written programs: their seeds, and the interpreter's outcome for each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from conformance import trial
from conformance.behaviour import MAY, Behaviour
from conformance.collection import load_file
from conformance.laws.comparison import without_warnings
from conformance.programs.engine import engine_of
from conformance.programs.generator.generate import generate_program
from conformance.programs.generator.kinds import KINDS
from conformance.programs.observations import UNJUDGED, observed
from conformance.programs.program_trial import ProgramOutcome, ProgramTrial, oracles_of, try_program
from conformance.programs.source.checks import check_of
from conformance.programs.source.files import module_of
from conformance.scripts.trees import Underivable
from conformance.verdicts import Verdict


def compared(spec: str, kind: str, seeds: range, folder: Path) -> tuple[int, list[str]]:
    """The number of checks written of these seeds, and those with another outcome than the interpreter's."""
    with without_warnings():
        wanted = list(_written(spec, kind, seeds))
    path = folder / f"{kind}_of_{spec}.py"
    path.write_text(module_of(f"Programs of kind {kind}.", *(source for _, _, source in wanted)), encoding="utf-8")
    module, engine = load_file(path, f"_written_{kind}_of_{spec}"), engine_of(spec)
    wrong = []
    for name, fails, _ in wanted:
        check = Behaviour("programs", name, MAY, "A program.", (), getattr(module, name))
        outcome = trial.run(check, engine.adapter, declaration=engine.declaration)
        if outcome.verdict is not (Verdict.DIFFERS if fails else Verdict.PASS):
            wrong.append(f"{name}: {outcome.verdict.value} {outcome.message}")
    return len(wanted), wrong


def _written(spec: str, kind: str, seeds: range) -> Iterator[tuple[str, bool, str]]:
    """A name for each check, whether it is to fail, and its source."""
    engine = engine_of(spec, kind)
    for seed in seeds:
        program = generate_program(kind, seed)
        for oracle in oracles_of(program, engine, seed):
            expected = interpreted(spec, kind, seed, oracle)
            if expected.unsupported:
                continue
            try:
                source = check_of(program, oracle, engine, expected.failure, f"check_{seed}_{oracle}")
            except Underivable:
                continue
            yield f"check_{seed}_{oracle}", expected.failure is not None, source


def interpreted(spec: str, kind: str, seed: int, oracle: str) -> ProgramOutcome:
    """The interpreter's outcome; a program is unsupported, too, where the oracle itself raises a documented error."""
    engine, program = engine_of(spec, kind), generate_program(kind, seed)
    if KINDS[kind].tape:
        seen = observed(program, engine.ad).error
        return ProgramOutcome(UNJUDGED) if seen == UNJUDGED else try_program(program, engine, (oracle,))
    trial = ProgramTrial(program, engine)
    runs = trial.ask("runs")
    if runs.unsupported or runs.failure:
        return ProgramOutcome(runs.unsupported or "it does not run")
    if oracle != "reference":
        return trial.ask(oracle)
    try:
        trial.subject.gradient  # noqa: B018
    except Exception as error:
        return ProgramOutcome(str(error))
    return trial.ask(oracle)
