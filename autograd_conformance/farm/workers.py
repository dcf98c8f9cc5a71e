"""Who tries programs: threads here, each with a process of its own, or the workers of a Dask cluster."""

from __future__ import annotations

import logging
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor
from functools import partial
from typing import Any

from autograd_conformance.farm.attempting import Processes, attempt, ready_of
from autograd_conformance.farm.exchange import EngineReady, FarmError, Task
from conformance.messages import format_error
from conformance.programs.results import BatchRecord

__all__ = ["ClusterWorkers", "FarmWorkers", "LocalWorkers"]

# Seconds to find a cluster, and a worker of it.
CONNECT_S = 5.0


class FarmWorkers:
    """An executor of concurrent.futures that is given tasks. `capacity` is how many it works at, at a time."""

    capacity = 1

    def __init__(self, executor: Executor) -> None:
        self.executor = executor

    def ready(self, task: Task) -> EngineReady:
        """What is to be known of the engine. Raises FarmError if it cannot be used."""
        return self.executor.submit(ready_of, task).result()

    def submit(self, task: Task) -> Future[BatchRecord]:
        """Begin to try a task. The result raises FarmError, or what `is_lost` knows."""
        return self.executor.submit(attempt, task)

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
        super().__init__(ThreadPoolExecutor(count, thread_name_prefix="programs"))
        self.capacity = count
        self._processes = Processes()

    def ready(self, task: Task) -> EngineReady:
        """As of any workers."""
        return self.executor.submit(ready_of, task, self._processes).result()

    def submit(self, task: Task) -> Future[BatchRecord]:
        """As of any workers."""
        return self.executor.submit(partial(attempt, processes=self._processes), task)

    def close(self) -> None:
        """End all processes."""
        self.executor.shutdown(wait=False, cancel_futures=True)
        self._processes.close()
        # Their threads now end by themselves.
        self.executor.shutdown(wait=True)


class ClusterWorkers(FarmWorkers):
    """A Dask cluster. Raises FarmError if there is none at the address, or it has no worker."""

    def __init__(self, address: str) -> None:
        try:
            from distributed import Client
        except ImportError:
            raise FarmError("--dask needs distributed; install autograd-conformance[cluster]") from None
        self.address = address
        # A lost connection is told by `check`, in one line.
        for name in ("distributed", "tornado"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        try:
            self.client: Any = Client(address, timeout=CONNECT_S, set_as_default=False)
        except Exception as error:  # a wrong address raises many kinds
            raise FarmError(f"--dask {address}: no cluster there: {format_error(error)}") from None
        try:
            self.client.wait_for_workers(1, timeout=CONNECT_S)
        except Exception:
            self.client.close()
            raise FarmError(f"--dask {address}: the cluster has no worker; start `dask worker {address}`") from None
        # Not pure: a task that is given again is tried again.
        super().__init__(self.client.get_executor(pure=False))

    @property
    def capacity(self) -> int:  # type: ignore[override]
        """As many as the cluster has threads now."""
        return max(1, sum(self.client.nthreads().values()))

    def ready(self, task: Task) -> EngineReady:
        """As of any workers."""
        try:
            return super().ready(task)
        except FarmError:
            raise
        except Exception as error:  # most often: the suite is not installed there
            raise FarmError(f"--dask {self.address}: a worker cannot start: {format_error(error)}") from None

    def is_lost(self, error: BaseException) -> bool:
        """As of any workers: a worker was killed too often, or the connection was lost."""
        from distributed import KilledWorker

        return isinstance(error, KilledWorker | CancelledError)

    def check(self) -> None:
        """Raise FarmError if the scheduler has gone."""
        if self.client.status != "running":
            raise FarmError(f"--dask {self.address}: the connection to the cluster was lost")

    def close(self) -> None:
        """Cancel what is under way; processes of the workers end by themselves when nothing is asked of them."""
        self.executor.shutdown(wait=False)
        self.client.close(timeout=CONNECT_S)
