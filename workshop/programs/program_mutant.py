"""What a mutant for programs is: an engine that is wrong in one way, and the programs that may show it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace

from conformance.programs.engine import LoadedEngine
from conformance.recording_adapter import RecordingAdapter
from workshop.programs.wrong_verbs import WrongVerbs, broken

__all__ = ["ProgramMutant", "by_patch", "by_verbs"]

Change = Callable[[LoadedEngine], AbstractContextManager[LoadedEngine]]


@dataclass(frozen=True)
class ProgramMutant:
    """An engine that is wrong in one way.

    `change` opens the context in which it is so. `second` is the engine that is asked for the expected outcome, as the
    reference engine is. `kinds` are those of the programs that are tried, in turn; `forms`: only programs with one of
    them are tried, as nothing else reaches what is wrong. `null`: the engine is as right as before.
    """

    name: str
    family: str
    what: str
    engine: str
    kinds: tuple[str, ...]
    change: Change = field(compare=False, repr=False)
    second: str = "reference"
    forms: frozenset[str] = frozenset()
    null: bool = False


def by_verbs(wrong: WrongVerbs) -> Change:
    """An adapter whose verbs are wrong."""

    @contextmanager
    def changed(engine: LoadedEngine) -> Iterator[LoadedEngine]:
        yield broken(engine, wrong)

    return changed


def by_patch(patch: Callable[[], AbstractContextManager[None]]) -> Change:
    """A library in which something is replaced meanwhile."""

    @contextmanager
    def changed(engine: LoadedEngine) -> Iterator[LoadedEngine]:
        with patch():
            # Anew, as it keeps the functions that it has found.
            yield replace(engine, ad=RecordingAdapter(engine.adapter, engine.declaration.absent))

    return changed
