"""Records of populations of mutants: a letter for each, and a note for each survivor.

A record has a section per population, with a line per group (a public function, a family): a digest of the names of its
mutants, their outcomes in the order of the population, and the survivors by name. Names of killed mutants are not
stored: the population has them. Where the digest differs the population has changed, and the group counts as not run.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import msgspec

# `UNREACHED` survives as nothing calls what is wrong; `EQUAL` has no witness, and is not counted.
KILLED, SURVIVES, UNREACHED, EQUAL, NOT_RUN = "k", "s", "u", "=", "?"

Groups = Mapping[str, Sequence[str]]


class MutantOutcome(NamedTuple):
    """The outcome of a mutant as a letter; of a survivor a note, such as its witness."""

    letter: str
    note: str = ""


class MutantGroup(msgspec.Struct, frozen=True, omit_defaults=True):
    """The mutants of a group: digest of their names, a letter each, notes of survivors by name."""

    names: str
    outcomes: str
    survivors: dict[str, str] = {}


def grouped(groups: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Names by group, in their order."""
    names: dict[str, list[str]] = {}
    for group, name in groups:
        names.setdefault(group, []).append(name)
    return names


def read(path: Path) -> dict[str, dict[str, MutantGroup]]:
    """The sections of a record; none if there is no file."""
    return msgspec.json.decode(path.read_bytes(), type=dict[str, dict[str, MutantGroup]]) if path.exists() else {}


def read_outcomes(path: Path, section: str, groups: Groups) -> dict[str, MutantOutcome]:
    """The recorded outcomes of a population by name. Mutants of groups that have changed are left out."""
    recorded = read(path).get(section, {})
    outcomes = {}
    for group, names in groups.items():
        # Letters mean nothing without the names: a new or renamed mutant makes the whole group unknown.
        if group in recorded and recorded[group].names == _digest(names):
            notes = recorded[group].survivors
            for name, letter in zip(names, recorded[group].outcomes, strict=True):
                if letter != NOT_RUN:
                    outcomes[name] = MutantOutcome(letter, notes.get(name, ""))
    return outcomes


def write_outcomes(path: Path, section: str, groups: Groups, outcomes: Mapping[str, MutantOutcome]) -> None:
    """Write the section of a population, and keep the others."""
    made = {group: _group(names, outcomes) for group, names in sorted(groups.items())}
    # Runs of other libraries keep their lines.
    sections = {**read(path), section: made}
    parts = [f"{_json(name)}: {{\n{_lines(sections[name])}\n}}" for name in sorted(sections)]
    path.write_text("{\n" + ",\n".join(parts) + "\n}\n", "utf-8")


def _group(names: Sequence[str], outcomes: Mapping[str, MutantOutcome]) -> MutantGroup:
    of_group = [outcomes.get(name, MutantOutcome(NOT_RUN)) for name in names]
    notes = {
        name: outcome.note
        for name, outcome in zip(names, of_group, strict=True)
        if outcome.letter in (SURVIVES, UNREACHED)
    }
    return MutantGroup(_digest(names), "".join(outcome.letter for outcome in of_group), notes)


def _digest(names: Sequence[str]) -> str:
    return sha256("\n".join(names).encode()).hexdigest()[:12]


def _lines(groups: Mapping[str, MutantGroup]) -> str:
    # A line for each group: two runs that change different groups do not conflict.
    return ",\n".join(f"{_json(name)}: {_json(group)}" for name, group in groups.items())


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
