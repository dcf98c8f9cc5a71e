"""The block of a sweep over operations for the page's script, which is inflated when the view is opened.

Texts that recur (witnesses, reasons, citations) are stored once and referred to by number, 0 for none. The outcomes of
an operation on an engine are a string, a letter for each law; most of them are alike, and deflate to almost nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from conformance.verdicts import Verdict
from reports import text
from reports.html_data import Numbers, claim_fields, engine_fields, known_fields, numbered, packed
from reports.model import Matrix, MatrixBehaviour, MatrixCell
from reports.operations import LAW_OUTCOMES, engine_wide, law_outcome, laws
from reports.plots import Plot, Plots

_LETTERS = {word: str(number) for number, word in enumerate(LAW_OUTCOMES)}
_NOT_RUN = "-"
# The family of operations that the table of the suite does not have.
OTHERS = "Other operations"

# By the id of a law; the first that fits. A law of a chapter that is not here has an aspect named after its chapter.
_ASPECTS = (
    ("R", "reverse mode", r"derivatives\.reverse_mode_gives_the_derivative$"),
    ("F", "forward mode", r"derivatives\.forward_mode_gives_the_derivative$"),
    ("2", "second order", r"derivatives\..*second_derivative"),
    ("3", "third order", r"derivatives\..*third_derivative"),
    ("E", "exact values", r"exact_values\."),
    ("V", "vmap", r".*vmap"),
    ("J", "jit and checkpoint", r"transforms\."),
    ("L", "layouts", r"layouts\."),
    ("C", "complex", r"complex_inputs\."),
    ("K", "kinks", r"kinks\."),
)


def operations_data(matrix: Matrix, plots: Plots | None = None) -> str:
    """The block of a sweep. Laws come in the order of their marks; of plots it has the number of each cell's."""
    every = laws(matrix)
    # In the order of marks, so that an aspect's letters are neighbours in the string.
    ordered = [every[number] for aspect in aspects(every) for number in aspect.laws]
    strings, citations = numbered(""), numbered()
    numbers = {plot: number for number, plot in enumerate(_distinct(plots))}
    columns = {engine.column: number for number, engine in enumerate(matrix.engines)}
    cells = {(cell.behaviour, cell.engine): cell for cell in matrix.cells}
    whole = {
        "verdicts": LAW_OUTCOMES,
        "engines": [engine_fields(engine) for engine in matrix.engines],
        "aspects": aspects(ordered),
        "laws": [_law(law, citations) for law in ordered],
        "operations": [
            {
                "name": row.name,
                "family": row.family or OTHERS,
                "meaning": text.clean(row.meaning),
                "points": text.clean(row.points),
                "names": [text.clean(name) for name in row.names],
                "on": [
                    _outcomes([cells.get((f"{law.id}[{row.name}]", engine.column)) for law in ordered], strings)
                    for engine in matrix.engines
                ],
            }
            for row in matrix.operations
        ],
        "wide": [(columns[wide.column], wide.cells, known_fields(wide.known, strings)) for wide in engine_wide(matrix)],
        "plot": {"/".join(place): numbers[plot] for place, plot in (plots or {}).items()},
        "programs": {name: text.clean(program) for name, program in matrix.programs.items()},
    }
    strings_shown = [text.clip(string) for string in strings]
    return packed(whole | {"citations": list(citations), "strings": strings_shown})


def operations_plots(plots: Plots | None) -> str:
    """The block of plots, which is inflated when the first of them is shown; empty if there are none."""
    return packed(_distinct(plots)) if plots else ""


def _distinct(plots: Plots | None) -> list[Plot]:
    """Each different plot once, in order: cells with the same place share it."""
    return list(dict.fromkeys((plots or {}).values()))


def _law(law: MatrixBehaviour, citations: Numbers) -> dict[str, Any]:
    return {**claim_fields(law, citations), "statement": text.clean(law.statement), "check": text.clean(law.check)}


def _outcomes(its: Sequence[MatrixCell | None], strings: Numbers) -> list[Any]:
    """An operation on an engine, by law: verdicts, witnesses of those that are no pass, what is known or not promised,
    conventions, and which are engine-wide.

    Verdicts are a letter each; witnesses come in order, the rest by number of the law.
    """
    # By position and not by name: of hundreds of thousands of outcomes most are alike.
    letters = "".join(_NOT_RUN if cell is None else _LETTERS[law_outcome(cell)] for cell in its)
    messages = [strings[cell.message] for cell in its if cell and cell.verdict is not Verdict.PASS]
    known = {str(law): known_fields(cell.known, strings) for law, cell in enumerate(its) if cell and cell.known}
    passes = [(law, cell) for law, cell in enumerate(its) if cell and cell.verdict is Verdict.PASS]
    follows = {str(law): strings[cell.convention] for law, cell in passes if cell.convention}
    unpromised = [law for law, cell in enumerate(its) if cell and cell.verdict is Verdict.DIFFERS]
    wide = [law for law, cell in enumerate(its) if cell and cell.engine_wide]
    return [letters, messages, known, unpromised, follows, wide]


class Aspect(NamedTuple):
    """Laws that share a mark: its letter, what it is called, and the numbers of the laws."""

    letter: str
    title: str
    laws: list[int]


def aspects(laws: Sequence[MatrixBehaviour]) -> list[Aspect]:
    """The aspects of these laws, the orders and modes first, then others in the order of the laws."""
    # All known aspects first, for their order; those without laws are dropped at the end.
    by_title = {title: Aspect(letter, title, []) for letter, title, _ in _ASPECTS}
    for number, law in enumerate(laws):
        title = next((title for _, title, pattern in _ASPECTS if re.match(pattern, law.id)), _title(law).lower())
        if title not in by_title:
            by_title[title] = Aspect(_letter(title, {aspect.letter for aspect in by_title.values()}), title, [])
        by_title[title].laws.append(number)
    return [aspect for aspect in by_title.values() if aspect.laws]


def _title(law: MatrixBehaviour) -> str:
    return law.chapter_title or law.chapter.replace("_", " ")


def _letter(title: str, taken: set[str]) -> str:
    """A letter that is free, of the title if possible."""
    wanted = [letter for letter in title.upper() if letter.isalpha()] + [chr(number) for number in range(65, 91)]
    return next((letter for letter in wanted if letter not in taken), "·")
