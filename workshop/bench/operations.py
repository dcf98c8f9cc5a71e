"""Cost of laws on operations: on PyTorch beside gradcheck, and on JAX by one compiled function beside eager mode.

Each pair runs on the same operations at the same points, in turns, in the same process, on one thread.
"""

from __future__ import annotations

import os
import random
import time
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import torch
from rich.console import Console
from rich.table import Table
from torch.autograd import gradcheck, gradgradcheck

from conformance import collection, trial
from conformance.engines import load_declared, parse
from conformance.laws import LAWS
from conformance.laws.judge import EAGER
from conformance.laws.operation_subject import OperationSubject
from conformance.operations import TABLE
from conformance.operations.row import Operation
from conformance.operations.samples import Sample, samples
from conformance.protocol import NotOffered
from conformance.verdicts import Outcome

ORDERS = {
    1: ("reverse_mode_gives_the_derivative", "forward_mode_gives_the_derivative"),
    2: tuple(
        f"{outer}_over_{inner}_gives_the_second_derivative"
        for outer in ("reverse", "forward")
        for inner in ("reverse", "forward")
    ),
}
# Operations of JAX, whose eager mode compiles each primitive for each shape.
DRAWN = 24


@dataclass
class Score:
    """Seconds of processor time of each side, and how many cells or checks it made."""

    seconds: dict[str, float] = field(default_factory=dict)
    count: dict[str, int] = field(default_factory=dict)

    def add(self, side: str, run: Callable[[], int]) -> None:
        """Time a side on an operation; `run` returns how many cells it judged."""
        began = time.process_time()
        count = run()
        self.seconds[side] = self.seconds.get(side, 0.0) + time.process_time() - began
        self.count[side] = self.count.get(side, 0) + count


def main() -> None:
    """Measure, and print cells per second, and cells in which the two ways of JAX differ."""
    torch.set_num_threads(1)
    rows = [_beside_gradcheck(order) for order in ORDERS]
    jointly, differing = _jointly()
    table = Table("what", "peer", "cells/s", "the peer's", "ratio")
    for name, peer, score in (*rows, jointly):
        rates = [score.count[side] / score.seconds[side] for side in ("laws", "peer")]
        table.add_row(name, peer, *(f"{rate:.1f}" for rate in rates), f"{rates[0] / rates[1]:.2f}")
    console = Console(width=140)
    console.print(table)
    cells = jointly[2].count["laws"]
    console.print(f"JAX: {len(differing)} of {cells} cells differ between the two: {', '.join(differing) or 'none'}")


def _beside_gradcheck(order: int) -> tuple[str, str, Score]:
    """The laws of an order on PyTorch beside the checks that it brings, at the same points."""
    run = _runner("torch")
    adapter = load_declared(parse("torch"))[0]
    check = {1: _first, 2: _second}[order]
    offered = [row for row in TABLE.values() if row.order >= order and row.differentiated and _offered(adapter, row)]
    score = Score()
    for number, row in enumerate([TABLE["exp"], *offered]):
        if number == 1:  # what came before was imports, and caches of both sides
            score = Score()
        cells = [f"derivatives.{law}[{row.name}]" for law in ORDERS[order]]
        score.add("laws", lambda cells=cells: len([*map(run, cells)]))  # type: ignore[misc]
        # The same operation directly after, so that noise falls on both sides.
        score.add("peer", lambda row=row: _checked(adapter, row, check))  # type: ignore[misc]
    return f"order {order}, PyTorch", {1: "gradcheck", 2: "gradgradcheck"}[order], score


def _jointly() -> tuple[tuple[str, str, Score], list[str]]:
    """All laws on drawn operations of JAX by joint functions, beside eager mode."""
    laws = collection.load_all(LAWS)
    run, adapter = _runner("jax"), load_declared(parse("jax"))[0]
    offered = [row.name for row in TABLE.values() if row.differentiated and _offered(adapter, row)]
    score, differing = Score(), []
    for name in random.Random(0).sample(offered, DRAWN):
        cells = collection.cells_by_case(laws, [name])
        found: dict[str, list[Outcome]] = {}

        def judge(side: str, cells: Iterable[str] = cells, found: dict[str, list[Outcome]] = found) -> int:
            found[side] = [run(cell) for cell in cells]
            return len(found[side])

        os.environ.pop(EAGER, None)
        score.add("laws", lambda judge=judge: judge("laws"))  # type: ignore[misc]
        os.environ[EAGER] = "1"
        score.add("peer", lambda judge=judge: judge("peer"))  # type: ignore[misc]
        pairs = zip(cells, found["laws"], found["peer"], strict=True)
        differing += [cell for cell, one, other in pairs if one.verdict is not other.verdict]
    os.environ.pop(EAGER)
    return ("all laws, JAX, joint", "eager mode", score), differing


def _runner(engine: str) -> Callable[[str], Outcome]:
    adapter, declaration = load_declared(parse(engine))
    cells = collection.cells(LAWS)

    def run(cell: str) -> Outcome:
        law, case = cells[cell]
        return trial.run(law, adapter, case, declaration=declaration)

    return run


def _offered(adapter: Any, operation: Operation) -> bool:
    try:
        return getattr(adapter.np, operation.name, None) is not None
    except (NotOffered, AttributeError):
        return False


def _checked(adapter: Any, operation: Operation, check: Callable[[Any, list[Any]], bool]) -> int:
    """The peer's answers at each point, counted as the modes that it tries; an error that it raises is one too."""
    for sample in samples(operation):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                check(*_function(adapter, sample))
            except Exception:  # of whatever kind the engine has for what it lacks
                continue
    return 2


def _function(adapter: Any, sample: Sample) -> tuple[Any, list[Any]]:
    subject = OperationSubject(adapter, sample)
    leaves = [x.clone().requires_grad_() for x in subject.primals]
    return lambda *xs: tuple(subject.outputs(*xs)), leaves


# Each tries two modes, or two compositions.
def _first(function: Any, leaves: list[Any]) -> bool:
    return bool(gradcheck(function, leaves, raise_exception=False, check_forward_ad=True))


def _second(function: Any, leaves: list[Any]) -> bool:
    return bool(
        gradgradcheck(function, leaves, raise_exception=False, check_fwd_over_rev=True, check_rev_over_rev=True)
    )
