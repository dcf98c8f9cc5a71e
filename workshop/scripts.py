"""Run the scripts of results files, and compare the exit status of each with the verdict of its cell.

A script is to exit with status 0 where the run saw a pass, with status 1 where it saw a fail or differs, and to die
where the engine crashed. Each runs in a fresh interpreter; with --fork, in a fork of a process that has the engine.
"""

from __future__ import annotations

import importlib
import multiprocessing
import os
import random
import re
import runpy
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TextIO

import click

from autograd_conformance.derived import derive_scripts
from conformance.results import ResultRecord, ResultsError
from conformance.results_file import read
from conformance.scripts.derivation import SCRIPTED
from conformance.verdicts import Verdict
from reports.beside import Scripts, beside, read_beside
from workshop.isolation import Send, run_in_fork

PATIENCE_S = 120
CHUNK = 20
# What PyTorch imports with the first transform or checkpoint: in each fork anew, where the first process has not.
LATE = ("torch._dynamo", "torch._functorch.aot_autograd")


@click.command()
@click.argument("results", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--folder", type=click.Path(path_type=Path), default=Path("conformance-report/tried"), show_default=True)
@click.option("--workers", default=2, show_default=True)
@click.option("--sample", default=0, help="Only so many cells of each file, drawn by --seed.")
@click.option("--seed", default=1, show_default=True)
@click.option("--fork", is_flag=True, help="Fork from a process that has imported the engine.")
def scripts(results: Sequence[Path], folder: Path, workers: int, sample: int, seed: int, fork: bool) -> None:
    """Run the scripts of results files, and compare the exit status of each with the verdict of its cell.

    Exit status 1 if a script has another outcome than the run, 2 for misuse.
    """
    count = 0
    try:
        for path in results:
            rows, texts = scripted(path, sample, seed)
            lines = list(mismatches(rows, texts, folder / path.stem, workers, fork))
            for line in lines:
                click.echo(f"{path.stem}: {line}")
            lengths = sorted(texts[row.id].count("\n") for row in rows if row.id in texts)
            median = lengths[len(lengths) // 2] if lengths else 0
            agree = f"{len(rows) - len(lines)} of {len(rows)} scripts have the outcome of the run"
            click.echo(f"{path.stem}: {agree}; median {median} lines")
            count += len(lines)
    except ResultsError as error:
        raise click.UsageError(str(error)) from None
    sys.exit(int(count > 0))


def scripted(path: Path, sample: int, seed: int) -> tuple[list[ResultRecord], dict[str, str]]:
    """The cells of a results file that have scripts, or a sample of them, and the scripts by cell."""
    # A script that is to hang would take all of the patience, and exit with nothing to compare.
    rows = [row for row in read(path).results if row.verdict in SCRIPTED and row.verdict is not Verdict.TIMEOUT]
    if sample:
        rows = random.Random(seed).sample(rows, min(sample, len(rows)))
    if why := derive_scripts(path):
        raise ResultsError(f"{path}: no scripts: {why}")
    return rows, read_beside(beside(path, Scripts), Scripts).cells


def mismatches(
    rows: Sequence[ResultRecord],
    scripts: dict[str, str],
    folder: Path,
    workers: int = 1,
    fork: bool = False,
) -> Iterator[str]:
    """The cells whose scripts have another outcome, or are missing, as lines. Writes the scripts into the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    present = [row for row in rows if scripts.get(row.id)]
    yield from (f"{row.id}: has no script" for row in rows if not scripts.get(row.id))
    paths = [folder / (re.sub(r"[^\w.]+", "-", row.id) + ".py") for row in present]
    for row, path in zip(present, paths, strict=True):
        path.write_text(scripts[row.id], "utf-8")
    with pool(workers, fork) as executor:
        # A process that forks imports the engine once per chunk at most, and a chunk waits for its slowest script.
        chunks = [paths[start : start + CHUNK] for start in range(0, len(paths), CHUNK)]
        ended = (end for ends in executor.map(forked if fork else _fresh, chunks) for end in ends)
        for row, (status, output) in zip(present, ended, strict=True):
            if why := problem(row, status, output):
                yield f"{row.id}: {why}"


def pool(workers: int, fork: bool) -> Executor:
    """Fresh interpreters are waited for by threads. An engine is imported by a process, which nothing else forks."""
    if fork:
        return ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn"))
    return ThreadPoolExecutor(workers)


def problem(row: ResultRecord, status: int, output: str) -> str:
    """The difference between a script's end and the verdict; empty if there is none.

    A fail by a wrong value is an AssertionError; any other exception would be the script's own bug.
    """
    wanted = {Verdict.PASS: "0", Verdict.CRASH: "a signal"}.get(row.verdict, "1")
    got = "a signal" if status < 0 or status > 2 else str(status)
    # The last line of a traceback has the exception.
    last = output.strip().rpartition("\n")[2]
    if got != wanted:
        return f"exited with {status}, expected {wanted}: {last[:200]}"
    if wanted == "1" and re.match(r"(NameError|SyntaxError|ImportError|ModuleNotFoundError|IndentationError)", last):
        return f"is broken: {last[:200]}"
    return ""


def _fresh(paths: list[Path]) -> list[tuple[int, str]]:
    """The exit status of each script, and its stderr."""
    return [_run_fresh(path) for path in paths]


def _run_fresh(path: Path) -> tuple[int, str]:
    try:
        done = subprocess.run([sys.executable, str(path)], capture_output=True, timeout=PATIENCE_S, check=False)
    except subprocess.TimeoutExpired:
        # No verdict wants this status, so that a script that hangs is a mismatch.
        return 2, f"it took longer than {PATIENCE_S} s"
    return done.returncode, done.stderr.decode(errors="replace")


def forked(paths: list[Path]) -> list[tuple[int, str]]:
    """The same, in forks of this process, after it has imported the modules of the scripts."""
    lines = {line for path in paths for line in path.read_text("utf-8").splitlines()}
    # By their import lines, as scripts are not to be run yet.
    names = {match[1] for line in lines if (match := re.match(r"(?:import|from) ([\w.]+)", line))}
    for name in [*sorted(names), *(LATE if "torch" in names else ())]:
        importlib.import_module(name)
    return [_run_forked(path) for path in paths]


def _run_forked(path: Path) -> tuple[int, str]:
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as output:
        end = run_in_fork(partial(_be_script, path, output))
        output.seek(0)
        return end.status, output.read()


def _be_script(path: Path, output: TextIO, send: Send) -> int:
    """Become the script, as an interpreter that runs its file would. Returns its exit status."""
    # File descriptors, as engines print from C++ too.
    os.dup2(output.fileno(), 1)
    os.dup2(output.fileno(), 2)
    sys.stdout = sys.stderr = output
    # The signal ends the fork with its default action, which no script catches.
    signal.alarm(PATIENCE_S)
    try:
        runpy.run_path(str(path), run_name="__main__")
        return 0
    except BaseException as error:
        sys.excepthook(type(error), error, error.__traceback__)
        return 1
    finally:
        output.flush()
