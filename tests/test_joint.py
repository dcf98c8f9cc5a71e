"""Joint functions: laws by one compiled function of an operation, on the reference engine with a toy compiler."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import pytest

from adapters.with_reference import ReferenceAdapter
from conformance import trial
from conformance.collection import cells_by_case, cells_of, load_all
from conformance.laws import LAWS
from conformance.laws.judge import EAGER
from conformance.laws.quantity import QUANTITIES
from conformance.protocol import Joint
from conformance.verdicts import Outcome, Reason, Verdict

DECLARED = load_all(LAWS)
CELLS = cells_of(DECLARED)
# Elementwise and not, of one and of several arguments. Each call computes all quantities: without a compiler, slowly.
OPERATIONS = ("exp", "matmul")
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
        return Joint(ReferenceAdapter(), self._compile, lambda function, *args: function(*args), self.is_screen)

    def _compile(self, program: Callable[..., Any]) -> Callable[..., Any]:
        self.programs.append(program)
        return lambda *args: self.after(program(*args))


class Screened(Compiled):
    """An eager column that asks the same function first."""

    is_screen = True


def _outcomes(adapter: Any, *operations: str) -> Iterator[tuple[str, Outcome]]:
    for cell in cells_by_case(DECLARED, operations):
        law, case = CELLS[cell]
        yield cell, trial.run(law, adapter, case)


def _outcome(adapter: Any, law: str, operation: str) -> Outcome:
    declared, case = CELLS[f"{law}[{operation}]"]
    return trial.run(declared, adapter, case)


def _doubled(results: dict[str, Any]) -> dict[str, Any]:
    return {**results, "reverse": [2.0 * x for x in results["reverse"]]} if "reverse" in results else results


def _broken(results: dict[str, Any]) -> dict[str, Any]:
    raise RuntimeError("the compiler failed")


@pytest.mark.parametrize("operation", OPERATIONS)
def test_verdicts_are_those_of_the_engine(operation: str) -> None:
    """With every law; and nothing is computed outside of the function that the engine can do."""
    eager = dict(_outcomes(ReferenceAdapter(), operation))
    compiled = dict(_outcomes(Compiled(), operation))
    assert {cell: (it.verdict, it.convention) for cell, it in compiled.items()} == {
        cell: (it.verdict, it.convention) for cell, it in eager.items()
    }
    # The reference engine has no compiler of its own: a jitted program is the only quantity that it lacks.
    assert {cell for cell, it in compiled.items() if it.reason is Reason.UNTRACED} == set()


def test_a_program_is_compiled_once_for_each_variant_shape_and_dtype() -> None:
    """And not for each law or point."""
    adapter = Compiled()
    assert all(it.verdict in (Verdict.PASS, Verdict.ABSENT) for _, it in _outcomes(adapter, "exp"))
    # Double, single and half precision: the engine has no bfloat16.
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
        for operation in ("exp", "sin", "cos", "tanh", "sinh", "cosh", "log", "sqrt", "square", "expm1", "log1p", "erf")
        for law in laws
        if _outcome(WrongInEagerMode(), law, operation).verdict is Verdict.FAIL
    ]
    # A checksum of a cell's name decides whether it is judged anew: some of these are, and not all.
    assert 0 < len(flagged) < 12
    monkeypatch.setenv(EAGER, "1")
    assert _outcome(WrongInEagerMode(), FIRST, "exp").verdict is Verdict.FAIL


def test_quantities_have_unlike_names() -> None:
    """They are the keys of what a function returns."""
    assert len(QUANTITIES) > 40
    assert all(name == quantity.name for name, quantity in QUANTITIES.items())
