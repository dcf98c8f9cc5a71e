"""Questions about absences: whether each probe proves its absence, before a run would ask."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from autograd_conformance.new_engine.records import AdapterQuestion, CheckFailure
from conformance.absence_proofs import Unproven, prove
from conformance.protocol import Absence, Adapter


def questions(adapter: Adapter) -> Iterator[AdapterQuestion]:
    """A question for each absence."""
    yield from map(_question, adapter.absences)


def _question(absence: Absence) -> AdapterQuestion:
    def ask(adapter: Any) -> None:
        try:
            prove(absence, adapter)
        except Unproven as error:
            raise CheckFailure(error.got, error.expected, error.todo) from error

    listed = ", ".join(absence.features[:3]) + (", ..." if len(absence.features) > 3 else "")
    return AdapterQuestion(f"absence: {listed}", (), ask, "mend its probe")
