"""Results that laws on an operation share: of each engine, those for the operation that was tried last."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

from conformance.trial import current, running

_kept: WeakKeyDictionary[Any, tuple[Any, dict[str, dict[Any, Any]]]] = WeakKeyDictionary()


def kept(subject: Any, what: str) -> dict[Any, Any]:
    """The results of a kind for the subject's operation on the engine of the running check; to be added to."""
    # Only a running check names the adapter that results are kept for.
    if not running():
        return {}
    adapter = current().adapter
    operation, results = _kept.get(adapter, (None, {}))
    # Laws are tried operation by operation, so what is known of an earlier operation is of no more use.
    if operation is not subject.operation:
        results = {}
        _kept[adapter] = subject.operation, results
    return results.setdefault(what, {})
