"""What is written before the first cell: which suite, engine and adapter a results file belongs to."""

from __future__ import annotations

import hashlib
import platform
import sys
from datetime import datetime, timezone
from pathlib import Path

import pytest

import conformance
from conformance import collecting
from conformance.protocol.adapter import Adapter
from conformance.results import SCHEMA, EngineRecord, Header, SuiteRecord

__all__ = ["digest", "header"]


def header(config: pytest.Config, adapter: Adapter, selected: int, complete: bool) -> Header:
    """The first line of a results file."""
    return Header(
        schema=SCHEMA,
        suite=SuiteRecord(conformance.__version__, collecting.revision(_chapters(config))),
        engine=_engine(config, adapter),
        command=[Path(sys.argv[0]).name, *sys.argv[1:]],
        seed=config.getoption("shuffle") or 0,
        selected=selected,
        complete=complete,
        started=datetime.now(timezone.utc).isoformat(timespec="seconds"),
        adapter=digest(adapter),
        limit_s=config.getoption("limit"),
        memory_gib=config.getoption("memory"),
        known_failures=str(adapter.known_failures or ""),
    )


def _chapters(config: pytest.Config) -> tuple[Path, ...]:
    """The files of the behaviours, in folders that this session was given."""
    folders = (Path(argument) for argument in config.args)
    return tuple(path for folder in folders if folder.is_dir() for path in collecting.chapter_files(folder))


def _engine(config: pytest.Config, adapter: Adapter) -> EngineRecord:
    return EngineRecord(
        spec=config.getoption("engine"),
        name=adapter.name,
        version=adapter.version,
        parameters=adapter.parameters,
        sources=dict(adapter.held_to),
        platform=platform.platform(),
        python=platform.python_version(),
    )


def digest(adapter: Adapter) -> str:
    """A digest of the adapter's source: all loaded modules of the packages that define its classes."""
    # `conformance` is left out: the suite's revision covers it, and every adapter derives from a class of it.
    tops = {base.__module__.partition(".")[0] for base in type(adapter).__mro__ if base is not object}
    digest = hashlib.sha256()
    for name in sorted(name for name in sys.modules if name.partition(".")[0] in tops - {conformance.__name__}):
        path = Path(getattr(sys.modules[name], "__file__", None) or "")
        digest.update(name.encode() + (path.read_bytes() if path.suffix == ".py" and path.exists() else b""))
    return digest.hexdigest()[:12]
