"""`python -m workshop findings`: causes for which engines do otherwise than is documented, for their maintainers."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path

import click
from packaging.specifiers import SpecifierSet

from conformance import known_failures
from conformance.behaviour import Behaviour
from conformance.behaviour_records import behaviour_record
from conformance.collection import load_all
from conformance.known_causes import Cause, CauseClass, installed_version, script_of
from conformance.known_failures import KnownFailure
from conformance.programs.known import read_known
from conformance.verdicts import Verdict
from workshop.scripts import forked, pool

KNOWN = Path(known_failures.__file__).parent / "known"
# How the name of a file about the laws on operations ends.
PARTS = re.compile("-(operations|inventory|programs|generated)$")
HEAD = """# Findings in {engine}

<!-- Written by `python -m workshop refresh` from `conformance/known/`. -->

What the engine does otherwise than is documented, by cause, the most harmful first. Each program needs the engine only,
and fails while the cause is there: `python -m workshop findings {engine} --run` tries them. To see a cell's check, run
`autograd-conformance show BEHAVIOUR`; an issue ready to paste is printed by `autograd-conformance show BEHAVIOUR
--engine {engine} --issue`. Is a finding wrong? See [disputing a cell](../disputing-a-cell.md).
"""
HEADINGS = {
    CauseClass.SILENT: "Silent wrong values",
    CauseClass.BUG: "Errors and other bugs of the engine",
    CauseClass.DOCUMENTATION: "Documentation that says otherwise than the engine does",
    CauseClass.LIMITATION: "Documented limitations that another page does not mention",
}
# How the error of a script ends that is itself at fault.
BROKEN = re.compile(
    r"(NameError|SyntaxError|IndentationError|ImportError|ModuleNotFoundError|AttributeError|TypeError)"
)


@click.command()
@click.argument("engines", nargs=-1)
@click.option("--run", is_flag=True, help="Run the native programs, and compare with the versions that are noted.")
def findings(engines: tuple[str, ...], run: bool) -> None:
    """Print the findings in these engines (default: all), as Markdown.

    With --run: exit status 1 if a program shows something else than is noted for the installed version.
    """
    found = pages(load_all())
    for name in engines or found:
        if name not in found:
            raise click.UsageError(f"nothing was found in {name!r}; findings are in {', '.join(found)}")
    if not run:
        for name in engines or found:
            click.echo(found[name])
        return
    told = [line for name in engines or found for line in tried(name)]
    for line, _ in told:
        click.echo(line)
    sys.exit(int(not all(fine for _, fine in told)))


def pages(declared: Iterable[Behaviour]) -> dict[str, str]:
    """A page per file with causes or findings; the columns whose files share its causes are on it."""
    behaviours = {one.id: one for one in declared}
    columns: dict[str, dict[str, list[KnownFailure]]] = {}
    for path in files():
        columns.setdefault(_home(path), {})[_stem(path)] = entries(path)
    found = {name: list(_page(name, its, behaviours)) for name, its in sorted(columns.items())}
    return {name: "\n".join([HEAD.format(engine=name), *lines]) for name, lines in found.items() if lines}


def files() -> list[Path]:
    """The files of known failures: of behaviours and operations, then of programs."""
    return [*sorted(KNOWN.glob("*.toml")), *sorted((KNOWN / "programs").glob("*.toml"))]


def _stem(path: Path) -> str:
    return f"{path.stem}-generated" if path.parent.name == "programs" else path.stem


def entries(path: Path) -> list[KnownFailure]:
    """The entries of such a file."""
    return [one.listed for one in read_known(path)] if path.parent.name == "programs" else known_failures.read(path)


def _home(path: Path) -> str:
    """The name of the page that a file is on: that of the file whose causes it shares, if it does."""
    shared = known_failures.shared_file(path)
    return _home(shared) if shared else PARTS.sub("", _stem(path))


def _causes(name: str) -> dict[str, Cause]:
    """The causes of all files on that page."""
    its = [path for path in files() if _home(path) == name]
    return {cause: one for path in its for cause, one in known_failures.causes_of(path).items()}


def _page(name: str, columns: Mapping[str, list[KnownFailure]], behaviours: Mapping[str, Behaviour]) -> Iterator[str]:
    causes = _causes(name)
    cells = {
        cause: [(_column(file), one) for file in columns for one in columns[file] if one.cause == cause]
        for cause in causes
    }
    shown = [cause for cause in causes if causes[cause].kind in HEADINGS]
    shown.sort(key=lambda cause: (list(CauseClass).index(causes[cause].kind), not _crashes(cells[cause])))
    for kind, its in groupby(shown, key=lambda cause: causes[cause].kind):
        yield f"## {HEADINGS[kind]}\n"
        for cause in its:
            yield from _finding(causes[cause], script_of(KNOWN / f"{name}.toml", cause), cells[cause], behaviours)
    yield from _uncaused([one for its in columns.values() for one in its], behaviours)


def _column(file: str) -> str:
    """The column that a file of known failures is about."""
    return PARTS.sub("", file).replace("-", ":", 1)


def _crashes(cells: Iterable[tuple[str, KnownFailure]]) -> bool:
    return any(one.verdict in (Verdict.CRASH, Verdict.TIMEOUT) for _, one in cells)


def _finding(
    cause: Cause, script: Path, cells: list[tuple[str, KnownFailure]], behaviours: Mapping[str, Behaviour]
) -> Iterator[str]:
    yield f"### {cause.title}\n"
    if script.exists():
        yield f"```python\n{script.read_text('utf-8').rstrip()}\n```\n"
    yield f"{cause.reason}\n"
    live = f"Live in {', '.join(cause.live_in)}. " if cause.live_in else ""
    yield f"{live}{f'Fixed in {cause.fixed_in}. ' if cause.fixed_in else ''}{_issues(cause)}\n"
    for behaviour, its in groupby(sorted(cells, key=_place), key=lambda cell: cell[1].behaviour):
        columns = ", ".join(f"{column}: {one.verdict.value}" for column, one in its)
        declared = behaviours.get(behaviour.partition("[")[0])
        # An entry about many cells of operations has a star, and says itself which.
        yield f"- `{behaviour}` ({columns})" + (f": {_claim(declared)}" if declared else "")
    yield ""


def _place(cell: tuple[str, KnownFailure]) -> tuple[str, str]:
    return cell[1].behaviour, cell[0]


def _issues(cause: Cause) -> str:
    if cause.issues:
        return "Reported: " + ", ".join(f"<{issue}>" for issue in cause.issues) + "."
    queries = "; ".join(f"*{query}*" for query in cause.searched)
    return f"No issue was found on {cause.searched_on} for the queries {queries}." if queries else "Not searched for."


def _claim(behaviour: Behaviour) -> str:
    """The statement, and who makes it."""
    cited = dict.fromkeys(
        f"{citation.source} [{citation.section or citation.title}]({citation.address})"
        for citation in behaviour_record(behaviour).citations
        if citation.source != "document"
    )
    return f"{behaviour.statement} ({'; '.join(cited)})"


def _uncaused(known: Iterable[KnownFailure], behaviours: Mapping[str, Behaviour]) -> Iterator[str]:
    """Findings whose entries have a reason, and no cause. Where it only differs, an engine keeps its documentation."""
    its = [one for one in known if not one.cause and one.verdict is not Verdict.DIFFERS]
    if its:
        yield "## Single cells\n"
    for one in its:
        upstream = f" Reported: <{one.upstream}>." if one.upstream else ""
        declared = behaviours.get(one.behaviour.partition("[")[0])
        claim = _claim(declared) if declared else ""
        yield f"- `{one.behaviour}` ({one.verdict.value}): {claim} Seen: {one.reason}{upstream}"


def tried(name: str, part: int = 0, parts: int = 1) -> Iterator[tuple[str, bool]]:
    """A line for each native program of an engine, and whether it ends as is noted; none where it is not installed.

    Of several parts, this one: every program is in one of them.
    """
    installed = installed_version(name)
    if not installed:
        return
    causes = _causes(name)
    scripts = {cause: script_of(KNOWN / f"{name}.toml", cause) for cause in causes}
    there = dict([(cause, path) for cause, path in scripts.items() if path.exists()][part::parts])
    with pool(1, True) as process:
        ended = next(process.map(forked, [list(there.values())]))
    for (cause, _), (status, said) in zip(there.items(), ended, strict=True):
        noted = SpecifierSet(causes[cause].versions).contains(installed, prereleases=True)
        last = said.strip().rpartition("\n")[2][:100]
        seen = "broken" if BROKEN.match(last) else "live" if status else "fixed"
        yield f"{cause} in {name} {installed}: {seen} {last}".rstrip(), seen == ("live" if noted else "fixed")
