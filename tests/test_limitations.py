"""A documented limitation: the engine raises the error that it names, which makes a cell absent, and no other does."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from conformance.absence_proofs import Unproven, prove_limitation
from conformance.behaviour import MUST, Behaviour, Citation, torch
from conformance.declaration import DeclarationError, declared
from conformance.expect import close, raises
from conformance.protocol import Limitation
from conformance.trial import run
from conformance.verdicts import Outcome, Verdict
from tests.zoo.adapters import Healthy


def fails(phrase: str) -> Any:
    raise RuntimeError(f"cannot: {phrase}")


class Limited(Healthy):
    """Detaching raises the error of a limitation."""

    limitations = (Limitation("Use another.", "a page", {"no detach": lambda ad: ad.detach(ad.array(1.0))}),)

    def detach(self, x: Any) -> Any:
        return fails("no detach here")


class Mended(Limited):
    """Its limitation is still declared, but holds no longer."""

    def detach(self, x: Any) -> Any:
        # The check has 3.0, and the program of the limitation 1.0: only the check still meets the error.
        return fails("no detach here") if float(x) == 3.0 else x


def tried(check: Any, adapter: Healthy, *citations: Citation) -> Outcome:
    """The outcome of a check on an adapter that is held to PyTorch's documentation."""
    return run(Behaviour("chapter", "name", MUST, "S.", citations or (torch("torch.Tensor.detach"),), check), adapter)


def detaches(ad: Any) -> None:
    """Detaching keeps the numbers."""
    close(ad.detach(ad.array(3.0)), 3.0)


def raises_something(ad: Any) -> None:
    """Detaching raises an error."""
    raises(lambda: ad.detach(ad.array(3.0)))


@pytest.mark.parametrize("check", [detaches, raises_something])
def test_a_cell_that_meets_a_limitation_is_absent(check: Any) -> None:
    """Also where the check expects some error: that of a limitation is another."""
    outcome = tried(check, Limited())
    assert (outcome.verdict, outcome.message) == (Verdict.ABSENT, "Use another. (source: a page)")


def test_a_promised_error_is_no_limitation() -> None:
    """Where the engine's own documentation promises an error, that error passes."""
    # The error has this phrase, and that of the limitation, too.
    promised = torch("torch.Tensor.detach", raises=RuntimeError, says="cannot")
    assert tried(raises_something, Limited(), promised).verdict is Verdict.PASS


def test_a_limitation_that_no_longer_holds_is_an_error() -> None:
    """Its program runs in the same process, at once."""
    outcome = tried(detaches, Mended())
    assert (outcome.verdict, "raises no error" in outcome.message) == (Verdict.ERROR, True)


def test_another_error_of_the_program_proves_nothing() -> None:
    """The phrase counts, and not that something was raised."""
    limitation = Limitation("Use another.", "a page", {"no detach": lambda ad: fails("hungry")})
    with pytest.raises(Unproven, match="raises RuntimeError: cannot: hungry"):
        prove_limitation(limitation, "no detach", Healthy())


ASK = """
import sys, warnings
from adapters.absences.of_torch import FUNCTION_LIMITATIONS, TAPE_LIMITATIONS
from conformance.engines import EngineError, load, parse
from conformance.absence_proofs import Unproven, prove_limitation

warnings.simplefilter("ignore")
try:
    adapter = load(parse(sys.argv[1]))
except EngineError:
    sys.exit(3)
for limitation in FUNCTION_LIMITATIONS + TAPE_LIMITATIONS:
    for phrase in limitation.programs:
        try:
            prove_limitation(limitation, phrase, adapter)
        except Unproven as error:
            print(error.got)
        else:
            print("proven")
"""
# Of torch.func, the first two; what it has instead runs.
EXPECTED = {"torch": ["proven"] * 7, "torch_func": ["proven"] * 2 + ["a probe that raises no error"] * 3}


@pytest.mark.parametrize("engine", EXPECTED)
def test_the_limitations_of_pytorch_are_its_own(engine: str) -> None:
    """Each program raises its error on the tape, and none on torch.func but those about a Function."""
    done = subprocess.run([sys.executable, "-c", ASK, engine], capture_output=True, text=True, check=False)
    if done.returncode == 3:
        pytest.skip("not installed")
    results = done.stdout.splitlines()
    assert results[: len(EXPECTED[engine])] == EXPECTED[engine], done.stderr


class Misdeclared(Healthy):
    """Gives a limitation where a tuple of them is meant."""

    limitations: Any = Limited.limitations[0]


def test_limitations_are_declared_as_a_tuple() -> None:
    """They are read once with the rest of the declaration, when the adapter is loaded."""
    assert declared(Limited()).limitations == Limited.limitations
    with pytest.raises(DeclarationError, match="give a tuple of Limitation"):
        declared(Misdeclared())
