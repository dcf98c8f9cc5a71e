"""One judge, one results format, one watcher of processes, one reader of known failures, one fork helper.

Each job has a mark in the code, and a place. A second place with that mark fails here: it belongs into the first, or
the job is another one and gets a line in the table.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from tests.test_layers import ROOT, files_of
from workshop.trips import TRIPS, modules_of

PRODUCT = ("conformance", "autograd_conformance", "reports", "adapters", "reference_engine")


@dataclass(frozen=True)
class Job:
    """A job: the mark of code that does it, the modules or folders that may do it, and the packages searched."""

    mark: Callable[[ast.AST], bool]
    places: set[str]
    packages: tuple[str, ...] = PRODUCT


def _calls(*names: str) -> Callable[[ast.AST], bool]:
    """A call of one of these dotted names."""
    return lambda node: isinstance(node, ast.Call) and ast.unparse(node.func) in names


def _is_tolerance(node: ast.AST) -> bool:
    """A number by which two others may differ: at most a thousandth, or the rounding of a dtype."""
    if isinstance(node, ast.Constant) and isinstance(node.value, float):
        return 0 < abs(node.value) <= 1e-3
    return isinstance(node, ast.Attribute) and node.attr == "eps"


def _reads_toml(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func).startswith("tomllib.load")


JOBS = {
    # Assertions of behaviours have tolerances, and laws, which judge everything else. Others are no verdicts: whether a
    # program is at a jump, how far a neighbouring point is, how coarsely a person's function computes, and what a
    # program that shows a broken law without the suite allows.
    "judging": Job(
        _is_tolerance,
        {
            "conformance/compare.py",
            "conformance/laws/",
            "conformance/own/function.py",
            "conformance/own/program.py",
            "conformance/programs/oracles.py",
            "conformance/programs/subject.py",
        },
        ("conformance",),
    ),
    # Results files; messages between recorder and worker, at both ends.
    "reading lines of JSON": Job(
        _calls("msgspec.json.Decoder"),
        {
            "conformance/results_file.py",
            "conformance/running/exchange.py",
            "conformance/running/channel.py",
        },
    ),
    "watching processes": Job(
        _calls("subprocess.Popen", "Popen", "multiprocessing.Process"), {"conformance/running/processes.py"}
    ),
    # Generated programs run in forks of a process that has loaded the engine; the workshop tries mutants in some.
    "forking": Job(
        _calls("os.fork", "os.forkpty", "os.posix_spawn"),
        {"conformance/running/program_worker.py", "workshop/isolation.py"},
        (*PRODUCT, "workshop"),
    ),
    # One schema, and one table of cells, for all sections of a report.
    "publishing a model": Job(_calls("msgspec.json.schema"), {"workshop/schemas.py"}, (*PRODUCT, "workshop")),
    "writing a table of cells": Job(_calls("csv.writer"), {"reports/cells_csv.py"}),
    "reading known failures": Job(
        _reads_toml, {"conformance/known_failures.py", "conformance/sources.py"}, ("conformance",)
    ),
}


@cache
def _nodes(package: str) -> tuple[tuple[str, ast.AST], ...]:
    """Each node of the code of a package, with the path of its file; chapters and tables of operations aside."""
    aside = {"chapters", "families"}
    files = (path for path in files_of(package) if not aside & set(path.parts))
    return tuple((path.relative_to(ROOT).as_posix(), node) for path in files for node in ast.walk(_tree(path)))


def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def places(job: Job) -> Iterator[str]:
    """The modules that have the mark of a job; a folder in the place of its modules, where the table has it."""
    for package in job.packages:
        for name, node in _nodes(package):
            if job.mark(node):
                folder = f"{name.rpartition('/')[0]}/"
                yield folder if folder in job.places else name


@pytest.mark.parametrize("name", JOBS)
def test_a_job_has_one_place(name: str) -> None:
    """The modules with its mark are those of the table."""
    assert set(places(JOBS[name])) == JOBS[name].places


def test_a_program_shares_its_way_to_the_page_with_behaviours() -> None:
    """Most modules that a generated program passes are passed by a behaviour, too."""
    behaviour, program = (modules_of(TRIPS[kind]) for kind in ("behaviour", "program"))
    assert len(program & behaviour) >= 45
