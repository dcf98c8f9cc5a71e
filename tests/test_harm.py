"""Harm, and the time that it takes: every third cell does some, or the import never ends."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.support import conform, from_here, run_zoo, survivors
from tests.zoo.tenths import STATED

STEP = '''

@behaviour(MUST, torch("torch.Tensor.detach"))
def step_{n}(ad):
    """Step {n}."""
    close(ad.detach(ad.array([{n}.0])), [{n}.0])
'''


def test_every_third_cell_does_harm_and_all_have_their_verdict(request: pytest.FixtureRequest, tmp_path: Path) -> None:
    """Every tenth crashes, every tenth hangs, every tenth damages the harness, in three ways each, on two workers."""
    # 120 steps in `nox -s interruptions`.
    count = max(40, request.config.getoption("--kills") * 6 // 5)
    (chapters := tmp_path / "chapters").mkdir()
    header = "from conformance.behaviour import MUST, behaviour, torch\nfrom conformance.expect import close\n"
    (chapters / "steps.py").write_text(header + "".join(STEP.format(n=n) for n in range(count)))
    began = time.monotonic()
    call = run_zoo("tenths:Tenths", tmp_path / "out", "--limit", 0.5, "-n", 2, chapters=chapters)
    print(f"{count} steps: {(took := time.monotonic() - began):.1f} s")
    verdicts, messages = call.verdicts, call.messages
    for n in range(count):
        verdict, phrases = STATED.get(n % 10, ("pass", ("",)))
        assert verdicts[f"step_{n}"] == verdict, (n, messages[f"step_{n}"])
        assert phrases[n // 10 % len(phrases)] in messages[f"step_{n}"]
    assert (call.status, len(verdicts)) == (1, count)
    assert survivors(call.tag) == []
    # Each starts one or two processes, and a hang takes two limits: seconds, on a machine that does other work.
    assert took < 3 * count


def test_a_hang_at_import_ends_within_three_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine that stops its process when it is imported, so that nothing inside can notice: one line."""
    (tmp_path / "stopping.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)\n")
    for name, value in from_here().items():
        monkeypatch.setenv(name, value)
    began = time.monotonic()
    # Below 2.5 s the limit of a start would be its least, five seconds, and not that of the option.
    call = conform("run", "-e", "stopping:Adapter", "--limit", 3, "-o", tmp_path, output=tmp_path, cwd=tmp_path)
    took = time.monotonic() - began
    assert (call.status, call.err.count("\n")) == (2, 1), call.err
    assert "loading it failed: no progress for 6 s, before any behaviour began" in call.err
    # Three limits, and the start of two interpreters.
    assert took < 9 + 3
    assert survivors(call.tag) == []
