"""The `ad` of a check: the adapter, with a record of the features that the check touches.

A verb that the protocol lacks is a fault of the check. A feature that the adapter declares absent, or about which it
says nothing, ends the check and is recorded, so that it counts even where `raises` or an engine catches the exception.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NoReturn

from conformance.messages import format_error
from conformance.protocol import (
    Absence,
    Adapter,
    AdapterError,
    Joint,
    Namespace,
    NotOffered,
    Verb,
    nearest_verb,
    vocabulary,
)


class HarnessError(Exception):
    """The check or the harness is at fault, not the engine."""


class FeatureMissing(Exception):
    """A touched feature is absent or unsupported: the check cannot go on."""


class RecordingAdapter:
    """An adapter, seen through the protocol; its lists say what a check touched in vain, or wrongly.

    `absences` gives the absence of each feature that the engine lacks (`Declaration.absent`).
    """

    def __init__(self, adapter: Adapter, absences: Mapping[str, Absence]) -> None:
        self._adapter, self._absences = adapter, absences
        self.absent: list[Absence] = []
        self.unsupported: list[str] = []
        self.not_offered: list[str] = []
        self.unknown: list[str] = []
        self.misfits: list[str] = []
        # Of a column that compiles operations, laws call no other.
        self.compiles_operations = hasattr(adapter, "compile_operation")
        joint = adapter.joint
        # The joint function that a column of a compiler asks; an eager column does while it screens.
        self.joint_now: Joint | None = None if joint and joint.is_screen else joint
        self.joint_as_screen: Joint | None = joint if joint and joint.is_screen else None

    def __getattr__(self, name: str) -> Any:
        # Kept: laws and loops call a verb thousands of times, and a feature is missing at the first touch or never.
        verb = self.__dict__[name] = self._find(name, self._adapter)
        return verb

    def _find(self, name: str, owner: Any) -> Any:
        """The verb by dotted name, or the namespace that holds verbs of that prefix."""
        if name in vocabulary():
            return self._verb(vocabulary()[name], owner)
        if name in _prefixes():
            return _Namespace(self, name, owner)
        # Noted before it is raised, as everything here: the check may catch the error.
        self.unknown.append(name)
        raise HarnessError(f"the protocol has no verb ad.{name}; did you mean ad.{nearest_verb(name)}?")

    def _verb(self, verb: Verb, owner: Any) -> Callable[..., Any]:
        self._touch(verb.name)
        method = self._looked_up(verb, owner)
        if method is None:
            self._lack(verb.name, owner)

        fitting = set()

        def call(*args: Any, **kwargs: Any) -> Any:
            # Calls are checked by their form, not by their values.
            form = len(args), tuple(kwargs)
            if form not in fitting:
                self._fit(verb, method, *form)
                fitting.add(form)
            try:
                return method(*args, **kwargs)
            except NotOffered as error:
                self.not_offered.append(str(error))
                raise FeatureMissing(verb.name) from None

        call.__wrapped__ = method  # type: ignore[attr-defined]
        return call

    def _fit(self, verb: Verb, method: Any, count: int, names: tuple[str, ...]) -> None:
        """Check that protocol and adapter have a call of this form."""
        given = self._given(verb, count, names)
        try:
            taken = _signature(method)
            self._take(verb, given, taken)
            if taken:
                _bound(taken, count, names)
        except TypeError as error:
            raise self._misfit(verb, error) from None

    def _looked_up(self, verb: Verb, owner: Any) -> Any:
        try:
            return getattr(owner, verb.name.rpartition(".")[2], None)
        except Exception as error:  # a property may raise anything
            raise self._misfit(verb, error) from error

    def _misfit(self, verb: Verb, error: Exception) -> AdapterError:
        """Record that the adapter's verb does not fit the protocol, and return the exception to be raised."""
        self.misfits.append(f"its {verb.name} is not {verb.name}{verb.signature}: {format_error(error)}")
        return AdapterError(self.misfits[-1])

    def _take(self, verb: Verb, given: list[str], taken: inspect.Signature | None) -> None:
        """Touch the optional arguments of a call; what the adapter's verb does not take is unsupported."""
        for argument in given:
            self._touch(f"{verb.name}.{argument}")
            if taken and not _takes(taken, argument):
                self._give_up(f"{verb.name}.{argument}")

    def _touch(self, feature: str) -> None:
        # Before the adapter is looked at: what is declared absent counts, also where there is a method.
        if feature in self._absences:
            self.absent.append(self._absences[feature])
            raise FeatureMissing(feature)

    def _lack(self, feature: str, owner: Any) -> NoReturn:
        """An operation without a row is not offered by the engine; a verb that is not written means nothing."""
        if not isinstance(owner, Namespace):
            self._give_up(feature)
        self.not_offered.append(f"no public function of the engine is {feature.rpartition('.')[2]}")
        raise FeatureMissing(feature)

    def _give_up(self, feature: str) -> NoReturn:
        self.unsupported.append(feature)
        raise FeatureMissing(feature)

    def _given(self, verb: Verb, count: int, names: tuple[str, ...]) -> list[str]:
        """The optional arguments that a call gives, by how many it gives by position, and which by name."""
        try:
            bound = _bound(verb.signature, count, names)
        except TypeError as error:
            self.unknown.append(verb.name)
            raise HarnessError(f"ad.{verb.name}{verb.signature} was called wrongly: {error}") from None
        return [name for name in bound if verb.signature.parameters[name].default is not inspect.Parameter.empty]


def _takes(signature: inspect.Signature, name: str) -> bool:
    kinds = {parameter.kind for parameter in signature.parameters.values()}
    return name in signature.parameters or inspect.Parameter.VAR_KEYWORD in kinds


@cache
def _prefixes() -> frozenset[str]:
    """The part of a verb's name before the dot, such as `np`."""
    return frozenset(name.partition(".")[0] for name in vocabulary() if "." in name)


def _bound(signature: inspect.Signature, count: int, names: tuple[str, ...]) -> tuple[str, ...]:
    """The parameters that a call of this form gives. Raises TypeError where it does not fit."""
    return tuple(signature.bind(*[None] * count, **dict.fromkeys(names)).arguments)


def _signature(method: Any) -> inspect.Signature | None:
    """The verb's signature; None for a function of native code without any: it complains when it is called."""
    # The function of a table is made anew for each use, and has its signature at hand.
    kept: inspect.Signature | None = getattr(method, "__signature__", None)
    return kept if isinstance(kept, inspect.Signature) else _read_signature(method)


@cache
def _read_signature(method: Any) -> inspect.Signature | None:
    try:
        return inspect.signature(method)
    except ValueError:
        return None


class _Namespace:
    """Verbs under a common prefix, such as `ad.np`."""

    def __init__(self, ad: RecordingAdapter, prefix: str, owner: Any) -> None:
        self._ad, self._prefix, self._owner = ad, prefix, owner

    def __getattr__(self, name: str) -> Any:
        verb = self.__dict__[name] = self._ad._find(f"{self._prefix}.{name}", getattr(self._owner, self._prefix, None))
        return verb
