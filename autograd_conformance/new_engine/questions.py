"""Questions about values: arrays in and out, operators, functions beside NumPy's, first derivatives.

A few numbers of each kind only: `run` checks the rest. A wrong `sin` would fail fifty behaviours, none about it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from autograd_conformance.new_engine.records import AdapterQuestion, CheckFailure
from conformance.compare import brief
from conformance.protocol import vocabulary

Results = list[tuple[Any, float]]  # values of the engine, and the expected ones

READING = ("array", "to_numpy")
DTYPES: Mapping[str, list[Any]] = {
    "float64": [0.5, -1.5],
    "float32": [0.5, -1.5],
    "complex128": [1 + 2j, -0.5j],
    "complex64": [1 + 2j, -0.5j],
    "int64": [1, -2],
    "bool": [True, False],
}
INFERRED = (
    "float64",
    "complex128",
    "int64",
    "bool",
)  # the dtypes that NumPy infers for Python's numbers, and an adapter, too
X, Y = np.array([0.25, 0.5, 0.75]), np.array([0.75, -0.5, 0.125])
# Functions that the protocol defines otherwise than NumPy, or that need other arrays.
UNLIKE_NUMPY = {"np.std", "np.nonzero", "np.unstack", "np.imag", "np.transpose", "np.cumsum", "np.cumprod"}
WRONG = 1e-5  # a derivative by differences, or a function in single precision, is closer than that
# Above the rounding of a few operations on doubles, far below that of single precision.
PRECISE = 1e-12


def questions(missing_dtypes: frozenset[str]) -> Iterator[AdapterQuestion]:
    """Every question about values, in the order in which its answer matters."""
    for dtype in DTYPES:
        ask = _lacks if dtype in missing_dtypes else _round_trip
        yield AdapterQuestion(f"array: {dtype}", READING, _of(ask, dtype), "mend `array` or `to_numpy`")
    yield AdapterQuestion("array: shapes", READING, _shapes, "mend `array`; let `to_numpy` leave the value as it was")
    yield AdapterQuestion("operators", READING, _operators, "let `array` give what has operators")
    for verbs, (call, example) in DERIVATIVES.items():
        needs = (*READING, *verbs.split(", "))
        yield AdapterQuestion(verbs, needs, _of(_derivative, call, example), f"mend `{needs[-1]}`")
    for name, arity in _like_numpy():
        yield AdapterQuestion(name, (*READING, name), _of(_function, name, arity), f"mend `{name}`")


def _of(ask: Callable[..., str | None], *arguments: Any) -> Callable[[Any], str | None]:
    return lambda ad: ask(ad, *arguments)


def _round_trip(ad: Any, dtype: str) -> None:
    values = DTYPES[dtype]
    for dtypes in [(dtype,), ()] if dtype in INFERRED else [(dtype,)]:
        call = f"array({', '.join(map(repr, (values, *dtypes)))})"
        got, expected = ad.to_numpy(ad.array(values, *dtypes)), np.array(values, dtype)
        if not isinstance(got, np.ndarray | np.generic):
            raise CheckFailure(f"to_numpy({call}) of type {type(got).__name__}", "a NumPy array")
        if got.dtype != expected.dtype:
            todo = f"mend `array`; if the engine has no {dtype}, say so in `missing_dtypes`"
            raise CheckFailure(f"to_numpy({call}) of dtype {got.dtype}", dtype, todo)
        _compare(f"to_numpy({call})", got, expected)


def _lacks(ad: Any, dtype: str) -> None:
    """A dtype that is declared missing is missing: the engine raises an error, or gives another one."""
    try:
        got = np.asarray(ad.to_numpy(ad.array(DTYPES[dtype], dtype))).dtype
    except Exception:
        return
    if got == dtype:
        raise CheckFailure(f"an array of dtype {got}", "none, by `missing_dtypes`", f"take {dtype} out of it")


def _shapes(ad: Any) -> None:
    for value in (3.0, [], [[1.0, 2.0], [3.0, 4.0]]):
        x = ad.array(value)
        _compare(f"to_numpy(array({value}))", np.copy(ad.to_numpy(x)), np.array(value))
        _compare(f"to_numpy(array({value})) when read again", ad.to_numpy(x), np.array(value))
    x = ad.array([[1.0, 2.0]])
    if (tuple(x.shape), x.ndim) != ((1, 2), 2):
        raise CheckFailure(f"shape {x.shape} and ndim {x.ndim}", "(1, 2) and 2")


def _operators(ad: Any) -> None:
    got, expected = _operated(ad.array(X.tolist()), ad.array(Y.tolist())), _operated(X, Y)
    for call, result in got.items():
        _compare(f"{call} with x = {X.tolist()}, y = {Y.tolist()}", ad.to_numpy(result), expected[call])


def _operated(x: Any, y: Any) -> dict[str, Any]:
    plain = {"x + y": x + y, "x - y": x - y, "x * y": x * y, "x / y": x / y}
    # With numbers on the left, for the reflected operators.
    return plain | {"-x": -x, "x ** 2": x**2, "1.0 - 2.0 * x": 1.0 - 2.0 * x, "x[1:]": x[1:]}


def _like_numpy() -> Iterator[tuple[str, int]]:
    """The functions of one or two vectors that NumPy has under the same name."""
    for name, verb in vocabulary().items():
        plain = tuple(verb.signature.parameters) in (("x",), ("x", "y"))
        arity = len(verb.signature.parameters)
        if name.startswith("np.") and plain and name not in UNLIKE_NUMPY and _takes_vectors(name[3:], arity):
            yield name, arity


def _takes_vectors(name: str, arity: int) -> bool:
    """Whether NumPy has the function, and it takes vectors: of some, the arguments are matrices."""
    try:
        with np.errstate(all="ignore"):
            return isinstance(getattr(np, name)(*(X, Y)[:arity]), np.ndarray | np.generic)
    except (AttributeError, TypeError, ValueError):
        return False


def _function(ad: Any, name: str, arity: int) -> str:
    args = (X, Y)[:arity]
    got = ad.to_numpy(getattr(ad.np, name[3:])(*(ad.array(x.tolist()) for x in args)))
    call = f"ad.{name}({', '.join(brief(x) for x in args)})"
    return _compare(call, got, getattr(np, name[3:])(*args))


def _derivative(ad: Any, call: str, example: Callable[[Any], Results]) -> None:
    for number, (got, expected) in enumerate(example(ad)):
        _compare(f"{call}: item {number}", ad.to_numpy(got), expected)


def _compare(call: str, got: Any, expected: Any) -> str:
    """Raise CheckFailure unless the numbers are these, but for rounding; a remark where that is single precision's."""
    got, expected = np.asarray(got), np.asarray(expected)
    if got.shape != expected.shape or not np.allclose(got, expected, rtol=WRONG, atol=WRONG, equal_nan=True):
        raise CheckFailure(f"{call} = {brief(got)}", brief(expected))
    far = float(np.max(np.abs(got - expected), initial=0.0)) if got.dtype == "float64" else 0.0
    return f"a float64 that is {far:.1e} off: is it computed in single precision?" if far > PRECISE else ""


