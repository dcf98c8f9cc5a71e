"""Run the scripts of results files, and hold the exit status of each against the verdict of its cell.

A script is to exit with status 0 where the run saw a pass, with status 1 where it saw a fail or differs, and to die
where the engine crashed. Each runs in a fresh interpreter; with --fork, in a fork of a process that has the engine.
"""

from __future__ import annotations

import argparse
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
from hashlib import sha256
from pathlib import Path
from typing import Any, TextIO

from autograd_conformance.derived import derive_scripts
from conformance.results import ResultRecord, ResultsError, read
from conformance.scripts import SCRIPTED
from conformance.verdicts import Verdict
from reports.scripts import read_scripts, scripts_file

__all__ = ["forked", "main", "mismatches", "pool", "problem"]

PATIENCE_S = 120
CHUNK = 20
# What PyTorch imports with the first transform or checkpoint: in each fork anew, where the first process has not.
LATE = ("torch._dynamo", "torch._functorch.aot_autograd")


def main(arguments: Sequence[str] | None = None) -> int:
    """Try the scripts of results files. Returns 1 if one shows something else than the run saw, 2 for misuse."""
    parser = argparse.ArgumentParser(prog="python -m workshop scripts", description=__doc__)
    parser.add_argument("results", nargs="+", type=Path)
    parser.add_argument("--folder", type=Path, default=Path("conformance-report/tried"), help="where scripts are put")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--sample", type=int, default=0, help="only so many cells of each file, drawn by --seed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fork", action="store_true", help="fork from a process that has imported the engine")
    parser.add_argument("--resume", action="store_true", help="leave out scripts that an earlier call found right")
    given = parser.parse_args(arguments)
    try:
        return int(sum(_tell(path, given) for path in given.results) > 0)
    except ResultsError as error:
        print(error, file=sys.stderr)
        return 2


def _tell(path: Path, given: argparse.Namespace) -> int:
    """Try the scripts of a results file; gives the number of those that show something else."""
    rows = [row for row in read(path).results if row.verdict in SCRIPTED and row.verdict is not Verdict.TIMEOUT]
    if given.sample:
        rows = random.Random(given.seed).sample(rows, min(given.sample, len(rows)))
    if why := derive_scripts(path):
        raise ResultsError(f"{path}: no scripts: {why}")
    scripts = {cell: one.script for cell, one in read_scripts(scripts_file(path)).cells.items()}
    found = 0
    for line in mismatches(rows, scripts, given.folder / path.stem, given.workers, given.fork, given.resume):
        print(f"{path.stem}: {line}", flush=True)
        found += 1
    lengths = sorted(scripts[row.id].count("\n") for row in rows if row.id in scripts)
    median = lengths[len(lengths) // 2] if lengths else 0
    print(f"{path.stem}: {len(rows) - found} of {len(rows)} scripts show what the run saw; median {median} lines")
    return found


def mismatches(
    rows: Sequence[ResultRecord],
    scripts: dict[str, str],
    folder: Path,
    workers: int = 1,
    fork: bool = False,
    resume: bool = False,
) -> Iterator[str]:
    """The cells whose scripts show something else, or are missing, a line each, as they are found.

    Leaves the scripts in the folder, and a growing record of those that showed what was expected, for `resume`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    record = folder / "as_expected.txt"
    if not resume:
        record.unlink(missing_ok=True)
    held = set(record.read_text("utf-8").splitlines()) if record.exists() else set()
    left = []
    for row in rows:
        if not scripts.get(row.id):
            yield f"{row.id}: has no script"
        elif _entry(row, scripts) not in held:
            path = folder / (re.sub(r"[^\w.]+", "-", row.id) + ".py")
            path.write_text(scripts[row.id], "utf-8")
            left.append((row, path))
    with pool(workers, fork) as executor:
        chunks = [left[start : start + CHUNK] for start in range(0, len(left), CHUNK)]
        run = forked if fork else _fresh
        for chunk, ended in zip(
            chunks, executor.map(run, [[path for _, path in chunk] for chunk in chunks]), strict=True
        ):
            for (row, _), (status, said) in zip(chunk, ended, strict=True):
                if why := problem(row, status, said):
                    yield f"{row.id}: {why}"
                else:
                    with record.open("a", encoding="utf-8") as file:
                        print(_entry(row, scripts), file=file)


def pool(workers: int, fork: bool) -> Executor:
    """Fresh interpreters are waited for by threads. An engine is imported by a process, which nothing else forks."""
    if fork:
        return ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn"))
    return ThreadPoolExecutor(workers)


def _entry(row: ResultRecord, scripts: dict[str, str]) -> str:
    return f"{row.id} {sha256(f'{row.verdict} {scripts[row.id]}'.encode()).hexdigest()}"


def problem(row: ResultRecord, status: int, said: str) -> str:
    """How a script's end is not what the verdict says; empty if it is.

    A fail by a wrong value is an AssertionError; any other exception would be the script's own bug.
    """
    wanted = {Verdict.PASS: "0", Verdict.CRASH: "a signal"}.get(row.verdict, "1")
    got = "a signal" if status < 0 or status > 2 else str(status)
    last = said.strip().rpartition("\n")[2]
    if got != wanted:
        return f"exited with {status}, expected {wanted}: {last[:200]}"
    if wanted == "1" and re.match(r"(NameError|SyntaxError|ImportError|ModuleNotFoundError|IndentationError)", last):
        return f"is broken: {last[:200]}"
    return ""


def _fresh(paths: list[Path]) -> list[tuple[int, str]]:
    """The exit status of each script, and what it wrote to stderr."""
    return [_run_fresh(path) for path in paths]


def _run_fresh(path: Path) -> tuple[int, str]:
    try:
        done = subprocess.run([sys.executable, str(path)], capture_output=True, timeout=PATIENCE_S, check=False)
    except subprocess.TimeoutExpired:
        return 2, f"it took longer than {PATIENCE_S} s"
    return done.returncode, done.stderr.decode(errors="replace")


def forked(paths: list[Path]) -> list[tuple[int, str]]:
    """The same, in forks of this process, after it has imported what the scripts do."""
    lines = {line for path in paths for line in path.read_text("utf-8").splitlines()}
    names = {found[1] for line in lines if (found := re.match(r"(?:import|from) ([\w.]+)", line))}
    for name in [*sorted(names), *(LATE if "torch" in names else ())]:
        importlib.import_module(name)
    return [_run_forked(path) for path in paths]


def _run_forked(path: Path) -> tuple[int, str]:
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as said:
        child = os.fork()
        if child == 0:
            _be_script(path, said)
        _, status = os.waitpid(child, 0)
        said.seek(0)
        return os.waitstatus_to_exitcode(status), said.read()


def _be_script(path: Path, said: TextIO) -> Any:
    """Become the script, as an interpreter that is given its file would."""
    status = 0
    os.dup2(said.fileno(), 1)
    os.dup2(said.fileno(), 2)
    sys.stdout = sys.stderr = said
    signal.alarm(PATIENCE_S)
    try:
        runpy.run_path(str(path), run_name="__main__")
    except BaseException as error:
        sys.excepthook(type(error), error, error.__traceback__)
        status = 1
    said.flush()
    os._exit(status)


if __name__ == "__main__":
    sys.exit(main())
