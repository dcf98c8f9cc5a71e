"""Programs as source: a written check does what the interpreter does, and so does the native program made of it.

Each file of tests/programs/found is such a check, printed by `autograd-conformance program KIND:SEED --engine ENGINE
--as-test`, and tried on the engines that are installed. `FAILS` names the engines on which it fails, with the cause:
strict, so a check that passes there fails the test.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

from conformance import trial
from conformance.behaviour import MAY, Behaviour
from conformance.collection import load_file
from conformance.laws.comparison import Difference
from conformance.laws.law import EqualityLaw
from conformance.programs.engine import engine_of
from conformance.programs.forms import FORMS
from conformance.programs.generator.generate import generate_program
from conformance.programs.generator.kinds import KINDS
from conformance.programs.oracles import BY_DIFFERENCES, ORACLES
from conformance.programs.program import Body, Input, Program, Step
from conformance.programs.program_trial import FoundDifference, try_program
from conformance.programs.source.checks import check_of
from conformance.programs.source.files import as_test
from conformance.programs.source.native import native_of
from conformance.programs.source.report import ProgramReport
from conformance.programs.source.writer import listing
from conformance.scripts.trees import Underivable
from conformance.verdicts import Verdict
from tests.programs_written import compared
from tests.support import conform

# Kind to engine, how many seeds, and how many checks at least are written of them. JAX takes seconds for a program.
ENGINES = {
    "function": ("torch_func", 8, 30),
    "writes": ("torch", 20, 80),
    "mapped_writes": ("torch_func", 8, 25),
    "tape": ("torch", 100, 70),
    "traced": ("jax", 1, 3),
    "rules": ("torch", 15, 50),
    "traced_rules": ("jax", 1, 3),
}
Forks = Callable[[list[Path]], list[tuple[int, str]]]
needs_torch = pytest.mark.skipif(find_spec("torch") is None, reason="torch is not installed")

# One that PyTorch gets wrong: in forward mode the tangent of y *= y is computed after y was overwritten.
SQUARE = Program("writes", (Input((), (2.0,)),), Body(1, (Step("clone", (0,)), Step("write.multiply", (1, 1))), (2,)))


def test_each_kind_is_tried_and_each_oracle_is_written() -> None:
    """A new kind or oracle needs a line here, and an ending."""
    assert ENGINES.keys() == KINDS.keys()
    laws = {name for name, oracle in ORACLES.items() if isinstance(oracle, EqualityLaw)}
    assert laws | BY_DIFFERENCES.keys() == ORACLES.keys()


@pytest.mark.parametrize("kind", KINDS)
def test_a_written_check_gives_what_the_interpreter_gives(kind: str, tmp_path: Path) -> None:
    """From a file, on an engine: it fails where there is a finding, and else passes."""
    spec, seeds, least = ENGINES[kind]
    if find_spec(spec.partition("_")[0]) is None:
        pytest.skip(f"{spec} is not installed")
    count, wrong = compared(spec, kind, range(seeds), tmp_path)
    assert wrong == []
    assert count >= least


@pytest.mark.parametrize("kind", KINDS)
def test_every_program_can_be_listed(kind: str) -> None:
    """Of many seeds: what is listed is Python, and has a name for each value."""
    for seed in range(200):
        source = listing(generate_program(kind, seed).body)
        compile(source, "", "exec")
        assert "getattr" not in source
        assert "*arguments" not in source


def test_lines_are_those_of_the_form() -> None:
    """Values, options and bodies are in the places of the parameters."""
    inner = Body(1, (Step("np.sin", (2,)),), (3,))
    steps = (Step("np.stack", (0, 1), (0,)), Step("no_grad", (2,), (), (inner,)))
    body = Body(2, (steps[0], Step("vmap_of_shared", (2, 1), (), (Body(2, (Step("np.add", (3, 4)),), (5,)),))), (3,))
    assert listing(body) == (
        "def program(v0, v1):\n"
        "    v2 = ad.np.stack([v0, v1], 0)\n\n"
        "    def f3(w3, w4):\n"
        "        w5 = ad.np.add(w3, w4)\n"
        "        return w5\n\n"
        "    v3 = ad.vmap(f3, (0, None))(v2, v1)\n"
        "    return v3\n"
    )
    assert "custom_dirty" in FORMS
    dirty = listing(Body(1, (Step("custom_dirty", (0,)),), (1,)))
    assert "(ad.mark_dirty_(ctx, x), ad.mul_(x, 2.0))[1]" in dirty


@needs_torch
def test_a_program_that_cannot_be_written_has_a_reason() -> None:
    """An oracle that is none; a program without a derivative there; no second engine."""
    torch = engine_of("torch", "writes")
    with pytest.raises(Underivable, match="telepathy is no oracle"):
        check_of(SQUARE, "telepathy", torch)
    kink = Program("writes", (Input((), (0.0,)),), Body(1, (Step("np.relu", (0,)),), (1,)))
    with pytest.raises(Underivable, match="no derivative there"):
        check_of(kink, "reverse_is_differences", torch)
    with pytest.raises(Underivable, match="no second engine"):
        check_of(generate_program("tape", 0), "observations", engine_of("torch"))


def test_a_law_is_written_by_running_its_function() -> None:
    """Verbs become lines, a function that a law defines a function, and each comparison an assertion."""
    square = Program("writes", (Input((2,), (2.0, 1.0)),), Body(1, (Step("np.multiply", (0, 0)),), (1,)))
    lines = check_of(square, "orders_of_modes", engine_of("reference")).splitlines()
    written = [line.strip() for line in lines[lines.index("    def derivative0(v0):") :]]
    assert written[1:5] == [
        "g0 = ad.grad(f)(v0)",
        "return ad.np.sum(g0 * t0)",
        "",
        "h0 = ad.grad(derivative0)(x0)",
    ]
    assert written[5].startswith("close(ad.jvp(derivative0, (x0,), (t0,))[1], ad.np.sum(h0 * t0), within=")


def run_alone(source: str, path: Path) -> subprocess.CompletedProcess[str]:
    """A native program in a fresh interpreter, in which nothing of the suite can be imported."""
    path.write_text(source, encoding="utf-8")
    # Isolated: neither the working directory nor PYTHONPATH is on its path.
    return subprocess.run([sys.executable, "-I", path], capture_output=True, text=True, check=False, timeout=300)


@needs_torch
def test_a_native_program_fails_while_the_difference_is_there(tmp_path: Path) -> None:
    """Of a finding it exits with 1, by an assertion; the same program out of place exits with 0."""
    torch = engine_of("torch", "writes")
    failure = try_program(SQUARE, torch, ("forward_is_differences",)).failure
    assert failure is not None
    source = native_of(SQUARE, failure, torch, "the square")
    assert "# the square\n" in source
    done = run_alone(source, tmp_path / "wrong.py")
    assert done.returncode == 1
    assert "AssertionError" in done.stderr
    mended = Program("writes", SQUARE.inputs, Body(1, (Step("np.multiply", (0, 0)),), (1,)))
    by_mode = FoundDifference("forward_is_reverse", Difference("numbers", "", ""))
    done = run_alone(native_of(mended, by_mode, torch), tmp_path / "right.py")
    assert done.returncode == 0, done.stderr


@needs_torch
@pytest.mark.parametrize("kind", ["function", "writes", "tape"])
def test_native_programs_of_seeds_run_alone(kind: str, tmp_path: Path, torch_forks: Forks) -> None:
    """A few of each kind, each oracle in turn; of a check that passes the program exits with 0."""
    spec = ENGINES[kind][0]
    engine = engine_of(spec, kind)
    passes: dict[Path, bool] = {}
    for seed in range(12):
        program = generate_program(kind, seed)
        # Levels of forward mode do not nest on PyTorch's tape, as its page states: there is no such native program.
        without = {"compiled", "forward_over_forward" if spec == "torch" else ""}
        oracles = ["observations"] if kind == "tape" else [name for name in ORACLES if name not in without]
        oracle = oracles[seed % len(oracles)]
        try:
            source = native_of(program, FoundDifference(oracle, None), engine)  # type: ignore[arg-type]
        except Underivable:
            continue
        # The first by itself in a fresh interpreter; the others come below.
        if not passes:
            done = run_alone(source, tmp_path / "alone.py")
            assert done.returncode == (0 if "; seen: pass" in source else 1), f"{seed} {oracle}: {done.stderr}"
        assert not re.search(r"\b(conformance|adapters)\b(?!.*seen)", source.split("\n\n", 1)[1])
        path = tmp_path / f"{seed}-{oracle}.py"
        path.write_text(source, encoding="utf-8")
        passes[path] = "; seen: pass" in source
    # Not each of the twelve seeds has a native program.
    assert len(passes) >= 6
    # The others in forks of a process that has imported the engine: a fresh interpreter spends seconds on that.
    ends = torch_forks(list(passes))
    expected = [(path.stem, 0 if passes[path] else 1) for path in passes]
    assert [(path.stem, status) for path, (status, _) in zip(passes, ends, strict=True)] == expected, ends


def test_the_command_shows_a_program(tmp_path: Path) -> None:
    """The outcome of each oracle."""
    call = conform("program", "writes:3", "-e", "reference", "--json", output=tmp_path)
    assert call.status == 0, call.err
    shown = json.loads(call.out)
    assert shown["drawn"].startswith("def program(v0):")
    assert {row["oracle"]: row["outcome"] for row in shown["oracles"]}["forward_is_reverse"] == "holds"


SHOWN = ProgramReport(
    name="writes:17",
    engine="torch",
    signature="forward_is_reverse: numbers: clone write.multiply:itself",
    oracle="forward_is_reverse",
    check='def check(ad):\n    """It holds."""\n    close(ad.array(1.0), 1.0)\n',
)


def test_a_finding_becomes_a_test(tmp_path: Path) -> None:
    """A file that can be imported: the check, and on which engine it fails."""
    path = tmp_path / "writes_17.py"
    path.write_text(as_test(SHOWN), encoding="utf-8")
    module = load_file(path, "_finding_as_test")
    assert {"torch": SHOWN.signature} == module.FAILS
    assert "autograd-conformance program writes:17 --engine torch --as-test" in str(module.__doc__)
    assert callable(module.check)


FILES = sorted((Path(__file__).parent / "programs" / "found").glob("*.py"))
# Engine to the distribution that it needs.
FOUND_ON = {"reference": "numpy", "torch": "torch", "torch_func": "torch"}


@pytest.mark.parametrize("engine", FOUND_ON)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_program_that_was_found(path: Path, engine: str) -> None:
    """It passes, or fails on the engines in `FAILS`."""
    if find_spec(FOUND_ON[engine]) is None:
        pytest.skip(f"{engine} is not installed")
    module, loaded_engine = load_file(path, f"_found_{path.stem}"), engine_of(engine)
    check = Behaviour("programs", path.stem, MAY, "A program that was found.", (), module.check)
    outcome = trial.run(check, loaded_engine.adapter, declaration=loaded_engine.declaration)
    if outcome.verdict in (Verdict.ABSENT, Verdict.UNSUPPORTED):
        pytest.skip(outcome.message)
    # A check without citations breaks no promise.
    wanted = Verdict.DIFFERS if engine in module.FAILS else Verdict.PASS
    assert outcome.verdict is wanted, f"{outcome.message}; FAILS is {module.FAILS}"


def test_programs_were_found() -> None:
    """Each names engines that there are."""
    assert len(FILES) >= 3
    for path in FILES:
        assert set(load_file(path, f"_found_{path.stem}").FAILS) <= FOUND_ON.keys()
