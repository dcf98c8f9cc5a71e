"""Figures of the project's style: lines by role, budgets, register and comments, over the files that git tracks.

The rules reproduce the figures of the review that set the targets, so that two commits compare. Words are whole (`\\b`:
`run_one` has no "one") and in lower case, in code, comments and docstrings; they and docstrings are counted outside
chapters, laws and native programs. Comments are counted per 100 lines of any kind.
"""

from __future__ import annotations

import ast
import io
import re
import subprocess
import tokenize
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import click

ROOT = Path(__file__).parents[1]
MACHINERY = "machinery in the wheel"
# The first prefix that a path begins with decides its role.
ROLES = {
    "conformance/chapters/": "chapters",
    "conformance/laws/chapters/": "laws",
    # What makes laws work, on whichever subject; the other modules there say what a law compares.
    **{
        f"conformance/laws/{name}.py": MACHINERY
        for name in (
            *("comparison", "differences", "estimates", "joint", "judge", "kept", "law", "operation_subject"),
            *("quantity", "subject", "truth", "__init__"),
        )
    },
    "conformance/laws/": "laws: comparisons",
    "conformance/own/laws.py": "laws: comparisons",
    "conformance/operations/families/": "table of operations",
    "conformance/protocol/": "protocol",
    "conformance/programs/forms/": "forms of generated programs",
    "conformance/known/": "native programs of causes",
    "reference_engine/": "reference engine",
    "adapters/spellings/": "adapters: tables",
    "adapters/inventories/": "adapters: tables",
    "adapters/absences/": "adapters: tables",
    "adapters/": "adapters: verbs",
    "workshop/": "workshop",
    "tests/": "tests",
    "noxfile.py": "tests",
    "": MACHINERY,
}
# Statements of chapters are the documentations' claims, and native programs are generated: neither is our register.
UNCOUNTED = {"chapters", "laws", "native programs of causes"}
TABLES = {*UNCOUNTED, "table of operations", "adapters: tables"}
# Mutants written by hand, functions to wrap and custom derivatives: each is described by its docstring or its row.
TABLE_FILES = ("workshop/mutants/by_hand/", "workshop/engine_mutants/targets_of_", "workshop/yardstick/cases/")
WORDS = {"told/said/says/tells/tell": "told|said|says|tells?", "found": "found", "one": "one"}
CLAUSE = "What|How|Those|Who"
FILE_LINES, FUNCTION_LINES = 300, 40
DATA = {
    "TOML of known failures": "conformance/known/*.toml",
    "TOML": "*.toml",
    "JSON schemas": "*.schema.json",
    "docs/findings": "docs/findings*",
}
Functions = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class CodeFile:
    """A Python file of the project."""

    name: str
    text: str

    @property
    def role(self) -> str:
        return next(role for prefix, role in ROLES.items() if self.name.startswith(prefix))

    @property
    def package(self) -> str:
        """The first two folders of the path."""
        return "/".join(self.name.split("/")[:-1][:2]) or self.name

    @property
    def lines(self) -> int:
        return self.text.count("\n")

    @cached_property
    def nodes(self) -> list[ast.AST]:
        return list(ast.walk(ast.parse(self.text)))

    def word_count(self, words: str) -> int:
        return len(re.findall(rf"\b(?:{words})\b", self.text))

    def docstrings(self) -> Iterator[str]:
        for node in self.nodes:
            # The four kinds of nodes that `ast.get_docstring` accepts.
            if isinstance(node, (ast.Module, ast.ClassDef, *Functions)) and (text := ast.get_docstring(node)):
                yield text

    def comment_count(self) -> int:
        tokens = tokenize.generate_tokens(io.StringIO(self.text).readline)
        return sum(token.type == tokenize.COMMENT for token in tokens)

    def long_functions(self) -> Iterator[tuple[str, int]]:
        """Functions whose body, docstring included, is over the budget."""
        for node in self.nodes:
            if isinstance(node, Functions):
                # Signature and decorators apart, as the review counts.
                length = (node.body[-1].end_lineno or 0) - node.body[0].lineno + 1
                if length > FUNCTION_LINES:
                    yield f"{self.name}:{node.name}", length


@cache
def tracked(pattern: str) -> list[Path]:
    """Files of the working tree that git tracks and that match a pattern."""
    listed = subprocess.run(["git", "ls-files", pattern], cwd=ROOT, capture_output=True, text=True, check=True)
    return [ROOT / name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]


