"""The mutants: the record has a mutant that each behaviour kills, and the machinery that runs mutants is sound."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from conformance import trial
from conformance.collection import cells
from conformance.mutants import described, killed_by, recorded
from tests.systems import posix
from workshop.mutant import Mutant, MutantError, by_patch, by_replacing, mutant, patched
from workshop.mutants import source
from workshop.mutants.exemptions import exemptions
from workshop.mutants.kill_record import RECORD, key_of, renewed, texts
from workshop.mutants.population import NULL, find, population
from workshop.mutants.sessions import Session
from workshop.mutants.sessions import session as opened
from workshop.mutants.worker import Worker

pytestmark = posix


@pytest.fixture(scope="module")
def worker() -> Worker:
    """A reference engine, of which forks are made."""
    return Worker("reference")


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    """The population that behaviours reach."""
    with opened(["reference"], [], workers=1) as chosen:
        yield chosen


@pytest.fixture(scope="module")
def keys() -> dict[str, str]:
    """The names of all mutants by what the record calls them."""
    return {key_of(name): name for name in population()}


def _of_reference(change: object, name: str = "reference:made_here") -> Mutant:
    return Mutant(name, "reference", "It is wrong.", by_patch(contextmanager(change)))  # type: ignore[arg-type]


# --- the record ---


def test_every_behaviour_kills_a_mutant() -> None:
    """Each cell has a mutant in the record, or is exempt."""
    assert [cell for cell in cells() if cell not in recorded() and cell not in exemptions().behaviours] == []


def test_no_two_mutants_have_the_same_key(keys: dict[str, str]) -> None:
    """A digest of six digits distinguishes mutants of the same fault and place."""
    assert len(keys) == len(population())


def test_the_record_names_mutants_and_cells_that_exist(keys: dict[str, str]) -> None:
    """Anything else is pruned by refresh."""
    named = {key for keys in recorded().values() for key in keys}
    assert named - set(keys) == set(), "run: python -m workshop refresh"
    assert set(recorded()) - set(cells()) == set(), "run: python -m workshop refresh"


def test_every_mutant_within_reach_is_recorded_or_exempt(session: Session) -> None:
    """No mutant lies where behaviours go, survives, and has no reason for it."""
    known = {key for keys in recorded().values() for key in keys}
    missing = [name for name in session.mutants if key_of(name) not in known and not exemptions().of(name)]
    assert missing == [], "run: python -m workshop refresh --mutants"


def test_there_are_enough_mutants_of_each_engine() -> None:
    """At least 150, and PyTorch and JAX among them."""
    engines = [key.partition(":")[0] for key in {key for keys in recorded().values() for key in keys}]
    assert len(engines) >= 150
    assert engines.count("torch") >= 15
    assert engines.count("torch_func") >= 15
    assert engines.count("jax") >= 5


def test_every_exemption_is_a_sentence_about_something_that_exists() -> None:
    """Exemptions have a reason of six kinds, and name mutants and cells."""
    used = {name for mutant in population() for name in exemptions().of(mutant)}
    kinds = "Same|No verb|Not differentiation|Open|Undocumented|A finding"
    for name, reason in exemptions().mutants.items():
        assert name in used, f"{name} is gone: delete its exemption"
        assert re.match(rf"({kinds})[^:]*: .*\.$", reason), f"{name}: {reason}"
    assert set(exemptions().behaviours) <= set(cells())


def test_a_key_in_words() -> None:
    """Engine, fault and place; no digest."""
    assert described("torch:detach_copies") == "torch: detach copies"
    assert described("reference:wrong_sign rules.elementary 12ab34") == "reference: wrong sign in rules.elementary"
    assert killed_by(["no.such_cell"]) == []


def test_the_files_are_what_the_record_makes() -> None:
    """Sorted, a line per cell: a new behaviour adds a line to a file, wherever it is written."""
    written = {path.name: path.read_text("utf-8") for path in RECORD.glob("*.json")}
    assert texts(dict(reversed(recorded().items()))) == written


def test_a_renewed_record_keeps_what_holds() -> None:
    """Kills that still hold stay; a pair that was run and is no kill goes; a new kill gets a line."""
    before = {"a.one": ["m", "dead"], "a.two": ["m2"], "a.gone": ["m"]}
    killers = {"m": ["a.one", "a.two"], "m2": [], "m3": ["a.two", "a.new"]}
    run = {("m", "a.one"), ("m", "a.two"), ("m2", "a.two"), ("m3", "a.new")}
    record = renewed(before, killers, run, {"m", "m2", "m3"}, ["a.one", "a.two", "a.new"])
    assert record == {"a.one": ["m"], "a.two": ["m"], "a.new": ["m3"]}


# --- the machinery ---


def test_a_mutant_that_changes_nothing_kills_nothing(worker: Worker) -> None:
    """With nothing changed, every cell passes that is neither absent nor otherwise on the engine as it is."""
    done = worker.run(find(NULL, "reference"), list(worker.cells), True)
    assert done.fault == ""
    assert set(done.cells) == set(worker.cells)
    # The same cells in this process: a fork must not change a verdict.
    sample = {cell: worker.cells[cell] for cell in list(worker.cells)[::20]}
    as_it_is = {
        cell: trial.run(behaviour, worker.adapter, case).verdict.value for cell, (behaviour, case) in sample.items()
    }
    assert {cell: done.cells[cell] for cell in sample} == as_it_is
    # With most cells absent, nothing could have been killed.
    assert list(done.cells.values()).count("pass") > 0.75 * len(worker.cells)


def test_a_behaviour_that_checks_nothing_kills_nothing(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cell that no run killed is named."""
    monkeypatch.setattr(session, "cells", ["made.up"])
    monkeypatch.setitem(session.matrix.null.setdefault("reference", {}), "made.up", "pass")
    assert session.unproved() == ["made.up"]


