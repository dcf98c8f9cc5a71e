"""Mutants of PyTorch and JAX: classes, the wrappers, the record, and the table that is made of it."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from tests.systems import posix
from workshop.engine_mutants.conditions import ALWAYS, SECOND_CALL, both, has
from workshop.engine_mutants.engine_fault import PLAIN, SUBTLE, VERY_SUBTLE, Call, EngineFault
from workshop.engine_mutants.population import RECORD, EngineMutant
from workshop.engine_mutants.table import RecordedMutant, text_of
from workshop.engine_mutants.target import Target
from workshop.mutant_record import (
    EQUAL,
    KILLED,
    SURVIVES,
    UNREACHED,
    MutantOutcome,
    read,
    read_outcomes,
    write_outcomes,
)

pytestmark = posix
ROOT = Path(__file__).parents[1]


def _json_of(program: str) -> Any:
    """Run a program in a separate process, as no engine is loaded here, and parse what it prints."""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, text=True, capture_output=True, check=True)
    # What an engine prints at its import comes before.
    return json.loads(done.stdout.splitlines()[-1])


# --- classes ---


def test_the_class_follows_from_the_conditions() -> None:
    """None is plain, one is subtle, two are very subtle, and a second call is so alone."""
    two = both(has("create_graph"), has("inputs"))
    of_conditions = (ALWAYS, has("create_graph"), two, SECOND_CALL, both(two, SECOND_CALL))
    grades = [EngineFault("", condition.weight, "", condition.when).grade for condition in of_conditions]
    assert grades == [PLAIN, SUBTLE, VERY_SUBTLE, VERY_SUBTLE, VERY_SUBTLE]


def test_an_option_counts_only_with_another_value_than_its_default() -> None:
    """Of the call itself, or of the one that returned the function that is called."""
    outer = Call((), {}, bound={"argnums": 1, "has_aux": False}, defaults={"argnums": 0, "has_aux": False})
    inner = Call((), {}, outer=outer)
    assert [has(name).when(inner) for name in ("argnums", "has_aux")] == [True, False]


def test_every_condition_of_a_pair_is_asked() -> None:
    """In the second call only, and with an option only."""
    pair = both(SECOND_CALL, has("a"))
    calls = [Call((), {}, {"a": a}, {"a": 0}, number=number) for number in (1, 2) for a in (0, 1)]
    assert [pair.when(call) for call in calls] == [False, False, False, True]
    assert pair.text == "in the second call with a"


# --- wrappers and kills ---

_KILLS = """
import json
from workshop.engine_mutants.reaching_cells import ReachingCells
from workshop.engine_mutants.population import population
from workshop.engine_mutants.kills import find_kills, find_witnesses
cells, wanted = ReachingCells("torch"), %r
cells.behaviours = {name: cells.behaviours[name] for name in %r}
mutants = [population("torch")[name] for name in wanted]
witnesses = find_witnesses("torch", mutants)
kills = find_kills(cells, [(mutant, witnesses[mutant.name]) for mutant in mutants])
print(json.dumps([[kill.mutant.name, kill.cell] for kill in kills]))
"""


def test_mutants_are_killed_by_cells_about_them_and_survive_others() -> None:
    """A cell kills the mutant that has the fault it is about, and not the mutant of another option."""
    pytest.importorskip("torch", reason="PyTorch is wrapped here")
    about = "accumulation.a_second_backward_adds_to_the_first"
    names = ["torch.Tensor.backward: does nothing", "torch.Tensor.backward: ignores inputs"]
    assert _json_of(_KILLS % (names, [about])) == [[names[0], f"torch/{about}"], [names[1], ""]]


_NULL = """
import json
from contextlib import ExitStack
from workshop.engine_mutants.reaching_cells import ReachingCells
from workshop.engine_mutants.population import population
from workshop.engine_mutants.wrappers import Watch, watched
from workshop.isolation import results_in_forks
cells = ReachingCells("torch")
sample = cells.all[::40]
targets = {m.target.name: m.target for m in population("torch").values()}
def verdicts():
    return list(results_in_forks(sample, lambda cell: cells.outcome(cell).verdict.value).values())
plain = verdicts()
with ExitStack() as stack:
    for target in targets.values():
        stack.enter_context(watched(target, Watch([])))
    wrapped = verdicts()
