"""Results files: their names, their lines, and a complete file read back."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TextIO

import msgspec

from conformance.results import (
    PROGRAMS,
    SCHEMA,
    BehaviourRecord,
    Footer,
    Header,
    Record,
    ResultRecord,
    ResultsError,
    ResultsFile,
    TallyRecord,
)


def file_name(spec: str, part: str = "") -> str:
    """The name of an engine's results file: no two engines share it, also where case does not count.

    Generated programs have another file than behaviours, so that both can be in the same folder.
    """
    # No engine without a digest has a hyphen in its name.
    end = f"-{part}.jsonl" if part == PROGRAMS else ".jsonl"
    if re.fullmatch(r"[a-z0-9_]{1,60}", spec):
        return f"{spec}{end}"
    # `jax:jit` and `module:Class` cannot be names of files everywhere. The digest distinguishes what looks the same.
    readable = re.sub(r"[^a-z0-9_]+", "_", spec.lower())[:60]
    return f"{readable}-{hashlib.sha256(os.fsencode(spec)).hexdigest()[:8]}{end}"


def append(stream: TextIO, record: Record) -> None:
    """Write a line and flush it: what was written survives the end of the process, however it ends."""
    stream.write(msgspec.json.encode(record).decode() + "\n")
    stream.flush()


# Built once: building it reads the annotations of all record types.
_decoder: msgspec.json.Decoder[Record] = msgspec.json.Decoder(Record)


def records(path: Path) -> Iterator[Record]:
    """Read the lines of a results file in order. Raises ResultsError at the first that is none."""
    for number, line in enumerate(_lines(path), 1):
        try:
            yield _decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            problem = f"line {number} is not a record of {SCHEMA}: {error}"
            raise ResultsError(f"{path}: {problem}; {_remedy(line)}") from None


def _lines(path: Path) -> list[bytes]:
    try:
        return path.read_bytes().splitlines()
    except OSError as error:
        raise ResultsError(f"{path}: {error.strerror or error}; give a results file written by a run") from None


def _remedy(line: bytes) -> str:
    # A process that is killed while it writes leaves a line without its end.
    torn = line.startswith(b"{") and not line.rstrip().endswith(b"}")
    return "the run was cut short, run it again" if torn else "was the file written by another version, or by hand?"


def headed(path: Path) -> tuple[Header, list[Record]]:
    """The header of a file, and all of its lines. Raises ResultsError if it is none, or of another schema."""
    lines = list(records(path))
    if not lines or not isinstance(lines[0], Header):
        raise ResultsError(f"{path}: does not begin with a header; give a results file written by a run")
    if lines[0].schema != SCHEMA:
        raise ResultsError(f"{path}: has schema {lines[0].schema!r}, expected {SCHEMA!r}; run the engine again")
    return lines[0], lines


def read(path: Path) -> ResultsFile:
    """A complete file. Raises ResultsError, as `headed`, and if it was cut short."""
    header, lines = headed(path)
    if not isinstance(lines[-1], Footer):
        raise ResultsError(f"{path}: has no footer, the run was cut short; run the engine again")
    behaviours = [line for line in lines if isinstance(line, BehaviourRecord)]
    tallies = [line for line in lines if isinstance(line, TallyRecord)]
    return ResultsFile(str(path), header, behaviours, last_per_cell(lines), lines[-1], tallies)


def last_per_cell(lines: Iterable[Record]) -> list[ResultRecord]:
    """A row per cell, the last that was written: later rows replace earlier ones."""
    # Later lines win, and a dictionary keeps the place of the first.
    cells = {line.id: line for line in lines if isinstance(line, ResultRecord)}
    return list(cells.values())
