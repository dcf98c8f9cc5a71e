"""Columns of compilers: the whole program of a check is compiled, and what it hands on is judged afterwards."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from adapters.with_reference import ReferenceAdapter
from conformance import collection, compiled_trials
from conformance.engines import EngineError, load, parse
from conformance.protocol import CompilingAdapter
from conformance.scripts.whole import whole_program
from conformance.verdicts import Outcome, Verdict
from tests.support import conform

CELLS = collection.cells()
# A hook, writes, a list that grows after an assertion, a convention, an error at the end, a warning, flags.
TAPE = "accumulation.a_second_backward_adds_to_the_first"
SAMPLE = (
    "hooks.tensor_hooks_run_in_order_of_registration",
    "inplace.a_leaf_modified_under_no_grad_stays_a_leaf",
    "versions.each_inplace_write_increments_the_version",
    "saved_tensors.nothing_is_unpacked_before_backward",
    "custom_rules.a_captured_array_gets_no_gradient",
    "views.detach_in_place_of_a_view_raises_an_error[plain]",
    "anomalies.detect_anomaly_warns",
    "modules.a_frozen_layer_gets_no_gradient",
)
torch_here = pytest.mark.skipif(find_spec("torch") is None, reason="torch is not installed")


class Compiled(ReferenceAdapter, CompilingAdapter):
    """The reference engine with a compiler that only calls the program."""

    captures = True

    def __init__(self) -> None:
        super().__init__()
        self.eager = ReferenceAdapter()
        self.programs = 0

    def compiled(self, program: Callable[[], None]) -> Callable[[], None]:
        self.programs += 1
        return program

    def copied(self, value: Any) -> Any:
        if isinstance(value, (list, tuple)):
            return type(value)(map(self.copied, value))
        return value.detach().clone() if hasattr(value, "detach") else value

    def uncompiled(self) -> str:
        return "" if self.captures else "nothing was captured"


def outcome(cell: str, adapter: Any) -> Outcome:
    behaviour, case = CELLS[cell]
    return compiled_trials.run(behaviour, adapter, case)


@pytest.mark.parametrize("cell", [TAPE, *SAMPLE])
def test_a_compiler_that_changes_nothing_changes_no_outcome(cell: str) -> None:
    """And the program is compiled once, as a whole."""
    adapter = Compiled()
    compiled, eager = outcome(cell, adapter), outcome(cell, ReferenceAdapter())
    assert (compiled.verdict, compiled.convention) == (eager.verdict, eager.convention)
    # What is absent in eager mode is not compiled.
    assert adapter.programs == (eager.verdict in (Verdict.PASS, Verdict.FAIL, Verdict.DIFFERS))


def test_a_program_asserts_nothing_itself() -> None:
    """It has the verbs' code, and hands on what the check asserts, by number."""
    program = whole_program(*CELLS[TAPE], ReferenceAdapter(), Outcome(Verdict.PASS))
    assert "def _whole():" in program.text
    assert "_close(0, " in program.text
    assert "assert" not in program.text
    assert program.sites[0].startswith("close(")


def test_what_is_handed_on_is_what_is_judged() -> None:
    """A compiler that drops what a program hands on leaves nothing that could pass."""

    class Forgets(Compiled):
        def compiled(self, program: Callable[[], None]) -> Callable[[], None]:
            return lambda: None

    assert outcome(TAPE, Forgets()).message == "the check asserts nothing: use close, equal, one_of, raises or warns"


def test_an_error_of_the_compiler_is_the_engines() -> None:
    """Where no assertion expects it, a fail; where one does, its message has to be the promised message."""

    class Breaks(Compiled):
        def compiled(self, program: Callable[[], None]) -> Callable[[], None]:
            def run() -> None:
                raise RuntimeError("no rule for this")

            return run

    assert outcome(TAPE, Breaks()).message == "raised RuntimeError: no rule for this"
    expecting = outcome("views.detach_in_place_of_a_view_raises_an_error[plain]", Breaks())
    assert expecting.verdict is Verdict.FAIL
    assert expecting.message.startswith("raised RuntimeError: no rule for this; expected a message that says")


def test_a_check_of_which_nothing_is_compiled_is_absent() -> None:
    """With a reason, and it does not pass."""
    adapter = Compiled()
    adapter.captures = False
    assert outcome(TAPE, adapter) == Outcome(Verdict.ABSENT, message="nothing was captured")


def test_state_that_a_compiled_program_leaves_changed_is_the_compilers_doing() -> None:
    """In eager mode the same program left it as it was: a fail, and the process is not used again."""

    class Leaves(Compiled):
        on = False

        def global_state(self) -> dict[str, Any]:
            return {"a switch": self.on}

        def compiled(self, program: Callable[[], None]) -> Callable[[], None]:
            self.on = True
            return program

    changed = outcome(TAPE, Leaves())
    assert (changed.verdict, changed.tainted) == (Verdict.FAIL, True)
    assert changed.message == "global state left changed: a switch was False, is True"


