"""Operations with a derivative: their value is right, and their derivative wrong in one mode, order or operand."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from workshop.engine_mutants import conditions as c
from workshop.engine_mutants.conditions import ALWAYS, Condition, both
from workshop.engine_mutants.engine_fault import Call, EngineFault
from workshop.engine_mutants.library import Library, library

Probed = Callable[..., Any]


def faults_of_operation(name: str, operands: int) -> list[EngineFault]:
    """Wrong derivatives of the result, and of a second operand."""
    lib = library(name)
    modes = [
        ALWAYS,
        c.inside(lib, "forward", "in forward mode", 1),
        c.inside(lib, "reverse", "in reverse mode", 1),
        c.inside(lib, "vmap", "under vmap", 1),
        c.in_dtype(lib, "float32"),
        c.is_complex(lib),
    ]
    if name == "jax":
        modes.append(c.inside(lib, "jit", "under jit", 1))
    # Predicates and indices are results without a derivative.
    some = Condition("", 0, lambda call: len(lib.arrays(call.result)) > 0)
    faults = [_bent(lib, both(some, mode), 1) for mode in modes]
    faults.append(_bent(lib, replace(some, text="in second order", weight=2), 2))
    if operands > 1:
        faults += [_bent_operand(lib, "second", 1, lambda call: True, 1)]

        # x * x: a rule that is right for each operand may still add them up wrongly.
        def equal(call: Any) -> Any:
            return call.args[0] is call.args[1]

        faults += [_bent_operand(lib, "second, where it is the first as well", 1, equal, 2)]

        def spread(call: Any) -> Any:
            return call.args[0].shape != call.args[1].shape

        faults += [_bent_operand(lib, "second, where it is broadcast", 1, spread, 2)]
    return faults


def _bent(lib: Library, condition: Condition, order: int) -> EngineFault:
    def change(factor: float) -> Callable[[Call], Any]:
        return lambda call: lib.changed(call.result, lambda n: n == 0, lambda x: lib.bent(x, factor, order))

    text = f"the derivative is wrong {condition.text}".strip()
    fault = EngineFault(text, condition.weight, _family(condition, order), condition.when, change_result=change(0.5))
    return replace(fault, neutral=replace(fault, change_result=change(0.0)))


def _family(condition: Condition, order: int) -> str:
    if order > 1:
        return "second order"
    return "one mode" if condition.weight == 1 else "dtype" if condition.weight else "derivative"


def _bent_operand(lib: Library, which: str, number: int, when: Callable[[Call], bool], weight: int) -> EngineFault:
    def change(factor: float) -> Callable[[Call], Any]:
        def changed_arguments(call: Call) -> Any:
            args = list(call.args)
            args[number] = lib.bent(args[number], factor, 1)
            return tuple(args), call.options

        return changed_arguments

    condition = Condition("", weight, lambda call: lib.is_array(call.args[number]) and when(call))
    fault = EngineFault(
        f"the derivative is wrong for the {which}",
        condition.weight,
        "second argument",
        condition.when,
        change_arguments=change(0.5),
    )
    return replace(fault, neutral=replace(fault, change_arguments=change(0.0)))


def probed(function: Callable[[Any], Any], kind: str) -> Probed:
    """A program of an operation that is derived in each mode, order and dtype, at points of one kind."""

    def probe(top: Any) -> Any:
        points = _POINTS[kind]
        # By a name that only one of the two has, as probes are passed the library itself.
        run = _torch_modes if hasattr(top, "Tensor") else _jax_modes
        return [
            run(top, function(top), point, dtype) for dtype in ("float64", "float32", "complex128") for point in points
        ]

    probe.__name__ = f"derivatives_at_{kind}"
    return probe


# Points by kind: the operands of elementwise functions of one and two numbers, and of matrices.
_POINTS: dict[str, list[Any]] = {
    "one": [[[0.3, 0.6]]],
    "positive": [[[1.5, 2.5]]],
    "two": [[[0.3, 0.6], [1.5, 2.5]], [[[0.3, 0.6], [0.7, 0.2]], [1.5, 2.5]], [[0.3, 0.6]]],
    "matrix": [[[[2.0, 1.0], [0.5, 3.0]]]],
    "matrices": [[[[2.0, 1.0], [0.5, 3.0]], [[1.0, 4.0], [0.25, 5.0]]], [[[2.0, 1.0], [0.5, 3.0]]]],
    "vectors": [[[2.0, 1.0], [0.5, 3.0]], [[2.0, 1.0]]],
}


def _attempt_all(actions: Iterable[Callable[[], Any]]) -> list[Any]:
    results = []
    for action in actions:
        try:
            results.append(action())
        except Exception as error:
            results.append(type(error).__name__)
    return results


def _torch_modes(torch: Any, operation: Any, point: Any, dtype: str) -> Any:
    operands = [torch.tensor(x, dtype=getattr(torch, dtype), requires_grad=True) for x in point]
    args = operands * 2 if len(point) == 1 and operation.__code__.co_argcount == 2 else operands

    def weigh(result: Any) -> Any:
        return (result * torch.arange(1, result.numel() + 1).reshape(result.shape)).sum().abs()

    def total(*xs: Any) -> Any:
        return weigh(operation(*xs))

    plain = [x.detach() for x in args]

    def twice() -> Any:
        first = torch.autograd.grad(total(*args), operands, create_graph=True)
        return torch.autograd.grad(sum(weigh(g) for g in first), operands)

    return _attempt_all(
        [
            lambda: torch.autograd.grad(total(*args), operands),
            twice,
            lambda: torch.func.jvp(total, tuple(plain), tuple(plain)),
            lambda: torch.func.grad(lambda *xs: torch.vmap(operation)(*(x[None] for x in xs)).abs().sum())(*plain),
        ]
    )


def _jax_modes(jax: Any, operation: Any, point: Any, dtype: str) -> Any:
    operands = [jax.numpy.array(x, dtype) for x in point]
    # A single point of a binary operation: the same array in both operands.
    same = len(point) == 1 and operation.__code__.co_argcount == 2

    def weigh(result: Any) -> Any:
        return abs((result * jax.numpy.arange(1, result.size + 1).reshape(result.shape)).sum())

    def total(*xs: Any) -> Any:
        return weigh(operation(*(xs * 2 if same else xs)))

    first = jax.grad(total, tuple(range(len(operands))))
    # JAX compiles each program anew: modes are compared in double precision only.
    if dtype != "float64":
        return _attempt_all([lambda: first(*operands)])
    return _attempt_all(
        [
            lambda: first(*operands),
            lambda: jax.grad(lambda *xs: sum(weigh(g) for g in first(*xs)))(*operands),
            lambda: jax.jvp(total, tuple(operands), tuple(operands)),
            lambda: jax.grad(lambda *xs: abs(jax.vmap(operation)(*(x[None] for x in (xs * 2 if same else xs)))).sum())(
                *operands
            ),
            lambda: jax.grad(jax.jit(total))(*operands),
        ]
    )
