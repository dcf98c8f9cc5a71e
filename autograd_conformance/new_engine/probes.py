"""Whether a probe proves an absence: it asks the engine, holds on it, and fails on an engine that has the feature."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from autograd_conformance.new_engine.records import AdapterQuestion, CheckFailure
from conformance.engines import load, parse
from conformance.messages import format_error
from conformance.protocol import Absence, Adapter

__all__ = ["questions"]

# An engine that has nearly every feature: a probe that holds on it as well shows nothing about having them or not.
REFERENCE = "adapters.with_reference:ReferenceAdapter"


def questions(adapter: Adapter) -> Iterator[AdapterQuestion]:
    """One question for each absence."""
    if not adapter.absences:
        return
    reference = load(parse(REFERENCE))
    # What the reference engine lacks, too, cannot show that a probe fails where the feature is there.
    lacking = {feature for absence in reference.absences for feature in absence.features}
    for absence in adapter.absences:
        yield _question(absence, reference, [one for one in absence.features if one not in lacking])


def _question(absence: Absence, reference: Adapter, there: list[str]) -> AdapterQuestion:
    def ask(adapter: Any) -> None:
        _holds(absence, adapter)
        if there:
            _fails_on_the_reference(absence, reference, there[0])

    shown = ", ".join(absence.features[:3]) + (", ..." if len(absence.features) > 3 else "")
    return AdapterQuestion(f"absence: {shown}", (), ask, "mend its probe")


def _holds(absence: Absence, adapter: Any) -> None:
    watched = _Watched(adapter)
    try:
        absence.probe(watched)
    except Exception as error:
        todo = f"the engine may have it: write {absence.features[0]}, or mend the probe"
        raise CheckFailure(f"raised {format_error(error)}", "no exception", todo) from error
    if not watched.touched:
        todo = "let it show by a small program what the engine does instead"
        raise CheckFailure("a probe that never uses `ad`", "one that asks the engine", todo)


def _fails_on_the_reference(absence: Absence, reference: Adapter, feature: str) -> None:
    try:
        absence.probe(reference)
    except Exception:
        return
    got = f"a probe that also holds on the reference engine, which has {feature}"
    raise CheckFailure(got, "one that fails where the feature is there", "show what only an engine without it does")


class _Watched:
    """An adapter that notes whether it was asked for anything."""

    def __init__(self, adapter: Any) -> None:
        self._adapter, self.touched = adapter, False

    def __getattr__(self, name: str) -> Any:
        self.touched = True
        return getattr(self._adapter, name)
