"""Cost and flags of laws on operations, beside gradcheck: `python -m workshop bench operations`.

Both run on the same operations of PyTorch at the same points, in turns, in the same process: the laws of first and
second order, and `torch.autograd.gradcheck` and `gradgradcheck` with their options for forward mode.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import torch
from rich.console import Console
from rich.table import Table
from torch.autograd import gradcheck, gradgradcheck

from conformance import collection, trial
from conformance.engines import load_declared, parse
from conformance.laws import LAWS
from conformance.laws.operation_subject import OperationSubject
from conformance.operations import TABLE
from conformance.operations.row import Operation
from conformance.operations.samples import Sample, samples
from conformance.protocol import NotOffered
from conformance.recording_adapter import FeatureMissing
from conformance.verdicts import Verdict

FIRST = ("reverse_mode_gives_the_derivative", "forward_mode_gives_the_derivative")
SECOND = (
    "reverse_over_reverse_gives_the_second_derivative",
    "forward_over_reverse_gives_the_second_derivative",
    "reverse_over_forward_gives_the_second_derivative",
    "forward_over_forward_gives_the_second_derivative",
)


@dataclass
class Score:
    """Seconds of processor time of each side, and the operations that it flags."""

    seconds: dict[str, float] = field(default_factory=lambda: {"laws": 0.0, "peer": 0.0})
    flagged: dict[str, set[str]] = field(default_factory=lambda: {"laws": set(), "peer": set()})

    def add(self, side: str, name: str, holds: Callable[[], bool]) -> None:
        """Time a side on an operation."""
        began = time.process_time()
        if not holds():
            self.flagged[side].add(name)
        self.seconds[side] += time.process_time() - began


def main() -> None:
    """Measure, and print ratios, and the operations that only one side flags."""
    torch.set_num_threads(1)
    adapter, declaration = load_declared(parse("torch"))
    cells = collection.cells(LAWS)
    offered = [operation for operation in TABLE.values() if operation.differentiated and _offered(adapter, operation)]
    # Imports and caches of both sides.
    _both(adapter, declaration, cells, [TABLE["exp"]], FIRST + SECOND, _second)
    orders = {
        "first order": _both(adapter, declaration, cells, offered, FIRST, _first),
        "second order": _both(
            adapter, declaration, cells, [operation for operation in offered if operation.order > 1], SECOND, _second
        ),
    }
    table = Table("laws", "peer", "operations", "seconds", "peer's", "ratio", "both flag", "laws alone", "peer alone")
    for (order, score), peer in zip(orders.items(), ("gradcheck", "gradgradcheck"), strict=True):
        laws, its = score.flagged["laws"], score.flagged["peer"]
        times = score.seconds["laws"], score.seconds["peer"]
        counts = map(str, (len(laws & its), len(laws - its), len(its - laws)))
        table.add_row(
            order, peer, str(len(offered)), *(f"{time:.0f}" for time in times), f"{times[0] / times[1]:.2f}", *counts
        )
    console = Console(width=140)
    console.print(table)
    for order, score in orders.items():
        for side, other in (("laws", "peer"), ("peer", "laws")):
            console.print(f"{order}, {side} alone: {', '.join(sorted(score.flagged[side] - score.flagged[other]))}")


def _offered(adapter: Any, operation: Operation) -> bool:
    try:
        return getattr(adapter.np, operation.name, None) is not None
    except (NotOffered, FeatureMissing, AttributeError):
        return False


def _both(
    adapter: Any,
    declaration: Any,
    cells: Any,
    operations: list[Operation],
    laws: tuple[str, ...],
    check: Callable[[Any, list[Any]], bool],
) -> Score:
    score = Score()
    for operation in operations:
        asked = [cells[f"derivatives.{law}[{operation.name}]"] for law in laws]
        score.add("laws", operation.name, lambda asked=asked: _lawful(adapter, declaration, asked))  # type: ignore[misc]
        # The same operation directly after, so that noise falls on both sides.
        score.add("peer", operation.name, lambda operation=operation: all(_checked(adapter, operation, check)))  # type: ignore[misc]
    return score


def _lawful(adapter: Any, declaration: Any, asked: list[Any]) -> bool:
    outcomes = [trial.run(behaviour, adapter, case, declaration=declaration) for behaviour, case in asked]
    return all(outcome.verdict in (Verdict.PASS, Verdict.ABSENT) for outcome in outcomes)


def _checked(adapter: Any, operation: Operation, check: Callable[[Any, list[Any]], bool]) -> Iterator[bool]:
    """The peer's answer at each point; an error that it raises is a flag too."""
    for sample in samples(operation):
        try:
            answer = check(*_function(adapter, sample))
        except Exception:  # of whatever kind the engine has for what it lacks
            answer = False
        yield answer


def _function(adapter: Any, sample: Sample) -> tuple[Any, list[Any]]:
    problem = OperationSubject(adapter, sample)
    leaves = [x.clone().requires_grad_() for x in problem.primals]
    return lambda *xs: tuple(problem.outputs(*xs)), leaves


def _first(function: Any, leaves: list[Any]) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return bool(gradcheck(function, leaves, raise_exception=False, check_forward_ad=True))


def _second(function: Any, leaves: list[Any]) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return bool(
            gradgradcheck(function, leaves, raise_exception=False, check_fwd_over_rev=True, check_rev_over_rev=True)
        )
