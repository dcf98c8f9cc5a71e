"""A check of a person's function: the engine of its arguments, the function as a subject, and the laws' answers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Any

import numpy

from conformance.behaviour import Behaviour
from conformance.declaration import Declaration
from conformance.engines import EngineError, adapter_class, installed, load_declared, parse
from conformance.laws.subject import NumPyArray, numpy_of
from conformance.messages import first_line
from conformance.own.answers import (
    BROKEN,
    FORWARD,
    HOLDS,
    KNOWN,
    OF_VALUES,
    TWICE,
    UNSUPPORTED,
    Answer,
    answer,
    laws_of,
    place,
    strict,
)
from conformance.own.arguments import OwnCall, UnusableInput, leaves_of
from conformance.own.function import (
    OwnFunction,
    coarse_as,
    computed_in,
    operation_of,
    own_function,
    precision_of,
    values_at,
)
from conformance.own.laws import laws_on_own, shape_law, shapes_of
from conformance.protocol import Adapter, OwnFunctions

# Laws on precision, by the beginning of a name.
IN_PRECISIONS = ("precision.", "own.float32", "own.float16")
# Laws that say nothing of a derivative: on values alone, or fulfilled by any error.
OF_NO_DERIVATIVE = ("vmap_of_the_values", "a_write_to_an_input")
# The engine of values whose types come from a package.
ENGINES = {"torch": "torch", "jax": "jax", "jaxlib": "jax", "numpy": "hips_autograd"}


@dataclass(frozen=True)
class Declared:
    """The declarations of a function's author: see `autograd_conformance.check`."""

    engine: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    reference: Callable[..., Any] | None = None
    order: int = 2
    constant: Collection[str | int] = ()
    seeded: bool | None = None
    inplace: bool = False
    domain: Callable[..., Any] | None = None
    deliberate: str = ""
    skip: Mapping[str, str] = field(default_factory=dict)
    compiler: str | None = None
    known: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Laws:
    """The laws that concern a function, by id, each with the function as it is asked of it."""

    columns: Sequence[tuple[Adapter, Declaration]]
    asked: Mapping[str, tuple[OwnFunction, Behaviour]]
    reasons: Mapping[str, str]
    known: Mapping[str, str]

    def answer(self, name: str) -> Answer:
        """The answer of a law."""
        return strict(answer(self.columns, *self.asked[name], self.reasons), self.known.get(name, ""))


def check_function(function: Callable[..., Any], arguments: Sequence[Any], declared: Declared) -> list[Answer]:
    """The answer of each law. Raises UnusableInput, and EngineError."""
    with laws_on_function(function, arguments, declared) as laws:
        return in_order(map(laws.answer, laws.asked))


def in_order(results: Iterable[Answer]) -> list[Answer]:
    """The answers, those first that explain others. Raises UnusableInput where nothing was asked."""
    ordered = sorted(results, key=place)
    said = [answer.status for answer in ordered if not any(name in answer.law for name in OF_NO_DERIVATIVE)]
    if not {HOLDS, BROKEN, KNOWN} & {*said}:
        raise UnusableInput(f"no law was asked: {ordered[0].reason if ordered else 'none concerns the function'}")
    return ordered


@contextmanager
def laws_on_function(function: Callable[..., Any], arguments: Sequence[Any], declared: Declared) -> Iterator[Laws]:
    """The laws to be asked; switches of the engine are as they were afterwards. Raises as `check_function`."""
    with _columns(function, arguments, declared) as (columns, functions):
        ad: Any = columns[0][0]
        call = OwnCall(functions, partial(numpy_of, ad), function, arguments, declared.options, declared.constant)
        _prepare(ad, call, declared)
        given = {ad.dtype_of(call.leaves[at][1]) for at in call.at}
        dtype, computed = precision_of(ad, call, given.pop() if len(given) == 1 else "float64")
        plain = operation_of(call, title_of(function), call.values, declared.order, dtype)
        with coarse_as(computed):
            own = own_function(ad, call, plain, declared.domain, computed)
        of_leaves = partial(_outputs_of_leaves, ad, own)
        own = replace(own, rules=functions.rules(of_leaves), operations=functions.operations(of_leaves))
        asked = {
            law.id: (own, law) for law in (*laws_of(own), *laws_on_own(ad, own, declared.reference, declared.compiler))
        }
        for where, operation in shapes_of(own):
            # Other numbers of rows are no contract of the function.
            if values_at(ad, operation, [x.near for x in operation.arguments]) is not None:
                law = shape_law(where, operation)
                asked[law.id] = replace(own, operation=operation), law
        if unknown := [name for name in declared.known if name not in asked]:
            raise UnusableInput(f"{unknown[0]!r} is known as broken, and is no law on this function: leave it out")
        yield Laws(columns, asked, _reasons(ad, own, declared), declared.known)


