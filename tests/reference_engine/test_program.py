"""``python -m reference_engine``: programs written for PyTorch run in its place."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the engine's command line."""
    command = [sys.executable, "-m", "reference_engine", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)


def test_submodules_stand_for_pytorchs(tmp_path: Path) -> None:
    """Every way of importing finds this engine, and arguments arrive."""
    program = tmp_path / "program.py"
    program.write_text(
        "import sys, torch\n"
        "import torch.autograd.forward_ad as fwAD\n"
        "from torch.autograd import Function\n"
        "from torch.utils.checkpoint import checkpoint\n"
        "from torch.nn import functional as F\n"
        "print(sys.argv[1:], __name__, torch.__name__, F.relu(torch.tensor([-1.0, 2.0])))\n"
    )
    done = run(str(program), "a", "b")
    assert done.stdout == "['a', 'b'] __main__ reference_engine tensor([0., 2.])\n", done.stderr


def test_an_exception_shows_the_programs_lines_only(tmp_path: Path) -> None:
    """The traceback is that of Python, and the status is 1."""
    program = tmp_path / "program.py"
    program.write_text("import torch\ntorch.ones(2).backward()\n")
    done = run(str(program))
    assert done.returncode == 1
    assert done.stderr.splitlines()[1].endswith('program.py", line 2, in <module>')
    assert "RuntimeError: element 0 of tensors does not require grad" in done.stderr


def test_a_missing_file_is_one_line_and_status_two() -> None:
    """Nothing runs, and the culprit is named."""
    done = run("no_such_program.py")
    assert done.returncode == 2
    assert done.stderr.strip() == "reference_engine: cannot read no_such_program.py: No such file or directory"
