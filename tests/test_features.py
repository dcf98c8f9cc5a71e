"""The features that a check touches, read from its code: never fewer than a run touches."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.collection import load_all
from conformance.engines import load, parse
from conformance.features import features_of
from conformance.protocol import vocabulary
from conformance.recording_adapter import RecordingAdapter
from conformance.trial import run

# Few, as each check is run; between them they use the tape, transforms, hooks and namespaces of operations.
CHAPTERS = ("ties", "linear_algebra", "transforms", "gradients", "hooks")


class Noting(RecordingAdapter):
    """Keeps the names of the verbs that were touched."""

    # On the class, as `trial` makes the instance.
    seen: set[str] = set()  # noqa: RUF012 - emptied by the test

    def _touch(self, feature: str) -> None:
        if feature in vocabulary():
            self.seen.add(feature)
        super()._touch(feature)


def test_a_run_touches_what_was_read_from_the_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """On the reference engine no check touches a verb that was not read from its code before."""
    monkeypatch.setattr("conformance.trial.RecordingAdapter", Noting)
    adapter: Any = load(parse("reference"))
    tried = [behaviour for behaviour in load_all() if behaviour.chapter in CHAPTERS]
    assert len(tried) > 50
    for behaviour in tried:
        for case, values in behaviour.cases.items() or [(None, ())]:
            Noting.seen.clear()
            run(behaviour, adapter, case)
            assert Noting.seen <= features_of(behaviour.check, *values), behaviour.id
            assert Noting.seen


def _helper(ad: Any, x: Any) -> Any:
    return ad.np.exp(x)


def test_functions_of_the_chapter_and_of_the_case_count() -> None:
    """Verbs are found in lambdas, in functions that a check calls, and in those that its case gives."""
    assert features_of(lambda ad: (lambda x: ad.np.sin(x))(ad.array(1.0))) == {"np.sin", "array"}
    assert features_of(lambda ad, f: _helper(ad, f(ad)), (lambda ad: ad.leaf(1.0), 3)) == {"np.exp", "leaf"}


def test_only_the_name_ad_counts() -> None:
    """An attribute of another name is no verb, though one is called so; nor is a name that the protocol lacks."""
    assert features_of(lambda ad, x: x.backward(ad.shape, ad.nonsense)) == frozenset()
