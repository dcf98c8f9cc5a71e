"""Cells of the suite that reach a mutant, run in this process on the adapters of a library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from functools import cached_property
from typing import Any

from conformance import collection, engines
from conformance.protocol import Adapter
from conformance.verdicts import Outcome, Verdict
from workshop.engine_mutants.population import EngineMutant
from workshop.engine_mutants.witnesses import reset
from workshop.engine_mutants.wrappers import Watch, watched
from workshop.isolation import results_in_forks
from workshop.laws.law_cells import every_cell
from workshop.timed_trial import preload, run_timed

# The columns of a library whose cells are run.
COLUMNS: Mapping[str, tuple[str, ...]] = {"torch": ("torch", "torch_func"), "jax": ("jax",)}
# The rows of the table of operations whose laws are run: those of the operations in targets_of_*_operations.py.
_NAMES = """
sin tanh exp sigmoid square atan sinh log sqrt reciprocal rsqrt multiply divide pow maximum add subtract where hypot
sum mean prod cumsum trace det inv softmax logsumexp matmul solve dot outer
"""
ROWS = tuple(_NAMES.split())
LAWS = (
    "derivatives.reverse_mode_gives_the_derivative",
    "derivatives.forward_mode_gives_the_derivative",
    "derivatives.reverse_over_reverse_gives_the_second_derivative",
    "transforms.the_gradient_of_vmap_is_the_gradient_of_the_loop",
    "complex_inputs.reverse_mode_gives_the_derivative_of_a_complex_operation",
    "precision.single_precision_agrees_with_double",
    "transforms.jit_changes_no_gradient",
    "layouts.broadcasting_sums_the_gradient",
    "layouts.one_array_in_two_arguments_has_the_sum_of_the_gradients",
)
_LIMIT_S = 20.0  # of computing, for a cell

# A column, and the id of a behaviour with its case.
Cell = tuple[str, str]


class ReachingCells:
    """All cells of a library's columns."""

    def __init__(self, library: str) -> None:
        preload(library)
        self.library = library
        self.adapters: dict[str, Adapter] = {name: engines.load(engines.parse(name)) for name in COLUMNS[library]}
        self.behaviours = {**collection.cells(), **_laws(library)}
        # What a mode leaves behind is for the checks to detect, not for the harness.
        for adapter in self.adapters.values():
            adapter.global_state = dict  # type: ignore[method-assign]

    @cached_property
    def all(self) -> list[Cell]:
        """Every cell of every column; laws on operations in the first only."""
        # The laws ask both columns of PyTorch the same operations.
        first = COLUMNS[self.library][0]
        laws = _laws(self.library)
        return [
            (column, cell)
            for column in self.adapters
            for cell in self.behaviours
            if column == first or cell not in laws
        ]

    def outcome(self, cell: Cell) -> Outcome:
        """The outcome of a cell, now."""
        behaviour, case = self.behaviours[cell[1]]
        reset(self.library)
        try:
            return run_timed(behaviour, self.adapters[cell[0]], case, _LIMIT_S)
        finally:
            reset(self.library)

    def passing(self) -> list[Cell]:
        """The cells that pass while nothing is wrong."""

        def passes(cell: Cell) -> bool:
            return self.outcome(cell).verdict is Verdict.PASS

        # JAX has threads, which a fork does not have.
        by_cell = {c: passes(c) for c in self.all} if self.library == "jax" else results_in_forks(self.all, passes)
        return [cell for cell, does in by_cell.items() if does]

    def acting(self, mutants: Sequence[EngineMutant], cells: Sequence[Cell]) -> dict[str, list[Cell]]:
        """For each mutant the cells in which it would act, seen while nothing is wrong."""
        by_target: dict[str, list[EngineMutant]] = {}
        for mutant in mutants:
            by_target.setdefault(mutant.target.name, []).append(mutant)
        watches = {name: Watch([m.fault for m in of_target], live=False) for name, of_target in by_target.items()}
        acting: dict[str, list[Cell]] = {mutant.name: [] for mutant in mutants}
        with ExitStack() as stack:
            for name, of_target in by_target.items():
                stack.enter_context(watched(of_target[0].target, watches[name]))
            for cell in cells:
                # Calls are counted per cell: a second call in another cell is a first.
                for watch in watches.values():
                    watch.begin()
                self.outcome(cell)
                for name, watch in watches.items():
                    for text in watch.acted:
                        acting[f"{name}: {text}"].append(cell)
        return acting

    def citing(self, name: str) -> set[str]:
        """The cells whose behaviours cite a public name, as a page or as a section."""
        return {
            cell
            for cell, (behaviour, _) in self.behaviours.items()
            if any(name in (citation.page, citation.section) for citation in behaviour.citations)
        }


def _laws(library: str) -> dict[str, Any]:
    """The cells of the laws on the operations of the sample. JAX has no sample: it would compile each cell anew."""
    every = every_cell() if library == "torch" else {}
    return {f"{law}[{row}]": every[f"{law}[{row}]"] for row in ROWS for law in LAWS if f"{law}[{row}]" in every}