def _square(x: Any) -> Any:
    return x * x


def _vjp(ad: Any) -> Results:
    output, pullback = ad.vjp(_square, ad.array(3.0))
    (cotangent,) = pullback(ad.array(2.0))
    return [(output, 9.0), (cotangent, 12.0)]


def _jvp(ad: Any) -> Results:
    output, tangent = ad.jvp(_square, (ad.array(3.0),), (ad.array(2.0),))
    return [(output, 9.0), (tangent, 12.0)]


def _backward(ad: Any) -> Results:
    x = ad.leaf(3.0)
    ad.backward(x * x)
    return [(ad.gradient_of(x), 6.0)]


# Second derivatives and combinations are left to the behaviours: engines raise for some, or get them wrong.
DERIVATIVES: Mapping[str, tuple[str, Callable[[Any], Results]]] = {
    "grad": ("grad(x * x)(3.0)", lambda ad: [(ad.grad(_square)(ad.array(3.0)), 6.0)]),
    "vjp": ("vjp(x * x, 3.0), and its pullback of 2.0", _vjp),
    "jvp": ("jvp(x * x, (3.0,), (2.0,))", _jvp),
    "leaf, gradient_of, backward": ("gradient_of(x) after backward(x * x) at x = leaf(3.0)", _backward),
}