def test_an_endless_loop_is_ended(worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    """A mutant that loops is killed by a timeout, within the limit."""

    def looping() -> Iterator[None]:
        from reference_engine.core.engine import Pass

        def run(old: object) -> object:
            def forever(*args: object) -> None:
                while True:
                    pass

            return forever

        with patched(Pass, "run", run):
            yield

    # Instead of two seconds; a process that waits without computing would get ten times as long.
    monkeypatch.setattr(worker, "limit", 0.2)
    began = time.perf_counter()
    done = worker.run(_of_reference(looping), ["accumulation.a_second_backward_adds_to_the_first"], False)
    assert list(done.cells.values()) == ["timeout"]
    assert time.perf_counter() - began < 10


def test_a_crash_is_a_verdict_of_its_cell(worker: Worker) -> None:
    """A fork that dies has sent in which cell, and the others are still run."""

    def dying() -> Iterator[None]:
        import os

        from reference_engine.core.engine import Pass

        with patched(Pass, "run", lambda old: lambda *args: os.abort()):
            yield

    wanted = ["accumulation.a_second_backward_adds_to_the_first", "accumulation.there_is_no_gradient_before_backward"]
    done = worker.run(_of_reference(dying), wanted, True)
    # The second cell goes through no graph, and so never meets the mutant.
    assert done.cells == {wanted[0]: "crash", wanted[1]: "pass"}


def test_a_mutant_whose_own_code_does_not_fit_proves_nothing(worker: Worker) -> None:
    """An engine that calls a mutant with arguments that it does not take is not wrong, and no kill."""

    def made_here() -> Iterator[None]:
        from reference_engine.core.engine import Pass

        with patched(Pass, "run", lambda old: lambda: None):
            yield

    cell = "accumulation.a_second_backward_adds_to_the_first"
    # An error is no kill (worker.KILLS).
    assert worker.run(_of_reference(made_here), [cell], True).cells == {cell: "error"}


def test_a_leaking_mode_does_not_blame_the_next_cell(worker: Worker) -> None:
    """A cell that leaves recording off ends its fork; a cell that has nothing to do with it passes."""
    # Looked up by parts of its name, which has the text of a line in it.
    name = next(n for n in population() if "does_not_restore" in n and "modes._Mode.__exit__" in n)
    wanted = ["modes.nothing_requires_grad_under_no_grad", "gradients.each_input_has_its_own_gradient"]
    done = worker.run(find(name, "reference"), wanted, True)
    assert done.cells == dict.fromkeys(wanted, "pass")


@pytest.mark.parametrize("target", ["workshop.mutant.Mutant.never_was", "workshop.never_was.name"])
def test_the_error_for_a_target_that_is_gone_names_it(target: str) -> None:
    """The error of a mutant whose target was renamed has its name."""
    with pytest.raises(MutantError, match="never_was' any more"), by_replacing([target], lambda old: old)(None):
        pass


def test_a_mutant_needs_a_docstring_with_its_mistake() -> None:
    """Each complaint, and the mistake behind it."""
    with pytest.raises(MutantError, match="needs a docstring"):
        mutant("reference")(lambda: iter(()))


def test_generated_mutants_change_functions_and_restore_them(session: Session, worker: Worker) -> None:
    """A tenth of the population: what it changes is loaded, and comes back as it was."""
    functions = [function for functions in source._loaded().values() for function in functions]

    def state() -> list[object]:
        return [(f.__code__, f.__defaults__, f.__kwdefaults__) for f in functions]

    before = state()
    # A sample: each compiles a module twice.
    for entry in [entry for entry in session.mutants.values() if entry.family][::10]:
        with entry.change(worker.adapter):
            assert state() != before, f"{entry.name} changes nothing"
        assert state() == before, entry.name


def _mutants(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "workshop", "mutants", "--engine", "reference", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_command_names_the_mutants_of_a_behaviour() -> None:
    """An author sees which mutants a new behaviour kills."""
    cell = "gradients.an_unused_input"
    done = _mutants("--behaviour", cell, "--only", "does_not_raise")
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{cell}: kills" in done.stdout
    assert "autograd.gradients._complete" in done.stdout


def test_the_error_for_an_unknown_mutant_is_one_line() -> None:
    """And exit status 2."""
    done = _mutants("--only", "no such mutant")
    assert done.returncode == 2
    assert "no such mutant" in done.stderr
    assert "Traceback" not in done.stderr
