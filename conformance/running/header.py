"""The header of a results file: the suite, engine and adapter that it belongs to."""

from __future__ import annotations

import hashlib
import os
import platform
import sys
from datetime import datetime, timezone
from pathlib import Path

import conformance
from conformance import collection
from conformance.protocol.adapter import Adapter
from conformance.results import SCHEMA, EngineRecord, Header, SuiteRecord
from conformance.running.exchange import Ready
from conformance.running.options import Options


def header(spec: str, ready: Ready, options: Options, selected: int, listed: str = "") -> Header:
    """The first line of a results file."""
    return Header(
        schema=SCHEMA,
        suite=SuiteRecord(conformance.__version__, _revision(options.chapters)),
        engine=EngineRecord(
            spec=spec,
            name=ready.name,
            version=ready.version,
            parameters=dict(ready.parameters),
            sources=dict(ready.held_to),
            platform=platform.platform(),
            # That of the recording process, by whose interpreter the workers are started.
            python=platform.python_version(),
        ),
        # A name of a folder need not be UTF-8.
        command=[
            os.fsencode(word).decode(errors="backslashreplace") for word in (Path(sys.argv[0]).name, *sys.argv[1:])
        ],
        seed=options.seed or 0,
        selected=selected,
        complete=options.complete,
        started=datetime.now(timezone.utc).isoformat(timespec="seconds"),
        adapter=ready.digest,
        limit_s=options.limits.seconds,
        memory_gib=options.limits.memory,
        known_failures=ready.known_failures,
        fallbacks=ready.fallbacks,
        part=options.part,
        listed=listed,
    )


def _revision(chapters: Path) -> str:
    """The revision of the suite, with the files of chapters from outside."""
    outside = chapters.resolve() != collection.CHAPTERS.resolve()
    return collection.revision(tuple(collection.chapter_files(chapters)) if outside else ())


def digest(adapter: Adapter) -> str:
    """A digest of the adapter's source: all loaded modules of the packages that define its classes."""
    # `conformance` is left out: the suite's revision covers it, and every adapter derives from a class of it.
    tops = {base.__module__.partition(".")[0] for base in type(adapter).__mro__ if base is not object}
    digest = hashlib.sha256()
    for name in sorted(name for name in sys.modules if name.partition(".")[0] in tops - {conformance.__name__}):
        path = Path(getattr(sys.modules[name], "__file__", None) or "")
        digest.update(name.encode() + (path.read_bytes() if path.suffix == ".py" and path.exists() else b""))
    return digest.hexdigest()[:12]
