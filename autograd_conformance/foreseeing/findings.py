"""Where engines do otherwise than somebody documents: one page for their maintainers, from the foreseen cells."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from conformance import expectations
from conformance.behaviour import Behaviour
from conformance.describe import behaviour_record
from conformance.verdicts import Verdict

__all__ = ["markdown"]

HEAD = """# Findings

<!-- Written by `autograd-conformance findings --output docs/findings.md`; a test says when it is out of date. -->

Each is a cell in which an engine does otherwise than documentation says, with the smallest program that shows it, what
was seen, and the upstream issue where there is one. `autograd-conformance run --engine ENGINE BEHAVIOUR` repeats it.
Think a finding wrong? See [disputing a cell](disputing-a-cell.md). The entries are in `conformance/expectations/`.

"""


def markdown(declared: Iterable[Behaviour]) -> str:
    """The page, in Markdown: engines by name, their entries in the order of their files."""
    behaviours = {one.id: one for one in declared}
    files = sorted(Path(expectations.__file__).parent.glob("*.toml"))
    parts = [part for path in files for part in _engine(path.stem, expectations.read(path), behaviours)]
    return HEAD + "\n".join(parts)


def _engine(name: str, known: Sequence[expectations.Known], behaviours: dict[str, Behaviour]) -> Iterator[str]:
    broken = [one for one in known if one.verdict is not Verdict.DIFFERS]
    if not broken:
        return
    yield f"## {name}: {len(broken)}\n"
    for one in broken:
        yield from _finding(one, behaviours[one.behaviour.partition("[")[0]])


def _finding(known: expectations.Known, behaviour: Behaviour) -> Iterator[str]:
    yield f"### `{known.behaviour}`\n"
    yield f"Promised: {behaviour.statement}\n"
    for citation in behaviour_record(behaviour).citations:
        place = f"{citation.title}, {citation.section}" if citation.section else citation.title
        yield f"- {citation.promiser}: {place}"
    yield f"\nSeen ({known.verdict.value}{_versions(known)}): {known.reason}\n"
    if known.upstream:
        yield f"Upstream: {known.upstream}\n"
    yield f"```python\n{inspect.getsource(behaviour.check).rstrip()}\n```\n"


def _versions(known: expectations.Known) -> str:
    return f", versions {known.versions}" if known.versions else ""
