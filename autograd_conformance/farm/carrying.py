"""Campaigns as they were asked for: engine by engine, each with its results file."""

from __future__ import annotations

import hashlib
import os
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

import conformance
from autograd_conformance.engine_runs import occupied, unwritable
from autograd_conformance.farm import exchange
from autograd_conformance.farm.campaign import Advance, Campaign
from autograd_conformance.farm.campaign_progress import campaign_progress
from autograd_conformance.farm.campaign_recording import CampaignRecording, Seeds
from autograd_conformance.farm.exchange import EngineReady, FarmError, Task
from autograd_conformance.farm.workers import ClusterWorkers, FarmWorkers, LocalWorkers
from autograd_conformance.options import BadInput, Verbosity
from autograd_conformance.run_options import terminable
from conformance.known_failures import KnownFailure, file_for, load
from conformance.programs.results import CAMPAIGN_SCHEMA, CampaignHeader
from conformance.results import SuiteRecord
from conformance.running.interrupts import postponed
from conformance.running.systems import cores

__all__ = ["Wishes", "try_engines"]


@dataclass(frozen=True)
class Wishes:
    """What was asked for: `kinds` are all if there are none, `limit` is in seconds per program."""

    engines: tuple[str, ...]
    seeds: tuple[int, int]
    kinds: tuple[str, ...]
    output: Path
    limit: float
    resume: bool


def try_engines(wishes: Wishes, count: int | None, dask: str | None, verbosity: Verbosity) -> list[Path]:
    """Try programs on the engines, one after the other; gives their results files.

    Raises BadInput, ResultsError or KnownFailureError; what was tried by then is kept.
    """
    try:
        with terminable(), occupied(wishes.output), postponed() as take_signal:
            workers = ClusterWorkers(dask) if dask else LocalWorkers(count or cores())
            with closing(workers), campaign_progress(verbosity) as show:
                return [_try_engine(engine, wishes, workers, take_signal, show) for engine in wishes.engines]
    except FarmError as error:
        raise BadInput(" ".join(str(error).split())) from None
    except OSError as error:
        raise unwritable(wishes.output, error) from None


def _try_engine(
    engine: str,
    wishes: Wishes,
    workers: FarmWorkers,
    take_signal: Callable[[], None],
    show: Callable[[Advance], None],
) -> Path:
    first, last = wishes.seeds
    like = Task(engine, "", first, last, wishes.limit, module=exchange.BATCHES)
    ready = workers.ready(like, take_signal)
    like = Task(engine, "", first, last, wishes.limit, (), ready.revision, ready.engine.version, exchange.BATCHES)
    wanted = [Seeds(kind, first, last) for kind in _kinds(wishes, ready)]
    path = file_for(ready.engine.name, ready.known_failures)
    listed = load(path, ready.engine.name, ready.engine.version, "programs")
    began = time.monotonic()
    recording = CampaignRecording(wishes.output, engine, wishes.resume)
    with closing(recording):
        recording.begin(_header(ready, wishes.limit, listed))
        campaign = Campaign(like, wanted, recording, listed)
        campaign.run(workers, take_signal, show)
        return recording.finish(campaign.known(), time.monotonic() - began)


def _kinds(wishes: Wishes, ready: EngineReady) -> list[str]:
    """The kinds to try. Raises FarmError if the engine lacks the verbs for one, or for all."""
    spec = ready.engine.spec
    if not ready.kinds:
        raise FarmError(f"engine {spec!r} lacks the verbs for programs of any kind")
    for kind in wishes.kinds:
        if kind not in ready.kinds:
            raise FarmError(f"engine {spec!r} has no programs of kind {kind!r}; it has {', '.join(ready.kinds)}")
    return list(wishes.kinds or ready.kinds)


def _header(ready: EngineReady, limit: float, listed: Sequence[KnownFailure]) -> CampaignHeader:
    signatures = "\0".join(sorted(entry.cell for entry in listed))
    return CampaignHeader(
        schema=CAMPAIGN_SCHEMA,
        suite=SuiteRecord(conformance.__version__, ready.revision),
        engine=ready.engine,
        # A name of a folder need not be UTF-8.
        command=[os.fsencode(one).decode(errors="backslashreplace") for one in (Path(sys.argv[0]).name, *sys.argv[1:])],
        started=datetime.now(timezone.utc).isoformat(timespec="seconds"),
        adapter=ready.adapter,
        limit_s=limit,
        # What is known is not made smaller, and explains other programs: outcomes depend on it.
        listed=hashlib.sha256(signatures.encode()).hexdigest()[:12],
    )
