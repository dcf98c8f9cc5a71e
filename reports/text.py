"""Text from engines, made safe to show: no terminal escapes, no invisible characters, no megabytes."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

LIMIT = 2000

# Colours and cursor movements, window titles, other sequences. No part is scanned twice: megabytes are fast.
_TERMINAL = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\^_])")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
# Not allowed in XML, or able to reorder what is read: direction marks, lone surrogates, other controls.
_HIDDEN = re.compile("[\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")


def clean(text: str) -> str:
    """The text without terminal escapes; control characters become visible symbols, other hidden ones U+FFFD."""
    if text.isprintable():  # most texts: there is nothing to replace, and a report has 100,000 of them
        return text
    text = _TERMINAL.sub("", text).replace("\r\n", "\n").replace("\r", "\n")
    return _HIDDEN.sub("\ufffd", _CONTROL.sub(_picture, text))


def _picture(control: re.Match[str]) -> str:
    return chr(0x2400 + ord(control.group()))


def clip(text: str, limit: int = LIMIT) -> str:
    """The cleaned text, or its beginning and its end (where exceptions have their point) around a note."""
    text = clean(text).strip("\n")
    if len(text) <= limit:
        return text
    tail = limit // 4
    left_out = len(text) - limit
    note = f"[... {left_out:,} of {len(text):,} characters left out; matrix.json has them all ...]"
    return f"{text[: limit - tail]}\n{note}\n{text[-tail:]}"


def excerpt(text: str, limit: int = 160) -> str:
    """The first non-empty line, shortened, as a summary of the whole."""
    # Cut before cleaning: a message may be megabytes, and only its first line is shown.
    lines = clean(text[: 20 * limit]).strip().split("\n")
    first = " ".join(lines[0].split())
    return first if len(first) <= limit else first[: limit - 1].rstrip() + "…"


def link(address: str) -> str | None:
    """The address if a browser may follow it: http or https with a host, and nothing hidden in it."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return None
    # An address comes from an adapter or a TOML file: `javascript:` must not become a link.
    safe = parts.scheme in ("http", "https") and parts.netloc and address == clean(address)
    return address if safe and not re.search(r"\s", address) else None


def words(name: str) -> str:
    """A chapter, verdict or convention as words: `graph_lifetime` reads "graph lifetime"."""
    return name.replace("_", " ")
