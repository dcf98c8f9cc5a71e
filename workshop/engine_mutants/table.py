"""The table of the record, docs/engine-mutants.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from conformance.sources import tomllib
from workshop.engine_mutants.engine_fault import PLAIN, SUBTLE, VERY_SUBTLE
from workshop.engine_mutants.record import Record, TriedMutant

__all__ = ["TABLE", "reason_of", "text_of", "write_table"]

TABLE = Path(__file__).parents[2] / "docs" / "engine-mutants.md"
_REASONS = Path(__file__).with_name("survivors.toml")

_HEAD = """# Mutants of PyTorch and JAX

<!-- Written by `python -m workshop engine-mutants`. -->

Public functions of PyTorch and JAX are wrapped so that they are wrong in one way, and the suite's behaviours are run.
How, and what plain, subtle and very subtle mean, is [decision 13](decisions/013-mutants-of-engines.md). Each mutant
has a witness, a program that shows it; {equal} generated ones have none, and are not counted.
"""


def write_table(record: Record) -> None:
    """Write the table."""
    TABLE.write_text(text_of(record), "utf-8")


def text_of(record: Record) -> str:
    """The table, by class and engine, by family, and the survivors."""
    parts = [_HEAD.format(equal=len(record.equal)), *_by_class(record), *_by_family(record), *_survivors(record)]
    return "\n".join(parts) + "\n"


def _row(title: str, mutants: list[TriedMutant]) -> str:
    caught = sum(bool(one.cell) for one in mutants)
    share = f"{100 * caught / len(mutants):.1f} %" if mutants else ""
    return f"| {title} | {len(mutants)} | {caught} | {share} |"


def _by_class(record: Record) -> Iterator[str]:
    yield "| class | mutants | caught | |\n|---|---|---|---|"
    every = list(record.tried.values())
    for library in sorted({one.library for one in every}):
        for grade in (PLAIN, SUBTLE, VERY_SUBTLE):
            yield _row(f"{library}: {grade}", [one for one in every if (one.library, one.grade) == (library, grade)])
    for grade in (PLAIN, SUBTLE, VERY_SUBTLE):
        yield _row(f"both: {grade}", [one for one in every if one.grade == grade])
    yield _row("all", every) + "\n"


def _by_family(record: Record) -> Iterator[str]:
    yield "| family | mutants | caught | |\n|---|---|---|---|"
    yield from _grouped(record, lambda one: one.family)
    yield "\n| function | mutants | caught | |\n|---|---|---|---|"
    yield from _grouped(record, lambda one: f"`{one.target}`")
    yield ""


def _grouped(record: Record, key: Callable[[TriedMutant], str]) -> Iterator[str]:
    every = list(record.tried.values())
    for name in sorted({key(one) for one in every}):
        yield _row(name, [one for one in every if key(one) == name])


def _survivors(record: Record) -> Iterator[str]:
    left = [one for one in record.tried.values() if not one.cell]
    yield f"## Survivors\n\n{len(left)} mutants are noticed by no cell. In brackets the witness.\n"
    reasons = Counter(reason_of(one) for one in left)
    for reason, count in sorted(reasons.items()):
        yield f"{reason} ({count}):\n"
        for one in left:
            if reason_of(one) == reason:
                yield f"- {one.grade}: `{one.mutant}` (`{one.witness}`)"
        yield ""


def reason_of(one: TriedMutant) -> str:
    """Why no cell notices a mutant: what survivors.toml says of its name, or what the record shows."""
    told = tomllib.loads(_REASONS.read_text("utf-8"))["survivors"] if _REASONS.exists() else {}
    for part, reason in told.items():
        if part in one.mutant:
            return str(reason)
    if not one.acted:
        return "No behaviour calls the function so: a behaviour is wanted"
    return "Behaviours call it so, and do not look at what is wrong: a sharper check is wanted"
