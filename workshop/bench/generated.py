"""Cost of generated programs, beside Hypothesis: `python -m workshop bench generated`.

The same generator makes the same kinds of programs from its own stream of numbers, and from the choices of Hypothesis,
in turns, in the same process: alone, and with all oracles of first order on PyTorch's eager mode.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import hypothesis
import numpy
from hypothesis import strategies as st
from rich.console import Console
from rich.table import Table

from conformance.laws.comparison import without_warnings
from conformance.programs.engine import engine_of
from conformance.programs.generator.draws import SeedStream, Weighted
from conformance.programs.generator.generate import draw_program, generate_program
from conformance.programs.oracles import FIRST_ORDER
from conformance.programs.program import Program
from conformance.programs.program_trial import try_program

T = TypeVar("T")
KINDS, KIND_TRIED = ("function", "writes", "tape"), "writes"
# Programs per turn, and turns.
GENERATED, TRIED, TURNS = 300, 100, 3


class HypothesisDraws(SeedStream):
    """The choices of Hypothesis, each by the strategy that fits."""

    def __init__(self, data: Any) -> None:
        self._data = data

    def unit(self) -> float:
        return float(self._data.draw(st.floats(0.0, 1.0, exclude_max=True)))

    def below(self, count: int) -> int:
        return int(self._data.draw(st.integers(0, count - 1)))

    def one_of(self, choices: Sequence[T]) -> T:
        return self._data.draw(st.sampled_from(choices))  # type: ignore[no-any-return]

    def happens(self, probability: float) -> bool:
        return self.unit() < probability

    def weighted(self, weighted: Weighted) -> str:
        at = self.unit() * weighted.sums[-1]
        return next(choice for choice, end in zip(weighted.choices, weighted.sums, strict=True) if at < end)


def by_hypothesis(kind: str, count: int, use: Callable[[Program], object]) -> int:
    """Let Hypothesis draw programs of a kind, and use each. Returns the number that it has drawn."""
    uses = 0

    @hypothesis.settings(  # type: ignore[untyped-decorator,unused-ignore]
        max_examples=count, database=None, deadline=None, phases=[hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck), verbosity=hypothesis.Verbosity.quiet,
    )  # fmt: skip
    @hypothesis.given(st.data())  # type: ignore[untyped-decorator,unused-ignore]
    def run(data: Any) -> None:
        nonlocal uses
        use(draw_program(kind, HypothesisDraws(data)))
        uses += 1

    run()
    return uses


def _by_numpy(kind: str, count: int, use: Callable[[Program], object]) -> int:
    for seed in range(count):
        use(generate_program(kind, seed))
    return count


def main() -> None:
    """Measure, and print programs per second of processor time of both, and ratios."""
    # Here, so that the other benches do not pay for it.
    import torch

    torch.set_num_threads(1)
    table = Table("what", "programs/s", "with Hypothesis", "ratio")
    for kind in KINDS:
        table.add_row(f"{kind}: generated", *_rates(kind, GENERATED, lambda program: None))
    table.add_row(f"{KIND_TRIED}: run on torch, oracles of first order", *_rates(KIND_TRIED, TRIED, _run_oracles))
    Console(width=140).print(table)


def _run_oracles(program: Program) -> None:
    with without_warnings():
        try_program(program, engine_of("torch"), tuple(FIRST_ORDER))


def _rates(kind: str, count: int, use: Callable[[Program], object]) -> tuple[str, str, str]:
    """The medians of both rates over all turns, and of their ratio within a turn."""
    # A first turn of both fills caches.
    _by_numpy(kind, 20, use), by_hypothesis(kind, 5, use)
    turns = [(_rate(_by_numpy, kind, count, use), _rate(by_hypothesis, kind, count, use)) for _ in range(TURNS)]
    ours, its, ratio = (float(numpy.median(turn)) for turn in (*zip(*turns, strict=True), [a / b for a, b in turns]))
    return f"{ours:.0f}", f"{its:.0f}", f"{ratio:.1f}"


def _rate(run: Callable[..., int], kind: str, count: int, use: Callable[[Program], object]) -> float:
    began = time.process_time()
    return run(kind, count, use) / (time.process_time() - began)
