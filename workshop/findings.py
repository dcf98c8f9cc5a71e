"""`python -m workshop findings`: causes for which engines do otherwise than is documented, for their maintainers."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path

import click
from packaging.specifiers import SpecifierSet

from conformance.behaviour import Behaviour
from conformance.behaviour_records import behaviour_record
from conformance.collection import load_all
from conformance.known_causes import Cause, KnownFailure
from conformance.known_failures import KNOWN, causes_of, installed_version, script_of
from conformance.verdicts import CauseKind, Verdict
from workshop.bugs import table as bugs
from workshop.provenance import searches
from workshop.scripts import forked, pool

ROOT = Path(__file__).parents[1]
INDEX = """# Findings

<!-- Written by `python -m workshop refresh` from `conformance/known/`. -->

Causes for which an engine does otherwise than is documented, the most harmful kind first; within a kind and an engine
crashes first, then those for which no issue was found. A title leads to a program that needs the engine only, and fails
while the cause is there. `python -m workshop findings FOLDER` writes a page for each engine, with programs, reasons,
searches in the tracker and cells, and with documented limitations; the report shows the cause of each cell. Real bugs
of the past, and what shows them: `python -m workshop bugs`. Is a finding wrong? See [disputing a
cell](disputing-a-cell.md).

| kind | engine | cause | issues |
|---|---|---|---|
"""
# The order of engines that people use most.
ENGINES = ("torch", "jax", "hips_autograd", "reference")
HEAD = """# Findings in {engine}

<!-- Written by `python -m workshop findings` from `conformance/known/`. -->

Causes for which the engine does otherwise than is documented, by kind, the most harmful kind first; within a kind
crashes first, then those for which no issue was found. Each program needs the engine only, and fails while the cause
is there: `python -m workshop findings --run --engine {engine}` runs them. To see a cell's check, run
`autograd-conformance show BEHAVIOUR`; `autograd-conformance show BEHAVIOUR --engine {engine} --issue` prints an issue.
"""
HEADINGS = {
    CauseKind.SILENT: "Silent wrong values",
    CauseKind.NAN: "A NaN in the place of a number",
    CauseKind.ERROR: "Errors and crashes",
    CauseKind.BUG: "Missing errors, wrong flags and other bugs",
    CauseKind.DIGITS: "Lost digits, most in tails: right in the absolute sense, and not in the relative one",
    CauseKind.DOCUMENTATION: "Documentation that disagrees with the engine",
    CauseKind.LIMITATION: "Documented limitations that another page does not mention",
}
# How the error of a script ends that is itself at fault.
BROKEN = re.compile(
    r"(NameError|SyntaxError|IndentationError|ImportError|ModuleNotFoundError|AttributeError|TypeError)"
)


@click.command()
@click.argument("folder", required=False, type=click.Path(file_okay=False, path_type=Path))
@click.option("--run", is_flag=True, help="Run the native programs, and compare with the versions that are noted.")
@click.option("--engine", "engines", multiple=True, help="Run those of this engine only. Repeatable.")
def findings(folder: Path | None, run: bool, engines: tuple[str, ...]) -> None:
    """Write a page of findings per engine, and of real bugs and what shows them, into FOLDER.

    With --run: exit status 1 if a program shows something else than is noted for the installed version.
    """
    names = [path.stem for path in files()]
    for name in engines:
        if name not in names:
            raise click.UsageError(f"there are no findings in {name!r}; findings are in {', '.join(names)}")
    if folder is None and not run:
        raise click.UsageError("name a FOLDER for the pages, or give --run")
    if folder is not None:
        _write(folder)
    if run:
        lines = [line for name in engines or names for line in run_programs(name)]
        click.echo("".join(f"{line}\n" for line, _ in lines), nl=False)
        sys.exit(int(not all(as_noted for _, as_noted in lines)))


def _write(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    every = pages(load_all()) | {"bugs": bugs.page()}
    for name, text in every.items():
        (folder / f"{name}.md").write_text(text, "utf-8")
    click.echo(f"{len(every)} pages in {folder}")


def files() -> list[Path]:
    """The suite's files of known failures."""
    return sorted(KNOWN.glob("*.toml"))


def index() -> str:
    """A table of causes with their programs and issues, but for documented limitations, as Markdown."""
    groups = [(kind, path, causes) for path in files() for kind, causes in _by_harm(path)]
    groups.sort(key=lambda group: (list(CauseKind).index(group[0]), ENGINES.index(group[1].stem)))
    listed = [group for group in groups if group[0] is not CauseKind.LIMITATION]
    return INDEX + "".join(f"{_row(kind, path, cause)}\n" for kind, path, causes in listed for cause in causes)


def _row(kind: CauseKind, path: Path, cause: Cause) -> str:
    script, title = script_of(cause.name, path), cause.title.replace("|", r"\|")
    linked = f"[{title}](../{script.relative_to(ROOT).as_posix()})" if script.exists() else title
    issues = " ".join(f"[{_number(issue)}]({issue})" for issue in cause.issues)
    return f"| {kind.value} | {path.stem} | {linked} | {issues} |"


