"""From a page or name to its behaviours, and how much of each library's public interface is cited."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner, Result

from conformance.collection import load_all
from tests.support import ROOT
from workshop.__main__ import workshop
from workshop.documentation import coverage, index, scope

LIBRARIES = sorted(scope.libraries())


def trace(*words: str) -> Result:
    return CliRunner().invoke(workshop, ["trace", *words])


def test_a_name_leads_to_its_behaviours() -> None:
    """The page has its address, and a line per citation."""
    there = trace("jax.lax.stop_gradient")
    assert there.exit_code == 0
    assert "jax jax.lax.stop_gradient <https://docs.jax.dev/" in there.stdout
    assert there.stdout.splitlines()[1].strip() in {behaviour.id for behaviour in load_all()}


def test_every_citation_is_listed_at_its_page() -> None:
    """Nothing is lost on the way: what the index finds is what the chapters cite."""
    declared = load_all()
    pages = index.cited(declared)
    cited = {(entry.behaviour.id, page.source, page.name) for page in pages for entry in page.cited}
    assert cited == {
        (behaviour.id, citation.source, citation.page) for behaviour in declared for citation in behaviour.citations
    }


@pytest.mark.parametrize(
    ("word", "page"),
    [
        ("notes/autograd", "notes/autograd"),
        ("000", "000"),
        ("torch.inference_mode", "torch.autograd.grad_mode.inference_mode"),  # another name of the same object
        ("Inference Mode", "notes/autograd"),  # a section
        ("torch.autograd.forward_ad", "torch.autograd.forward_ad.dual_level"),  # the beginning of a name
    ],
)
def test_a_page_has_the_names_that_people_use(word: str, page: str) -> None:
    """By its name, another name, a section, or the beginning of it."""
    matches = index.pages_of(word, index.cited(load_all()))
    assert page in [match.name for match in matches]
    assert "torch.autograd.grad" not in [match.name for match in matches]


def test_a_section_names_only_what_cites_it() -> None:
    """Of the page, those citations are left out that are of other sections."""
    (page,) = index.pages_of("Inference Mode", index.cited(load_all()))
    assert {entry.citation.section for entry in page.cited} == {"Inference Mode"}


def test_a_public_name_that_nothing_cites_is_listed_as_such() -> None:
    """A gap is an answer, with the other names of the object."""
    # Out of scope is only what no behaviour cites; a gap would do as well, but may be closed tomorrow.
    gap = next(row.name for row in _rows("torch") if row.kind == "out of scope")
    call = trace(gap)
    assert (call.exit_code, "a public name that no behaviour cites" in call.stdout) == (0, True)


def test_the_error_for_an_unknown_word_names_it() -> None:
    """Exit status 2."""
    call = trace("torch.autograd.gard")
    assert (call.exit_code, call.stdout) == (2, "")
    assert "torch.autograd.gard" in call.stderr


def _rows(name: str) -> list[coverage.CoverageRow]:
    return coverage.rows(scope.library(name), scope.public_names(name), index.cited(load_all()))


@pytest.mark.parametrize("name", LIBRARIES)
def test_a_count_of_the_coverage_is_that_of_the_citations(name: str) -> None:
    """Counted another way: from the behaviours, for the names with a page."""
    its = scope.library(name)
    for row in _rows(name):
        # Other places use these, too, which a simple count does not see.
        if row.name in its.documented_on or row.others:
            continue
        cite = [
            behaviour.id
            for behaviour in load_all()
            if any(
                citation.source in its.sources and row.name in (citation.page, citation.section)
                for citation in behaviour.citations
            )
        ]
        assert [behaviour.id for behaviour in row.behaviours] == sorted(cite), row.name


def test_names_of_one_object_share_a_row() -> None:
    """torch.no_grad goes by three names, and a citation of any counts."""
    row = next(row for row in _rows("torch") if row.name == "torch.inference_mode")
    assert "torch.autograd.grad_mode.inference_mode" in row.others
    assert row.kind == "cited"


@pytest.mark.parametrize("name", LIBRARIES)
def test_the_scope_has_no_dead_line(name: str) -> None:
    """Every pattern, and every name that another page documents, is there in the stored names."""
    its, names = scope.library(name), scope.public_names(name).names
    assert [pattern for pattern in its.out_of_scope if not any(re.fullmatch(pattern, name) for name in names)] == []
    known = {name for first, others in names.items() for name in (first, *others)}
    assert set(its.documented_on) - known == set()
    pages = {page.name for page in index.cited(load_all()) if page.source in its.sources}
    assert {place[0] for place in its.documented_on.values()} - pages == set()
    empty = [space for space in its.namespaces if not any(name.startswith(f"{space}.") for name in known)]
    assert empty == []


@pytest.mark.parametrize("name", LIBRARIES)
def test_what_matters_most_is_among_the_public_names(name: str) -> None:
    """The list is not empty by mistake: nox pins the version that it was read from."""
    assert f'Engine("{name}", "{scope.public_names(name).version}"' in (ROOT / "noxfile.py").read_text("utf-8")
    must = {"torch": {"torch.autograd.grad", "torch.Tensor.backward", "torch.func.vjp"}, "jax": {"jax.grad", "jax.jvp"}}
    assert must[name] <= set(scope.public_names(name).names)
