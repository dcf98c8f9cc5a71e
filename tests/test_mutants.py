"""The mutants: the record says of every behaviour what it notices, and the machinery that runs mutants is sound."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from msgspec.structs import replace

from conformance import trial
from conformance.kills import MutantRecord, killed_by, recorded
from workshop.mutants.matrix import joined
from workshop.mutants.mutant import Mutant, MutantError, mutant, patched
from workshop.mutants.population import NULL, find, population
from workshop.mutants.sessions import Plan, excuses, plan
from workshop.mutants.worker import Worker, cells

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="mutants run in forks")


@pytest.fixture(scope="module")
def worker() -> Worker:
    """A reference engine, of which forks are made."""
    return Worker("reference")


@pytest.fixture(scope="module")
def session() -> Plan:
    """The population that behaviours reach, and the verdicts with nothing changed."""
    return plan(["reference"], [], workers=1)


def _of_reference(change: object, name: str = "reference:made_here") -> Mutant:
    return Mutant(name, "reference", "It is wrong.", "a test", contextmanager(change))  # type: ignore[arg-type]


# --- the record ---


def test_every_behaviour_notices_a_mutant() -> None:
    """Each cell is recorded as a killer, or excused."""
    killers = {cell for mutant in recorded().mutants for cell in mutant.killers}
    assert [cell for cell in cells() if cell not in killers and cell not in excuses().behaviours] == []


def test_every_recorded_mutant_exists_and_is_killed_by_behaviours_that_exist() -> None:
    """Names in the record are names of mutants and of cells."""
    suite = cells()
    for entry in recorded().mutants:
        assert entry.name in population(), f"{entry.name}: run python -m workshop.mutants --write"
        assert entry.killers, entry.name
        assert set(entry.killers) <= set(suite), f"{entry.name}: run python -m workshop.mutants --write"


def test_every_mutant_within_reach_is_recorded_or_excused(session: Plan) -> None:
    """Nothing lies where behaviours go, is noticed by none, and has no reason for it."""
    known = {entry.name for entry in recorded().mutants}
    assert [name for name in session.mutants if name not in known and not excuses().of(name)] == []


def test_there_are_enough_mutants_of_each_engine() -> None:
    """At least 150, and PyTorch and JAX among them."""
    engines = [entry.engine for entry in recorded().mutants]
    assert len(engines) >= 150
    assert engines.count("torch") >= 15
    assert engines.count("torch_func") >= 15
    assert engines.count("jax") >= 5


def test_every_excuse_is_a_sentence_about_something_that_exists() -> None:
    """Excuses have a reason of one of six kinds, and name mutants and cells."""
    used = {name for mutant in population() for name in excuses().of(mutant)}
    kinds = "Same|No verb|Not differentiation|Open|Undocumented|A finding"
    for name, reason in excuses().mutants.items():
        assert name in used, f"{name} is gone: delete its excuse"
        assert re.match(rf"({kinds})[^:]*: .*\.$", reason), f"{name}: {reason}"
    assert set(excuses().behaviours) <= set(cells())


def test_a_sample_of_the_record_is_proved_again(worker: Worker) -> None:
    """One pair in twelve, run here."""
    sample = [entry for entry in recorded().mutants if entry.engine == "reference"][::12]
    for entry in sample:
        done = worker.run(find(entry.name, "reference"), entry.killers[:1], False)
        assert done["fault"] == ""
        assert done["cells"][entry.killers[0]] in ("fail", "differs", "crash", "timeout"), entry.name


def test_the_most_telling_mutant_comes_first() -> None:
    """What few others notice says most about a behaviour."""
    one, two, three = recorded().mutants[:3]
    cell = one.killers[0]
    found = killed_by(cell, [one, two, three])
    assert one in found
    assert found == sorted(found, key=lambda m: (m.noticed, m.name))


# --- the machinery ---


def test_a_mutant_that_changes_nothing_kills_nothing(worker: Worker) -> None:
    """With nothing changed, every cell passes that is neither absent nor otherwise on the engine as it is."""
    done = worker.run(find(NULL, "reference"), list(worker.cells), True)
    assert done["fault"] == ""
    assert set(done["cells"]) == set(worker.cells)
    sample = {cell: worker.cells[cell] for cell in list(worker.cells)[::20]}
    as_it_is = {cell: trial.run(one, worker.adapter, case).verdict.value for cell, (one, case) in sample.items()}
    assert {cell: done["cells"][cell] for cell in sample} == as_it_is
    assert list(done["cells"].values()).count("pass") > 0.8 * len(worker.cells)


def test_a_behaviour_that_checks_nothing_notices_nothing(session: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cell that no run killed is named."""
    monkeypatch.setattr(session, "cells", [*session.cells, "made.up"])
    monkeypatch.setitem(session.null["reference"], "made.up", "pass")  # type: ignore[arg-type]
    assert "made.up" in session.unproved()


def test_a_mutant_that_does_not_restore_is_broken(worker: Worker) -> None:
    """The digest tells what is left changed."""

    def leaving() -> Iterator[None]:
        from reference_engine.core.tensor import Tensor

        Tensor.detach = lambda x: x  # type: ignore[method-assign,assignment]
        yield

    done = worker.run(_of_reference(leaving), list(worker.cells)[:1], False)
    assert "Tensor.detach" in done["fault"]


