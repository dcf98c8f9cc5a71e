"""From a line of a table to a function: what the formulas of a rule come to when backward runs.

A formula says by the names of its parameters what it needs. To look these up by name at every step of a backward pass
would cost more than most formulas do. So for each rule, and each set of arguments that somebody wants a cotangent
for, a function is written that says where everything comes from. For ``x * y``, both of them wanted, it is

    def pull(node, g, recording):
        x, y, = node.saved
        x = x.unpack(node) if recording else x.array(node)
        y = y.unpack(node) if recording else y.array(node)
        return (formula_0(g, y), formula_1(g, x))

where the formulas are those of the table. `written` shows the text.
"""

from __future__ import annotations

import linecache
from collections.abc import Callable, Sequence
from typing import Any

from ..core import saved as values_saved
from ..core.warn import ENGINE

Function = Callable[..., Any]


def pull(name: str, saved: Sequence[str], options: dict[str, str], calls: list[str], known: dict[str, Any]) -> Function:
    """The function that turns the cotangent of a result into those of the arguments.

    `calls` has an expression for each argument, "None" for one that is not wanted, in terms of g, of the letters that
    are `saved`, of the `options` (with where to find them), and of what is `known`: the function's globals.
    """
    lines = ["def pull(node, g, recording):"]
    if saved:
        lines.append(f"{', '.join(saved)}, = node.saved")
    if options:
        lines.append("options = node.options")
    lines += [f"{x} = {x}.unpack(node) if recording else {x}.array(node)" for x in saved]
    lines += [f"{name} = {source}" for name, source in options.items()]
    lines.append(f"return ({', '.join(calls)},)")
    return _compiled("pull", name, "\n    ".join(lines) + "\n", known)


def keep(name: str, letters: str, saved: Sequence[str]) -> Function:
    """The function that saves the arguments and the result with these letters, out of all that a call has."""
    values = [_SAVE_RESULT if letter == "z" else _SAVE.format(letters.index(letter)) for letter in saved]
    text = f"def keep(args, edges, result):\n    return ({', '.join(values)},)\n"
    return _compiled("keep", f"{name} saves {', '.join(saved)}", text, vars(values_saved))


_SAVE_RESULT = "SavedResult(result)"
_SAVE = "SavedTensor(args[{0}], edges[{0}]) if isinstance(args[{0}], Tensor) else Constant(args[{0}])"


def _compiled(function: str, name: str, text: str, known: dict[str, Any]) -> Function:
    # In the engine's folder, so that warnings point past it; known to `linecache`, so that tracebacks show the text.
    file = f"{ENGINE}/written/{name}"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    names = dict(known)
    exec(compile(text, file, "exec"), names)
    made: Function = names[function]
    return made


def written(function: Function) -> str:
    """The text of a function that was written here."""
    return "".join(linecache.getlines(function.__code__.co_filename))
