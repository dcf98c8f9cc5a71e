"""The tape: depth and lifetime of graphs, hooks of nodes, and how many files a gradient goes through."""

from __future__ import annotations

import gc
import sys
import weakref
from pathlib import Path
from types import FrameType

import reference_engine as torch


def leaf(*values: float) -> torch.Tensor:
    """A leaf of the given values."""
    return torch.tensor(list(values), requires_grad=True)


def test_deep_chains_need_no_recursion() -> None:
    """A chain of 100,000 operations is built, differentiated and freed."""
    x = leaf(1.0)
    y = x
    # A hundred times Python's recursion limit.
    for _ in range(100_000):
        y = y * 1.0
    y.sum().backward()
    del y
    assert x.grad.item() == 1.0


def test_a_graph_is_freed_without_the_collector() -> None:
    """No cycle keeps a graph alive after its last result is gone."""
    # Otherwise the collector could free by chance what a cycle keeps.
    gc.disable()
    try:
        x = leaf(1.0, 2.0)
        y = x.exp() * x
        # Weak, so that the test does not keep the graph itself.
        node = weakref.ref(y.grad_fn)
        y.sum().backward()
        del y
        assert node() is None
    finally:
        gc.enable()


def test_a_node_hook_gets_a_gradient_for_each_follower() -> None:
    """Also where a number is among the operands."""
    x = leaf(3.0)
    for y in (x**2, x**x, 2**x, x * 2, x % 2, x.masked_fill(x > 5, 1.0), torch.where(x > 0, x, 1.0)):
        seen: list[int] = []
        y.grad_fn.register_hook(lambda inputs, _, seen=seen: seen.append(len(inputs)))
        y.sum().backward()
        assert seen == [len(y.grad_fn.next_functions)]


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
