"""`check`: a mistake is named by the law that is about it, and a right function is not accused."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from autograd_conformance import LawBroken, Report, check

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.filterwarnings("ignore")

from tests.functions_of_people import RIGHT, WRONG, Cube, X  # noqa: E402
from tests.wrong_functions_of_people import LostSign  # noqa: E402


def statuses(report: Report) -> dict[str, str]:
    return {answer.law: answer.status for answer in report.answers}


@pytest.mark.parametrize("name", WRONG)
def test_a_mistake_is_named_by_the_law_that_is_about_it(
    name: str, tmp_path: Path, torch_forks: Callable[[list[Path]], list[tuple[int, str]]]
) -> None:
    """Among the laws that are broken is that law; its witness is small."""
    function, arguments, law = WRONG[name]
    report = check(function, *arguments, raises=False)
    named = [answer for answer in report.broken if law in answer.law]
    assert named, str(report)
    # An error has the given arguments; where rows are left out, there are some.
    assert named[0].error or named[0].size <= (8 if name != "OfTwoRows" else 15)
    # The program alone ends with status 1 and both sides.
    assert not re.search(r"(?m)^\s*(import|from) (conformance|adapters|autograd_conformance)\b", named[0].program)
    path = tmp_path / "alone.py"
    path.write_text(named[0].program, encoding="utf-8")
    ((status, output),) = torch_forks([path])
    assert status == 1, output
    assert (named[0].error.partition(":")[0] or "AssertionError") in output, output + named[0].program


def test_a_program_needs_nothing_of_the_suite() -> None:
    """In a fresh interpreter where the suite cannot be imported; the others run in forks, which have imported it."""
    (answer, *_) = check(LostSign.apply, X, raises=False).broken
    code = f"import sys; sys.modules['conformance'] = None\n{answer.program}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, "AssertionError" in done.stderr) == (1, True), done.stderr


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_function_is_not_accused(name: str) -> None:
    """Nothing is broken, and something holds."""
    function, arguments, declared = RIGHT[name]
    report = check(function, *arguments, raises=False, **declared)
    assert not report.broken, str(report)
    assert "holds" in statuses(report).values()


def test_a_broken_law_is_raised_with_its_witness() -> None:
    """The message names function and law, with both sides and the numbers."""
    with pytest.raises(LawBroken, match=r"^LostSign breaks a law: The VJP") as caught:
        check(LostSign.apply, X)
    assert caught.value.answer.law == "derivatives.reverse_mode_gives_the_derivative"
    assert float(caught.value.answer.got) == pytest.approx(-float(caught.value.answer.expected))


def test_what_is_not_implemented_names_the_method() -> None:
    """It is not supported, and no mistake."""
    report = check(Cube.apply, X)
    remedies = {answer.remedy for answer in report.answers if answer.status == "not supported"}
    assert any("jvp" in remedy for remedy in remedies)
    assert any("setup_context" in remedy for remedy in remedies)


def test_a_law_is_skipped_with_a_reason() -> None:
    """The reason is the answer's."""
    report = check(LostSign.apply, X, raises=False, skip={"derivatives.reverse_mode_gives": "known"})
    (answer,) = (a for a in report.answers if a.law == "derivatives.reverse_mode_gives_the_derivative")
    assert (answer.status, answer.reason) == ("not asked", "known")


def test_modules_containers_options_and_other_arguments() -> None:
    """Parameters are inputs; what is no array of floats is passed on as it is."""

    def scaled(state: Any, index: Any, name: str, power: int, flag: bool | None, factor: float = 1.0) -> Any:
        assert name == "x"
        assert flag is None
        return {"y": factor * state["x"][index] ** power, "z": [state["w"].sum()]}

    state = {"x": X, "w": torch.ones(2)}
    assert not check(scaled, state, torch.tensor([1, 0]), "x", 2, None, options={"factor": 3.0}).broken
    report = check(torch.nn.Linear(3, 2), X)
    assert not report.broken
    norm = torch.nn.BatchNorm1d(3)
    before = norm.running_mean.clone()
    report = check(norm, X.repeat(2, 1))
    assert statuses(report)["derivatives.reverse_mode_gives_the_derivative"] == "holds"
    assert torch.equal(norm.running_mean, before)
    # PyTorch's own second derivative of the tangent is wrong (`conformance/known/torch.toml`).
    reasons = {answer.reason for answer in report.answers if "known failure" in answer.reason}
    assert any("batch_norm is wrong when it is differentiated again" in reason for reason in reasons)


