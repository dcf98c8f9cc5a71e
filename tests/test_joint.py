"""Joint functions: laws by one compiled function of an operation, on the reference engine with a toy compiler."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import pytest

from adapters.with_reference import ReferenceAdapter
from conformance import trial
from conformance.collection import cells_of, load_all
from conformance.laws import LAWS
from conformance.laws.judge import EAGER
from conformance.laws.quantity import QUANTITIES
from conformance.protocol import Joint
from conformance.verdicts import Outcome, Reason, Verdict

DECLARED = load_all(LAWS)
CELLS = cells_of(DECLARED)
# A law of each way of asking: by a quantity, by comparisons, at other points, with other numbers, and with a dtype.
ASKED = (
    "derivatives.forward_over_reverse_gives_the_second_derivative",
    "transforms.vmap_of_a_jvp_is_the_loop",
    "transforms.checkpoint_changes_no_gradient",
    "cotangents.the_pullback_is_linear",
    "precision.single_precision_agrees_with_double",
)
# Enough that a twentieth of their cells is some.
OPERATIONS = ("exp", "sin", "cos", "tanh", "sinh", "log", "sqrt", "square", "expm1", "log1p")
FIRST = "derivatives.reverse_mode_gives_the_derivative"


class Compiled(ReferenceAdapter):
    """The column of a compiler: it counts programs, and `after` changes what they return."""

    is_screen: ClassVar[bool] = False

    def __init__(self) -> None:
        super().__init__()
        self.programs: list[Callable[..., Any]] = []
        self.after: Callable[[dict[str, Any]], dict[str, Any]] = lambda results: results

    @property
    def joint(self) -> Joint:
        adapter = ReferenceAdapter()

        def array(x: Any, dtype: str | None) -> Any:
            return adapter.array(x.tolist(), dtype)

        return Joint(adapter, self._compile, array, lambda function, *args: function(*args), self.is_screen)

    def _compile(self, program: Callable[..., Any]) -> Callable[..., Any]:
        self.programs.append(program)
        return lambda *args: self.after(program(*args))


class Screened(Compiled):
    """An eager column that asks the same function first."""

    is_screen = True


def _outcome(adapter: Any, law: str, operation: str) -> Outcome:
    declared, case = CELLS[f"{law}[{operation}]"]
    return trial.run(declared, adapter, case)


def _doubled(results: dict[str, Any]) -> dict[str, Any]:
    return {**results, "reverse": [2.0 * x for x in results["reverse"]]} if "reverse" in results else results


def _broken(results: dict[str, Any]) -> dict[str, Any]:
    raise RuntimeError("the compiler failed")


def test_verdicts_are_those_of_the_engine_by_one_program_for_each_dtype() -> None:
    """Not one for each law or point; and nothing is computed outside of it."""
    adapter = Compiled()
    compiled = [_outcome(adapter, law, "exp") for law in ASKED]
    assert [(it.verdict, it.reason) for it in compiled] == [(Verdict.PASS, None)] * len(ASKED)
    assert [_outcome(ReferenceAdapter(), law, "exp").verdict for law in ASKED] == [Verdict.PASS] * len(ASKED)
    # Double precision, what of it is differenced, and single precision.
    assert len(adapter.programs) == 3


def test_what_a_compiler_makes_wrong_is_a_flag_of_its_column_alone() -> None:
    """The eager column that asks it judges anew."""
    for kind, expected in ((Compiled, Verdict.FAIL), (Screened, Verdict.PASS)):
        adapter = kind()
        adapter.after = _doubled
        assert _outcome(adapter, FIRST, "exp").verdict is expected


def test_where_the_compiler_fails_each_quantity_is_computed_alone() -> None:
    """And the pass says so."""
    adapter = Compiled()
    adapter.after = _broken
    outcome = _outcome(adapter, FIRST, "exp")
    assert (outcome.verdict, outcome.reason) == (Verdict.PASS, Reason.UNTRACED)
    screened = Screened()
    screened.after = _broken
    assert _outcome(screened, FIRST, "exp").reason is None


def test_a_quantity_that_the_compiler_cannot_take_costs_no_other() -> None:
    """The function is split until it is alone."""

    def without_vmap(results: dict[str, Any]) -> dict[str, Any]:
        if any(name.startswith("vmap") for name in results):
            raise RuntimeError("the compiler failed")
        return results

    adapter = Compiled()
    adapter.after = without_vmap
    reasons = {law: _outcome(adapter, law, "exp").reason for law in (FIRST, "transforms.vmap_of_a_jvp_is_the_loop")}
    assert reasons == {FIRST: None, "transforms.vmap_of_a_jvp_is_the_loop": Reason.UNTRACED}


class WrongInEagerMode(Screened):
    """Wrong in eager mode: the function does not show it."""

    def grad(self, program: Any, *args: Any, **options: Any) -> Any:
        gradient = super().grad(program, *args, **options)

        def doubled(*xs: Any) -> Any:
            parts = gradient(*xs)
            return tuple(2.0 * part for part in parts) if isinstance(parts, tuple) else 2.0 * parts

        return doubled


def test_an_eager_column_is_judged_as_a_whole_where_that_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of cells that the function passes, else one in twenty is: so that what differs in eager mode is seen at last."""
    laws = [law.id for law in DECLARED if law.id.startswith("derivatives.reverse") and "exp" in law.cases]
    flagged = [
        operation
        for operation in OPERATIONS
        for law in laws
        if _outcome(WrongInEagerMode(), law, operation).verdict is Verdict.FAIL
    ]
    # A checksum of a cell's name decides whether it is judged anew: some of these are, and not all.
    assert 0 < len(flagged) < len(OPERATIONS) * len(laws) / 2
    monkeypatch.setenv(EAGER, "1")
    assert _outcome(WrongInEagerMode(), FIRST, "exp").verdict is Verdict.FAIL


def test_quantities_have_unlike_names() -> None:
    """They are the keys of what a function returns."""
    assert len(QUANTITIES) > 40
    assert all(name == quantity.name for name, quantity in QUANTITIES.items())