@contextmanager
def _columns(
    function: Callable[..., Any], arguments: Sequence[Any], declared: Declared
) -> Iterator[tuple[list[tuple[Adapter, Declaration]], OwnFunctions]]:
    """The columns that answer; switches of the engine are as they were afterwards."""
    name = declared.engine or engine_of([function, *(x for _, x in leaves_of([*arguments, declared.options]))])
    kind = adapter_class(parse(name))
    functions = kind.own_functions() or OwnFunctions()
    with functions.kept():
        columns = [(adapter_class(parse(each))(), _declaration(each)) for each in (name, *functions.columns)]
        if type(functions) is OwnFunctions:
            functions.is_array = _is_like_an_array  # type: ignore
        yield columns, functions


@cache
def _declaration(name: str) -> Declaration:
    return load_declared(parse(name))[1]


def _is_like_an_array(value: Any) -> bool:
    # NumPy's numbers, too, and what stands for an array in a trace.
    return hasattr(value, "shape") and hasattr(value, "dtype")


def engines_here() -> Iterator[OwnFunctions]:
    """Of the engines that can be imported, those with custom derivatives that can be watched."""
    for name in sorted({*ENGINES.values()} & {*installed()}):
        with suppress(EngineError):
            if functions := adapter_class(parse(name)).own_functions():
                yield functions


def title_of(function: Any) -> str:
    """The name of a function, for people; of a class method such as `apply`, that of the class."""
    owner = getattr(function, "__self__", None)
    named = owner if isinstance(owner, type) else function
    return str(getattr(named, "__qualname__", type(function).__qualname__))


def engine_of(values: Sequence[Any]) -> str:
    """The engine of the first value that is of one. Raises UnusableInput."""
    for value in values:
        for kind in type(value).__mro__:
            package = kind.__module__.partition(".")[0]
            if (name := ENGINES.get(package, package)) in installed():
                return name
    raise UnusableInput("no argument is an array of an engine: give tensors or arrays, or name the engine")


def _prepare(ad: Any, call: OwnCall, declared: Declared) -> None:
    """OwnCall the function with the given arguments, and note what each further call needs."""
    if declared.inplace:
        call.copied = ad.clone
    dtype = ad.dtype_of(call.leaves[call.at[0]][1]).replace("complex128", "float64").replace("complex64", "float32")

    def outputs() -> list[NumPyArray]:
        return [numpy_of(ad, x) for x in call(*(ad.array(x.tolist(), dtype) for x in call.values))]

    try:
        first = outputs()
        if declared.seeded is None:
            call.seeded = not all(map(partial(numpy.array_equal, equal_nan=True), first, outputs()))
        else:
            call.seeded = declared.seeded
    except UnusableInput:
        raise
    except Exception as error:
        raise UnusableInput(f"the function raises {type(error).__name__}: {first_line(error)}") from error
    if not any(x.size for x in call.values):
        raise UnusableInput("no argument has elements: give some, the laws take them away themselves")
    if not any(x.dtype.kind in "fc" for x in first):
        raise UnusableInput(f"the function returns no floats, but {first[0].dtype}: there is nothing to differentiate")


def _outputs_of_leaves(ad: Any, own: OwnFunction) -> Any:
    return own.call(*(ad.leaf(x.tolist(), own.operation.dtype) for x in own.call.values))


def _coarser_than_single(ad: Any, call: OwnCall) -> str | None:
    """The dtype in which the function computes for single precision, as under autocast, if it is another."""
    with suppress(Exception):
        return {"float32": None}.get(name := computed_in(ad, call, "float32") or "float32", name)
    return None


def _reasons(ad: Any, own: OwnFunction, declared: Declared) -> dict[str, str]:
    """Why laws are not asked, by a part of their names."""
    reasons = dict(declared.skip)
    if declared.deliberate:
        reasons |= dict.fromkeys(OF_VALUES, f"deliberate: {declared.deliberate}")
    if own.call.seeded:
        reasons["transposed_input"] = "random numbers are drawn in the order of memory"
        reasons["precision."] = "the function draws random numbers, others in each precision"
    if own.computed:
        reasons |= dict.fromkeys((*IN_PRECISIONS, "scale."), f"the function computes in {own.computed}")
    elif coarser := _coarser_than_single(ad, own.call):
        reasons |= dict.fromkeys(IN_PRECISIONS, f"of single precision, the function computes in {coarser}")
    if any(own.call.complex):
        reasons |= dict.fromkeys(("float16",), "complex numbers have no half precision")
    missing = own.call.functions.missing(partial(_outputs_of_leaves, ad, own))
    for kind, words in (("second", TWICE), ("forward", FORWARD), ("forward_over_forward", ("forward_over_forward",))):
        if kind in missing:
            reasons |= dict.fromkeys(words, f"{UNSUPPORTED}: {missing[kind]}")
    return reasons
