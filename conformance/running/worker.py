"""The process in which behaviours run on an engine: `python -m conformance.running.worker ENGINE TOKEN CHAPTERS PART`.

It imports the adapter, sends what that declares, and runs cells until its standard input ends, which it does when the
recording process has ended. It decides nothing: the recording process watches its clock and its memory, and ends it.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

import psutil

from conformance import collection, compiled_trials, trial
from conformance.behaviour import Behaviour
from conformance.declaration import Declaration
from conformance.engines import load_declared, parse
from conformance.messages import format_error
from conformance.operations.inventory import INVENTORY
from conformance.protocol import Adapter
from conformance.results import ResultRecord
from conformance.running import systems
from conformance.running.channel import Channel, loading, open_channel
from conformance.running.exchange import Begun, Done, Ready, Silent
from conformance.running.harness import Harness
from conformance.running.header import digest
from conformance.running.inventories import on_inventory
from conformance.verdicts import Reason, Verdict


def main() -> NoReturn:
    """Load the adapter, then run cells until the process is ended."""
    engine, token, chapters, part = sys.argv[1:5]
    channel = open_channel(token)
    channel.listen()
    signal.signal(signal.SIGINT, _interrupt)
    with loading(channel):
        depth = sys.getrecursionlimit()
        adapter, declaration = load_declared(parse(engine))
        # An engine may need a deeper stack; chapters and harness need the earlier limit.
        sys.setrecursionlimit(max(depth, sys.getrecursionlimit()))
        behaviours = collection.load_all(Path(chapters))
        listed: Mapping[str, Any] = {}
        if part == INVENTORY:
            behaviours, listed = on_inventory(engine, adapter, behaviours)
    Runner(channel, adapter, declaration, collection.cells_of(behaviours), listed).run()


def _interrupt(number: int, frame: FrameType | None) -> None:
    """SIGINT is a check's own doing here, as the keyboard's goes to the recording process alone."""
    if trial.running():
        raise KeyboardInterrupt


class Runner:
    """Runs cells on an adapter, in their order."""

    def __init__(
        self,
        channel: Channel,
        adapter: Adapter,
        declaration: Declaration,
        cases: dict[str, tuple[Behaviour, str | None]],
        listed: Mapping[str, Any],
    ) -> None:
        self.channel, self.adapter, self.declaration, self.cases = channel, adapter, declaration, cases
        self.listed = listed
        self.clock, self.depth, self.restore_depth = time.perf_counter, sys.getrecursionlimit(), sys.setrecursionlimit
        self.process, self.collect = psutil.Process(), gc.collect

    def run(self) -> NoReturn:
        """Run batches until the process is ended."""
        # What is printed from now on is dropped: a check may print without end.
        silence = os.open(os.devnull, os.O_WRONLY)
        for stream in (1, 2):
            os.dup2(silence, stream)
        harness = Harness(self.channel.descriptors)
        fields = {"digest": digest(self.adapter), "fallbacks": systems.fallbacks(), **self.listed}
        self.channel.send(Ready.of(self.declaration, **fields))
        cell = ""
        while True:
            try:
                for cell in self.channel.asked().cells or [""]:
                    if not self._run(cell, harness):
                        break
                else:
                    continue
                # The recorder takes back what it has given, and asks later whether this process still works.
                while self.channel.asked().cells:
                    pass
                self.channel.send(Silent())
            except BaseException as error:  # raised by a thread, or a signal, that a check has left
                self.restore_depth(self.depth)
                self._send_damage(cell, f"{format_error(error)} outside the check", 0.0)

    def _run(self, cell: str, harness: Harness) -> bool:
        """Run a cell, or answer a question. Returns whether the next cell may be run in this process."""
        if not cell:
            self.channel.send(Silent())
            return True
        self.channel.send(Begun(cell))
        began = self.clock()
        behaviour, case = self.cases[cell]
        outcome = compiled_trials.run(behaviour, self.adapter, case, declaration=self.declaration)
        # What it left to the garbage collector is its own: finalizers must not run in a later cell.
        self.collect(1)
        took = max(0.0, round(self.clock() - began, 6))
        # Also where the check set it so low that the next lines would raise.
        self.restore_depth(self.depth)
        if damage := harness.damage():
            self._send_damage(cell, damage, took)
            return False
        tainted, left = outcome.tainted or systems.exhausted(self.process), harness.left_running()
        self.channel.send(Done(cell, [ResultRecord.of(cell, outcome, took)], tainted, left))
        return not (tainted or left)

    def _send_damage(self, cell: str, damage: str, took: float) -> None:
        message = f"damaged what the harness leans on: {damage}"
        row = ResultRecord(cell, Verdict.ERROR, None, message, took, reason=Reason.DAMAGED)
        self.channel.send(Done(cell, [row], tainted=True))


if __name__ == "__main__":
    main()
