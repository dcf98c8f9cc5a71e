"""The form of a step: the verb it calls, the shape of its result, and the drawing of its arguments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from conformance.programs.program import Option
from conformance.protocol.types import Shape


class Misfit(ValueError):
    """A step does not fit the values that it takes: their shapes, or how many there are."""


@dataclass(frozen=True)
class StepForm:
    """A form of step.

    `call(ad, *bodies, *values, *options)` is what the step does, by verbs of the protocol alone; its source is what a
    listing shows. `shape(shapes, options, given)` is the shape of the result, from the shapes of the values and of what
    each body returns (None: the step makes no array); it raises Misfit where they do not fit. `features` are the verbs
    that an engine must have. `arguments` gives the shapes of the arguments of each body. `constant`: derivatives do not
    flow through the result. `view`: the result shares the memory of the first value; `writes`: the step writes into it.
    `heard`: when its body is run is part of what is observed. `deliberate`: its custom rule is not the derivative of
    its function. `reverse_only`: its custom rule has no forward mode; `unmapped`: no vmap rule.
    """

    name: str
    call: Callable[..., Any]
    shape: Callable[[list[Shape], tuple[Option, ...], list[Shape]], Shape | None]
    features: tuple[str, ...]
    arguments: Callable[[list[Shape], tuple[Option, ...]], list[tuple[Shape, ...]]] | None = None
    # Off by default: of most forms all oracles hold.
    constant: bool = False
    view: bool = False
    writes: bool = False
    heard: bool = False
    deliberate: bool = False
    reverse_only: bool = False
    unmapped: bool = False
