"""The tape shows PyTorch's nodes, by name and by what comes next, except where a reason is listed."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys

import pytest

import reference_engine

from . import nodes_shown
from .node_differences import DIFFERENCES


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed")
def test_nodes_are_those_of_torch() -> None:
    """The same node and the same followers, except where `DIFFERENCES` says what each of the two shows."""
    command = [sys.executable, nodes_shown.__file__]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    theirs, ours = json.loads(done.stdout), nodes_shown.all_shown(reference_engine)
    found = {code: (theirs[code], shown) for code, shown in ours.items() if theirs[code] != shown}
    assert found == {d.code: (d.torch, d.engine) for d in DIFFERENCES}


def test_a_hook_sees_as_many_gradients_as_there_are_followers() -> None:
    """Also where a number is among the operands."""
    x = reference_engine.tensor([3.0], requires_grad=True)
    for y in (x**2, x**x, 2**x, x * 2, x % 2, x.masked_fill(x > 5, 1.0), reference_engine.where(x > 0, x, 1.0)):
        seen: list[int] = []
        y.grad_fn.register_hook(lambda inputs, _, seen=seen: seen.append(len(inputs)))
        y.sum().backward()
        assert seen == [len(y.grad_fn.next_functions)]
