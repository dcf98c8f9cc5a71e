"""Equal mutants: something is replaced by what does the same, so that no program may kill them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from workshop.mutant import by_replacing
from workshop.programs import call_faults as f
from workshop.programs.program_mutant import ProgramMutant, of_verbs
from workshop.wrong_adapter import WrongCall, WrongVerbs

# Proxies, copies and factors of one: each is a way in which a mutant's wrapper could show by itself.
SAME: tuple[tuple[str, str, str, tuple[str, ...], Callable[[WrongCall], Any]], ...] = (
    ("all verbs, called in the same way", "torch", "tape writes rules", ("*",), lambda call: call.run()),
    ("all verbs of functions, called in the same way", "torch_func", "function", ("*",), lambda call: call.run()),
    ("clone as a product with one", "torch", "writes", ("clone",), lambda call: call.args[0] * 1.0),
    ("derivatives times one", "torch", "writes", ("np.exp", "np.multiply", "np.stack"), f.scaled(1.0)),
)


def mutants() -> list[ProgramMutant]:
    """Mutants of adapters, and one of the reference engine."""
    of_adapters = [
        of_verbs(f"null:{what}", engine, what, "null", kinds, WrongVerbs(verbs, f.always, instead), equal=True)
        for what, engine, kinds, verbs, instead in SAME
    ]
    change = by_replacing(("reference_engine.core.engine.Pass._receive",), _wrapped)
    what = "cotangents received by a function around the function"
    return [
        *of_adapters,
        ProgramMutant(
            f"null:{what}", "reference", what, change, "null", equal=True, kinds=("tape", "writes"), second="torch"
        ),
    ]


def _wrapped(old: Any) -> Any:
    return lambda *given, **named: old(*given, **named)
