"""A campaign on a real Dask cluster on the loopback address gives what a single process here gives."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import pytest

from tests.campaigns import campaign, command, try_programs
from tests.matrices import canonical_campaign
from tests.support import ROOT, from_here
from tests.test_campaigns import recorded, wait_until

pytest.importorskip("distributed")


@dataclass
class Cluster:
    """A scheduler and its workers."""

    folder: Path
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def address(self) -> str:
        """Where the scheduler listens."""
        scheduler = json.loads((self.folder / "scheduler.json").read_text())
        return str(scheduler["address"])

    def start(self, role: str, *options: str) -> subprocess.Popen[bytes]:
        """Start a process of the cluster."""
        file = str(self.folder / "scheduler.json")
        call = [sys.executable, "-m", f"distributed.cli.dask_{role}", "--scheduler-file", file, "--no-dashboard"]
        with (self.folder / f"{role}{len(self.processes)}.log").open("wb") as log:
            # A worker without a nanny is not started again.
            more = ("--host", "127.0.0.1", *options)
            process = subprocess.Popen([*call, *more], cwd=ROOT, env=from_here(), stdout=log, stderr=log)
        self.processes.append(process)
        return process

    def start_worker(self) -> subprocess.Popen[bytes]:
        """A worker with a single thread."""
        return self.start("worker", "--nthreads", "1", "--no-nanny", "--local-directory", str(self.folder))

    def end(self) -> None:
        """End all of it."""
        for process in self.processes:
            with contextlib.suppress(psutil.Error):
                for child in psutil.Process(process.pid).children(recursive=True):
                    child.kill()
            process.kill()
            process.wait()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    """A scheduler without workers."""
    folder = tmp_path / "cluster"
    folder.mkdir()
    made = Cluster(folder)
    try:
        # Any free port, which the scheduler writes into its file.
        made.start("scheduler", "--port", "0")
        wait_until((folder / "scheduler.json").exists)
        yield made
    finally:
        made.end()


def on_cluster(cluster: Cluster, output: Path, *asked: object, batches: int) -> subprocess.Popen[str]:
    """A campaign in the background, of which a number of batches are recorded."""
    call = command(output, *asked, "--dask", cluster.address, "-q")
    pipe = subprocess.PIPE
    running = subprocess.Popen(call, cwd=ROOT, env=from_here(), stdout=pipe, stderr=pipe, text=True)
    wait_until(lambda: len(recorded(output)) >= batches or running.poll() is not None)
    # A campaign that is over can no longer be disturbed.
    assert running.poll() is None
    return running


def test_a_worker_killed_midway_changes_nothing(cluster: Cluster, tmp_path: Path) -> None:
    """Nor do programs that end their process: the result is that of a process here, and no worker is lost by them."""
    kinds = ("--kind", "slow", "--kind", "crashing", "--limit", 5, "--seeds", "0:150")
    first, second = cluster.start_worker(), cluster.start_worker()
    running = on_cluster(cluster, tmp_path, *kinds, batches=1)
    # Without notice to the scheduler, as when a machine fails.
    first.kill()
    _, errors = running.communicate(timeout=120)
    assert (running.returncode, errors) == (1, "")
    # A crashing program ends a process that the Dask worker has started, and not the worker.
    assert second.poll() is None
    assert try_programs(tmp_path / "here", *kinds, "-n", 1).status == 1
    assert canonical_campaign(campaign(tmp_path)) == canonical_campaign(campaign(tmp_path / "here"))


def test_what_is_no_cluster_is_one_line(cluster: Cluster, tmp_path: Path) -> None:
    """No scheduler at the address, no worker, no address: within a few seconds, and nothing is written."""
    for address, error in (
        ("tcp://127.0.0.1:1", "--dask tcp://127.0.0.1:1: no cluster there"),
        (cluster.address, f"--dask {cluster.address}: the cluster has no worker"),
        ("nowhere at all", "--dask nowhere at all: no cluster there"),
    ):
        began = time.monotonic()
        call = try_programs(tmp_path, "--seeds", "0:10", "--dask", address)
        assert (call.status, call.err.count("\n")) == (2, 1), call.err
        assert error in call.err
        assert time.monotonic() - began < 20


def test_a_lost_cluster_is_one_line(cluster: Cluster, tmp_path: Path) -> None:
    """Ranges that were tried by then are kept, and the rest is tried here."""
    cluster.start_worker()
    kinds = ("--kind", "slow", "--seeds", "0:150")
    running = on_cluster(cluster, tmp_path, *kinds, batches=1)
    cluster.processes[0].kill()
    _, errors = running.communicate(timeout=60)
    assert (running.returncode, errors.count("\n")) == (2, 1), errors
    assert "the connection to the cluster was lost; continue with --resume" in errors
    assert recorded(tmp_path)
    assert try_programs(tmp_path, *kinds, "--resume").status == 1
    assert [(tally.first, tally.last) for tally in campaign(tmp_path).tallies] == [(0, 150)]
