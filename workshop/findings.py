"""`python -m workshop findings`: where engines do otherwise than is documented, for their maintainers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from conformance import known_failures
from conformance.behaviour import Behaviour
from conformance.collecting import load_all
from conformance.describe import behaviour_record
from conformance.verdicts import Verdict

__all__ = ["findings", "pages"]

HEAD = """# Findings in {engine}

<!-- Written by `python -m workshop refresh` from `conformance/known/{engine}.toml`. -->

Each is a behaviour in which the engine does otherwise than its documentation says. To see the program, run
`autograd-conformance show BEHAVIOUR`; to try it, `autograd-conformance run --engine {engine} BEHAVIOUR`. Is a finding
wrong? See [disputing a cell](../disputing-a-cell.md).
"""


@click.command()
@click.argument("engines", nargs=-1)
def findings(engines: tuple[str, ...]) -> None:
    """Print the findings in these engines (default: all), as Markdown."""
    found = pages(load_all())
    for name in engines or found:
        if name not in found:
            raise click.UsageError(f"nothing was found in {name!r}; findings are in {', '.join(found)}")
        click.echo(found[name])


def pages(declared: Iterable[Behaviour]) -> dict[str, str]:
    """A page per engine that has findings, in the order of its file of known failures."""
    behaviours = {one.id: one for one in declared}
    found = {}
    for path in sorted((Path(known_failures.__file__).parent / "known").glob("*.toml")):
        # Where it only differs, an engine keeps its own documentation: nothing for its maintainers to mend.
        its = [known for known in known_failures.read(path) if known.verdict is not Verdict.DIFFERS]
        parts = [line for one in its for line in _finding(one, behaviours[one.behaviour.partition("[")[0]])]
        if its:
            found[path.stem] = "\n".join([HEAD.format(engine=path.stem), *parts])
    return found


def _finding(known: known_failures.KnownFailure, behaviour: Behaviour) -> Iterator[str]:
    yield f"## `{known.behaviour}`\n"
    yield f"Documented: {behaviour.statement}\n"
    for citation in behaviour_record(behaviour).citations:
        place = f"{citation.title}, {citation.section}" if citation.section else citation.title
        yield f"- {citation.source}: {place}"
    versions = f", versions {known.versions}" if known.versions else ""
    yield f"\nSeen ({known.verdict.value}{versions}): {known.reason}\n"
    if known.upstream:
        yield f"Upstream: {known.upstream}\n"
