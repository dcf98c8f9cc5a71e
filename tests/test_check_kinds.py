"""`check` of each kind of function and argument: a right one is not accused, a wrong one is named by its law."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy
import pytest

from autograd_conformance import Report, check

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.filterwarnings("ignore")

from tests.functions_of_people import Cube, Sine, X  # noqa: E402
from tests.wrong_functions_of_people import HalfInside, LostSign  # noqa: E402

SINGLE = "precision.single_precision_agrees_with_double"


class OfBfloat16(Cube):
    """A kernel that takes nothing but bfloat16."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        if x.dtype != torch.bfloat16:
            raise TypeError("bfloat16 only")
        return Cube.forward(ctx, x)


class WrongOfBfloat16(OfBfloat16):
    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return -Cube.backward(ctx, g)


class Counts(torch.nn.Module):
    """A buffer, which each call changes, and no parameter."""

    def __init__(self, keeps: bool) -> None:
        super().__init__()
        self.keeps, self.calls = keeps, 0
        self.register_buffer("factor", torch.ones(3))

    def forward(self, x: Any) -> Any:
        self.factor += 1
        self.calls += self.keeps
        return x.sin() * self.factor * (1 + self.calls)


class OverflowsInSingle(Cube):
    """A logistic function times its argument, whose derivative divides infinity by infinity in single precision."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x / (1 + torch.exp(-x))

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        (x,) = ctx.saved_tensors
        e = torch.exp(-x)
        return g * ((1 + e + x * e) / (1 + e) ** 2)


class RaisesInVmap(Sine):
    """The author's own rule raises an error."""

    generate_vmap_rule = False

    @staticmethod
    def vmap(info: Any, in_dims: Any, x: Any) -> Any:
        raise IndexError("no axis")


class Doubles(Cube):
    """Written in place, by contract."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.mark_dirty(x)
        return x.mul_(2)

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return 2 * g


class WrongWhereItMatters(Cube):
    """Wrong for negative numbers."""

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        (x,) = ctx.saved_tensors
        return Cube.backward(ctx, g) * torch.where(x < 0, -1.0, 1.0)


def under_autocast(x: Any, w: Any) -> Any:
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return x @ w.T


def squared_modulus(z: Any) -> Any:
    return (z * z.conj()).real


@torch.library.custom_op("people::square", mutates_args=())
def square(x: torch.Tensor) -> torch.Tensor:
    return x * x


@torch.library.custom_op("people::wrong_square", mutates_args=())
def wrong_square(x: torch.Tensor) -> torch.Tensor:
    return x * x


@torch.library.custom_op("people::underived", mutates_args=())
def underived(x: torch.Tensor) -> torch.Tensor:
    return x * x


for _operator, _factor in ((square, 2), (wrong_square, 3)):
    _operator.register_autograd(
        lambda ctx, g, factor=_factor: factor * g * ctx.saved_tensors[0],
        setup_context=lambda ctx, inputs, output: ctx.save_for_backward(*inputs),
    )

POSITIVE = torch.tensor([0.5, 1.5, 2.0])
# Of each: the function, its arguments, what is declared, and a part of the law that is broken; none for a right one.
KINDS: dict[str, tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any], str]] = {
    "bfloat16": (OfBfloat16.apply, (X.bfloat16(),), {}, ""),
    "wrong bfloat16": (WrongOfBfloat16.apply, (X.bfloat16(),), {}, "the_slope_in_half_precision"),
    "float16": (Cube.apply, (X.half(),), {}, ""),
    "autocast": (under_autocast, (X, X + 1), {}, ""),
    "complex": (squared_modulus, (X + 1j * X.flip(0),), {}, ""),
    "no parameters": (torch.nn.Tanh(), (X,), {}, ""),
    "buffers": (Counts(keeps=False), (X,), {}, ""),
    "state": (Counts(keeps=True), (X,), {"seeded": False}, "a_second_call_of_a_gradient"),
    "overflow": (OverflowsInSingle.apply, (X,), {}, "own.float32_overflows"),
    "rule that raises": (RaisesInVmap.apply, (X,), {}, "transforms.vmap_of_a_gradient"),
    "in place": (Doubles.apply, (X,), {"inplace": True}, ""),
    "domain": (WrongWhereItMatters.apply, (POSITIVE,), {"domain": lambda x: (x >= 0).all()}, ""),
    "no domain": (WrongWhereItMatters.apply, (POSITIVE,), {}, "derivatives.reverse_mode"),
    "operator": (square, (X,), {}, ""),
    "wrong operator": (wrong_square, (X,), {}, "derivatives.reverse_mode"),
}


@pytest.mark.parametrize("name", KINDS)
def test_a_kind_of_function(name: str) -> None:
    """Nothing is broken, or the law that is about the mistake."""
    function, arguments, declared, law = KINDS[name]
    report = check(function, *arguments, raises=False, **declared)
    broken = [answer.law for answer in report.broken]
    assert any(law in each for each in broken) if law else not broken, str(report)


def test_the_compiler_is_asked() -> None:
    """The law on the compiled function is among those that hold; nothing is broken."""
    report = check(Sine.apply, X, compiler="aot_eager")
    assert not report.broken, str(report)
    assert _answers(report)["own.compilation_changes_no_gradient"] == "holds"


def test_an_operator_without_derivative_is_not_checked() -> None:
    """No law was asked, with the error that says why."""
    with pytest.raises(ValueError, match=r"no law was asked: .*register_autograd"):
        check(underived, X)


@pytest.mark.parametrize("engine", ["reference", "hips_autograd"])
def test_other_engines(engine: str) -> None:
    """A plain function of NumPy's numbers, on engines without custom derivatives."""
    if engine == "hips_autograd":
        np = pytest.importorskip("autograd.numpy")
        report = check(lambda x: np.sum(np.sin(x) * x), numpy.array([0.3, -0.7]), engine=engine)
    else:
        from reference_engine.core.tensor import Tensor

        report = check(lambda x: x * x * x, Tensor(numpy.array([0.3, -0.7])), engine=engine)
    assert _answers(report)["derivatives.reverse_mode_gives_the_derivative"] == "holds"
    assert not report.broken, str(report)


