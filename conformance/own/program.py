"""The program of a broken law: the function of its author and the engine alone; it exits with status 1.

The law is asked once more, in writing, which gives a check; a check as a native program is derived as any other's.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy

from conformance import trial
from conformance.behaviour import Behaviour
from conformance.declaration import Declaration
from conformance.laws.judge import Deviation
from conformance.operations.row import Operation
from conformance.own.arguments import OwnCall
from conformance.own.function import NAME
from conformance.own.written import Lines, key_of, renumbered, without_unused
from conformance.programs.source.files import module_of
from conformance.programs.source.law_source import numbers_shown
from conformance.programs.source.native import loaded
from conformance.protocol import Adapter
from conformance.protocol.types import Tree
from conformance.scripts.derivation import derive
from conformance.scripts.trees import Underivable, text_of

BETWEEN = re.compile(r"a number from (\S+) to (\S+)")
# Of the difference that is seen, what the program allows.
PART = 0.1


def program_of(column: tuple[Adapter, Declaration], call: OwnCall, law: Behaviour, operation: Operation) -> str:
    """The program that shows how the function breaks the law; empty where there is none."""
    adapter, declaration = column
    written: list[Lines] = []

    def check(ad: Any, operation: Operation) -> None:
        lines = Lines(ad)
        written.append(lines)
        law.check(lines, replace(operation, call=lambda *xs: lines.called("call", _alone(call), xs)))

    asked = replace(law, check=check, cases={NAME: (operation,)})
    raised = trial.run(asked, adapter, NAME, declaration=declaration).raised
    named = _named(call.given)
    if not named or not written or raised is None:
        return ""
    access, imported, source = named
    # The answer does not depend on its program.
    with suppress(Exception):
        lines = f"{_call(call, access)}\n{written[-1].text}\n{_comparison(written[-1], raised)}"
        body = text_of(without_unused(ast.parse(lines).body, law.chapter == "repeats" or "kept" in law.name))
        check_text = f'"""{law.statement}"""\n{renumbered(body)}'
        imports = f"{imported}\nimport {call.functions.package}\n" if call.seeded else imported
        module = module_of(law.statement, imports, f"def check(ad):\n{textwrap.indent(check_text, '    ')}\n")
        behaviour = loaded(law.name, law.statement, module)
        outcome = trial.run(behaviour, adapter, declaration=declaration)
        if outcome.raised is not None:
            program = derive(behaviour, None, adapter, outcome, [law.id])
            there = [line for line in source.splitlines() if line.startswith("import ") and line in program]
            return program.replace(imported, "\n".join(x for x in source.splitlines() if x not in there), 1)
    return ""


def _alone(call: OwnCall) -> Callable[..., Any]:
    """The call, with an output alone as it is."""

    def alone(*xs: Any) -> Any:
        outputs = call(*xs)
        return outputs if len(outputs) > 1 else outputs[0]

    return alone


def _comparison(lines: Lines, raised: BaseException) -> str:
    """The statement that fails: of an error, there is none but those that raise it."""
    if not isinstance(raised, Deviation):
        return ""
    got, expected = raised.witness.got, raised.witness.expected
    seen = lines.known.get(key_of(_numbers(got)), "")
    between = BETWEEN.fullmatch(expected)
    low, high = map(float, between.groups()) if between else (0.0, 0.0)
    right = (low + high) / 2 if between else _numbers(expected)
    if not seen or numpy.shape(right) != numpy.shape(_numbers(got)):
        raise Underivable("the witness is no array that the engine computes")
    # Of zeros, many expressions are the numbers by chance.
    text = lines.known.get(key_of(right), seen) if numpy.any(right) and not between else seen
    away = numpy.abs(_numbers(got) - right)
    distance = float(numpy.max(away, initial=0.0, where=numpy.isfinite(away)))
    within = (high - low) / 2 if between else PART * distance or 1e-9
    shown = [f"ad.cast({x}, 'float64')" if lines.dtypes.get(x, "64")[-2:] != "64" else x for x in (seen, text)]
    shown[1] = numbers_shown(right) if text == seen else shown[1]
    return f"close({', '.join(shown)}, within={within:.1g}, because='a part of the difference that is seen')"


def _numbers(text: str) -> Any:
    """The numbers of a witness. A NaN and an infinity have no literal: NumPy makes NaN of None."""
    value = ast.literal_eval(text.replace("nan", "None").replace("inf", "1e999"))
    return numpy.asarray(value, "complex128" if "j" in text else "float64")


def _call(call: OwnCall, access: str) -> str:
    """The function of the arrays that are differentiated, as source."""
    names = [f"x{at}" for at in range(len(call.values))]
    leaves = _leaves(call, iter(names))
    arguments, options = call.tree
    positional = [_as_source(x, leaves) for x in arguments]
    named = [f"{name}={_as_source(x, leaves)}" for name, x in options.items()]
    seed = f"    {call.functions.seed}\n" if call.seeded else ""
    first = "    x0 = ad.clone(x0)\n" if call.copied else ""
    head = f"def call({', '.join(names)}):\n{first}{seed}    result = {access}({', '.join([*positional, *named])})\n"
    return f"{head}    return {', '.join(call.paths)}"


def _named(function: Any) -> tuple[str, str, str] | None:
    """The function by its name, the import of that, and what stands for the import of the main program's names."""
    owner = getattr(function, "__self__", None)
    named = owner if isinstance(owner, type) else function
    name, module = getattr(named, "__qualname__", ""), getattr(named, "__module__", None)
    if not name or not module or "<" in name:
        return None
    access, imported = name, f"from {module} import {name.partition('.')[0]}"
    access = f"{name}.{function.__name__}" if named is owner else name
    source = imported if module != "__main__" else _of_main(named)
    return (access, imported, source) if source else None


