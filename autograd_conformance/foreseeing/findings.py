"""Where engines do otherwise than somebody documents: one page for their maintainers, from the known cells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from autograd_conformance.foreseeing.records import FindingRecord
from conformance import known_failures
from conformance.behaviour import Behaviour
from conformance.describe import behaviour_record
from conformance.verdicts import Verdict

__all__ = ["markdown", "records"]

HEAD = """# Findings

<!-- Written by `autograd-conformance findings --output docs/findings.md`; a test says when it is out of date. -->

Each is a cell in which an engine does otherwise than documentation says, with the smallest program that shows it, what
was seen, and the upstream issue where there is one. `autograd-conformance run --engine ENGINE BEHAVIOUR` repeats it.
Think a finding wrong? See [disputing a cell](disputing-a-cell.md). The entries are in `conformance/known/`.

"""


def markdown(declared: Iterable[Behaviour]) -> str:
    """The page, in Markdown: engines by name, their entries in the order of their files."""
    found = records(declared)
    names = list(dict.fromkeys(one.engine for one in found))
    return HEAD + "\n".join(part for name in names for part in _engine(name, [f for f in found if f.engine == name]))


def records(declared: Iterable[Behaviour]) -> list[FindingRecord]:
    """The findings as data, in the order of the page."""
    behaviours = {one.id: one for one in declared}
    files = sorted((Path(known_failures.__file__).parent / "known").glob("*.toml"))
    return [
        _record(path.stem, known, behaviours[known.behaviour.partition("[")[0]])
        for path in files
        for known in known_failures.read(path)
        if known.verdict is not Verdict.DIFFERS
    ]


def _record(engine: str, known: known_failures.KnownFailure, behaviour: Behaviour) -> FindingRecord:
    shown = behaviour_record(behaviour)
    return FindingRecord(
        engine=engine,
        behaviour=known.behaviour,
        verdict=known.verdict.value,
        versions=known.versions,
        statement=shown.statement,
        reason=known.reason,
        upstream=known.upstream,
        citations=shown.citations,
        check=shown.check,
    )


def _engine(name: str, its: Sequence[FindingRecord]) -> Iterator[str]:
    yield f"## {name}: {len(its)}\n"
    for one in its:
        yield from _finding(one)


def _finding(one: FindingRecord) -> Iterator[str]:
    yield f"### `{one.behaviour}`\n"
    yield f"Promised: {one.statement}\n"
    for citation in one.citations:
        place = f"{citation.title}, {citation.section}" if citation.section else citation.title
        yield f"- {citation.source}: {place}"
    versions = f", versions {one.versions}" if one.versions else ""
    yield f"\nSeen ({one.verdict}{versions}): {one.reason}\n"
    if one.upstream:
        yield f"Upstream: {one.upstream}\n"
    yield f"```python\n{one.check.rstrip()}\n```\n"