def test_a_reference_is_compared_with() -> None:
    """Values and gradients."""
    assert not check(Cube.apply, X, reference=lambda x: x**3).broken
    report = check(Cube.apply, X, reference=lambda x: x**2, raises=False)
    assert [answer.law for answer in report.broken] == ["own.the_reference_agrees"]


@pytest.mark.parametrize(
    ("function", "arguments", "message"),
    [
        (3, (X,), "not callable"),
        (Cube.apply, (1, "x"), "no argument is an array of an engine"),
        (Cube.apply, (torch.arange(3),), "nothing to differentiate"),
        (Cube.apply, (torch.zeros(0, 3),), "no argument has elements"),
        (lambda x: "text", (X,), "returns no array"),
        (lambda x: x > 0, (X,), "returns no floats"),
        (lambda x: 1 / 0, (X,), "raises ZeroDivisionError"),
    ],
    ids=["no_function", "no_array", "no_float", "no_elements", "no_output", "no_float_output", "raises"],
)
def test_bad_input_is_an_error_in_a_line(function: Any, arguments: tuple[Any, ...], message: str) -> None:
    """A ValueError, and no broken law."""
    with pytest.raises(ValueError, match=message) as caught:
        check(function, *arguments)
    assert "\n" not in str(caught.value)


def _command(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "autograd_conformance", "check", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_command_prints_an_answer_per_law() -> None:
    """As JSON; exit status 1 where a law is broken. A crash costs one law."""
    done = _command("tests.functions_of_people:Crashes", "--at", "tensor([0.5, 2.0])", "--json")
    assert done.returncode == 1, done.stderr
    answers = {answer["law"]: answer for answer in json.loads(done.stdout)}
    assert [law for law, answer in answers.items() if "process ended" in answer["error"]] == [
        "transforms.checkpoint_changes_no_gradient"
    ]
    assert answers["derivatives.reverse_mode_gives_the_derivative"]["status"] == "holds"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nowhere:f", "--at", "randn(2)"), "cannot be imported"),
        (("tests.functions_of_people:Cube", "--at", "randn(2, "), "--at"),
        (("tests.functions_of_people:Cube",), "give --inputs"),
        (("tests.functions_of_people", "--at", "randn(2)"), "names no function"),
        (("tests.functions_of_people:X", "--at", "randn(2)"), "not callable"),
        (("torch:sin", "--at", "tensor([1, 2])"), "nothing to differentiate"),
        (("torch:is_tensor", "--at", "randn(2)"), "returns no array"),
        (("torch:det", "--at", "randn(2)"), "raises runtimeerror"),
    ],
    ids=["module", "expression", "no_point", "no_function", "not_callable", "no_float", "no_array", "raises"],
)
def test_a_wrong_call_of_the_command_is_an_error_in_a_line(arguments: tuple[str, ...], message: str) -> None:
    """On standard error, with exit status 2."""
    done = _command(*arguments)
    assert done.returncode == 2, done.stdout
    assert message in done.stderr.lower()
    assert done.stderr.count("\n") == 1


def test_the_import_is_light() -> None:
    """Neither NumPy nor an engine is imported before a function is checked."""
    code = "import sys, autograd_conformance.check; assert not {'numpy', 'torch', 'jax'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_page_begins_with_a_bug_that_is_found() -> None:
    """Its first example raises what the page shows, up to digits."""
    page = (Path(__file__).parent.parent / "docs/checking-your-own-function.md").read_text("utf-8")
    example, shown = (part.partition("\n")[2] for part in page.split("```")[1:4:2])
    with pytest.raises(LawBroken) as caught:
        exec(example, {"__name__": "example"})
    text = str(caught.value)
    assert [line for line in shown.splitlines() if line not in text] == []
