"""The documentation is true: its code runs, its words are those of the code."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from autograd_conformance.cli import cli
from autograd_conformance.commands.diff import diff
from conformance import collection, known_failures
from conformance.behaviour import Level, Source
from conformance.behaviour_records import behaviour_record
from conformance.known_causes import Cause, CellLine
from conformance.operations import TABLE
from conformance.verdicts import Outcome, Verdict
from reports.cells_csv import HEAD
from reports.changes import ORDER
from reports.model import Section
from reports.write import write_all
from tests.reports.making import six_cells
from tests.support import ROOT
from tests.test_layers import ALLOWED
from workshop.schemas import SHAPES

DOCS = ROOT / "docs"
NOXFILE = (ROOT / "noxfile.py").read_text("utf-8")
WORKFLOW = (ROOT / ".github/workflows/conformance.yml").read_text("utf-8")
SESSIONS = re.findall(r"^def ([a-z]\w*)\(session", NOXFILE, flags=re.MULTILINE)
HOW_TO = ["adding-a-behaviour.md", "adding-an-engine.md"]
# A fenced block: its language, the file that it shows, and its text.
BLOCK = re.compile(r"```(\w+)(?: title=\"([^\"]+)\")?\n(.*?)```", re.DOTALL)


def test_the_how_to_pages_run_as_written(tmp_path: Path) -> None:
    """Files are written as shown, commands are run, and what they are shown to print is printed."""
    commands = 0
    for page in HOW_TO:
        for language, title, body in BLOCK.findall((DOCS / page).read_text("utf-8")):
            # A file of the page is there before the commands that use it.
            if title:
                (tmp_path / title).parent.mkdir(exist_ok=True)
                (tmp_path / title).write_text(body)
            if language == "console":
                commands += _follow(body, tmp_path)
    # Counted, as a block that the pattern misses would be a test of nothing.
    assert commands == 5


def _follow(console: str, folder: Path) -> int:
    """Run the commands of a console block; every line below one must be in its output."""
    calls = re.split(r"^\$ ", console, flags=re.MULTILINE)[1:]
    for call in calls:
        command, *expected = call.strip().splitlines()
        name, *arguments = shlex.split(command)
        assert name == "autograd-conformance"
        whole = [sys.executable, "-m", "autograd_conformance", *arguments]
        done = subprocess.run(whole, cwd=folder, capture_output=True, text=True, check=False, env=os.environ)
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        assert [line for line in expected if line not in done.stdout] == [], done.stdout
    return len(calls)


def test_the_guided_reading_runs_as_written() -> None:
    """Each snippet gives what the page shows, and each file that it names is there."""
    page = DOCS / "reading-the-reference-engine.md"
    tried = doctest.testfile(str(page), module_relative=False, optionflags=doctest.ELLIPSIS, encoding="utf-8")
    # Doctest finds no failure either in a page without a prompt.
    assert (tried.failed, tried.attempted > 40) == (0, True)
    named = re.findall(r"`((?:\w+/)+(?:\w+\.py)?|\w+\.py)`", page.read_text("utf-8"))
    assert len(named) > 15
    # The page names this test, and no other file outside of the engine.
    assert [name for name in named if not (ROOT / "reference_engine" / name).exists()] == ["tests/test_docs.py"]


def test_the_entry_that_is_shown_is_one(tmp_path: Path) -> None:
    """The page about disputes shows an entry with every key, which the loader accepts."""
    shown = {language: body for language, _, body in BLOCK.findall((DOCS / "disputing-a-cell.md").read_text("utf-8"))}
    (tmp_path / "toy.toml").write_text(shown["toml"])
    path = tmp_path / "toy.toml"
    first, second, program = known_failures.read(path)
    assert first.holds(Outcome(Verdict.FAIL, message="element 12 of tensors does not require grad"))
    assert second.holds(Outcome(Verdict.DIFFERS, message="element 12 of tensors"))
    assert program.example == "writes:17"
    # The name is that of the table; two lists are of parts that the page is not about.
    keys = {*Cause.__struct_fields__, *CellLine.__struct_fields__} - {"name", "inventory", "mutated"}
    assert [key for key in keys if f"{key} = " not in shown["toml"]] == []


@pytest.mark.parametrize("verdict", Verdict)
def test_every_verdict_is_in_the_glossary(verdict: Verdict) -> None:
    """The table of verdicts has a row for each."""
    assert f"| `{verdict.value}` |" in (DOCS / "glossary.md").read_text("utf-8")


def test_the_behaviour_of_the_readme_is_the_one_that_runs() -> None:
    """The example is the source of a behaviour of the suite, whose script the next paragraph prints."""
    readme = (ROOT / "README.md").read_text("utf-8")
    (example,) = (body for language, _, body in BLOCK.findall(readme) if language == "python")
    cell = re.search(r"`autograd-conformance show (\S+) --engine torch --script`", readme)
    assert cell is not None
    behaviour, _ = collection.cells()[cell[1]]
    assert example == behaviour_record(behaviour).check


def test_the_findings_of_the_readme_are_what_the_engines_print() -> None:
    """The first example, as a doctest on the pinned releases, in a process whose engines nothing has set up."""
    for engine in ("torch", "jax"):
        pytest.importorskip(engine)
    readme = (ROOT / "README.md").read_text("utf-8")
    (shown,) = (body for language, _, body in BLOCK.findall(readme) if language == "pycon")
    code = (
        "import doctest, jax, jax.numpy as jnp, sys, torch\n"
        "test = doctest.DocTestParser().get_doctest(sys.stdin.read(), dict(globals()), 'README', None, 0)\n"
        "print(doctest.DocTestRunner().run(test))"
    )
    done = subprocess.run([sys.executable, "-c", code], input=shown, capture_output=True, text=True, check=False)
    assert done.stdout.startswith("TestResults(failed=0, attempted=4"), done.stdout + done.stderr


def test_the_readme_counts_what_there_is() -> None:
    """Behaviours, and operations of the table."""
    behaviours, operations = re.findall(
        r"more than ([\d,]+)", " ".join((ROOT / "README.md").read_text("utf-8").split())
    )
    for claimed, there in ((behaviours, len(collection.load_all())), (operations, len(TABLE))):
        least = int(claimed.replace(",", ""))
        assert least < there <= least + 150, claimed


def test_every_level_and_source_is_in_the_glossary() -> None:
    """The words of the decorator are explained."""
    from conformance import behaviour

    sources = [value.name for value in vars(behaviour).values() if isinstance(value, Source)]
    text = (DOCS / "glossary.md").read_text("utf-8")
    words = [*sources, *(level.value for level in Level)]
    assert [word for word in words if f"`{word}`" not in text] == []


def test_every_package_and_module_of_the_core_is_in_the_architecture() -> None:
    """A reader finds each package, and each module of `conformance`, on the page."""
    text = (DOCS / "architecture.md").read_text("utf-8")
    modules = [path.name for path in (ROOT / "conformance").glob("*.py") if not path.name.startswith("_")]
    assert [name for name in [*ALLOWED, *modules] if name not in text] == []


def test_every_nox_session_is_explained() -> None:
    """CONTRIBUTING says what each session is for."""
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    assert [name for name in SESSIONS if f"`{name}`" not in text and f'`"{name}(' not in text] == []


def pinned_engines() -> set[str]:
    """The ids of those that the table ENGINES pins."""
    rows = re.findall(r'Engine\("([^"]+)", "([^"]+)"(.*)', NOXFILE)
    return {f"{spec}-{version}" for spec, version, rest in rows if "pinned=False" not in rest}


def test_the_workflow_runs_the_engines_of_the_noxfile() -> None:
    """The ids in the workflow are those that the table ENGINES pins."""
    listed = re.search(r"engine: \[(.+)\]", WORKFLOW)
    assert listed is not None
    assert set(listed[1].split(", ")) == pinned_engines()


def test_every_output_is_documented(tmp_path: Path) -> None:
    """Each file of a report, each command that prints JSON, each column of the table and each input of the action."""
    text = (DOCS / "outputs.md").read_text("utf-8")
    files = {path.relative_to(tmp_path).as_posix() for path in write_all({Section.BEHAVIOURS: six_cells()}, tmp_path)}
    # One row of the page is for the badges of every engine.
    named = {re.sub(r"^badges/.*\.", "badges/ENGINE.", name) for name in files}
    assert [name for name in sorted(named) if f"| `{name}` |" not in text] == []
    rows = [line.partition("|")[2].partition("|")[0] for line in text.splitlines() if line.startswith("| `")]
    assert [name for name in SHAPES if not any(f"`{name}`" in row for row in rows)] == []
    assert [name for name in HEAD if name not in text] == []
    action = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
    assert [name for name in action["inputs"] if f"| `{name}` |" not in text] == []
    assert [name for name in action["outputs"] if f"`{name}`" not in text] == []


def test_the_order_of_verdicts_is_the_one_that_diff_uses() -> None:
    """Glossary, page of outputs and help say the same as the code."""
    words = ", ".join(verdict.value for verdict in ORDER)
    for text in (*((DOCS / name).read_text("utf-8") for name in ("glossary.md", "outputs.md")), diff.help or ""):
        assert words in " ".join(text.replace("`", "").split())


def test_every_command_has_an_example_on_its_page() -> None:
    """By name."""
    text = (DOCS / "commands.md").read_text("utf-8")
    assert [name for name in cli.commands if f"`{name}`" not in text] == []


def test_every_session_runs_in_the_workflow() -> None:
    """Or has a reason not to."""
    aside = {
        "matrix": "its parts are separate jobs",
        "environment": "each session of an engine requires it",
        "interruptions": "long, and on request",
        "operations": "long, and on request",
        "programs": "nightly, in a separate workflow",
        "compilers": "long, and on request",
        "bench": "figures of a shared machine say nothing",
    }
    run = re.findall(r'nox --session "?([a-z]\w*)', WORKFLOW)
    listed = yaml.safe_load(WORKFLOW)["jobs"]["checks"]["strategy"]["matrix"]["session"]
    assert set(run) | set(listed) <= set(SESSIONS)
    assert set(SESSIONS) - set(run) - set(listed) - set(aside) == set()


def test_no_link_of_the_documentation_is_broken() -> None:
    """Relative links point to files that are there."""
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *DOCS.rglob("*.md")]:
        prose = re.sub(r"(?ms)^```.*?^```", "", page.read_text("utf-8"))  # in code, brackets are something else
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", prose):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
