"""Lines of an engine's source that a behaviour runs: a mutant elsewhere cannot change its verdict."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from conformance import trial
from workshop.mutant import ENGINES
from workshop.mutants.source import first_position, modules_of, parsed
from workshop.mutants.worker import start

# `module:line`, and for a lambda `module:line:column`, with the cells that come by.
Spots = dict[str, list[str]]


def trace_spots(engine: str, cells: Sequence[str]) -> Spots:
    """Run cells on an engine as it is, in this process, and record the spots of its source that they come by."""
    worker = start(engine)
    files = {str(path): module for module, path in modules_of(ENGINES[engine]).items()}
    reaching: dict[str, dict[str, None]] = {}
    for cell in cells:
        behaviour, case = worker.cells[cell]
        seen: set[str] = set()
        # Not sys.monitoring: Python 3.10 and 3.11 have none.
        sys.settrace(_tracer(files, seen))
        try:
            trial.run(behaviour, worker.adapter, case)
        finally:
            sys.settrace(None)
        for spot in seen:
            reaching.setdefault(spot, {})[cell] = None
    return {spot: list(there) for spot, there in reaching.items()}


def _tracer(files: dict[str, str], seen: set[str]) -> Callable[..., Any]:
    def call(frame: FrameType, event: str, _: object) -> Any:
        code = frame.f_code
        # None stops the tracing of lines within this call: most calls are those of NumPy and of the harness.
        if code.co_filename not in files:
            return None
        if code.co_name == "<lambda>":
            seen.add("{}:{}:{}".format(files[code.co_filename], *_first(code)))
            return None
        return _follower(code.co_filename, files[code.co_filename], seen)

    return call


def _follower(file: str, module: str, seen: set[str]) -> Callable[..., Any]:
    """Follow a call line by line, and record which way each `if` goes."""
    heads, head = _heads(file), 0

    def line(frame: FrameType, event: str, _: object) -> Any:
        nonlocal head
        if event not in ("line", "return"):
            return line
        # The first line after a test, or the end of the call, shows which way its `if` went: settrace knows no
        # branches.
        if head and (event == "return" or frame.f_lineno not in heads[head][0]):
            inside = event == "line" and frame.f_lineno in heads[head][1]
            seen.add(f"{module}:{head} {str(inside).lower()}")
            head = 0
        if event == "line":
            seen.add(f"{module}:{frame.f_lineno}")
            head = frame.f_lineno if frame.f_lineno in heads else head
        return line

    return line


@cache
def _heads(file: str) -> dict[int, tuple[range, range]]:
    """The first line of each `if`, with the lines of its test and of its body."""
    heads = {}
    for node in ast.walk(parsed(Path(file))):
        if isinstance(node, ast.If):
            body = range(node.body[0].lineno, int(node.body[-1].end_lineno or 0) + 1)
            heads[node.lineno] = range(node.lineno, int(node.test.end_lineno or 0) + 1), body
    return heads


@cache
def _first(code: CodeType) -> tuple[int, int]:
    return first_position(code)
