"""A case: a custom derivative that is right, or has a single mistake and a right twin; and its call."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from workshop.yardstick import cases


@dataclass(frozen=True)
class CustomCase:
    """A custom derivative. `group` is the class of mistakes, `text` its docstring.

    Of a wrong case: `twin`, the name of the right case from which it differs by the mistake; `laws`, parts of the names
    of the laws that are about the mistake; `thread`, the address of a public report of such a mistake.
    """

    name: str
    engine: str
    group: str
    text: str = ""
    twin: str = ""
    laws: tuple[str, ...] = ()
    thread: str = ""


@dataclass(frozen=True)
class CustomCall:
    """The custom derivative with the arguments of a call; `declared` are those of `check` beside them."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    declared: dict[str, Any] = field(default_factory=dict)


CASES: dict[str, tuple[CustomCase, CustomCall]] = {}


@dataclass(frozen=True)
class CaseTable:
    """The cases of a class of mistakes on an engine: its methods are decorators that add a case."""

    engine: str
    group: str

    def right(self, *arguments: Any, **declared: Any) -> Callable[[Any], Any]:
        """Decorate a right custom derivative, to be called with these arguments and declarations."""
        return lambda thing: self._add(thing, arguments, declared)

    def wrong(self, twin: Any, *laws: str, thread: str, **declared: Any) -> Callable[[Any], Any]:
        """Decorate a custom derivative with a mistake: it is called as its twin, unless declared otherwise.

        `thread` is "owner/name#number", an issue or pull request on GitHub, or an address.
        """
        like, call = CASES[name_of(twin)]
        address = thread if "://" in thread else f"https://github.com/{thread.replace('#', '/issues/')}"
        return lambda thing: self._add(thing, call.arguments, call.declared | declared, like.name, laws, address)

    def _add(self, thing: Any, arguments: tuple[Any, ...], declared: dict[str, Any], *mistake: Any) -> Any:
        name = name_of(thing)
        if name in CASES:
            raise ValueError(f"two cases are named {name!r}: rename the second, in the {self.group} of {self.engine}")
        function = thing
        if isinstance(thing, type):
            # A module is called itself; of a Function, what is called is `apply`.
            function = thing() if hasattr(thing, "named_parameters") else getattr(thing, "apply", thing)
        text = " ".join(str(thing.__doc__ or "").split())
        CASES[name] = (
            CustomCase(name, self.engine, self.group, text, *mistake),
            CustomCall(function, arguments, declared),
        )
        return thing


def name_of(thing: Any) -> str:
    """The name of a class or function, that of an operator without its namespace, or that of an object's class."""
    name = getattr(thing, "__name__", None) or getattr(thing, "_name", None) or type(thing).__name__
    return str(name).rpartition("::")[2]


def cases_of(engine: str) -> dict[str, tuple[CustomCase, CustomCall]]:
    """The cases of an engine, which is imported."""
    for module in pkgutil.iter_modules(cases.__path__):
        if module.name.startswith(f"{engine}_"):
            import_module(f"{cases.__name__}.{module.name}")
    return {name: entry for name, entry in CASES.items() if entry[0].engine == engine}
