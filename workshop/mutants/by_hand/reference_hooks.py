"""A reference engine whose hooks and callbacks go wrong."""

from __future__ import annotations

from typing import Any

from workshop.mutant import mutant


@mutant("reference", "reference_engine.autograd.graph.queue_callback")
def calls_at_once_outside_a_pass(old: Any) -> Any:
    """A callback that is queued outside of a backward pass is called at once.

    Models: a queue that is empty already, and so is done with.
    """
    from reference_engine.core import engine

    return lambda callback: callback() if engine.innermost() is None else old(callback)