@torch_here
def test_a_backend_that_drops_half_of_a_gradient_is_seen_in_a_check_that_drives_the_tape() -> None:
    """The values are right; only what backward() stores is not."""

    def halving(graph: Any, inputs: list[Any]) -> Callable[..., Any]:
        def run(*args: Any) -> Any:
            return tuple(out / 2 + (out / 2).detach() if out.requires_grad else out for out in graph(*args))

        return run

    adapter: Any = load(parse("torch:compile,backend=eager"))
    assert outcome(TAPE, adapter).verdict is Verdict.PASS
    # In the place of the backend, which makes a function of a graph.
    adapter.make = halving
    halved = outcome(TAPE, adapter)
    assert halved.verdict is Verdict.FAIL
    assert halved.message.endswith("in close(ad.gradient_of(x), [5.0, 7.0])")  # the line of the check


@torch_here
def test_a_program_that_torch_compile_does_not_capture_is_absent() -> None:
    """A program without an operation, and a program that a graph was made of."""
    adapter = load(parse("torch:compile"))
    assert outcome("modes.recording_is_on_by_default", adapter).message.startswith("no operation of the program is")
    assert outcome(TAPE, adapter).verdict is Verdict.PASS


@torch_here
def test_backends_show_where_a_difference_comes_from() -> None:
    """A write to a number is lost by differentiation ahead of time, and not by tracing."""
    cell = "inplace.a_leaf_modified_under_no_grad_stays_a_leaf"
    verdicts = {
        backend: outcome(cell, load(parse(f"torch:compile,backend={backend}"))).verdict
        for backend in ("eager", "aot_eager")
    }
    assert verdicts == {"eager": Verdict.PASS, "aot_eager": Verdict.FAIL}


@torch_here
def test_a_backend_that_is_none_is_one_line_and_status_2(tmp_path: Path) -> None:
    """It names the backend and those that there are."""
    call = conform("run", "--engine", "torch:compile,backend=nvfuser", "-o", tmp_path / "out", output=tmp_path / "out")
    assert call.status == 2
    assert "no backend 'nvfuser'" in " ".join(call.err.split())
    assert "aot_eager, eager, inductor" in " ".join(call.err.split())
    assert "Traceback" not in call.err


@torch_here
def test_inductor_needs_a_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """The compiler that CXX names."""
    monkeypatch.setenv("CXX", "no-such-compiler")
    with pytest.raises(EngineError, match="and there is no 'no-such-compiler'"):
        load(parse("torch:compile,backend=inductor"))


@torch_here
def test_functionalized_is_what_a_transform_is_given() -> None:
    """A write under no_grad shows what becomes of it; a check without a transform is absent."""
    adapter = load(parse("torch:functionalize"))
    assert outcome("losses.gaussian_nll_ignores_the_clamp_of_the_variance", adapter).verdict is Verdict.FAIL
    assert outcome("versions.a_clone_has_its_own_version", adapter).message.startswith("no program is given")
    assert outcome("gradients.a_function_has_its_derivative[square]", adapter).verdict is Verdict.PASS


def _depth(jaxpr: Any) -> int:
    """Depth of nested calls of jit."""
    inner = [value for equation in jaxpr.eqns for value in equation.params.values()]
    depths = [
        _depth(getattr(value, "jaxpr", value)) for value in inner if hasattr(getattr(value, "jaxpr", value), "eqns")
    ]
    return max(depths, default=0) + any(equation.primitive.name in ("jit", "pjit") for equation in jaxpr.eqns)


# verb: what it makes of a program, as a function of a number
POSITIONS: dict[str, Callable[[Any, Any], Callable[[Any], Any]]] = {
    "grad": lambda ad, f: ad.grad(f),
    "value_and_grad": lambda ad, f: ad.value_and_grad(f),
    "vjp": lambda ad, f: lambda x: ad.vjp(f, x)[0],
    "pullback": lambda ad, f: lambda x: ad.vjp(f, x)[1](x),
    "jvp": lambda ad, f: lambda x: ad.jvp(f, (x,), (x,)),
    "jacobian": lambda ad, f: ad.jacobian(f),
    "jacfwd": lambda ad, f: ad.jacfwd(f),
    "hessian": lambda ad, f: ad.hessian(f),
    "vmap": lambda ad, f: lambda x: ad.vmap(f)(x[None]),
    "linearize": lambda ad, f: lambda x: ad.linearize(f, x)[0],
    "pushforward": lambda ad, f: lambda x: ad.linearize(f, x)[1](x),
    "linear_transpose": lambda ad, f: lambda x: ad.linear_transpose(lambda y: 2 * y, x)(x),
    "forward_and_backward": lambda ad, f: lambda x: ad.forward_and_backward(f, 0)[0](x),
}


@pytest.mark.skipif(find_spec("jax") is None, reason="jax is not installed")
@pytest.mark.parametrize("verb", POSITIONS)
def test_jit_is_inside_and_around_each_transform(verb: str) -> None:
    """Two calls of jit, nested, where the column without jit has none; fwd_and_bwd has another."""
    import jax
    import jax.numpy as jnp

    def depth(engine: str) -> int:
        made = POSITIONS[verb](load(parse(engine)), lambda x: jnp.sin(x) * x)
        return _depth(jax.make_jaxpr(made)(jnp.array(2.0)).jaxpr)

    assert depth("jax") == (verb == "forward_and_backward")
    assert depth("jax:jit") >= 2 - (verb in ("pullback", "pushforward"))
