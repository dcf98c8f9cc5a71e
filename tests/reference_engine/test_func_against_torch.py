"""The transforms on the same programs as PyTorch's, in a process of its own: values, structures and refusals agree."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from .transforms import PROGRAMS, REFUSED

ROOT = Path(__file__).parents[2]

_SCRIPT = """
import json, sys, warnings
warnings.simplefilter("ignore")
import torch
from torch.autograd import Function
import torch.autograd.functional as F
from torch.func import *
torch.set_default_dtype(torch.float64)
x = torch.tensor([[-1.0, 0.5, 2.0], [3.0, 0.25, -1.5]])
y = torch.tensor([[0.5, 1.5, -2.0], [1.0, -0.75, 0.125]])
v = torch.tensor([0.5, -1.0, 2.0])
A = torch.tensor([[2.0, 0.5, 0.0], [0.25, 3.0, -1.0], [0.0, 1.0, 4.0]])
p, one = v.clone().requires_grad_(), torch.tensor(1.0)
f = lambda a: torch.stack([a[0] * a[1].sin(), a.prod(), (a * a).sum()])
g = lambda a: (a**3).sum() * a[0].exp()

def muted(call):
    with torch.no_grad():
        return call()

def into(target, value):
    target[0] = value[0]
    return target

def stored(a):
    out = torch.zeros_like(a)
    out[0], out[1:] = a[1] * 2, a[0]
    return out * a

def stored_at(a, i):
    out = a.clone()
    out[i] = 7.0
    return out

def viewed(a):
    b = a.sin()
    part = b[1:]
    part.mul_(a[0])
    b[0] += part[1]
    return b * part[0]

def leaked():
    kept = []
    vmap(lambda a: (kept.append(a), a)[1])(x)
    return kept[0]

def same(z):
    return bool((z[0] == z[1]).all())

def seeded(call):
    torch.manual_seed(3)
    return call().double()

class Cube(Function):
    generate_vmap_rule = True
    @staticmethod
    def forward(a):
        return a**3
    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)
    @staticmethod
    def backward(ctx, g):
        return g * 3 * ctx.saved_tensors[0] ** 2
    @staticmethod
    def jvp(ctx, t):
        return t * 3 * ctx.saved_tensors[0] ** 2

class Times(Function):
    generate_vmap_rule = True
    @staticmethod
    def forward(a, b):
        return a * b
    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        return g * b, g * a

class Mapped(Function):
    @staticmethod
    def forward(a, n):
        return a.sum() * n
    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.n, ctx.shape = inputs[1], inputs[0].shape
    @staticmethod
    def backward(ctx, g):
        return g.expand(ctx.shape) * ctx.n, None
    @staticmethod
    def vmap(info, in_dims, a, n):
        assert info.batch_size == a.shape[in_dims[0]] and info.randomness == "error" and in_dims[1] is None
        return a.movedim(in_dims[0], 0).sum(-1) * n, 0

class Ruleless(Function):
    forward = staticmethod(lambda a: a * 1)
    setup_context = staticmethod(lambda ctx, inputs, output: None)
    backward = staticmethod(lambda ctx, g: g)

class TwoRules(Ruleless):
    generate_vmap_rule = True
    vmap = staticmethod(lambda info, in_dims, a: (a, in_dims[0]))

class Old(Function):
    forward = staticmethod(lambda ctx, a: a * 1)
    backward = staticmethod(lambda ctx, g: g)

def plain(value):
    if isinstance(value, dict):
        return {k: plain(u) for k, u in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(u) for u in value]
    return value.tolist() if isinstance(value, torch.Tensor) else value

found = {}
for name, code in json.loads(sys.argv[1]).items():
    try:
        found[name] = ["value", plain(eval(code))]
    except Exception as error:
        found[name] = [type(error).__name__, str(error)]
print(json.dumps(found))
"""


def results(tmp_path: Path, *command: str) -> dict[str, Any]:
    """What each program gives: ["value", it] or [kind of exception, message]."""
    script = tmp_path / "script.py"
    script.write_text(_SCRIPT)
    asked = json.dumps({**PROGRAMS, **{name: code for name, (code, _, _) in REFUSED.items()}})
    done = subprocess.run(
        [sys.executable, *command, str(script), asked],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def refused_as_promised(found: dict[str, Any]) -> list[str]:
    """The names of refusals that are of another kind, or say something else, than the table."""
    return [n for n, (_, kind, says) in REFUSED.items() if found[n][0] != kind or says not in found[n][1]]


def agree(ours: Any, theirs: Any) -> None:
    """Same structures, same numbers."""
    if isinstance(theirs, dict):
        assert list(ours) == list(theirs)
        ours, theirs = list(ours.values()), list(theirs.values())
    if isinstance(theirs, list) and any(isinstance(part, (list, dict)) for part in theirs):
        assert len(ours) == len(theirs)
        for mine, other in zip(ours, theirs, strict=True):
            agree(mine, other)
    else:
        np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-12)


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed")
def test_the_transforms_agree_with_pytorch(tmp_path: Path) -> None:
    """Every program gives the same on both, and what PyTorch refuses is refused in the same kind and words."""
    ours, theirs = results(tmp_path, "-m", "reference_engine"), results(tmp_path)
    for name in PROGRAMS:
        assert theirs[name][0] == "value", (name, theirs[name])
        assert ours[name][0] == "value", (name, ours[name])
        agree(ours[name][1], theirs[name][1])
    assert refused_as_promised(theirs) == []
    assert refused_as_promised(ours) == []
