"""Workers of a Dask cluster, by Dask's own executor.

A worker here is a place for a batch of programs on the cluster. Its task (`site.py`) starts and watches the same kind
of process there; what comes back are the records that are written into the results.
"""

from __future__ import annotations

import logging
import queue
import time
from concurrent.futures import CancelledError, Executor, Future
from dataclasses import replace
from pathlib import Path
from typing import Any

from conformance.messages import format_error
from conformance.running.exchange import Asked, Done, Message, Unusable
from conformance.running.options import ClusterError
from conformance.running.site import run_task
from conformance.running.start import Start
from conformance.running.worker_state import WorkerState

# Seconds to find a cluster, and a worker of it.
CONNECT_S = 5.0
# Seconds between two looks at a cluster, and for how long it may be without a worker.
LOOK_S, PATIENCE_S = 2.0, 60.0


class Cluster:
    """A Dask cluster. Raises ClusterError if there is none at the address, or it has no worker."""

    def __init__(self, address: str) -> None:
        try:
            from distributed import Client
            from distributed.comm.addressing import get_address_host_port
        except ImportError:
            raise ClusterError("--dask needs distributed: pip install 'autograd-conformance[cluster]'") from None
        self.named = f"--dask {address}"
        make: Any = Client
        # A lost connection is reported by `capacity`, in a line. Nothing else here logs.
        logging.disable(logging.CRITICAL)
        try:
            # A client of what is no address would report another error when it is forgotten.
            get_address_host_port(address)
            self._client: Any = make(address, timeout=CONNECT_S, set_as_default=False)
        except Exception as error:  # a wrong address raises many kinds
            raise ClusterError(f"{self.named}: no cluster there: {format_error(error)}") from None
        try:
            self._client.wait_for_workers(1, timeout=CONNECT_S)
        except Exception:
            self._client.close()
            raise ClusterError(f"{self.named}: the cluster has no worker; start `dask worker {address}`") from None
        # Not pure: a task that is given again is tried again.
        self.executor: Executor = self._client.get_executor(pure=False)
        self._threads, self._looked, self._seen = 1, 0.0, time.monotonic()

    @property
    def capacity(self) -> int:
        """Number of batches that are on the cluster at a time: for each thread one, and one to go on with.

        Raises ClusterError if the scheduler has gone, or all workers for a minute.
        """
        now = time.monotonic()
        if now - self._looked > LOOK_S or self._client.status != "running":
            self._looked = now
            try:
                assert self._client.status == "running"
                self._threads = sum(self._client.nthreads().values())
            except Exception:
                lost = "the connection to the cluster was lost; continue with --resume"
                raise ClusterError(f"{self.named}: {lost}") from None
            self._seen = now if self._threads else self._seen
            if now - self._seen > PATIENCE_S:
                raise ClusterError(f"{self.named}: the cluster has no worker any more; continue with --resume")
        return 2 * max(1, self._threads)

    def start(self, start: Start, archive: Path | None) -> WorkerState:
        """A worker for batches of programs."""
        return ClusterWorker(self, start)

    def close(self) -> None:
        """Cancel what is under way; processes of the sites end by themselves when nothing is asked of them."""
        self.executor.shutdown(wait=False)
        self._client.close(timeout=CONNECT_S)


class ClusterWorker(WorkerState):
    """A place for a batch on a cluster: the records of a task come in when that is done."""

    def __init__(self, cluster: Cluster, start: Start) -> None:
        super().__init__()
        self._cluster, self._start = cluster, start
        self.name = cluster.named
        self.write(None)

    @property
    def forks(self) -> bool:
        """No: what ends there is tried again there."""
        return False

    @property
    def takes_cells(self) -> bool:
        """Not to go on with: another thread would take them."""
        return not self.busy

    def write(self, command: Asked | None) -> None:
        """Let a batch be run by some thread of the cluster; without any, let it load the engine."""
        start = self._start
        future = self._cluster.executor.submit(run_task, start.engine, replace(start.options, workers=1), command)
        future.add_done_callback(self._arrives)

    def take(self, message: Message) -> None:
        """Follow the state by a message; a task is done as a whole."""
        super().take(message)
        if isinstance(message, Done):
            self.cells.clear()

    def _arrives(self, future: Future[list[Message]]) -> None:
        """Pass on the messages of a task, or why there are none; called in a thread."""
        events: queue.SimpleQueue[tuple[WorkerState, Message | None]] = self._start.events
        if self.ended:
            return
        from distributed import KilledWorker

        try:
            messages: list[Message | None] = [*future.result()]
        except BaseException as error:
            # The batch of a lost worker is given again. Else such as that the suite is not installed there.
            lost = isinstance(error, KilledWorker | CancelledError)
            messages = [None if lost else Unusable(f"{self.name}: a worker cannot start: {format_error(error)}")]
        for message in messages:
            events.put((self, message))

    def expects(self, message: Message) -> bool:
        """Always: nobody else writes them."""
        return True

    def how_it_ended(self, status: int | None) -> str:
        """The reason of a loss."""
        return "a worker of the cluster was lost"
