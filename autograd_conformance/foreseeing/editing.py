"""Edits of an file of known failures that keep its comments, its order and everything that a person wrote."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import AoT, Item, String

from conformance.known_failures import KnownFailure, KnownFailureError
from reports.files import replace_all
from reports.text import excerpt

__all__ = ["edit", "entry_text"]

HEAD = "What this engine is known to do otherwise. An entry explains a cell, and never changes it."
MARK = "STALE:"


def edit(path: Path, drafts: Sequence[KnownFailure], stale: Mapping[int, str]) -> None:
    """Append the drafts, mark the stale entries behind their `behaviour`, and unmark the others.

    Raises KnownFailureError where the file is not written as [[known]] tables, ReportError where it cannot be written.
    """
    # As bytes, so that line ends stay what they are.
    text = path.read_bytes().decode() if path.exists() else f"# {HEAD}\n"
    marked = _marked(path, text, stale)
    end = "\r\n" if "\r\n" in text else "\n"
    added = "".join(f"\n{entry_text(draft)}" for draft in drafts).replace("\n", end)
    closed = marked if marked.endswith("\n") or not added else marked + end
    replace_all(path.parent, {path.name: (closed + added).encode()})


def _marked(path: Path, text: str, stale: Mapping[int, str]) -> str:
    try:
        document = tomlkit.parse(text)
    except TOMLKitError as error:
        raise KnownFailureError(f"{path}: cannot be edited: {error}") from None
    entries = document.get("known", tomlkit.aot())
    if not isinstance(entries, AoT):
        raise KnownFailureError(f"{path}: cannot be edited: write its entries as [[known]] tables")
    for number, entry in enumerate(entries):
        _mark(entry["behaviour"], stale.get(number, ""))
    return tomlkit.dumps(document)


def _mark(value: Item, problem: str) -> None:
    """Put the problem behind a value, after a comment that is there; an earlier mark is replaced."""
    if not problem and MARK not in value.trivia.comment:
        return
    theirs = re.sub(rf"(#|;) {MARK}.*", "", value.trivia.comment)
    mark = f"{MARK} {excerpt(problem, 300)}" if problem else ""
    # Not `value.comment`: it would write their own comment otherwise.
    value.trivia.comment = f"{theirs}; {mark}" if theirs and mark else theirs or (mark and f"# {mark}")
    value.trivia.comment_ws = (value.trivia.comment_ws or "  ") if theirs or mark else ""


def entry_text(draft: KnownFailure) -> str:
    """A draft as it would stand in the file."""
    fields = {
        "behaviour": draft.behaviour,
        "verdict": draft.verdict.value,
        "message": draft.message,
        "versions": draft.versions,
        "reason": draft.reason,
    }
    written = {name: text for name, text in fields.items() if text or name == "message"}
    return "[[known]]\n" + "".join(f"{name} = {_string(text).as_string()}\n" for name, text in written.items())


def _string(text: str) -> String:
    """A literal string where that spares doubled backslashes."""
    return tomlkit.string(text, literal="\\" in text and "'" not in text)
