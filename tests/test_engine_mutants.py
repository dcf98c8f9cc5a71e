"""Mutants of PyTorch and JAX: classes, the wrappers, the record, and the table that is made of it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from conformance.collection import cells
from tests.systems import posix
from workshop.engine_mutants import conditions
from workshop.engine_mutants.conditions import ALWAYS, SECOND_CALL, both, has
from workshop.engine_mutants.engine_fault import PLAIN, SUBTLE, VERY_SUBTLE, Call
from workshop.engine_mutants.record import Record, TriedMutant, read
from workshop.engine_mutants.table import TABLE, reason_of, text_of
from workshop.laws.law_cells import every_cell

pytestmark = posix
ROOT = Path(__file__).parents[1]


def _said(program: str) -> Any:
    """What a program prints as JSON, in a separate process: no engine is loaded here."""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, text=True, capture_output=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


# --- classes ---


def test_the_class_follows_from_the_conditions() -> None:
    """None is plain, one is subtle, two are very subtle, and a second call is so alone."""
    assert ALWAYS.grade == PLAIN
    assert has("create_graph").grade == SUBTLE
    assert both(has("create_graph"), has("inputs")).grade == VERY_SUBTLE
    assert SECOND_CALL.grade == VERY_SUBTLE


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
    assert conditions.Condition("", 3, lambda call: True).grade == VERY_SUBTLE


# --- wrappers and kills ---

_TRYING = """
import json
from workshop.engine_mutants.reaching_cells import ReachingCells
from workshop.engine_mutants.population import population
from workshop.engine_mutants.kills import tried, witnessed
cells, wanted = ReachingCells("torch"), %r
cells.behaviours = {name: cells.behaviours[name] for name in %r}
mutants = [population("torch")[name] for name in wanted]
shown = witnessed("torch", mutants)
print(json.dumps([[one.mutant, one.cell] for one in tried(cells, [(m, shown[m.name]) for m in mutants], {})]))
"""


def test_mutants_are_caught_by_cells_about_them_and_not_by_others() -> None:
    """Each is noticed by the cell that is about its fault; the cell of the other function notices none."""
    pytest.importorskip("torch", reason="PyTorch is wrapped here")
    about = "accumulation.a_second_backward_adds_to_the_first"
    names = ["torch.Tensor.backward: does nothing", "torch.Tensor.backward: ignores inputs"]
    assert _said(_TRYING % (names, [about])) == [[names[0], f"torch/{about}"], [names[1], ""]]


_NULL = """
import json
from contextlib import ExitStack
from workshop.engine_mutants.reaching_cells import ReachingCells
from workshop.engine_mutants.population import population
from workshop.engine_mutants.wrappers import Watch, watched
from workshop.engine_mutants.forking import each
cells = ReachingCells("torch")
sample = cells.all[::40]
targets = {m.target.name: m.target for m in population("torch").values()}
def verdicts():
    return [str(verdict) for verdict in each("torch", sample, lambda cell: cells.outcome(cell).verdict.value).values()]
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
    count, changed = _said(_NULL)
    assert count > 30
    assert changed == []


# --- the record and the table ---


def test_the_record_has_enough_mutants_each_with_a_witness() -> None:
    """At least 600, of both libraries and of each class."""
    every = list(read().tried.values())
    assert len(every) >= 600
    assert {one.library for one in every} == {"torch", "jax"}
    assert {one.grade for one in every} == {PLAIN, SUBTLE, VERY_SUBTLE}
    assert [one.mutant for one in every if not one.witness] == []
    assert set(read().tried) & set(read().equal) == set()


def test_the_cells_of_the_record_exist() -> None:
    """Each is a cell of a behaviour, or of a law on an operation."""
    named = {one.cell.partition("/")[2] for one in read().tried.values() if one.cell}
    assert named - set(cells()) - set(every_cell()) == set()


def test_kills_speak_of_numbers_flags_or_errors_of_the_engine() -> None:
    """No kill is an error of the wrappers: the message of each names no file or name of theirs."""
    told = [one.mutant for one in read().tried.values() if "engine_mutants" in one.message or "Watch" in one.message]
    assert told == []


def test_the_table_is_of_the_record() -> None:
    """It is written anew by the command."""
    assert TABLE.read_text("utf-8") == text_of(read()), "run: python -m workshop engine-mutants --table"


def test_a_record_forgets_mutants_that_are_gone() -> None:
    """Only of the libraries that were looked at; a mutant with a witness is no longer among those without."""
    record = Record({"torch.a: b": TriedMutant("torch.a: b", PLAIN, "result", "w()")}, ["torch.c: d", "jax.e: f"])
    found = [TriedMutant("torch.c: d", SUBTLE, "result", "w()", 1)]
    renewed = record.taken_in(found, [], {"torch.c: d"}, {"torch"})
    assert (list(renewed.tried), renewed.equal) == (["torch.c: d"], ["jax.e: f"])
    assert "sharper" in reason_of(renewed.tried["torch.c: d"])
