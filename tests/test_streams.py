"""Standard streams that are closed, full or broken pipes, and interrupts: a status, and no traceback."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.reports.making import six_files, written
from tests.support import from_here

PROGRAM = f"{sys.executable} -m autograd_conformance"
LOST = "autograd-conformance: error: cannot write to standard output: {}; the answer is incomplete\n"
# One that prints by each means: click, print, rich.
COMMANDS = ("--help", "list kinks --json", "report results.jsonl -o out", "diff results.jsonl results.jsonl")
# redirection: exit status, and standard error
BROKEN = {
    ">&-": (2, LOST.format("it is closed")),
    ">/dev/full": (2, LOST.format("No space left on device")),
    ">&- 2>&-": (2, ""),
    ">/dev/full 2>/dev/full": (2, ""),
    "<&- >&- 2>&-": (2, ""),
    # 128 + SIGPIPE, as of any command whose reader has gone.
    "| true": (141, ""),
    "<&- >/dev/null": (0, ""),
    ">/dev/null 2>&-": (0, ""),
    ">/dev/null 2>/dev/full": (0, ""),
}


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the results of an engine."""
    folder = tmp_path_factory.mktemp("here")
    (folder / "results.jsonl").write_bytes(written(six_files()[0]))
    return folder


def shell(command: str, here: Path, **variables: str) -> tuple[int, str]:
    """The status of the first command of a pipe, and its standard error."""

    words = ["bash", "-c", f"{PROGRAM} {command}; exit ${{PIPESTATUS[0]}}"]
    done = subprocess.run(words, cwd=here, env=from_here(**variables), capture_output=True, text=True, timeout=60)
    return done.returncode, done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("redirection", BROKEN)
def test_an_answer_is_never_lost_silently(redirection: str, here: Path) -> None:
    """A lost answer is status 2 and a line; a reader that has gone is 141; standard error may be lost."""
    # What a command prints by decides where output is lost only, and not what becomes of the other streams.
    for command in COMMANDS if redirection in (">&-", ">/dev/full", "| true") else COMMANDS[1:3]:
        assert shell(f"{command} {redirection}", here) == BROKEN[redirection], command


def test_an_error_that_cannot_be_written_keeps_its_status(here: Path) -> None:
    """Where nothing can be written, there is the status."""
    for redirection in ("2>&-", "2>/dev/full", ">&- 2>&-"):
        assert shell(f"report missing.jsonl {redirection}", here) == (2, "")


def test_a_character_that_the_terminal_lacks_is_spelled_out(here: Path) -> None:
    """An answer is not lost for it."""
    assert shell("list kinks > listed", here, PYTHONIOENCODING="ascii") == (0, "")
    assert "\\u" in (here / "listed").read_text("ascii")


# As if Ctrl-C were pressed when a certain module is looked for.
INTERRUPTED = """
import os, signal, sys
class Interrupting:
    def find_spec(name, path=None, target=None):
        if name == "{}":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupting)
from autograd_conformance.__main__ import main
main()
"""


@pytest.mark.parametrize("module", ["click", "autograd_conformance.commands.run", "reports.sources", "jinja2.compiler"])
def test_an_interrupt_at_an_import(module: str, here: Path) -> None:
    """Status 130 and a line, before the commands are there and while one runs."""
    command = [sys.executable, "-c", INTERRUPTED.format(module), "report", "results.jsonl", "-o", "interrupted"]
    done = subprocess.run(command, cwd=here, env=from_here(), capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "autograd-conformance: interrupted\n")
