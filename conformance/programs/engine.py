"""An engine as programs use it: its verbs, the kinds of programs that it can run, and which errors are documented."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, cached_property

from conformance.declaration import Declaration
from conformance.engines import EngineError, load_declared, parse
from conformance.programs.generator.kinds import KINDS
from conformance.protocol import Adapter
from conformance.recording_adapter import RecordingAdapter

# The engine in which the specification is written, and the kinds that it runs although it is a tape.
SPECIFICATION, BESIDES = "reference", ("function", "mapped_writes", "traced_rules")
# Errors that depend on which values an operation saves, and in which layout its results are: documented nowhere.
UNSPECIFIED = (
    "modified by an inplace operation",
    "backward through the graph a second time",
    "a saved tensor that has been detached in-place",
    "element of the written-to tensor refers to a single memory location",
    "written-to tensor refer to a single memory location",
)


@dataclass(frozen=True)
class LoadedEngine:
    """An engine that is loaded in this process, and the reference engine beside it, if that is another."""

    adapter: Adapter
    declaration: Declaration
    reference: LoadedEngine | None = None

    @cached_property
    def ad(self) -> RecordingAdapter:
        """Its verbs."""
        return RecordingAdapter(self.adapter, self.declaration.absent)

    def has(self, verb: str) -> bool:
        """Whether the engine offers a verb."""
        return verb not in self.declaration.absent and hasattr(self.adapter, verb)

    def documents(self, error: Exception) -> bool:
        """Whether an error is a documented limitation of the engine, or depends on what is documented nowhere."""
        # By phrases, not types: an engine raises a single type for most of what it refuses.
        text = str(error)
        return any(phrase in text for phrase in UNSPECIFIED) or any(
            phrase in text for limitation in self.declaration.limitations for phrase in limitation.programs
        )


@cache
def engine_of(spec: str, kind: str = "") -> LoadedEngine:
    """The engine of that name, loaded once. Raises EngineError, which names it.

    Beside it is the reference engine, for all engines but itself, where it can run programs of the kind.
    """
    if not kind:
        return LoadedEngine(*load_declared(parse(spec)))
    beside = spec != SPECIFICATION and kind in (*kinds_of(SPECIFICATION), *BESIDES)
    return replace(engine_of(spec), reference=engine_of(SPECIFICATION) if beside else None)


def kinds_of(spec: str) -> tuple[str, ...]:
    """The kinds of programs whose verbs the engine has. Raises EngineError where there is none, or no such engine.

    A tape runs programs on a tape; of functions it runs those without transforms in them, which become passes over the
    tape.
    """
    engine = engine_of(spec)
    kinds = [name for name, kind in KINDS.items() if all(map(engine.has, kind.needs))]
    if engine.has("backward"):
        # Transforms in a function would be passes over the tape within passes.
        kinds = [name for name in kinds if name in ("tape", "writes", "rules")]
    if not kinds:
        needs = ", ".join(KINDS["function"].needs)
        raise EngineError(f"{spec} has not the verbs for programs of any kind: the least are {needs}")
    return tuple(kinds)
