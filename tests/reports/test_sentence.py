"""The sentence on top of a report: how much was run, when and on what."""

from __future__ import annotations

import msgspec
import pytest

from reports import view
from tests.matrices import merge
from tests.reports.making import VECTOR, result, results_file, six_cells, with_engine


@pytest.mark.parametrize(
    ("started", "phrase"),
    [
        ("2025-11-21T00:00:00+00:00", "between 20 November 2025 and 21 November 2025"),
        # The other engine began on the same day, at noon.
        ("2025-11-20T23:00:00Z", "on 20 November 2025,"),
        ("some day", "between 20 November 2025 and some day"),
    ],
)
def test_the_sentence_on_top_has_the_day(started: str, phrase: str) -> None:
    """The first and the last day; a date that is none is shown as it is."""
    assert phrase in view.sentence(with_engine(six_cells(), started=started))


def test_the_sentence_on_top_names_the_engines() -> None:
    """System and processor; a platform that is called otherwise is shown as it is."""
    long, other = "Linux-6.1.0-13-cloud-x86_64-with-glibc2.36", "My-Box (x86_64)"
    assert ", on Linux x86_64 with Python" in view.sentence(with_engine(six_cells(), platform=long))
    assert other in view.sentence(with_engine(six_cells(), platform=other))


def test_the_sentence_on_top_mentions_a_partial_run() -> None:
    """A count names what is counted."""
    assert view.sentence(with_engine(six_cells(), complete=False)).startswith(
        "A selection of 3 behaviours in 3 chapters,"
    )


def test_the_sentence_on_top_counts_claims_and_their_cases() -> None:
    """A behaviour with cases is a single claim, and a row for each case."""
    named = [msgspec.structs.replace(VECTOR, id=f"gradients.vector[{case}]") for case in ("one", "two")]
    matrix = merge([results_file("torch", [result(record.id) for record in named], named)])
    assert view.sentence(matrix).startswith("1 behaviour (2 rows with their cases) in 1 chapter, run on ")