def test_an_endless_loop_is_ended(worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    """A mutant that loops is killed by a timeout, within the limit."""

    def looping() -> Iterator[None]:
        from reference_engine.core.engine import Pass

        def run(old: object) -> object:
            def forever(*given: object) -> None:
                while True:
                    pass

            return forever

        with patched(Pass, "run", run):
            yield

    monkeypatch.setattr(worker, "limit", 0.2)
    began = time.perf_counter()
    done = worker.run(_of_reference(looping), ["accumulation.a_second_backward_adds_to_the_first"], False)
    assert list(done["cells"].values()) == ["timeout"]
    assert time.perf_counter() - began < 10


def test_a_crash_is_a_verdict_of_its_cell(worker: Worker) -> None:
    """A fork that dies says in which cell, and the others are still run."""

    def dying() -> Iterator[None]:
        import os

        from reference_engine.core.engine import Pass

        with patched(Pass, "run", lambda old: lambda *given: os.abort()):
            yield

    wanted = ["accumulation.a_second_backward_adds_to_the_first", "accumulation.there_is_no_gradient_before_backward"]
    done = worker.run(_of_reference(dying), wanted, True)
    assert done["cells"] == {wanted[0]: "crash", wanted[1]: "pass"}


def test_a_mutant_whose_own_code_does_not_fit_proves_nothing(worker: Worker) -> None:
    """An engine that calls a mutant with arguments that it does not take is not wrong, and no kill."""

    def made_here() -> Iterator[None]:
        from reference_engine.core.engine import Pass

        with patched(Pass, "run", lambda old: lambda: None):
            yield

    cell = "accumulation.a_second_backward_adds_to_the_first"
    assert worker.run(_of_reference(made_here), [cell], True)["cells"] == {cell: "error"}


def test_a_leaking_mode_does_not_blame_the_next_cell(worker: Worker) -> None:
    """A cell that leaves recording off ends its fork; a cell that has nothing to do with it passes."""
    name = next(n for n in population() if "does_not_restore" in n and "modes._Mode.__exit__" in n)
    wanted = ["modes.nothing_requires_grad_under_no_grad", "gradients.each_input_has_its_own_gradient"]
    done = worker.run(find(name, "reference"), wanted, True)
    assert done["cells"] == dict.fromkeys(wanted, "pass")


def test_patching_what_is_gone_fails_loudly() -> None:
    """A mutant whose target was renamed says so."""
    with pytest.raises(MutantError, match="no 'never_was'"), patched(Mutant, "never_was", lambda old: old):
        pass


def test_a_mutant_needs_a_docstring_that_says_what_it_models() -> None:
    """What is wrong, and which mistake that is."""
    with pytest.raises(MutantError, match="needs a docstring"):
        mutant("reference")(lambda: iter(()))


def test_every_mutant_opens_and_closes_again(session: Plan, worker: Worker) -> None:
    """A tenth of the population: what it changes is loaded, and comes back as it was."""
    import reference_engine  # noqa: F401
    from workshop.mutants.digest import difference, digest, modes

    before, switches = digest("reference"), modes("reference", worker.adapter)
    for entry in list(session.mutants.values())[::10]:
        with entry.change():
            changed = difference(before, digest("reference")) or modes("reference", worker.adapter) != switches
            assert changed, f"{entry.name} changes nothing"
        assert not difference(before, digest("reference")), entry.name


def test_the_command_names_the_mutants_of_a_behaviour() -> None:
    """An author asks what a new behaviour notices, and is told."""
    cell = "gradients.a_program_that_ignores_an_input"
    command = [sys.executable, "-m", "workshop.mutants", "--engine", "reference", "--behaviour", cell]
    done = subprocess.run([*command, "--only", "does_not_raise"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{cell}: notices" in done.stdout
    assert "autograd.gradients._complete" in done.stdout


def test_the_command_refuses_what_it_does_not_know() -> None:
    """One line, and exit status 2."""
    command = [sys.executable, "-m", "workshop.mutants", "--engine", "reference"]
    done = subprocess.run([*command, "--only", "no such mutant"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "no such mutant" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_record_is_a_line_per_mutant() -> None:
    """So that a change of the record can be read."""
    from conformance import kills

    lines = (kills.files("conformance") / "kills.json").read_text("utf-8").splitlines()
    assert len(lines) == len(recorded().mutants) + 2
    assert json.loads(lines[1].rstrip(","))["name"] == recorded().mutants[0].name


def test_new_cells_join_the_record_and_the_rest_of_it_stays() -> None:
    """What a cell noticed before gives way to what it notices now, and not what it noticed of mutants not asked."""
    old = MutantRecord("m", "torch", "what", "models", 7, ["old", "asked"])
    only = replace(old, name="only", noticed=1, killers=["asked"])
    other = replace(old, name="of another engine", noticed=1, killers=["asked"])
    asked = ["m", "only", "another"]
    found = [replace(old, noticed=1, killers=["new"]), replace(old, name="another", noticed=1, killers=["asked"])]
    kept = {m.name: (m.noticed, m.killers) for m in joined([old, only, other], found, ["new", "asked"], asked)}
    assert kept == {"m": (7, ["old", "new"]), "another": (1, ["asked"]), "of another engine": (1, ["asked"])}