print(json.dumps([len(plain), [n for n, (a, b) in enumerate(zip(plain, wrapped)) if a != b]]))
"""


def test_wrappers_that_change_nothing_kill_nothing() -> None:
    """A sample of cells has the same verdicts while all targets are wrapped."""
    pytest.importorskip("torch", reason="PyTorch is wrapped here")
    count, changed = _json_of(_NULL)
    # A sample that has become empty would prove nothing.
    assert count > 30
    assert changed == []


_POPULATION = """
import json
from workshop.engine_mutants.population import RECORD, groups, population
from workshop.mutant_record import read_outcomes
mutants = population("torch")
recorded = read_outcomes(RECORD, "torch", groups(mutants.values()))
print(json.dumps(sorted({m.target.name for name, m in mutants.items() if name not in recorded})))
"""

# --- the record and the table ---


def _recorded(*rows: tuple[str, str, int, MutantOutcome]) -> list[RecordedMutant]:
    return [
        RecordedMutant(
            EngineMutant(
                f"{target}: {fault.text}",
                target.partition(".")[0],
                "It is wrong.",
                nullcontext,
                "result",
                target=Target(target, target.partition(".")[0]),
                fault=fault,
            ),
            outcome,
        )
        for target, text, weight, outcome in rows
        for fault in [EngineFault(text, weight, "result", lambda call: True)]
    ]


def test_the_record_has_enough_mutants() -> None:
    """At least 600 with a witness, of both libraries; 95 in a hundred are killed, and each survivor has its witness."""
    sections = read(RECORD)
    assert set(sections) == {"torch", "jax"}
    groups = [group for section in sections.values() for group in section.values()]
    letters = "".join(group.outcomes for group in groups)
    assert len(letters) - letters.count(EQUAL) >= 600
    assert letters.count(KILLED) >= 0.95 * (len(letters) - letters.count(EQUAL))
    survivors = [witness for group in groups for witness in group.survivors.values()]
    assert len(survivors) == letters.count(SURVIVES) + letters.count(UNREACHED)
    assert all(survivors)


def test_the_record_is_of_the_mutants_that_there_are() -> None:
    """No public function has other faults than when it was recorded."""
    pytest.importorskip("torch", reason="its signatures give the mutants")
    assert _json_of(_POPULATION) == []


def test_a_table_counts_kills_and_lists_survivors() -> None:
    """By class, family and function; a mutant without a witness is not counted."""
    text = text_of(
        _recorded(
            ("torch.a", "is doubled", 0, MutantOutcome(KILLED)),
            ("torch.a", "is lost", 1, MutantOutcome(UNREACHED, "w()")),
            ("jax.b", "is lost", 1, MutantOutcome(SURVIVES, "w()")),
            ("jax.b", "is doubled", 1, MutantOutcome(EQUAL)),
        )
    )
    assert "| torch: plain | 1 | 1 | 100.0 % |" in text
    assert "| all | 3 | 1 | 33.3 % |" in text
    assert "| `torch.a` | 2 | 1 | 50.0 % |" in text
    assert "2 mutants survive" in text
    assert "a behaviour is wanted (1):\n\n- subtle: `torch.a: is lost` (`w()`)" in text
    assert "a sharper check is wanted (1):\n\n- subtle: `jax.b: is lost` (`w()`)" in text


def test_a_record_gives_back_what_was_written(tmp_path: Path) -> None:
    """Sections of other populations stay; a group whose mutants have changed counts as not run."""
    path, groups = tmp_path / "record.json", {"a": ["a: x", "a: y"], "b": ["b: x", "b: y"]}
    outcomes = {
        "a: x": MutantOutcome(KILLED),
        "a: y": MutantOutcome(SURVIVES, "w()"),
        "b: y": MutantOutcome(EQUAL),
    }
    write_outcomes(path, "torch", groups, outcomes)
    write_outcomes(path, "jax", {"c": ["c: x"]}, {"c: x": MutantOutcome(UNREACHED, "w()")})
    assert read_outcomes(path, "torch", groups) == outcomes
    assert read_outcomes(path, "jax", {"c": ["c: x"]}) == {"c: x": MutantOutcome(UNREACHED, "w()")}
    # Outcomes are letters by place in a group, which mean nothing when one of its mutants is another.
    renamed = {"a": ["a: x", "a: z"], "b": groups["b"]}
    assert read_outcomes(path, "torch", renamed) == {"b: y": MutantOutcome(EQUAL)}
