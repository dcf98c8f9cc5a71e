"""Following an operation from the user's call to its gradient takes few files."""

from __future__ import annotations

import sys
from pathlib import Path
from types import FrameType

import reference_engine as torch

ROOT = Path(torch.__file__).parent


def files_entered() -> set[str]:
    """The source files of the engine in which a function runs during a forward and a backward pass."""
    entered: set[str] = set()

    def look(frame: FrameType, event: str, argument: object) -> None:
        if event == "call" and Path(frame.f_code.co_filename).is_relative_to(ROOT):
            entered.add(frame.f_code.co_filename)

    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = torch.tensor([3.0, 4.0], requires_grad=True)
    before = sys.getprofile()
    sys.setprofile(look)
    try:
        torch.sum(torch.sin(x * y)).backward()
    finally:
        sys.setprofile(before)
    assert x.grad is not None
    assert y.grad is not None
    return entered


def test_an_operation_and_its_gradient_are_read_in_twelve_files() -> None:
    """`sum(sin(x * y)).backward()` runs in at most twelve files of the engine, and each of them can be opened."""
    entered = files_entered()
    assert {Path(name).name for name in entered} >= {"tensor.py", "primitive.py", "tape.py", "engine.py", "families.py"}
    assert [name for name in entered if not Path(name).is_file()] == []
    assert len(entered) <= 12, sorted(entered)
