"""Edits of a file of known failures that keep its comments, its order and everything that a person wrote."""

from __future__ import annotations

import re
from pathlib import Path

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import AoT, Item, String

from autograd_conformance.known_drafts import KnownFileRecord
from conformance.known_failures import KnownFailure, KnownFailureError
from reports.files import replace_all
from reports.text import excerpt

__all__ = ["edit", "entry_text"]

HEAD = "Known failures of this engine. An entry explains a cell, and never changes its verdict."
MARK = "STALE:"


def edit(changes: KnownFileRecord) -> None:
    """Append the drafts, mark the stale entries after their `behaviour`, and remove the mark from the others.

    Raises KnownFailureError where the file is not written as [[known]] tables, ReportError where it cannot be written.
    """
    path = Path(changes.file)
    # As bytes, so that line ends stay what they are.
    before = path.read_bytes().decode() if path.exists() else f"# {HEAD}\n"
    marked = _marked(changes, before)
    end = "\r\n" if "\r\n" in before else "\n"
    added = "".join(f"\n{entry_text(draft)}" for draft in changes.drafts).replace("\n", end)
    # Behind a last line without an end, what is added would begin in the middle of it.
    closed = marked if marked.endswith("\n") or not added else marked + end
    replace_all(path.parent, {path.name: (closed + added).encode()})


def _marked(changes: KnownFileRecord, before: str) -> str:
    try:
        document = tomlkit.parse(before)
    except TOMLKitError as error:
        raise KnownFailureError(f"{changes.file}: cannot be edited: {error}") from None
    entries = document.get("known", tomlkit.aot())
    if not isinstance(entries, AoT):
        raise KnownFailureError(f"{changes.file}: cannot be edited: write its entries as [[known]] tables")
    problems = {stale.entry: stale.problem for stale in changes.stale}
    for number, entry in enumerate(entries, 1):
        _mark(entry["behaviour"], problems.get(number, ""))
    return tomlkit.dumps(document)


def _mark(value: Item, problem: str) -> None:
    """Put the problem into the comment after a value, after what a person wrote there; replaces an earlier mark."""
    if not problem and MARK not in value.trivia.comment:
        return
    theirs = re.sub(rf"(#|;) {MARK}.*", "", value.trivia.comment)
    mark = f"{MARK} {excerpt(problem, 300)}" if problem else ""
    # Not by `value.comment()`, which would reformat the person's comment.
    value.trivia.comment = f"{theirs}; {mark}" if theirs and mark else theirs or (mark and f"# {mark}")
    value.trivia.comment_ws = (value.trivia.comment_ws or "  ") if theirs or mark else ""


def entry_text(draft: KnownFailure) -> str:
    """A draft as it is written into the file."""
    fields = {
        "behaviour": draft.behaviour,
        "verdict": draft.verdict.value,
        "message": draft.message,
        "versions": draft.versions,
        "reason": draft.reason,
    }
    # An empty message is a pattern that fits any; the key itself is required.
    given = {name: value for name, value in fields.items() if value or name == "message"}
    return "[[known]]\n" + "".join(f"{name} = {_string(value).as_string()}\n" for name, value in given.items())


def _string(value: str) -> String:
    """As a literal string where that avoids doubled backslashes."""
    return tomlkit.string(value, literal="\\" in value and "'" not in value)
