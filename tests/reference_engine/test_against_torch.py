"""The same samples on PyTorch, in a process of its own: values, gradients and kinks agree."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]

# Programs of x, in double precision: what both engines are asked for, kinks, ties and edges included.
PROGRAMS = {
    "abs": "x.abs()", "sign": "x.sign()", "sqrt": "x.abs().sqrt()", "relu": "torch.relu(x)", "pow zero": "x**0",
    "pow": "x.abs() ** 2.5", "pow of zero": "(x * 0) ** 2", "power": "2.0**x", "tensor power": "x.abs() ** x",
    "maximum": "torch.maximum(x, x.flip(0))", "minimum": "torch.minimum(x, x.flip(0))", "clamp": "x.clamp(-1, 1)",
    "max": "x.max()", "min": "x.min()", "max along": "x.max(0).values", "amax": "x.amax(0)", "amin": "x.amin()",
    "where": "torch.where(x > 0, x, x * 0.0)", "prod": "x.prod()", "prod along": "x.prod(1)", "cumsum": "x.cumsum(1)",
    "logsumexp": "x.logsumexp(1)", "softmax": "x.softmax(0)", "log_softmax": "x.log_softmax(1)", "norm": "x.norm()",
    "norm of zero": "(x * 0).norm()", "softplus": "torch.nn.functional.softplus(x * 12)", "sigmoid": "x.sigmoid()",
    "tanh": "x.tanh()", "expm1": "x.expm1()", "log1p": "x.abs().log1p()", "atan2": "torch.atan2(x, x + 3)",
    "erf": "x.erf()", "std": "x.std()", "var": "x.var(1)", "mean": "x.mean(0)", "matmul": "x @ x.t()",
    "bmm": "x.unsqueeze(0) @ x.t()", "vector": "x @ x[0]", "outer": "torch.outer(x[0], x[1])",
    "diagonal": "x.diagonal()",
    "index": "x[[0, 0, 1]]", "mask": "x[x > 0]", "slice": "x[:, ::2]",
    "gather": "x.gather(1, torch.tensor([[0], [2]]))",
    "cat": "torch.cat([x, x[:1]])", "stack": "torch.stack([x, x], 1)", "roll": "x.roll(1, 0)", "tril": "x.tril()",
    "complex": "torch.complex(x, x.sin()).abs()", "angle": "torch.complex(x, x + 4).angle()",
    "complex square": "(torch.complex(x, x.cos()) ** 2).real", "sort": "x.sort(1).values", "lerp": "x.lerp(x * 2, 0.3)",
    "remainder": "x.remainder(0.7)", "expand": "x[0].expand(2, 3)", "unbind": "x.unbind(1)[2]",
    "cast": "x.float().double()",
    "det": "(x @ x.t() + torch.eye(2).double()).det()", "inverse": "(x @ x.t() + torch.eye(2).double()).inverse()",
}  # fmt: skip
INPUT = [[-1.0, 0.0, 2.0], [2.0, 0.5, -1.5]]

_SCRIPT = """
import json, sys, warnings
warnings.simplefilter("ignore")
import torch
programs, values = json.loads(sys.argv[1])
found = {}
for name, code in programs.items():
    x = torch.tensor(values, dtype=torch.float64, requires_grad=True)
    out = eval(code)
    weight = torch.arange(1, out.numel() + 1).double().reshape(tuple(out.shape))
    found[name] = [out.tolist(), torch.autograd.grad(out, x, weight)[0].tolist()]
print(json.dumps(found))
"""


def _results(tmp_path: Path, *command: str) -> dict[str, Any]:
    script = tmp_path / "script.py"
    script.write_text(_SCRIPT)
    asked = json.dumps([PROGRAMS, INPUT])
    done = subprocess.run(
        [sys.executable, *command, str(script), asked],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)  # type: ignore[no-any-return]


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed")
def test_values_and_gradients_agree_with_pytorch(tmp_path: Path) -> None:
    """Every program gives the same numbers on both, at the kinks too."""
    ours, theirs = _results(tmp_path, "-m", "reference_engine"), _results(tmp_path)
    for name in PROGRAMS:
        for mine, other in zip(ours[name], theirs[name], strict=True):
            np.testing.assert_allclose(mine, other, rtol=1e-9, atol=1e-12, err_msg=name)
