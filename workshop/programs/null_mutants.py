"""Null mutants: something is replaced by what does the same, so that nothing may be found."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from workshop.mutant import replaced
from workshop.programs import call_faults as f
from workshop.programs.program_mutant import ProgramMutant, by_patch, by_verbs
from workshop.programs.wrong_verbs import WrongCall, WrongVerbs

__all__ = ["mutants"]

SAME: tuple[tuple[str, str, tuple[str, ...], tuple[str, ...], Callable[[WrongCall], Any]], ...] = (
    ("all verbs, called in the same way", "torch", ("tape", "writes", "rules"), ("*",), lambda call: call.done()),
    ("all verbs of functions, called in the same way", "torch_func", ("function",), ("*",), lambda call: call.done()),
    ("clone as a product with one", "torch", ("writes",), ("clone",), lambda call: call.args[0] * 1.0),
    ("derivatives times one", "torch", ("writes",), ("np.exp", "np.multiply", "np.stack"), f.scaled(1.0)),
)


def mutants() -> list[ProgramMutant]:
    """Those of adapters, and one of the reference engine."""
    found = [
        ProgramMutant(
            f"null:{what}", "null", what, engine, kinds, by_verbs(WrongVerbs(verbs, f.always, instead)), null=True
        )
        for what, engine, kinds, verbs, instead in SAME
    ]
    change = by_patch(partial(replaced, ("reference_engine.core.engine.Pass._receive",), _wrapped))
    what = "cotangents received by a function around the function"
    return [
        *found,
        ProgramMutant(f"null:{what}", "null", what, "reference", ("tape", "writes"), change, "torch", null=True),
    ]


def _wrapped(old: Any) -> Any:
    return lambda *given, **named: old(*given, **named)
