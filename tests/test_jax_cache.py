"""JAX's verdicts are the same whether it compiles, or finds in its cache what an earlier run has compiled."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from conformance.running import cache
from tests.support import ROOT

pytest.importorskip("jax")

# A chapter that waits for warnings, and a chapter that compiles.
CHAPTERS = ("anomalies", "control_flow")
PROGRAM = f"""
    import json, jax
    from conformance import collection, trial
    from conformance.engines import load, parse
    found, hits = {{}}, []
    jax.monitoring.register_event_listener(lambda event, **_: hits.append(event.endswith("/cache_hits")))
    adapter = load(parse(ENGINE))
    for path in collection.chapter_files():
        for behaviour in collection.load(path) if path.stem in {CHAPTERS} else ():
            for case in behaviour.cases or [None]:
                outcome = trial.run(behaviour, adapter, case)
                found[f"{{behaviour.id}}[{{case}}]"] = [outcome.verdict.value, outcome.convention, outcome.message]
    print(json.dumps([found, sum(hits)]))
"""


@functools.cache
def results(engine: str, folder: Path | None = None) -> tuple[dict[str, Any], int]:
    """The outcome of every cell in a fresh process, and the number of hits of the cache."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("JAX_")}
    environment.pop(cache.VARIABLE, None)
    # The user's own cache must play no part.
    environment["JAX_COMPILATION_CACHE_DIR"] = "/proc/of the user"
    environment |= {} if folder is None else {cache.VARIABLE: str(folder)}
    code = textwrap.dedent(PROGRAM).replace("ENGINE", repr(engine))
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, cwd=ROOT, capture_output=True, text=True, timeout=200, check=True
    )
    # Checks may print: the program's own line is the last.
    outcomes, hits = json.loads(done.stdout.splitlines()[-1])
    return outcomes, hits


@pytest.mark.parametrize("engine", ["jax", "jax:jit"])
def test_verdicts_are_the_same_cold_filling_and_warm(tmp_path: Path, engine: str) -> None:
    """And with entries that are torn or garbage, which the runner's archive never lends."""
    cold, hits = results(engine)
    assert hits == 0
    assert {verdict for verdict, *_ in cold.values()} >= {"pass", "absent"}
    archive, first, second = tmp_path / "jax.zip", tmp_path / "first", tmp_path / "second"
    cache.lend(archive, first)
    assert results(engine, first)[0] == cold
    cache.keep(first, archive)
    cache.lend(archive, second)
    warm, hits = results(engine, second)
    assert warm == cold
    # In another folder than where they were made.
    entries = list(second.rglob("*-cache"))
    assert hits >= len(entries) > 10
    for number, entry in enumerate(entries):
        entry.write_bytes(b"garbage" if number % 2 else entry.read_bytes()[: entry.stat().st_size // 2])
    torn = entries[0].parents[1].rename(tmp_path / "torn")
    assert results(engine, torn)[0] == cold


def test_a_folder_that_cannot_be_written_changes_no_verdict() -> None:
    assert results("jax", Path("/proc/missing")) == results("jax")