def _number(issue: str) -> str:
    """An issue as trackers abbreviate it."""
    repository, _, number = issue.removeprefix("https://github.com/").rpartition("/")
    return f"{repository.split('/')[1]}#{number}" if repository.count("/") else issue


def _by_harm(path: Path) -> list[tuple[CauseKind, list[Cause]]]:
    """The causes of a file that are no conventions, by kind; first those that end the process, then unreported ones."""
    causes = [cause for cause in causes_of(path).values() if cause.kind in HEADINGS]
    causes.sort(key=lambda cause: (list(CauseKind).index(cause.kind), not _crashes(cause), bool(cause.issues)))
    return [(kind, list(its)) for kind, its in groupby(causes, key=lambda cause: cause.kind)]


def _crashes(cause: Cause) -> bool:
    return any(entry.verdict in (Verdict.CRASH, Verdict.TIMEOUT) for entry in cause.entries())


def pages(declared: Iterable[Behaviour]) -> dict[str, str]:
    """The page of each engine with causes, as Markdown."""
    behaviours = {behaviour.id: behaviour for behaviour in declared}
    return {path.stem: "\n".join([HEAD.format(engine=path.stem), *_page(path, behaviours)]) for path in files()}


def _page(path: Path, behaviours: Mapping[str, Behaviour]) -> Iterator[str]:
    made = searches(path.stem)
    for kind, causes in _by_harm(path):
        yield f"## {HEADINGS[kind]}\n"
        for cause in causes:
            yield f"### {cause.title}\n"
            if (script := script_of(cause.name, path)).exists():
                yield f"```python\n{script.read_text('utf-8').rstrip()}\n```\n"
            yield f"{cause.reason}\n"
            yield f"{_seen(cause)}{_reported(cause, made.get(cause.name, {}))}\n"
            yield from _cells(list(cause.entries()), path.stem, behaviours)
            yield ""


def _seen(cause: Cause) -> str:
    live = f"Live in {', '.join(cause.live_in)}. " if cause.live_in else ""
    return live + (f"Fixed in {cause.fixed_in}. " if cause.fixed_in else "")


def _reported(cause: Cause, made: Mapping[str, list[str]]) -> str:
    if cause.issues:
        return "Reported: " + ", ".join(f"<{issue}>" for issue in cause.issues) + "."
    days = (f"No issue was found on {day} for the queries {'; '.join(f'*{q}*' for q in made[day])}." for day in made)
    return " ".join(days) or "Not searched for."


def _cells(entries: list[KnownFailure], engine: str, behaviours: Mapping[str, Behaviour]) -> Iterator[str]:
    # `groupby` joins neighbours only.
    entries.sort(key=lambda entry: entry.cell)
    for cell, its in groupby(entries, key=lambda entry: entry.cell):
        verdicts = sorted((column, entry.verdict.value) for entry in its for column in entry.columns or [engine])
        declared = behaviours.get(cell.partition("[")[0])
        # A pattern of cells of operations, and a signature, have no statement.
        claim = f": {_claim(declared)}" if declared else ""
        yield f"- `{cell}` ({', '.join(f'{column}: {verdict}' for column, verdict in verdicts)}){claim}"


def _claim(behaviour: Behaviour) -> str:
    """The statement, and who makes it."""
    cited = dict.fromkeys(
        f"{citation.source} [{citation.section or citation.title}]({citation.address})"
        for citation in behaviour_record(behaviour).citations
        if citation.source != "document"
    )
    return f"{behaviour.statement} ({'; '.join(cited)})"


def run_programs(name: str, part: int = 0, parts: int = 1) -> Iterator[tuple[str, bool]]:
    """A line for each native program of an engine, and whether it ends as is noted; none where it is not installed.

    Of several parts, this: every program is in a single part.
    """
    installed = installed_version(name)
    if not installed:
        return
    path = KNOWN / f"{name}.toml"
    scripts = [(cause, script_of(cause.name, path)) for cause in causes_of(path).values()]
    chosen = [(cause, script) for cause, script in scripts if script.exists()][part::parts]
    # In a new process, whose forks have this engine loaded and no other.
    with pool(1, True) as process:
        ended = next(process.map(forked, [[script for _, script in chosen]]))
    for (cause, _), (status, output) in zip(chosen, ended, strict=True):
        # Outside of the versions of its entries a cause counts as fixed: a program that fails there is to be noted.
        noted = SpecifierSet(cause.versions).contains(installed, prereleases=True)
        last = output.strip().rpartition("\n")[2][:100]
        seen = "broken" if BROKEN.match(last) else "live" if status else "fixed"
        yield f"{cause.name} in {name} {installed}: {seen} {last}".rstrip(), seen == ("live" if noted else "fixed")
