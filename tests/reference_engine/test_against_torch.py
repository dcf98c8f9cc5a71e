"""The rules on PyTorch's own inputs, kinks, ties and edges included: what differs is listed, and nothing else does."""

from __future__ import annotations

import importlib.util
import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import reference_engine
from reference_engine import primitives as o
from reference_engine.core.primitive import Primitive, PrimitiveNode

from . import comparison
from .rule_differences import DIFFERENCES

RULES = {p for p in vars(o).values() if isinstance(p, Primitive) and p.rule is not None}
# In graphs of gradients only; `look` goes through the graph of a result.
INTERNAL = {
    "embed": "the transpose of slicing, met in the second derivative only",
    "diagonal_backward": "the transpose of diagonal, met in the second derivative only",
    "roll": "part of the derivative of prod, met in the second derivative only",
    "div_floor": "part of the derivative of remainder",
    "place": "the transpose of indexing, met in the second derivative only",
    "scatter_add": "the transpose of gather, met in the second derivative only",
    "cofactors": "the derivative of det, met in the second derivative only",
}


def _agree(ours: Any, theirs: Any, same_dtype: bool) -> bool:
    """Whether two numbers or arrays agree; None is a zero of any shape."""
    if ours is None or theirs is None:
        return not np.any(theirs if ours is None else ours)
    if ours.shape != theirs.shape or (same_dtype and ours.dtype != theirs.dtype):
        return False
    single = min(np.finfo(x.dtype).bits for x in (ours, theirs)) < 64 if ours.dtype.kind in "fc" else False
    return bool(np.allclose(ours, theirs, rtol=1e-5 if single else 1e-7, atol=1e-10, equal_nan=True))


def _differing(ours: dict[str, Any], theirs: dict[str, Any]) -> set[str]:
    """In what respects two findings differ."""
    if ours.get("error") != theirs.get("error"):
        return {"error"}
    respects = set()
    for what in ("value", "gradient", "second"):
        a, b = ours.get(what), theirs.get(what)
        if (a is None) != (b is None):
            respects.add(what)
        elif a is not None:
            pairs = zip(a, b, strict=True) if isinstance(a, list) else [(a, b)]
            if not all(_agree(x, y, what == "value") for x, y in pairs):
                respects.add(what)
    return respects


def _found_by_torch() -> Any:
    done = subprocess.run([sys.executable, comparison.__file__], capture_output=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return pickle.loads(done.stdout)


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed")
def test_the_differences_from_pytorch_are_those_listed() -> None:
    """Values, dtypes, gradients, second gradients and refusals agree but where `rule_differences` has a reason."""
    ours, theirs = comparison.found_by(reference_engine), _found_by_torch()
    differing = {(*case, what) for case in comparison.CASES for what in _differing(ours[case], theirs[case])}
    listed = {cell for difference in DIFFERENCES for cell in difference.cells()}
    assert sorted(differing - listed) == [], "these differ, and no reason is listed"
    assert sorted(listed - differing) == [], "these are listed, and differ no longer"


def test_every_rule_is_compared() -> None:
    """The programs reach every line of the tables, except those that only other rules use."""
    reached: set[Primitive] = set()

    def look(out: Any) -> None:
        pending, met = [out.grad_fn], set()
        while pending:
            node = pending.pop()
            if node is None or node in met:
                continue
            met.add(node)
            if isinstance(node, PrimitiveNode):
                reached.add(node.primitive)
            pending.extend(n for n, _ in node.next_functions)

    comparison.found_by(reference_engine, look)
    missing = {p.name for p in RULES - reached}
    assert missing - set(INTERNAL) == set(), "these lines of the tables are in no program"
    assert set(INTERNAL) - missing == set(), "these are in programs, and need no reason"
