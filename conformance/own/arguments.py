"""Arguments of a person's function: their leaves, which of them are differentiated, and the call with other numbers."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from copy import copy
from typing import Any

import numpy

from conformance.laws.subject import NumPyArray
from conformance.protocol import OwnFunctions
from conformance.protocol.types import Array, Tree


class UnusableInput(ValueError):
    """The function or an argument cannot be checked. The message is a line, with the remedy."""


def leaves_of(tree: Tree, path: str = "") -> Iterator[tuple[str, Any]]:
    """The leaves of lists, tuples and dictionaries, with their paths: `x`, `state['h'][0]`."""
    if isinstance(tree, Mapping):
        for key, branch in tree.items():
            yield from leaves_of(branch, f"{path}[{key!r}]" if path else str(key))
    elif isinstance(tree, (list, tuple)):
        for at, branch in enumerate(tree):
            yield from leaves_of(branch, f"{path}[{at}]")
    else:
        yield path, tree


def rebuilt(tree: Tree, leaves: Iterator[Any]) -> Tree:
    """The tree with other leaves."""
    if isinstance(tree, Mapping):
        return {key: rebuilt(branch, leaves) for key, branch in tree.items()}
    if isinstance(tree, (list, tuple)):
        branches = [rebuilt(branch, leaves) for branch in tree]
        # A named tuple takes its fields one by one.
        return type(tree)(*branches) if hasattr(tree, "_fields") else type(tree)(branches)
    return next(leaves)


class OwnCall:
    """A function with the arguments of a call; called with arrays, it takes them for those that are differentiated.

    `names` and `values` are the paths and numbers of these: a complex array is two of them, its real and its imaginary
    part.
    """

    def __init__(
        self,
        functions: OwnFunctions,
        numbers: Callable[[Array], NumPyArray],
        function: Callable[..., Any],
        arguments: Sequence[Any],
        options: Mapping[str, Any],
        constant: Collection[str | int] = (),
    ) -> None:
        if not callable(function):
            raise UnusableInput(f"{function!r} is not callable: give the function, such as MyFunction.apply")
        self.functions, self.given = functions, function
        self.paths: list[str] = []
        self.function, parameters = functions.opened(function)
        self.tree = tuple(arguments) if parameters is None else (parameters, *arguments), dict(options)
        # Of an argument that is written to, each call gets a copy.
        self.copied: Callable[[Array], Array] | None = None
        self.seeded = False
        named = dict(zip(_parameters(self.function, parameters is not None), self.tree[0], strict=False))
        rest = self.tree[0][len(named) :]
        paths = [*leaves_of(named), *leaves_of({f"x{len(named) + at}": x for at, x in enumerate(rest)})]
        self.leaves = [*paths, *leaves_of(self.tree[1])]
        self.at = self._differentiated(numbers, constant)
        self.complex = [numpy.iscomplexobj(numbers(self.leaves[at][1])) for at in self.at]
        parts = [self._parts(numbers, at, both) for at, both in zip(self.at, self.complex, strict=True)]
        self.names = [name for part in parts for name in part]
        self.values = tuple(value for part in parts for value in part.values())

    def _differentiated(self, numbers: Callable[[Array], NumPyArray], constant: Collection[str | int]) -> list[int]:
        arrays = [(at, x) for at, (_, x) in enumerate(self.leaves) if self.functions.is_array(x)]
        kinds = {at: numbers(x).dtype.kind if "bfloat" not in str(x.dtype) else "f" for at, x in arrays}
        floats = [(at, x) for at, x in arrays if kinds[at] in "fc"]
        groups: dict[bool, list[tuple[int, Array]]] = {True: [], False: []}
        for at, x in floats:
            groups[self.leaves[at][0].startswith("parameters[")].append((at, x))
        chosen = [at for group in groups.values() for at in self._marked(group)]
        known = {self.leaves[at][0] for at in chosen} | {*range(len(chosen))}
        if unknown := [name for name in constant if name not in known]:
            raise UnusableInput(f"constant={unknown[0]!r} names no float array: they are {[n for n, _ in self.leaves]}")
        named = {chosen[name] if isinstance(name, int) else name for name in constant}
        chosen = [at for at in chosen if at not in named and self.leaves[at][0] not in named]
        if not chosen:
            raise UnusableInput("no argument is an array of floats: there is nothing to differentiate")
        return chosen

    def _marked(self, floats: Sequence[tuple[int, Array]]) -> list[int]:
        """The positions of these arrays that are marked for differentiation; if none is, of all."""
        marked = [at for at, x in floats if self.functions.is_constant(x) is False]
        return marked or [at for at, _ in floats]

    def _parts(self, numbers: Callable[[Array], NumPyArray], at: int, both: bool) -> dict[str, NumPyArray]:
        name, array = self.leaves[at]
        value = numbers(array)
        parts = {f"{name}.real": value.real, f"{name}.imag": value.imag} if both else {name: value}
        return {name: part.astype("float64") for name, part in parts.items()}

    def with_function(self, function: Callable[..., Any]) -> OwnCall:
        """The same call of another function."""
        other = copy(self)
        other.function = function
        return other

    def __call__(self, *xs: Array) -> tuple[Array, ...]:
        """The outputs that are arrays."""
        if not self.seeded:
            return self._outputs(*xs)
        with self.functions.seeded():
            return self._outputs(*xs)

    def _outputs(self, *xs: Array) -> tuple[Array, ...]:
        free = iter(xs)
        arrays = [self.functions.joined(next(free), next(free)) if both else next(free) for both in self.complex]
        if self.copied:
            arrays[0] = self.copied(arrays[0])
        leaves = [self.functions.fixed(x, xs[0]) if self.functions.is_array(x) else x for _, x in self.leaves]
        for at, array in zip(self.at, arrays, strict=True):
            leaves[at] = array
        arguments, options = rebuilt(self.tree, iter(leaves))
        result = self.function(*arguments, **options)
        named = {path: x for path, x in leaves_of(result, "result") if self.functions.is_array(x)}
        # For programs, which take the outputs out of the result.
        self.paths, outputs = list(named), tuple(named.values())
        if not outputs:
            raise UnusableInput(f"the function returns no array, but {type(result).__name__}")
        return outputs


def _parameters(function: Callable[..., Any], opened: bool) -> list[str]:
    """The names of the parameters that arguments are given to by position, where they are known."""
    if opened:
        return ["parameters"]
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [parameter.name for parameter in parameters if parameter.kind in positional]
