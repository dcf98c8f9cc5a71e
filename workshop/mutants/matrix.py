"""The kill matrix: verdicts by mutant and cell, and the kills that follow from them."""

from __future__ import annotations

from dataclasses import dataclass, field

from workshop.mutants.worker import KILLS, MutantRun


@dataclass
class KillMatrix:
    """Verdicts by mutant and cell, and the verdicts that engines give when nothing is changed."""

    null: dict[str, dict[str, str]] = field(default_factory=dict)
    runs: dict[str, MutantRun] = field(default_factory=dict)

    def add(self, run: MutantRun) -> None:
        """Add the verdicts of a job to those of earlier jobs of the same mutant."""
        # A mutant has several jobs: its recorded cells, then others if none of these kills it any more.
        earlier = self.runs.get(run.mutant, MutantRun(run.mutant, run.engine))
        cells = {**earlier.cells, **run.cells}
        fault = earlier.fault or run.fault
        # The later verdict of a cell wins; the first fault stays.
        self.runs[run.mutant] = MutantRun(run.mutant, run.engine, cells, fault)

    def passes(self, engine: str, cell: str) -> bool:
        """Whether a cell passes on the engine as it is."""
        return self.null.get(engine, {}).get(cell) == "pass"

    def killers(self, mutant: str) -> list[str]:
        """The cells that pass on the engine as it is, and do not on the mutant."""
        run = self.runs.get(mutant)
        verdicts = run.cells.items() if run else ()
        return [c for c, verdict in verdicts if run and verdict in KILLS and self.passes(run.engine, c)]

    def killed(self) -> set[str]:
        """The mutants that some cell kills."""
        return {name for name in self.runs if self.killers(name)}

    def proved(self) -> set[str]:
        """The cells that kill some mutant."""
        return {cell for name in self.runs for cell in self.killers(name)}