def test_a_known_break_is_strict() -> None:
    """It raises no LawBroken while it is there; a law that holds, or is none, may not be known as broken."""
    report = check(HalfInside.apply, X, known={SINGLE: "issue 3"})
    (answer,) = (answer for answer in report.answers if answer.status == "known")
    assert (answer.law, answer.reason) == (SINGLE, "issue 3")
    (stale,) = check(Cube.apply, X, known={SINGLE: "issue 3"}, raises=False).broken
    assert "issue 3" in stale.error
    with pytest.raises(ValueError, match="'precision' is known as broken, and is no law"):
        check(Cube.apply, X, known={"precision": "issue 3"})


@pytest.mark.parametrize(
    ("text", "message"),
    [(None, "cannot be read"), ("[Cube", "cannot be read"), ("[Cube]\na = 1", "has to be lines")],
    ids=["no_file", "no_toml", "no_reason"],
)
def test_a_wrong_file_of_known_breaks_is_an_error_in_a_line(tmp_path: Path, text: str | None, message: str) -> None:
    """It names the file."""
    path = tmp_path / "known.toml"
    if text:
        path.write_text(text)
    with pytest.raises(ValueError, match=message) as caught:
        check(Cube.apply, X, known=path)
    assert "known.toml" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_command_takes_known_breaks(tmp_path: Path) -> None:
    """Exit status 0 where all that is broken is known."""
    broken = [answer.law for answer in check(LostSign.apply, X[0], raises=False).broken]
    path = tmp_path / "known.toml"
    path.write_text("[LostSign]\n" + "".join(f'"{law}" = "issue 3"\n' for law in broken))
    command = [sys.executable, "-m", "autograd_conformance", "check", "tests.wrong_functions_of_people:LostSign"]
    done = subprocess.run(
        [*command, "--at", f"tensor({X[0].tolist()})", "--known", str(path), "--json"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr + done.stdout
    assert {answer["law"] for answer in json.loads(done.stdout) if answer["status"] == "known"} == {*broken}


def _answers(report: Report) -> dict[str, str]:
    return {answer.law: answer.status for answer in report.answers}
