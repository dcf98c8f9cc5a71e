"""Targets: the public functions that are wrapped, with programs that use them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from workshop.engine_mutants.engine_fault import EngineFault

# What a target returns: arrays in containers, a function, a value before a function, several functions, or nothing.
VALUE, PROGRAM, PAIR, PROGRAMS, NOTHING = "value", "program", "pair", "programs", "nothing"

Probe = Callable[..., Any]


@dataclass
class Target:
    """A public function of a library by its dotted name.

    `what` is what it returns, or `property`. `settings` have another value for options; `callbacks` names the arguments
    that are functions, and `items` those that are several things, of which each can be forgotten. `probes` are programs
    that take the library, and options that they pass on. `cites` are the names under which behaviours cite it.
    """

    name: str
    library: str
    what: str = VALUE
    settings: Mapping[str, Any] = field(default_factory=dict)
    callbacks: Sequence[str] = ()
    items: Sequence[str] = ()
    faults: Sequence[EngineFault] = ()
    cites: Sequence[str] = ()
    skips: bool = False
    # A list, as several functions declare probes of the same target.
    probes: list[Probe] = field(default_factory=list)

    @property
    def is_property(self) -> bool:
        """Whether it is an attribute, and not a function."""
        return self.what == "property"


_DECLARED: dict[str, Target] = {}


def target(name: str, **facts: Any) -> Callable[[Probe], Probe]:
    """Declare a target with a probe, or give another probe to one that is declared."""

    def add(probe: Probe) -> Probe:
        # The first declaration has the facts, later ones add probes only.
        if name not in _DECLARED:
            _DECLARED[name] = Target(name, name.partition(".")[0], **facts)
        _DECLARED[name].probes.append(probe)
        return probe

    return add


def declared() -> dict[str, Target]:
    """The targets of all tables that were imported."""
    return dict(_DECLARED)
