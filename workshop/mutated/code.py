"""The names that a check uses, read from its code: what a mutation must know before it changes anything."""

from __future__ import annotations

import dis
from types import CodeType

from conformance.behaviour import Behaviour
from conformance.features import codes_of, features_of


def names_in(behaviour: Behaviour, case: str | None) -> frozenset[str]:
    """The verbs of a check, the functions and methods that it names, and `nonlocal` if a function sets a variable of
    the one around it."""
    arguments = behaviour.cases[case] if case else ()
    codes = list(codes_of(behaviour.check, arguments))
    names = {name for code in codes for name in code.co_names}
    return features_of(behaviour.check, *arguments) | names | ({"nonlocal"} if any(map(_sets, codes)) else set())


def _sets(code: CodeType) -> bool:
    # A free variable is one of a function around: to store it takes `nonlocal`, which leaves no other trace in code.
    return any(
        instruction.opname == "STORE_DEREF" and instruction.argval in code.co_freevars
        for instruction in dis.get_instructions(code)
    )