@cache
def sources() -> list[CodeFile]:
    return [CodeFile(path.relative_to(ROOT).as_posix(), path.read_text("utf-8")) for path in tracked("*.py")]


def counted() -> list[CodeFile]:
    """Files in our own register."""
    return [source for source in sources() if source.role not in UNCOUNTED]


def lines_by(key: Callable[[CodeFile], str]) -> dict[str, int]:
    totals: dict[str, int] = defaultdict(int)
    for source in sources():
        totals[key(source)] += source.lines
    return dict(totals)


def lines_of(pattern: str) -> int:
    return sum(path.read_text("utf-8").count("\n") for path in tracked(pattern))


def per_thousand(words: str, within: Iterable[CodeFile]) -> float:
    within = list(within)
    return 1000 * sum(source.word_count(words) for source in within) / sum(source.lines for source in within)


def docstrings_beginning_with(words: str, within: Iterable[CodeFile]) -> float:
    """Percentage of docstrings that begin with any of the words: with a clause in the place of a noun or verb."""
    texts = [text for source in within for text in source.docstrings()]
    return 100 * sum(bool(re.match(rf"(?:{words})\b", text)) for text in texts) / max(len(texts), 1)


def comments_per_hundred(within: Iterable[CodeFile]) -> float:
    within = list(within)
    return 100 * sum(source.comment_count() for source in within) / sum(source.lines for source in within)


def long_files() -> list[tuple[str, int]]:
    return [(source.name, source.lines) for source in sources() if source.lines > FILE_LINES]


def long_functions() -> list[tuple[str, int]]:
    return [entry for source in sources() for entry in source.long_functions()]


def outside_tables() -> list[CodeFile]:
    """Files in which comments are expected."""
    return [s for s in sources() if s.role not in TABLES and not s.name.startswith(TABLE_FILES)]


def register(within: list[CodeFile]) -> str:
    """Words per 1,000 lines, and docstrings that begin with a clause, as a line."""
    words = "  ".join(f"{name} {per_thousand(pattern, within):.1f}" for name, pattern in WORDS.items())
    return f"{words}  {CLAUSE} docstrings {docstrings_beginning_with(CLAUSE, within):.1f} %"


def figures() -> Iterator[str]:
    roles = lines_by(lambda source: source.role)
    yield from (f"{roles.get(role, 0):8,}  {role}" for role in dict.fromkeys(ROLES.values()))
    yield f"{sum(roles.values()):8,}  Python"
    yield from (f"{lines_of(pattern):8,}  {name}" for name, pattern in DATA.items())
    budgets = {f"files over {FILE_LINES} lines": long_files(), f"functions over {FUNCTION_LINES}": long_functions()}
    for name, entries in budgets.items():
        yield f"{len(entries):8,}  {name}: {', '.join(f'{where} {lines}' for where, lines in entries)}"
    yield f"per 1,000 lines: {register(counted())} ({docstrings_beginning_with('Whether', counted()):.1f} % Whether)"
    everywhere, outside = comments_per_hundred(sources()), comments_per_hundred(outside_tables())
    yield f"comments per 100 lines: {everywhere:.1f}; outside chapters and tables {outside:.1f}"


def figures_by_package() -> Iterator[str]:
    packages: dict[str, list[CodeFile]] = defaultdict(list)
    for source in counted():
        packages[source.package].append(source)
    for name, within in sorted(packages.items()):
        lines = sum(source.lines for source in within)
        yield f"{name:36} {lines:7,} lines  {register(within)}  comments {comments_per_hundred(within):.1f}"


def worst(count: int) -> Iterator[str]:
    """Files with the most of the three kinds of words."""

    def hits(source: CodeFile) -> int:
        return sum(source.word_count(pattern) for pattern in WORDS.values())

    for source in sorted(counted(), key=hits, reverse=True)[:count]:
        counts = "  ".join(f"{name} {source.word_count(pattern)}" for name, pattern in WORDS.items())
        yield f"{hits(source):4}  {source.name}  ({counts}; {source.lines} lines)"


@click.command()
@click.option("--by-package", is_flag=True, help="The register of each package.")
@click.option(
    "--worst", "count", type=int, metavar="N", help="The N files with the most told/said/says, found and one."
)
def style(by_package: bool, count: int | None) -> None:
    """Print the project's figures of style: lines by role, budgets, register, comments."""
    lines = worst(count) if count is not None else figures_by_package() if by_package else figures()
    for line in lines:
        click.echo(line)
