"""State of a worker as its messages give it: what it was asked to run, and where it is in that.

Both sources of workers share it: local processes (`processes.py`), and threads of a Dask cluster (`cluster.py`).
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence

from conformance.running.exchange import Asked, Begun, Done, Ended, Failed, Forked, Loading, Message, Ready, Silent
from conformance.running.options import Limits
from conformance.verdicts import Verdict


class WorkerState:
    """A worker. `cells` are those that it was given and has not done, `cell` is the current cell, `last` the cell
    before."""

    name = ""

    def __init__(self) -> None:
        self.ready: Ready | None = None
        self.cells: deque[str] = deque()
        self.cell = self.last = ""
        self.asked = False  # whether an answer to an empty batch is still to come
        self.until: float | None = None  # when a process that lingers is to be asked whether it still works
        self.fork = 0  # the process in which programs run
        self.fresh = True  # whether nothing has run in it
        self.renewing = False  # whether its fork was killed here, and the next is to come
        self.ended = False
        self.since = time.monotonic()
        self._modules = 0

    @property
    def forks(self) -> bool:
        """Whether a death ends a fork of the process only."""
        return self.ready is not None and self.ready.forks

    @property
    def renewed(self) -> bool:
        """Whether it has, or will soon have, a fork in which nothing has run."""
        return self.forks and (self.fresh or self.renewing or not self.fork)

    @property
    def busy(self) -> bool:
        """Whether something is to come from it: its clock counts."""
        return bool(self.cells) or self.asked or not self._is_there

    @property
    def takes_cells(self) -> bool:
        """Whether it can be given cells, also to go on with."""
        return self._is_there and self.until is None and not self.asked

    @property
    def _is_there(self) -> bool:
        """Whether the engine is loaded, and the fork made."""
        return self.ready is not None and not self.renewing and self.forks == bool(self.fork)

    def give(self, cells: Sequence[str], known: tuple[str, ...] = ()) -> None:
        """More cells; without any, a question whether it still works. Of programs, `known` signatures are counted."""
        self.since = self.since if self.busy else time.monotonic()
        self.cells.extend(cells)
        self.fresh = self.fresh and not cells
        self.asked = self.asked or not cells
        self.write(Asked(list(cells), known, self.fork))

    def write(self, command: Asked) -> None:
        """Send a command to the process."""
        raise NotImplementedError

    def expects(self, message: Message) -> bool:
        """Whether it is the turn of a message; any other is forged."""
        match message:
            case Begun():
                # Again before each smaller program that is made of it.
                return bool(self.cells) and message.id == self.cells[0] and self.cell in ("", message.id)
            case Done():
                return message.id == (self.cell or self.last)
            case Silent():
                return self.asked
            case Failed():
                return bool(self.cell)
            case Forked():
                return self.forks and not self.fork
            case Ended():
                return bool(self.fork)
        return self.ready is None

    def take(self, message: Message) -> None:
        """Follow the state of the process by a message."""
        match message:
            case Begun(cell):
                self.begin(cell)
            case Done(cell):
                self.cell, self.last = "", cell
                if self.cells and self.cells[0] == cell:
                    self.cells.popleft()
            case Ready():
                self.ready = message
            case Silent():
                self.asked = False
            case Ended():
                self.clear()
                self.fork = 0
            case Forked(fork):
                self.fork, self.fresh, self.renewing = fork, True, False
            case Loading(modules):
                # The clock of a start is that of progress.
                if modules <= self._modules:
                    return  # an import that hangs
                self._modules = modules
        self.since = time.monotonic()

    def begin(self, cell: str) -> None:
        """Note that a cell is begun."""
        self.cell = cell

    def clear(self) -> None:
        """Forget what it has been given, and the cell that it is in."""
        self.cells.clear()
        self.cell = ""

    def renew(self) -> bool:
        """Let another fork take the place of this. Returns whether there will be another."""
        return False

    def linger(self, seconds: float) -> None:
        """Ask it later whether it still works: what a cell left behind may do its harm by then."""
        self.until = time.monotonic() + seconds

    def ask_if_due(self) -> None:
        """Ask it whether it still works, if it has lingered long enough."""
        if self.until is not None and time.monotonic() >= self.until:
            self.until = None
            self.give([])

    def exceeded(self, limits: Limits) -> tuple[Verdict, str] | None:
        """The limit that it has exceeded: a verdict and why; an empty reason where it has exited."""
        return None

    def how_it_ended(self, status: int | None) -> str:
        """Its exit status in words, with what it printed at the end."""
        raise NotImplementedError

    def end(self, patience_s: float = 0.0, unharmed: bool = False) -> int | None:
        """End it, and what it has started. Returns its exit status; None if it has not exited within the patience."""
        self.ended = True
        return None
