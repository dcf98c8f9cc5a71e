"""The graph of a program as lines: inputs, steps and bodies, with their operands and the memory that they share."""

from __future__ import annotations

from conformance.programs.forms import FORMS
from conformance.programs.program import Body, Program, Step
from conformance.programs.source.report import GraphRow
from conformance.programs.source.writer import LETTERS


def graph_of(program: Program) -> list[GraphRow]:
    """The lines of a program, in the order in which it is run."""
    rows = [
        GraphRow(f"input {array.shape}{'' if array.requires_grad else ', constant'}", f"v{number}")
        for number, array in enumerate(program.inputs)
    ]
    places = list(range(len(rows)))
    _add(program.body, rows, places, 0)
    returned = [places[number] for number in program.body.gives]
    return [*rows, GraphRow("return", takes=returned)] if returned else rows


def _add(body: Body, rows: list[GraphRow], places: list[int], depth: int) -> None:
    """Add the steps of a body. `places` has the line of each value so far, and gets those of the body."""
    for step in body.steps:
        name = f"{LETTERS[depth]}{len(places)}"
        # Bodies come before the step that runs them, as in the listing.
        for at, inner in enumerate(step.bodies):
            _add_body(inner, f"f{len(places)}{'ab'[at] if step.bodies[1:] else ''}", rows, list(places), depth)
        form, taken = FORMS[step.form], [places[number] for number in step.takes]
        shares = form.view or form.writes
        places.append(len(rows))
        rows.append(
            GraphRow(_text(step), name, taken, taken[0] if shares and taken else None, form.writes, depth=depth)
        )


def _add_body(body: Body, name: str, rows: list[GraphRow], places: list[int], depth: int) -> None:
    """A box with the lines of a body."""
    begins, letter, count = len(rows), LETTERS[depth + 1], len(places)
    parameters = ", ".join(f"{letter}{count + at}" for at in range(body.parameters))
    rows.append(GraphRow(f"{name}({parameters})", depth=depth))
    # A parameter is the line that begins the box.
    places += [begins] * body.parameters
    _add(body, rows, places, depth + 1)
    rows.append(GraphRow("return", takes=[places[number] for number in body.gives], depth=depth + 1))
    rows[begins] = GraphRow(rows[begins].text, ends=len(rows) - 1, depth=depth)


def _text(step: Step) -> str:
    form = step.form.replace("np.", "").replace("write.", "").replace("view.", "")
    mark = "_" if FORMS[step.form].writes and not form.endswith("_") else ""
    options = f" ({', '.join(map(str, step.options))})" if step.options else ""
    return f"{form}{mark}{options}"
