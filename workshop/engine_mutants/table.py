"""Tables of the record as Markdown: by class, by family, by function, and the survivors with their reasons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from conformance.sources import tomllib
from workshop.engine_mutants.engine_fault import PLAIN, SUBTLE, VERY_SUBTLE
from workshop.engine_mutants.population import RECORD, EngineMutant, groups, population
from workshop.mutant_record import EQUAL, KILLED, UNREACHED, MutantOutcome, read_outcomes

_REASONS = Path(__file__).with_name("survivors.toml")

_HEAD = """# Mutants of PyTorch and JAX

Public functions of PyTorch and JAX are wrapped so that they are wrong in one way, and the suite's behaviours are run.
Each mutant has a witness, a program that shows it; {equal} generated ones have none, and are not counted.
"""


class RecordedMutant(NamedTuple):
    """A mutant and its recorded outcome."""

    mutant: EngineMutant
    outcome: MutantOutcome


def table_of(libraries: Sequence[str]) -> str:
    """The tables of the libraries' records. The libraries are loaded for the names of their mutants."""
    recorded: list[RecordedMutant] = []
    for library in libraries:
        mutants = population(library)
        outcomes = read_outcomes(RECORD, library, groups(mutants.values()))
        recorded += [RecordedMutant(mutants[name], outcome) for name, outcome in outcomes.items()]
    return text_of(recorded)


def text_of(recorded: Sequence[RecordedMutant]) -> str:
    """The tables by class and library, by family and by function, and the survivors."""
    # Mutants without a witness are taken for equal: no share may count them.
    counted = [entry for entry in recorded if entry.outcome.letter != EQUAL]
    head = _HEAD.format(equal=len(recorded) - len(counted))
    parts = [head, *_by_class(counted), *_by_family(counted), *_survivors(counted)]
    return "\n".join(parts) + "\n"


def _row(title: str, recorded: Sequence[RecordedMutant]) -> str:
    killed = sum(outcome.letter == KILLED for _, outcome in recorded)
    share = f"{100 * killed / len(recorded):.1f} %" if recorded else ""
    return f"| {title} | {len(recorded)} | {killed} | {share} |"


def _by_class(recorded: Sequence[RecordedMutant]) -> Iterator[str]:
    yield "| class | mutants | killed | |\n|---|---|---|---|"
    libraries = sorted({mutant.engine for mutant, _ in recorded})
    # Each library alone, then all together.
    for names in (*([library] for library in libraries), libraries):
        of_libraries = [entry for entry in recorded if entry.mutant.engine in names]
        for grade in (PLAIN, SUBTLE, VERY_SUBTLE):
            yield _row(
                f"{', '.join(names)}: {grade}", [entry for entry in of_libraries if entry.mutant.fault.grade == grade]
            )
    yield _row("all", recorded) + "\n"


def _by_family(recorded: Sequence[RecordedMutant]) -> Iterator[str]:
    yield "| family | mutants | killed | |\n|---|---|---|---|"
    yield from _grouped(recorded, lambda mutant: mutant.family)
    yield "\n| function | mutants | killed | |\n|---|---|---|---|"
    yield from _grouped(recorded, lambda mutant: f"`{mutant.target.name}`")
    yield ""


def _grouped(recorded: Sequence[RecordedMutant], key: Callable[[EngineMutant], str]) -> Iterator[str]:
    for name in sorted({key(mutant) for mutant, _ in recorded}):
        yield _row(name, [entry for entry in recorded if key(entry.mutant) == name])


def _survivors(recorded: Sequence[RecordedMutant]) -> Iterator[str]:
    left = [entry for entry in recorded if entry.outcome.letter != KILLED]
    yield f"## Survivors\n\n{len(left)} mutants survive. In brackets the witness.\n"
    for reason, count in sorted(Counter(map(reason_of, left)).items()):
        yield f"{reason} ({count}):\n"
        for mutant, outcome in (entry for entry in left if reason_of(entry) == reason):
            yield f"- {mutant.fault.grade}: `{mutant.name}` (`{outcome.note}`)"
        yield ""


def reason_of(survivor: RecordedMutant) -> str:
    """Why a mutant survives: the reason in survivors.toml for a part of its name, or what the record shows."""
    reasons: Mapping[str, str] = tomllib.loads(_REASONS.read_text("utf-8"))["survivors"]
    for part, reason in reasons.items():
        # In the order of the file: a function's name stands before parts that several share.
        if part in survivor.mutant.name:
            return reason
    if survivor.outcome.letter == UNREACHED:
        return "No behaviour calls the function so: a behaviour is wanted"
    return "Behaviours call it so, and do not look at what is wrong: a sharper check is wanted"
