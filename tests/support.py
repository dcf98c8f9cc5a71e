"""What many tests need: the command line in a process of its own, and the cells that came of it."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
ZOO = Path(__file__).parent / "zoo" / "chapters"


@dataclass(frozen=True)
class Call:
    """A finished call of the command line."""

    status: int
    out: str
    err: str
    output: Path

    @property
    def matrix(self) -> dict[str, Any]:
        """The matrix that it wrote."""
        written: dict[str, Any] = json.loads((self.output / "matrix.json").read_text())
        return written

    @property
    def verdicts(self) -> dict[str, str]:
        """Verdict by behaviour, without the chapter's name."""
        return {cell["behaviour"].partition(".")[2]: cell["verdict"] for cell in self.matrix["cells"]}

    @property
    def messages(self) -> dict[str, str]:
        """Message by behaviour, without the chapter's name."""
        return {cell["behaviour"].partition(".")[2]: cell["message"] for cell in self.matrix["cells"]}


def conform(*arguments: object, output: Path, cwd: Path = ROOT) -> Call:
    """Call the command line in a fresh process."""
    command = [sys.executable, "-m", "autograd_conformance", *map(str, arguments)]
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=300, check=False)
    return Call(done.returncode, done.stdout, done.stderr, output)


def run_zoo(adapter: str, output: Path, *options: object) -> Call:
    """Try the zoo's chapter on one of its adapters."""
    engine = f"tests.zoo.adapters:{adapter}"
    return conform("run", "--engine", engine, "--chapters", ZOO, "--output", output, *options, output=output)
