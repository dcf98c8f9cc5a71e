"""Edits of a file of known failures that keep its comments, its order and everything that a person wrote.

They go by lines, of which each cell has one: so a person can merge them, and an edit changes no other byte.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from autograd_conformance.known_drafts import DraftRecord, KnownFileRecord
from conformance.known_causes import PARTS
from conformance.known_failures import DRAFT, KnownFailureError, read
from conformance.verdicts import CauseKind, Verdict
from reports.files import replace_all
from reports.text import excerpt

HEAD = "# Known failures of this engine. An entry explains a cell, and never changes its verdict.\n"
# The cause that drafts are below.
DRAFTS = f"""
[cause.draft]  # move each line to its cause, or make this one: name, title, kind, reason
title = "{DRAFT}"
kind = "{CauseKind.ERROR.value}"
reason = "{DRAFT}: why does the engine do this, and where is it documented or reported?"
"""
MARK = "STALE:"
TABLE = re.compile(r"\s*\[cause\.\"?([^\"\]]+)\"?\]")
LIST = re.compile(rf"\s*({'|'.join(PARTS)})\s*=\s*\[\s*(#.*)?$")
STRING = r"\"(?:[^\"\\]|\\.)*\"|'[^']*'"
# A cell with the comma after it, and the comment of a person.
ITEM = re.compile(rf"(\s*(?:{STRING}|\{{(?:[^\"'{{}}]|{STRING})*\}})(?:\s*,)?)(\s*)(#.*)?")


class _KnownFileLines:
    """The lines of a file, and where its causes, their lists and their cells are."""

    def __init__(self, text: str) -> None:
        # Not splitlines, to which characters within a string end a line.
        self.end = "\r\n" if "\r\n" in text else "\n"
        self.lines = text.removesuffix(self.end).split(self.end) if text else []
        self.causes: dict[str, int] = {}
        self.ends: dict[tuple[str, str], int] = {}
        self.cells: dict[tuple[str, str, int], int] = {}
        cause = part = ""
        for number, line in enumerate(self.lines):
            if table := TABLE.match(line):
                cause, part = table[1], ""
                self.causes[cause] = number
            elif begin := LIST.match(line):
                part, place = begin[1], 0
            elif part and line.lstrip().startswith("]"):
                self.ends[cause, part], part = number, ""
            elif part and ITEM.fullmatch(line):
                place += 1
                self.cells[cause, part, place] = number

    def mark(self, number: int, problem: str) -> None:
        """Put the problem into the comment of a line, after a person's; replaces an earlier mark."""
        matched = ITEM.fullmatch(self.lines[number])
        assert matched is not None, "it is the line of a cell"
        item, space, comment = matched[1], matched[2], matched[3] or ""
        if not problem and MARK not in comment:
            return
        theirs = re.sub(rf"(#|;) {MARK}.*", "", comment)
        mark = f"{MARK} {excerpt(problem, 300)}" if problem else ""
        comment = f"{theirs}; {mark}" if theirs and mark else theirs or (mark and f"# {mark}")
        self.lines[number] = f"{item}{space or '  '}{comment}" if comment else item

    def add(self, drafts: Sequence[DraftRecord]) -> None:
        """Add drafts to the cause for them, which is made at the end of the file."""
        if drafts and "draft" not in self.causes:
            self.causes["draft"] = len(self.lines) + 1
            self.lines += DRAFTS.splitlines()
        by_part = sorted(drafts, key=lambda draft: (PARTS.index(draft.part), draft.cell))
        # From the end of the file, so that the numbers of lines before stay right.
        parts = [(part, list(map(line_of, its))) for part, its in groupby(by_part, key=lambda draft: draft.part)]
        for part, lines in sorted(parts, key=lambda part: -self.ends.get(("draft", part[0]), 0)):
            if ("draft", part) in self.ends:
                end = self.ends["draft", part]
                self.lines[end:end] = lines
            else:
                # Below the line of the table, its title, kind and reason, as DRAFTS has them.
                after = self.causes["draft"] + 4
                self.lines[after:after] = [f"{part} = [", *lines, "]"]


def edit(changes: KnownFileRecord) -> None:
    """Add the drafts, mark the lines of stale entries, and remove the mark from the others.

    Raises KnownFailureError where a cell has no line of its own, ReportError where the file cannot be written.
    """
    path = Path(changes.file)
    # As bytes, so that line ends stay what they are.
    before = path.read_bytes().decode() if path.exists() else HEAD
    file = _KnownFileLines(before)
    entries = read(path, drafts=True) if path.exists() else []
    # Lines are read by patterns here, and as TOML by the loader: where these differ, a mark would be misplaced.
    if len(file.cells) != len(entries):
        raise KnownFailureError(f"{path}: cannot be edited: write each cell on a line of its own")
    problems = {(stale.cause, stale.part, stale.place): stale.problem for stale in changes.stale}
    for place, number in file.cells.items():
        file.mark(number, problems.get(place, ""))
    file.add(changes.drafts)
    text = file.end.join(file.lines) + (file.end if before.endswith("\n") or changes.drafts else "")
    replace_all(path.parent, {path.name: text.encode()})


def line_of(draft: DraftRecord) -> str:
    """A draft as a line of the file."""
    fields = {
        "cell": _string(draft.cell),
        "columns": f"[{', '.join(map(_string, draft.columns))}]" if draft.columns else "",
        "verdict": "" if draft.verdict is Verdict.FAIL else _string(draft.verdict.value),
        "message": _string(draft.message) if draft.message else "",
        "versions": _string(draft.versions) if draft.versions else "",
        "example": _string(draft.example) if draft.example else "",
    }
    return f"    {{ {', '.join(f'{key} = {value}' for key, value in fields.items() if value)} }},"


def _string(text: str) -> str:
    """A string of TOML: literal where that avoids doubled backslashes."""
    if "\\" in text and "'" not in text and text.isprintable():
        return f"'{text}'"
    quoted = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(letter if letter.isprintable() else f"\\U{ord(letter):08x}" for letter in quoted) + '"'
