"""`python -m workshop accounts`: the statements of documentations that each behaviour carries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

import click

from conformance import collection
from workshop.accounts import Entry, load_all


@click.command()
@click.argument("chapters", nargs=-1)
def accounts(chapters: Sequence[str]) -> None:
    """Print for each behaviour the entries that it carries (default: of all chapters), and what is left out, and why.

    An entry is a statement of a documentation; a behaviour without one goes beyond them. Exit status 1 if an entry
    names a behaviour that is not written.
    """
    written = [cell for behaviour in collection.load_all() for cell in (behaviour.id, *behaviour.ids())]
    missing = sorted({name for entry in load_all() for name in entry.behaviours} - set(written))
    for line in index(written, load_all(), chapters):
        click.echo(line)
    if missing:
        raise click.ClickException(f"not written yet: {', '.join(missing)}")


def index(written: Iterable[str], entries: Iterable[Entry], chapters: Sequence[str] = ()) -> Iterator[str]:
    """A line per behaviour, those without an entry among them, then one per entry without a behaviour."""
    carried = defaultdict(list)
    entries = list(entries)
    for entry in entries:
        # An entry may name several cases of a behaviour.
        for name in dict.fromkeys(cell.partition("[")[0] for cell in entry.behaviours):
            carried[name].append(f"{entry.account} {entry.id}")
    for name in sorted({cell.partition("[")[0] for cell in written} | set(carried)):
        if not chapters or name.partition(".")[0] in chapters:
            yield f"{name}: {', '.join(carried[name]) or 'beyond the catalogues'}"
    if not chapters:
        for entry in entries:
            if not entry.behaviours and (carrier := entry.carried_by):
                yield f"by {carrier}: {entry.account} {entry.id}: {', '.join(getattr(entry, carrier))}"
        yield from (f"left out: {entry.account} {entry.id}: {entry.reason}" for entry in entries if entry.reason)
