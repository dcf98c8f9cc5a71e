"""The base of all adapters: name, version, documentation held to, state, absences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from conformance.protocol.inventory import Inventory
from conformance.protocol.own_functions import OwnFunctions
from conformance.protocol.types import Array, DType

__all__ = ["Absence", "Adapter", "AdapterError", "Joint", "Limitation", "Probe"]

Probe = Callable[[Any], None]


class AdapterError(Exception):
    """The adapter, not the engine, is at fault: the verdict is `error`, never `fail`."""


@dataclass(frozen=True)
class Absence:
    """Features that an engine lacks by design.

    A feature is a verb (`backward`) or an argument of a verb (`backward.retain_graph`). `reason` is a sentence,
    `source` its page. `probe` is a small program over the adapter that shows what the engine does instead:
    it calls a verb, returns None where that holds, and raises AssertionError where it does not. A missing attribute
    would prove nothing. `instead` is a line of native code that does the same in this engine, if there is one.

    An adapter lists them from the general to the particular: of several that a check needs, the last is reported.
    """

    features: tuple[str, ...]
    reason: str
    source: str
    probe: Probe
    instead: str = ""


@dataclass(frozen=True)
class Limitation:
    """A documented limitation that no single feature names, such as forward mode inside forward mode.

    Where the engine meets it, it raises an error, and a cell that ends so is absent. `reason` names what to write
    instead, `source` is the page. `programs` has, by a phrase of each such error, a small program over the adapter that
    raises it.
    """

    reason: str
    source: str
    programs: Mapping[str, Callable[[Any], object]]


@dataclass(frozen=True)
class Joint:
    """A way to compute all that laws compare at a point by one compiled function.

    `adapter` has the verbs of which the function is made, and `compile` takes a function of nested lists and
    dictionaries of arrays that returns such. `array` makes an argument of the compiled function of NumPy's array.
    `outline` calls a function for the shapes and dtypes of its results alone.
    `is_screen`: the column itself does not compile; it judges anew what the function says is wrong, and some of what it
    says is right.
    """

    adapter: Adapter
    compile: Callable[[Callable[..., Any]], Callable[..., Any]]
    array: Callable[[Any, DType | None], Array]
    outline: Callable[..., Any]
    is_screen: bool


class Adapter:
    """The part of an adapter that is not a verb. Subclasses set the class attributes and add the verbs.

    `held_to` maps each source whose documentation the engine follows to the version of that documentation, first the
    one that decides. `known_failures` is the file of known failures that an adapter from outside the suite brings.
    `parameters` follow the engine's name on the command line (`torch:device=xpu`). `variants` are
    parameters without a value that name another adapter of the engine, as `module:Class` (`jax:jit`). `missing_dtypes`
    are those that the engine's arrays cannot have (`float64`, `complex128`): `adapter check` does not ask for them, and
    a check that expects double precision is content with single.
    """

    name: ClassVar[str] = ""
    known_failures: ClassVar[Path | None] = None
    absences: ClassVar[tuple[Absence, ...]] = ()
    limitations: ClassVar[tuple[Limitation, ...]] = ()
    variants: ClassVar[Mapping[str, str]] = {}
    missing_dtypes: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, parameters: Mapping[str, str] | None = None) -> None:
        # An adapter with parameters takes them out before it calls this.
        if parameters:
            unknown = ", ".join(sorted(parameters))
            known = f"; its variants are: {', '.join(self.variants)}" if self.variants else ""
            raise AdapterError(f"engine {self.name!r} takes no parameters, got: {unknown}{known}")
        self.parameters = dict(parameters or {})
        self.set_up()

    def set_up(self) -> None:
        """The first lines of every program on this engine, such as a switch for 64-bit numbers; scripts too."""

    @classmethod
    def inventory(cls) -> Inventory | None:
        """The engine's own list of its functions, for `operations --inventory`; None: it brings none.

        Raises AdapterError where it cannot be read, such as for want of a package.
        """
        return None

    @classmethod
    def own_functions(cls) -> OwnFunctions | None:
        """The engine's part of checks of people's own functions; None: its verbs are enough."""
        return None

    @property
    def joint(self) -> Joint | None:
        """The way to compute all that laws compare by one compiled function; None: the engine compiles nothing."""
        return None

    @property
    def version(self) -> str:
        """The engine's own version."""
        raise NotImplementedError

    @property
    def held_to(self) -> Mapping[str, str]:
        """Source to version of its documentation, in the order in which they decide."""
        return {}

    def to_numpy(self, value: Any) -> Any:
        """A NumPy array with the value's numbers; the value is left as it was."""
        raise NotImplementedError

    def global_state(self) -> Mapping[str, Any]:
        """The engine's process-wide switches (grad mode, default dtype, ...), comparable by `==`."""
        return {}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Set the switches back to what `global_state` returned."""
