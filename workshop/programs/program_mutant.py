"""Mutants for generated programs: an engine that is wrong in one way, and the programs that may show it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from conformance.programs.engine import LoadedEngine
from workshop.mutant import Mutant
from workshop.wrong_adapter import WrongVerbs, replacing_verbs


@dataclass(frozen=True)
class ProgramMutant(Mutant):
    """A mutant with the programs to try on it.

    `kinds` of programs are generated in turn; if there are `forms`, only programs with one of them are run, as nothing
    else reaches what is wrong. The engine `second` gives the expected outcome, as the reference engine does.
    """

    kinds: tuple[str, ...] = ()
    forms: frozenset[str] = frozenset()
    second: str = "reference"

    @contextmanager
    def opened(self, engine: LoadedEngine) -> Iterator[LoadedEngine]:
        """The engine while it is wrong."""
        with self.change(engine.adapter) as adapter:
            # Another engine, as the verbs of this one keep the functions that they have looked up.
            yield replace(engine, adapter=adapter)


def of_verbs(
    name: str, engine: str, what: str, family: str, kinds: str, wrong: WrongVerbs, forms: str = "", equal: bool = False
) -> ProgramMutant:
    """A mutant whose adapter has wrong verbs; kinds and forms of programs by their names, with blanks between them."""
    change = replacing_verbs(wrong)
    return ProgramMutant(
        name, engine, what, change, family, equal, kinds=tuple(kinds.split()), forms=frozenset(forms.split())
    )
