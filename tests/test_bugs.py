"""Bugs of the catalogue: each fixed one, brought back, is killed by its cell; the table lists it for each bug."""

from __future__ import annotations

from importlib.util import find_spec

import pytest
from click.testing import CliRunner

from conformance.programs.engine import engine_of
from workshop.bugs.command import bugs, cells, seen_here
from workshop.bugs.fixed_bugs import FIXED_BUGS
from workshop.bugs.table import Bug, table
from workshop.laws.law_cells import Cells
from workshop.programs.command import population

ADAPTERS: dict[str, Cells] = {}


def _cells(engine: str) -> Cells:
    if engine != "reference" and not find_spec("torch"):
        pytest.skip(f"{engine} is not installed")
    if engine not in ADAPTERS:
        ADAPTERS[engine] = Cells(engine)
    return ADAPTERS[engine]


@pytest.mark.parametrize("name", FIXED_BUGS)
def test_a_fixed_bug_that_is_back_is_shown(name: str) -> None:
    """Its cell passes, fails while the bug is back, and passes again."""
    bug = FIXED_BUGS[name]
    cells = _cells(bug.engine)
    assert cells.passes(bug.cell)
    assert cells.failure(bug.cell, bug)
    assert cells.outcome(bug.cell).verdict.value == "pass"


def test_the_table_has_a_cell_a_program_or_a_reason_for_each() -> None:
    """Cells are there under these names; of present bugs at least 44 are shown, of fixed ones 46."""
    for bug in table().values():
        assert bool(bug.shown) != bool(bug.reason), bug.id
        assert not bug.cell or bug.cell in cells(), bug.id
    present, fixed = ([bug for bug in table().values() if bug.fixed is kind] for kind in (False, True))
    assert sum(bool(bug.shown) for bug in present) >= 44
    assert sum(bool(bug.shown) for bug in fixed) >= 46
    assert {bug.id for bug in fixed} >= set(FIXED_BUGS)


def test_a_program_shows_a_bug_by_an_oracle_or_on_a_mutant() -> None:
    """Of a present bug an oracle sees it; mutants of fixed ones are there under these names, on that engine."""
    for bug in table().values():
        if shown := bug.program:
            # A chain: one of both and not the other, and a mutant just where the bug is fixed.
            assert bool(shown.oracle) != bool(shown.mutant) == bug.fixed, bug.id
            assert not shown.mutant or shown.engine == population()[shown.mutant].engine, bug.id


def test_a_cell_shows_a_bug_only_with_its_message() -> None:
    """A cell that fails for another reason is no sign of the bug."""
    cell = "exact_values.reverse_mode_gives_the_exact_derivative[tanh]"
    engine = engine_of("reference")
    assert seen_here(engine, Bug("a", "The tail.", cell=cell, message="a tail"))[0]
    assert not seen_here(engine, Bug("b", "The zero.", cell=cell, message="a zero"))[0]


def test_an_unknown_bug_is_one_line() -> None:
    """With status 2."""
    done = CliRunner().invoke(bugs, ["--run", "pt0"])
    assert done.exit_code == 2
    assert "unknown bug 'pt0'" in done.output
