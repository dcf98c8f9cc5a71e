"""`show --issue`: what a maintainer of an engine gets, ready to paste."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner, Result

from autograd_conformance.cli import cli
from conformance import known_failures
from conformance.known_failures import installed_version
from conformance.verdicts import CauseKind

SQUARE = "forward_mode.an_in_place_square_has_its_tangent"


def show(*words: str) -> Result:
    return CliRunner().invoke(cli, ["show", *words])


def test_an_issue_has_title_versions_script_seen_and_documented() -> None:
    """In that order; the script is the native program of the cause, and each page has its address."""
    call = show(SQUARE, "--engine", "torch", "--issue")
    file = known_failures.file_of("torch")
    cause = known_failures.causes_of(file)["inplace_square_tangent"]
    assert call.exit_code == 0, call.output
    assert call.output.startswith(f"# {cause.title}\n\n**Versions**: ")
    script = known_failures.script_of(cause.name, file).read_text("utf-8")
    parts = [f"```python\n{script}```", "**Seen**: ", cause.reason, "**Documented**: ", "](https://docs.pytorch.org/"]
    places = [call.output.index(part) for part in parts]
    assert places == sorted(places)
    # The sentence is not stored: it is that of the installed docstring.
    assert "Given a function `f` whose jacobian is `J`, it allows one to compute" in call.output


def test_a_column_shares_the_program_of_its_library() -> None:
    """An issue about torch.func has the program of the cause that torch.toml keeps."""
    call = show(SQUARE, "--engine", "torch_func", "--issue")
    assert (call.exit_code, "y.mul_(y)" in call.output) == (0, True), call.output


def convention() -> str:
    """A known cell of torch that differs from no promise."""
    entries = known_failures.read(known_failures.file_of("torch"))
    its = (entry for entry in entries if entry.is_of("torch") and entry.cause.kind is CauseKind.CONVENTION)
    return next(entry.cell for entry in its if entry.part == "behaviours")


ERRORS = {
    "a convention": ([convention(), "-e", "torch", "--issue"], "is as the engine documents it"),
    "a cell that passes": (
        ["leaves.requires_grad_is_off_by_default", "-e", "reference", "--issue"],
        "nothing to report",
    ),
    "many cells": (["kinks", "-e", "torch", "--issue"], "and an issue is for one: give one of kinks."),
    "no engine": ([SQUARE, "--issue"], "so do --issue and --engine"),
    "two outputs": ([SQUARE, "-e", "torch", "--issue", "--script"], "give one of them"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_a_mistake_is_one_line(name: str) -> None:
    """Exit status 2."""
    words, phrase = ERRORS[name]
    call = show(*words)
    assert (call.exit_code, call.output.count("\n")) == (2, 1), call.output
    assert phrase in re.sub(r"\s+", " ", call.output)


def test_an_issue_names_the_version_of_an_engine_with_another_distribution() -> None:
    """HIPS autograd is the distribution autograd."""
    pytest.importorskip("autograd")
    version = installed_version("hips_autograd")
    call = show("jacobians.a_hessian_of_several_arguments_has_blocks", "--engine", "hips_autograd", "--issue")
    assert (call.exit_code, f"**Versions**: hips_autograd {version}, Python" in call.output) == (0, True), call.output


def test_an_issue_about_jax_shows_the_error() -> None:
    """And not the remark that JAX puts after a traceback."""
    pytest.importorskip("jax")
    call = show("linear_algebra.surplus_singular_vectors_are_ignored[left]", "--engine", "jax", "--issue")
    assert "**Seen**: `NotImplementedError: Singular value decomposition" in call.output