def _of_main(named: Any) -> str:
    """The source of a function or class of the main program, with what it is made of."""
    try:
        kinds = [kind for kind in reversed(getattr(named, "__mro__", (named,))) if kind.__module__ == "__main__"]
        texts = [textwrap.dedent(inspect.getsource(kind)) for kind in kinds]
    except (OSError, TypeError):
        return ""
    used = {name: x for name, x in vars(sys.modules["__main__"]).items() if any(name in text for text in texts)}
    return "\n".join([*filter(None, (_import(name, x) for name, x in used.items())), "", *texts])


def _import(name: str, value: Any) -> str:
    """The line that imports a module, or a name of a module, as the main program calls it."""
    if inspect.ismodule(value):
        return f"import {value.__name__} as {name}" if value.__name__ != name else f"import {name}"
    module = getattr(value, "__module__", None)
    known = module and module != "__main__" and hasattr(value, "__name__")
    return f"from {module} import {value.__name__} as {name}" if known else ""


def _leaves(call: OwnCall, names: Iterator[str]) -> Iterator[str]:
    """The leaves of the arguments as source."""
    at = dict(zip(call.at, call.complex, strict=True))
    for number, (_, value) in enumerate(call.leaves):
        if number in at:
            yield f"({next(names)} + 1j * {next(names)})" if at[number] else next(names)
        elif call.functions.is_array(value):
            kind = str(value.dtype).rpartition(".")[2]
            typed = "" if "float" in kind else f", {kind!r}"
            yield f"ad.array({call.functions.fixed(value, value).tolist()}{typed})"
        else:
            yield repr(value)


def _as_source(tree: Tree, leaves: Iterator[str]) -> str:
    if isinstance(tree, Mapping):
        return "{" + ", ".join(f"{key!r}: {_as_source(branch, leaves)}" for key, branch in tree.items()) + "}"
    if isinstance(tree, (list, tuple)):
        inner = ", ".join(_as_source(branch, leaves) for branch in tree)
        return f"[{inner}]" if isinstance(tree, list) else f"({inner},)"
    return next(leaves)
