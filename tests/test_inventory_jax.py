"""JAX's public functions as an inventory: all of them, at points that are inside their domains."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from functools import cache
from typing import Any, get_origin

import numpy
import pytest

from conformance.laws.compositions import FORWARD, REVERSE
from conformance.laws.judge import agrees_with_differences
from conformance.laws.operation_subject import OperationSubject
from conformance.operations.inventory import table_of
from conformance.operations.samples import generic
from conformance.protocol import Inventory, Item

jax = pytest.importorskip("jax")

from adapters.inventories.of_jax import CASES  # noqa: E402
from adapters.inventories.of_jax.arguments import case, drawn, positive, square  # noqa: E402
from adapters.inventories.of_jax.functions import MODULES, functions  # noqa: E402
from adapters.inventories.of_jax.signatures import UnknownParameterError, cases_of  # noqa: E402
from adapters.with_jax import JaxAdapter  # noqa: E402

# Reasons why a function is not covered that an engine's own message gives.
OF_INTEGERS = re.compile(r"raises \w+ for floating-point numbers: .*(dtype float64|integer)")


@cache
def listed() -> Inventory:
    """The inventory, made once."""
    return JaxAdapter.inventory()


def public() -> Iterator[tuple[str, Any]]:
    """Every public function, by every name that it has."""
    below = (module.name for module in pkgutil.walk_packages(jax.scipy.__path__, "jax.scipy."))
    for module in map(importlib.import_module, (*MODULES, *below)):
        for name, it in vars(module).items():
            if callable(it) and not name.startswith("_") and not inspect.isclass(it) and get_origin(it) is None:
                yield f"{module.__name__}.{name}", it


def test_no_public_function_is_forgotten() -> None:
    """Each is an item, or uncovered for a reason; it may be so under another of its names."""
    covered = {item.name.partition(",")[0] for item in listed().items.values()}
    uncovered = set(listed().uncovered)
    assert covered & uncovered == set()
    known = {id(function) for name, function in functions().items() if name in covered | uncovered}
    assert [name for name, function in public() if id(function) not in known] == []
    assert len(covered) >= 690


def test_what_is_not_covered_has_a_reason_that_is_none_of_ours() -> None:
    """No parameter is unknown, and no call fails for another reason than integers in the place of floats."""
    unclear = {
        name: reason
        for name, reason in listed().uncovered.items()
        if reason.startswith(("raises", "nothing is known")) and not OF_INTEGERS.match(reason)
    }
    assert unclear == {}
    assert listed().uncovered["jax.numpy.argmax"] == "returns no floating-point numbers"
    assert listed().uncovered["jax.numpy.identity"] == "takes no array of floating-point numbers"
    assert listed().uncovered["jax.numpy.save"] == "is a function of NumPy's"
    assert "bitwise_and" not in str(CASES)


def test_every_case_of_the_tables_is_of_a_function() -> None:
    """And differentiates something."""
    assert sorted(set(CASES) - set(functions())) == []
    assert [name for name, cases in CASES.items() if not cases or not all(call.arrays for call in cases)] == []


def test_items_are_the_same_each_time_and_their_numbers_are_not_tied() -> None:
    """Numbers of an array are apart."""
    again = JaxAdapter.inventory()
    assert list(again.items) == list(listed().items)
    for name, item in listed().items.items():
        assert all(map(numpy.array_equal, item.values, again.items[name].values)), name
        for value in item.values:
            # Two equal numbers are a tie, where a maximum has a kink.
            assert numpy.min(numpy.diff(numpy.sort(value.ravel())), initial=1.0) > 1e-6, name


def test_numbers_lie_in_the_domain_and_apart_from_halves() -> None:
    """Where steps of differences could meet a kink; those of an interval are inside it."""
    for number in range(20):
        anywhere, above = case(drawn(2, 3), positive(3)).values(str(number))
        # At whole numbers and halves, functions that round have jumps.
        assert numpy.min(abs(2 * anywhere - numpy.round(2 * anywhere))) > 0.2
        assert numpy.min(above) > 0.1
        (matrix,) = case(square()).values(str(number))
        assert numpy.min(numpy.linalg.eigvalsh(matrix + matrix.T)) > 0.5


def test_calls_follow_from_a_signature() -> None:
    """A plain call, a call with options, a call with a mask; an unknown parameter is named."""

    def reduced(a: Any, axis: Any = None, keepdims: bool = False, initial: Any = None, where: Any = None) -> None: ...
    def sampled(a: Any, colour: Any) -> None: ...

    plain, options, masked = cases_of("jax.numpy.log", reduced)
    assert [array.shape for array in plain.arrays] == [(2, 3)]
    assert plain.arrays[0].low == 0
    assert options.kwargs == {"axis": 0, "keepdims": True}
    assert sorted(masked.kwargs) == ["initial", "where"]
    with pytest.raises(UnknownParameterError, match="its parameter 'colour'"):
        list(cases_of("jax.numpy.sampled", sampled))


def test_other_arguments_have_the_precision_of_the_arrays() -> None:
    """Functions of `jax.lax` want a single dtype."""
    # Its constructor enables double precision.
    JaxAdapter()
    call = case(numpy.array([2.0, 3.0]), drawn(2)).calling(jax.lax.mul)
    assert call(jax.numpy.ones(2, "float32")).dtype == "float32"
    assert call(jax.numpy.ones(2)).dtype == "float64"


def test_items_are_finite_at_their_points() -> None:
    """Inside their domains: NaN is equal to NaN, and no law would fail. Of every twentieth function the last call."""
    adapter = JaxAdapter()
    last = {item.name.partition(",")[0]: name for name, item in listed().items.items()}
    table = table_of(listed())
    wrong = []
    for name in list(last.values())[::20]:
        problem = OperationSubject(adapter, generic(table[name]))
        outputs = problem.numbers(problem.outputs(*problem.primals))
        if not outputs or not all(numpy.all(numpy.isfinite(output)) for output in outputs):
            wrong.append(name)
    assert wrong == []


def test_a_wrong_rule_is_seen_on_an_item() -> None:
    """Of a function with a rule of its own, in forward and reverse mode; a right rule is not."""
    sine = jax.custom_jvp(lambda x: jax.numpy.sin(x))
    # Wrong by a hundredth in both modes, as JAX transposes this rule for reverse mode.
    sine.defjvps(lambda t, y, x: t * jax.numpy.cos(x) * 1.01)
    adapter = JaxAdapter()
    for function, wrong in ((sine, True), (jax.numpy.sin, False)):
        call = case(drawn(2, 3))
        table = table_of(Inventory({"sine": Item("sine", call.values("sine"), call.calling(function))}, {}))
        problem = OperationSubject(adapter, generic(table["sine"]))
        judgements = [agrees_with_differences(problem, mode) for mode in (REVERSE, FORWARD)]
        assert [judgement is not None for judgement in judgements] == [wrong, wrong]
