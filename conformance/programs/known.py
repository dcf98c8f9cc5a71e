"""Known signatures: known/programs/<engine>.toml lists what programs find in an engine, with causes as for behaviours.

```toml
causes = "../torch.toml"    # may be left out: a file whose causes are used too

[[known]]
signature = "forward_is_reverse: numbers: write.multiply:itself"
cause = "inplace_square_tangent"
example = "writes:17"       # may be left out: kind and seed of a program that shows it
```

A `*` in a signature matches any letters. An entry without a cause has a `reason`; it may have `versions` (PEP 440).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion

from conformance import known_failures
from conformance.known_causes import Cause
from conformance.known_failures import KnownFailure, KnownFailureError, causes_of
from conformance.programs.generator.kinds import KINDS
from conformance.sources import tomllib
from conformance.verdicts import Verdict

__all__ = ["KnownSignature", "known_signatures", "read_known", "signatures_file"]

EXAMPLE = re.compile(rf"({'|'.join(KINDS)}):\d+")


class _Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    signature: str
    cause: str = ""
    reason: str = ""
    example: str = ""
    versions: str = ""


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    known: list[_Entry] = []
    cause: dict[str, Any] = {}
    causes: str = ""


@dataclass(frozen=True)
class KnownSignature:
    """An entry: what is published of it, and the kind and seed of a program that shows it, if the file says so."""

    listed: KnownFailure
    example: str = ""

    @property
    def signature(self) -> str:
        """The signature, or a pattern of some."""
        return self.listed.behaviour


def signatures_file(engine: str) -> Path:
    """The suite's own file for an engine, by the adapter's name for it; it need not be there."""
    return Path(known_failures.__file__).parent / "known" / "programs" / f"{engine.replace(':', '-')}.toml"


def known_signatures(path: Path, version: str) -> list[KnownSignature]:
    """The entries that concern this version of the engine; none if there is no such file. Raises KnownFailureError."""
    try:
        return [one for one in read_known(path) if one.listed.applies_to(version)] if path.exists() else []
    except InvalidVersion:
        raise KnownFailureError(f"{path}: the engine's version {version!r} is not a version (PEP 440)") from None


def read_known(path: Path) -> list[KnownSignature]:
    """All entries of a file, in its order. Raises KnownFailureError, which names file and entry."""
    try:
        found = msgspec.convert(tomllib.loads(path.read_text("utf-8")), _File)
    except OSError as error:
        raise KnownFailureError(f"{path}: cannot be read: {error.strerror}; give a TOML file") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise KnownFailureError(f"{path}: is not TOML: {error}") from None
    except msgspec.ValidationError as error:
        raise KnownFailureError(f"{path}: {error}") from None
    causes = causes_of(path)
    return [_entry(f"{path}: entry {number}", one, causes) for number, one in enumerate(found.known, 1)]


def _entry(where: str, entry: _Entry, causes: Mapping[str, Cause]) -> KnownSignature:
    told = causes.get(entry.cause)
    given = told.defaults() if told else {}
    reason, versions = entry.reason.strip() or given.get("reason", ""), entry.versions or given.get("versions", "")
    problem = ""
    if not entry.signature.strip():
        problem = "has no signature"
    elif entry.cause and told is None:
        problem = f"names the cause {entry.cause!r}, but there is no [cause.{entry.cause}]"
    elif not reason:
        problem = "needs a cause or a reason"
    elif entry.example and not EXAMPLE.fullmatch(entry.example):
        problem = f"has the example {entry.example!r}: write KIND:SEED, such as writes:17"
    try:
        SpecifierSet(versions)
    except InvalidSpecifier as error:
        problem = str(error)
    if problem:
        raise KnownFailureError(f"{where} ({entry.signature}): {problem}")
    review = str(given.get("review_after", ""))
    upstream = str(given.get("upstream", ""))
    listed = KnownFailure(entry.signature, Verdict.FAIL, "", reason, versions, upstream, review, entry.cause, told)
    return KnownSignature(listed, entry.example)
