"""Spellings: each engine's table names operations of the protocol, and what an engine lacks is left out."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from types import ModuleType
from typing import Any

import pytest

import reference_engine
from adapters.absences import of_hips_autograd as lacking_hips
from adapters.absences import of_jax as lacking_jax
from adapters.absences import of_torch as lacking_torch
from adapters.spellings import of_hips_autograd, of_jax, of_torch
from adapters.spellings.of_torch.modules import called
from conformance.engines import load, parse
from conformance.operations import TABLE as ROWS
from conformance.protocol import Absence, Namespace, NotOffered, Spelling, vocabulary
from tests.support import named_in_chapters

LACKING = {
    "torch": (of_torch.SPELLINGS, lacking_torch.TRACED_FEATURES),
    "jax": (of_jax.SPELLINGS, lacking_jax.TAPE_FEATURES),
    "hips_autograd": (of_hips_autograd.SPELLINGS, lacking_hips.UNTAPED_FEATURES),
}


@pytest.mark.parametrize("engine", LACKING)
def test_an_operation_is_spelt_or_declared_absent(engine: str) -> None:
    """One of the two, for every operation that a chapter names."""
    spellings, lists = LACKING[engine]
    _check_complete({f"np.{name}" for name in spellings}, lists)


def _check_complete(spelt: set[str], lists: tuple[Absence, ...]) -> None:
    absent = {name for absence in lists for name in absence.features if name.startswith("np.")}
    assert sorted(spelt & absent) == []
    assert sorted(name for name in named_in_chapters() - spelt - absent if name.startswith("np.")) == []


# What behaviours about a single function name, and whose derivative shows nothing about the tape.
NOT_IN_THE_REFERENCE = {
    *("np.ctc_loss", "np.entr", "np.multi_margin_loss", "np.multilabel_margin_loss", "np.nan_to_num", "np.prelu"),
    *("np.softshrink", "np.cholesky", "np.take_along_axis", "np.ldexp"),
}


def test_the_reference_engine_has_pytorchs_spellings_of_what_chapters_name() -> None:
    """It reads PyTorch's tables, and no public name is missing but those that are listed."""
    for table in (of_torch.SPELLINGS, of_torch.FUNCTIONAL):
        missing = set(table) - set(dir(Namespace(reference_engine, table)))
        assert ({f"np.{name}" for name in missing} & named_in_chapters()) <= NOT_IN_THE_REFERENCE


def _engine(**names: Any) -> ModuleType:
    engine = ModuleType("toy")
    vars(engine).update(names)
    return engine


TABLE: Mapping[str, Spelling] = {
    "exp": "toys.exp",
    "log": "toys.special.log",
    "kth": lambda toy, x, k: toy.exp(x) + k,
}


def test_a_spelling_is_a_name_or_a_function_of_the_engine() -> None:
    """The first part of a name means the engine, under any name; a function is given the engine first."""
    np = Namespace(_engine(exp=lambda x: 2 * x), TABLE)
    assert (np.exp(3), np.kth(3, 10)) == (6, 16)


def test_what_the_engine_lacks_is_left_out() -> None:
    """A public name that is not there is no operation, and neither is one without a spelling."""
    np = Namespace(_engine(exp=abs), TABLE)
    assert list(dir(np)) == ["exp", "kth"]
    with pytest.raises(NotOffered, match="toy has no cosh"):
        Namespace(_engine(), {"cosh": lambda toy, x: toy.cosh(x)}).cosh(1)
    for name in ("log", "sin"):
        with pytest.raises(AttributeError, match=f"toy has no operation '{name}'"):
            getattr(np, name)


def test_a_patched_engine_is_seen() -> None:
    """A name is looked up at each use, as mutants of engines need it."""
    engine = _engine(exp=abs)
    np = Namespace(engine, TABLE)
    assert np.exp(-1) == 1
    # Another function under the same name, as while a mutant is open.
    vars(engine)["exp"] = str
    assert np.exp(-1) == "-1"


def test_a_module_is_built_outside_of_the_transform_that_calls_it() -> None:
    """The random numbers of its first parameters raise no error under vmap, and the numbers of the call are used."""
    torch = pytest.importorskip("torch")

    def build(torch: Any, size: int) -> Any:
        return torch.nn.Linear(size, size, device="meta")

    def program(weight: Any, bias: Any, x: Any) -> Any:
        return called(torch, build, (2,), (weight, bias), x)

    got = torch.vmap(program)(torch.ones(3, 2, 2), torch.zeros(3, 2), torch.ones(3, 2))
    assert got.tolist() == [[2.0, 2.0]] * 3


@pytest.mark.parametrize("engine", ["torch", "jax", "hips_autograd", "reference"])
def test_an_option_without_a_default_is_where_the_function_has_it(engine: str) -> None:
    """It is passed by its position: a parameter of that name elsewhere would not be given it."""
    adapter = load(parse(engine))
    misplaced = []
    for name in sorted(set(dir(adapter.np)) & set(ROWS)):
        row = ROWS[name]
        try:
            parameters = list(inspect.signature(getattr(adapter.np, name)).parameters)
        except ValueError:  # a function in C, which has no signature
            continue
        # Joined arrays are a single argument, a list.
        first = 1 if row.joined else len(row.arguments)
        options = [option for option in row.options[0] if option in row.required]
        misplaced += [
            f"{name}({option})"
            for place, option in enumerate(options, first)
            if option in parameters and parameters.index(option) != place
        ]
    assert misplaced == []


@pytest.mark.parametrize("name", [name for name in vocabulary() if name.startswith(("np.", "functional."))])
def test_rows_of_the_tables_are_documented(name: str) -> None:
    """A sentence, and a signature whose options are features."""
    verb = vocabulary()[name]
    assert verb.doc.endswith(".")
    assert verb.features[1:] == tuple(
        f"{name}.{p.name}" for p in verb.signature.parameters.values() if p.default is not p.empty
    )
