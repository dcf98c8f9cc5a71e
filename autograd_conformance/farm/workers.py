"""Who tries programs: threads here, each with a separate process, or the workers of a Dask cluster."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor, wait
from functools import partial
from typing import Any, TypeVar

from autograd_conformance.farm.attempting import Processes, attempt, ready_of
from autograd_conformance.farm.exchange import EngineReady, FarmError, Task
from conformance.messages import format_error
from conformance.programs.results import BatchRecord

__all__ = ["POLL_S", "ClusterWorkers", "FarmWorkers", "LocalWorkers"]

T = TypeVar("T")
POLL_S = 0.2
# Seconds to find a cluster, and a worker of it.
CONNECT_S = 5.0
# Seconds between two looks at a cluster, and for how long it may be without a worker.
LOOK_S, PATIENCE_S = 2.0, 60.0


class FarmWorkers:
    """An executor of concurrent.futures that is given tasks. Messages call it as it is `named`."""

    def __init__(self, executor: Executor, named: str) -> None:
        self.executor, self.named = executor, named

    @property
    def capacity(self) -> int:
        """How many tasks are worked at, at a time."""
        raise NotImplementedError

    def given(self, function: Callable[..., T], task: Task) -> Future[T]:
        """The future of a function of a task."""
        return self.executor.submit(function, task)

    def ready(self, task: Task, take_signal: Callable[[], None]) -> EngineReady:
        """What is to be known of the engine. Raises FarmError if it cannot be used."""
        future = self.given(ready_of, task)
        while not wait([future], POLL_S).done:
            take_signal()
            self.check()
        try:
            return future.result()
        except FarmError:
            raise
        except Exception as error:  # such as that the suite is not installed there
            raise FarmError(f"{self.named}: a worker cannot start: {format_error(error)}") from None

    def submit(self, task: Task) -> Future[BatchRecord]:
        """Begin to try a task. The result raises FarmError, or what `is_lost` knows."""
        return self.given(attempt, task)

    def is_lost(self, error: BaseException) -> bool:
        """Whether the error says that a worker has gone, and nothing about its task, which can be given again."""
        return False

    def check(self) -> None:
        """Raise FarmError if no worker will come back."""

    def close(self) -> None:
        """End what is under way."""
        self.executor.shutdown(wait=False, cancel_futures=True)


class LocalWorkers(FarmWorkers):
    """Threads of this process. They wait: an engine is in the process that each of them has started."""

    def __init__(self, count: int) -> None:
        super().__init__(ThreadPoolExecutor(count, thread_name_prefix="programs"), f"--workers {count}")
        self._count, self._processes = count, Processes()

    @property
    def capacity(self) -> int:
        """As many as there are threads."""
        return self._count

    def given(self, function: Callable[..., T], task: Task) -> Future[T]:
        """With the processes of these workers, which end with them."""
        return super().given(partial(function, processes=self._processes), task)

    def close(self) -> None:
        """End all processes; then the threads end by themselves."""
        super().close()
        self._processes.close()
        self.executor.shutdown(wait=True)


class ClusterWorkers(FarmWorkers):
    """A Dask cluster. Raises FarmError if there is none at the address, or it has no worker."""

    def __init__(self, address: str) -> None:
        try:
            from distributed import Client
            from distributed.comm import get_address_host_port
        except ImportError:
            raise FarmError("--dask needs distributed: pip install 'autograd-conformance[cluster]'") from None
        named = f"--dask {address}"
        # What it logs about a lost connection is told by `check`, in one line. Nothing else here logs.
        logging.disable(logging.CRITICAL)
        try:
            # A client of what is no address would report another error when it is forgotten.
            get_address_host_port(address)
            self.client: Any = Client(address, timeout=CONNECT_S, set_as_default=False)
        except Exception as error:  # a wrong address raises many kinds
            raise FarmError(f"{named}: no cluster there: {format_error(error)}") from None
        try:
            self.client.wait_for_workers(1, timeout=CONNECT_S)
        except Exception:
            self.client.close()
            raise FarmError(f"{named}: the cluster has no worker; start `dask worker {address}`") from None
        # Not pure: a task that is given again is tried again.
        super().__init__(self.client.get_executor(pure=False), named)
        self._threads, self._looked, self._seen = 1, 0.0, time.monotonic()

    @property
    def capacity(self) -> int:
        """As many as the cluster has threads now."""
        return max(1, self._threads)

    def is_lost(self, error: BaseException) -> bool:
        """As of any workers: too many died with the task, or the connection was lost."""
        from distributed import KilledWorker

        return isinstance(error, KilledWorker | CancelledError)

    def check(self) -> None:
        """Raise FarmError if the scheduler has gone, or all workers for a minute."""
        now = time.monotonic()
        if now - self._looked < LOOK_S and self.client.status == "running":
            return
        self._looked = now
        try:
            assert self.client.status == "running"
            self._threads = sum(self.client.nthreads().values())
        except Exception:
            raise FarmError(f"{self.named}: the connection to the cluster was lost; continue with --resume") from None
        self._seen = now if self._threads else self._seen
        if now - self._seen > PATIENCE_S:
            raise FarmError(f"{self.named}: the cluster has no worker any more; continue with --resume")

    def close(self) -> None:
        """Cancel what is under way; processes of the workers end by themselves when nothing is asked of them."""
        self.executor.shutdown(wait=False)
        self.client.close(timeout=CONNECT_S)
