"""Each behaviour has the level that its evidence carries, and each strong one has evidence."""

from __future__ import annotations

import pytest

from conformance import evidence
from conformance.behaviour import MAY, MUST, SHOULD, Behaviour, Citation, Level
from conformance.collection import load_all
from conformance.laws import LAWS
from workshop.documentation import behaviours_and_laws, cite, levels

EVERY = behaviours_and_laws()


def test_a_level_follows_from_the_evidence() -> None:
    """*must* for a fact, a rule or a promised error, *should* for a precondition, *may* for the rest."""
    by_id = {behaviour.id: (behaviour.level.value, levels.level_of(behaviour).value) for behaviour in EVERY}
    wrong = [f"{id} is {is_}, its evidence carries {carried}" for id, (is_, carried) in by_id.items() if is_ != carried]
    assert wrong == []


def test_no_law_has_the_id_of_a_behaviour() -> None:
    """The record is by id, and chapters of both may share a name, such as `kinks`."""
    assert len({behaviour.id for behaviour in EVERY}) == len(EVERY)


def test_a_law_has_its_evidence_beside_that_of_the_behaviours() -> None:
    """A chapter of laws may have the name of another chapter: its file has the sentences of both."""
    recorded = evidence.recorded()
    assert recorded["kinks.the_modes_agree_at_a_kink"]
    assert recorded["kinks.relu_has_gradient_zero_at_zero"]
    promised = {law.chapter for law in load_all(LAWS) if not all(citation.unstated for citation in law.citations)}
    assert promised <= {name.partition(".")[0] for name in recorded}


def test_a_citation_has_a_sentence_or_a_reason_why_it_has_none() -> None:
    """`python -m workshop cite` records the sentence; `unstated` is the reason, and that citation promises nothing."""
    assert [wrong for behaviour in EVERY for wrong in _without_either(behaviour)] == []


def _without_either(declared: Behaviour) -> list[str]:
    promising = [citation for citation in declared.citations if citation.source != "document"]
    # The same: both are there, or neither.
    wrong = [cited for cited in promising if bool(evidence.evidence_of(declared, cited)) is bool(cited.unstated)]
    return [f"{declared.id}: {evidence.key_of(citation)}" for citation in wrong]


def test_no_evidence_is_left_of_citations_that_are_gone() -> None:
    """Each record belongs to a citation."""
    assert evidence.recorded() == cite.cited_only(evidence.recorded(), EVERY), "python -m workshop refresh"


def test_no_more_than_five_words_of_a_sentence_are_stored() -> None:
    """Of sentences of others."""
    assert all(len(sentence.words.split()) <= 5 for its in evidence.recorded().values() for sentence in its)


LEVELS: dict[tuple[str, ...], Level] = {
    (): MAY,
    ("rule",): MUST,
    ("error",): MUST,
    ("example", "precondition"): SHOULD,
    ("observation", "permission", "example"): MAY,
}


@pytest.mark.parametrize(("kinds", "level"), LEVELS.items())
def test_the_strongest_sentence_decides(kinds: tuple[str, ...], level: Level) -> None:
    """Of an engine's documentation: an article carries no level."""
    # The kind alone decides, whatever the words.
    its = [levels.evidence_from("one two three", "", kind) for kind in kinds]
    assert levels.carries(Citation("jax", "jax.grad"), its) is level
    assert levels.carries(Citation("document", "000"), its) is MAY


def test_an_error_is_must_only_where_one_is_promised() -> None:
    """A rule does not promise that anything else raises an error."""
    cited = Citation("torch", "torch.Tensor.backward", raises=RuntimeError)
    rule, error = (levels.evidence_from("one two three", "", kind) for kind in ("rule", "error"))
    assert (levels.carries(cited, [rule]), levels.carries(cited, [rule, error])) == (SHOULD, MUST)
