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


def alternating(folder: Path, count: int) -> Path:
    """A folder of chapters whose behaviours `step_0`, `step_1`, ... ask in turn for `clone` and for `detach`."""
    text = "from conformance.behaviour import MUST, behaviour, torch\nfrom conformance.expect import close\n"
    text += '\nbackward = torch("torch.Tensor.backward")\n'
    step = '\n\n@behaviour(MUST, backward)\ndef step_{n}(ad):\n    """Step {n}."""\n    close({call}, [1.0])\n'
    calls = ("ad.clone(ad.array([1.0]))", "ad.detach(ad.array([1.0]))")
    chapters = folder / "chapters"
    chapters.mkdir()
    (chapters / "steps.py").write_text(text + "".join(step.format(n=n, call=calls[n % 2]) for n in range(count)))
    return chapters
