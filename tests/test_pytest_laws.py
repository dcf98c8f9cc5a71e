"""The laws in people's own tests: a test for each law, and laws on the custom derivatives that tests call."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch")

DECORATED = """
from autograd_conformance.pytest_laws import autograd_laws
from tests.functions_of_people import Cube, X
from tests.wrong_functions_of_people import WritesToItsCotangent

@autograd_laws(Cube.apply, X)
def test_right(law):
    law()

@autograd_laws(WritesToItsCotangent.apply, X, order=1)
def test_wrong(law):
    law()

def test_fixture(autograd_check):
    assert not autograd_check(Cube.apply, X).broken
"""
CALLING = """
import torch
from tests.functions_of_people import Cube, X
from tests.wrong_functions_of_people import LostSign

def test_right():
    for _ in range(2):
        assert Cube.apply(X.clone().requires_grad_()).shape == X.shape

def test_wrong():
    assert LostSign.apply(X.clone().requires_grad_()).shape == X.shape
"""


def _pytest(tmp_path: Path, text: str, *options: str) -> subprocess.CompletedProcess[str]:
    file = tmp_path / "test_functions.py"
    file.write_text(text)
    # The plugin is that of the installed package.
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider"]
    return subprocess.run([*command, str(file), "-rA", *options], capture_output=True, text=True, check=False)


def test_a_decorator_makes_a_test_of_each_law(tmp_path: Path) -> None:
    """Its id is the law's; what does not hold fails, and what is not supported is skipped."""
    done = _pytest(tmp_path, DECORATED, "-k", "writes_to_nothing or fixture or expanded")
    lines = done.stdout.splitlines()
    outcomes = {line.split("::")[1].split(" ")[0]: line.split()[0] for line in lines if "::test_" in line}
    assert outcomes["test_wrong[repeats.reverse_mode_writes_to_nothing]"] == "FAILED", done.stdout
    assert outcomes["test_right[repeats.reverse_mode_writes_to_nothing]"] == "PASSED"
    assert outcomes["test_fixture"] == "PASSED"
    assert "WritesToItsCotangent breaks a law" in done.stdout


def test_custom_derivatives_that_tests_call_are_checked(tmp_path: Path) -> None:
    """Each once per signature; the session fails where a law is broken."""
    done = _pytest(tmp_path, CALLING, "--autograd-laws")
    assert "2 passed" in done.stdout, done.stdout + done.stderr
    assert done.returncode == 1
    assert done.stdout.count("Cube:") == 1
    assert "LostSign breaks a law" in done.stdout


def test_the_plugin_costs_nothing_until_it_is_used() -> None:
    """It imports no engine and no NumPy."""
    code = "import sys, autograd_conformance.pytest_laws; assert not {'numpy', 'torch', 'jax'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_known_breaks_fail_no_session(tmp_path: Path) -> None:
    """Those of the file are named, and a law that is not in it fails the session."""
    known = tmp_path / "known.toml"
    text = CALLING.replace("LostSign", "HalfInside")
    known.write_text('[HalfInside]\n"precision.single_precision_agrees_with_double" = "issue 3"\n')
    done = _pytest(tmp_path, text, "--autograd-laws", "--autograd-known", str(known))
    assert done.returncode == 0, done.stdout
    assert "1 known" in done.stdout
