"""The reference engine, with its modes changed."""

from __future__ import annotations

from collections.abc import Iterator

from workshop.mutant import mutant, patched


@mutant("reference")
def records_only_when_asked() -> Iterator[None]:
    """Recording is off until enable_grad switches it on.

    Models: a tape that has to be opened first, as in other engines.
    """
    from reference_engine.core.modes import state

    before, state.now.grad = state.now.grad, False
    try:
        yield
    finally:
        state.now.grad = before


@mutant("reference")
def a_new_thread_does_not_record() -> Iterator[None]:
    """A thread begins with recording off.

    Models: the mode of a worker that was written for inference.
    """
    from reference_engine.core.modes import Modes, state

    with patched(Modes, "grad", lambda old: False):
        # For this thread, which has begun already: only new ones take the default of the class.
        state.now.grad = True
        yield
