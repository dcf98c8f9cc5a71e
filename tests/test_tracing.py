"""From a page or name to its behaviours and back, and how much of each library's public interface is cited."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from autograd_conformance.tracing import coverage, index, scope
from autograd_conformance.tracing.commands import coverage_page
from conformance.collecting import load_all
from tests.support import ROOT, ZOO, Call, conform

LIBRARIES = sorted(scope.libraries())


def trace(tmp_path: Path, *words: str) -> Call:
    return conform("trace", *words, output=tmp_path)


def test_a_name_leads_to_its_behaviours_and_back(tmp_path: Path) -> None:
    """The page has a line per citation, with its section; the behaviour names the page again, with its address."""
    there = trace(tmp_path, "jax.lax.stop_gradient")
    assert "jax jax.lax.stop_gradient <https://docs.jax.dev/" in there.out
    behaviour = there.out.splitlines()[1].strip()
    back = trace(tmp_path, behaviour)
    assert (there.status, back.status) == (0, 0)
    assert "jax jax.lax.stop_gradient <https://docs.jax.dev/" in back.out


def test_every_citation_is_found_from_its_page() -> None:
    """Nothing is lost on the way: what the index finds is what the chapters cite."""
    declared = load_all()
    pages = index.cited(declared)
    found = {(one.behaviour.id, page.source, page.name) for page in pages for one in page.cited}
    assert found == {(one.id, citation.source, citation.page) for one in declared for citation in one.citations}


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
def test_a_page_is_found_by_what_people_call_it(word: str, page: str) -> None:
    """By its name, another name, a section, or the beginning of it."""
    found = index.pages_of(word, index.cited(load_all()))
    assert page in [one.name for one in found]
    assert "torch.autograd.grad" not in [one.name for one in found]


def test_a_section_names_only_what_cites_it() -> None:
    """Of the page, those citations are left out that are of other sections."""
    (page,) = index.pages_of("Inference Mode", index.cited(load_all()))
    assert {one.citation.section for one in page.cited} == {"Inference Mode"}


def test_a_public_name_that_nothing_cites_is_said_to_be_one(tmp_path: Path) -> None:
    """A gap is an answer, with the other names of the object."""
    gap = next(row.name for row in _rows("torch") if row.kind == "out of scope")
    call = trace(tmp_path, gap)
    assert (call.status, "a public name that no behaviour cites" in call.out) == (0, True)


def test_trace_writes_json(tmp_path: Path) -> None:
    """Pages, behaviours and names, each with its kind."""
    gap = next(row.name for row in _rows("torch") if row.kind == "out of scope")
    call = trace(tmp_path, "--json", "jax.grad", "accumulation.a_second_backward_adds_to_the_first", gap)
    page, behaviour, name = json.loads(call.out)
    assert (page["kind"], page["page"], behaviour["kind"], name["kind"]) == ("page", "jax.grad", "behaviour", "name")
    assert {"id", "level", "statement", "section"} == set(page["behaviours"][0])
    assert behaviour["citations"][0]["address"].startswith("https://")


def test_trace_knows_chapters_of_the_users_own(tmp_path: Path) -> None:
    """`--chapters` is as everywhere."""
    call = trace(tmp_path, "torch.Tensor.backward", "--chapters", str(ZOO))
    assert "errands.leaves_are_leaves" in call.out


@pytest.mark.parametrize(("word", "near"), [("torch.autograd.gard", "torch.autograd.grad"), ("jax.gradd", "jax.grad")])
def test_an_unknown_word_is_refused_with_what_comes_close(word: str, near: str, tmp_path: Path) -> None:
    """One line, exit status 2."""
    call = trace(tmp_path, word)
    assert (call.status, call.out, call.err.count("\n")) == (2, "", 1)
    assert word in call.err
    assert f"did you mean '{near}'" in call.err


def _rows(name: str) -> list[coverage.Row]:
    return coverage.rows(scope.library(name), scope.found(name), index.cited(load_all()))


def test_the_page_of_the_coverage_is_current() -> None:
    """docs/api-coverage.md is what the chapters and the stored names make."""
    written = (ROOT / "docs/api-coverage.md").read_text("utf-8")
    assert written == coverage_page(), "run: autograd-conformance coverage --output docs/api-coverage.md"


@pytest.mark.parametrize("name", LIBRARIES)
def test_a_count_of_the_coverage_is_that_of_the_citations(name: str) -> None:
    """Counted another way: from the behaviours, for the names that have a page of their own."""
    its = scope.library(name)
    for row in _rows(name):
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
    """Every pattern, and every name that stands on another page, is there in the stored names."""
    its, names = scope.library(name), scope.found(name).names
    assert [pattern for pattern in its.out_of_scope if not any(re.fullmatch(pattern, one) for one in names)] == []
    known = {one for first, others in names.items() for one in (first, *others)}
    assert set(its.documented_on) - known == set()
    pages = {page.name for page in index.cited(load_all()) if page.source in its.sources}
    assert {place[0] for place in its.documented_on.values()} - pages == set()
    empty = [space for space in its.namespaces if not any(one.startswith(f"{space}.") for one in known)]
    assert empty == []


@pytest.mark.parametrize("name", LIBRARIES)
def test_what_matters_most_is_among_the_public_names(name: str) -> None:
    """The list is not empty by mistake: nox pins the version that it was read from."""
    assert f'Engine("{name}", "{scope.found(name).version}"' in (ROOT / "noxfile.py").read_text("utf-8")
    must = {"torch": {"torch.autograd.grad", "torch.Tensor.backward", "torch.func.vjp"}, "jax": {"jax.grad", "jax.jvp"}}
    assert must[name] <= set(scope.found(name).names)
