"""Reading a published JSON file back: its problem is a message of a single line."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import msgspec

from reports.files import ReportError

Part = TypeVar("Part", bound=msgspec.Struct)

REMEDY = "make it again from the results files"


def decoded(path: Path, kind: type[Part], schema: str, what: str) -> Part:
    """The content of a file. Raises ReportError if it is missing, torn, or of another schema; `what` is its kind."""
    try:
        content = path.read_bytes()
        _check_schema(path, content, schema)
        return msgspec.json.decode(content, type=kind)
    except OSError as error:
        raise ReportError(f"{path}: {error.strerror or error}; give a {what}.json written by a report") from None
    except msgspec.ValidationError as error:
        raise ReportError(f"{path}: is not a valid {what}: {error}; {REMEDY}") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ReportError(f"{path}: {_unreadable(content, error, what)}") from None


class _Stamp(msgspec.Struct):
    """The field that names the format of a file."""

    schema: str | None = None


def _check_schema(path: Path, content: bytes, schema: str) -> None:
    # Before the rest is decoded: of another version, it would only be called invalid.
    stamp = msgspec.json.decode(content, type=_Stamp).schema
    if stamp != schema:
        raise ReportError(f"{path}: has schema {stamp!r}, expected {schema!r}; {REMEDY} with this version")


def _unreadable(content: bytes, error: Exception, what: str) -> str:
    # The likeliest mistake: a results file in the place of a matrix.
    if content.startswith(b'{"kind":"header"'):
        return f"is the results file of one engine, not a {what}; give it to `report`"
    if not content.strip() or (content.startswith(b"{") and not content.rstrip().endswith(b"}")):
        return f"is empty or cut short; {REMEDY}"
    return f"is not JSON: {error}; {REMEDY}"
