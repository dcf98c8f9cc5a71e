"""The program of a broken law: the function of its author and the engine alone; it exits with status 1."""

from __future__ import annotations

import inspect
import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from conformance.laws.operation_subject import OperationSubject
from conformance.laws.subject import NumPyArray
from conformance.operations.samples import Sample
from conformance.own.arguments import OwnCall
from conformance.protocol.types import Tree

# The functions of each engine's head: `call` gives the outputs that are compared.
FUNCTIONS = """\
def call({names}):
    {seed}result = {call}
    return {outputs}


def dot(xs, ys):
    return sum((x * y).sum() for x, y in zip(xs, ys))


def total(*xs):
    return dot(call(*xs), ws)
"""
# Relative tolerances, by the law or the dtype of the function: of single and half precision wider ones.
TOLERANCES = {"precision.single": 1e-4, "float16": 2e-2, "bfloat16": 0.1, "float32": 2e-3}


def program_of(call: OwnCall, law: str, ad: Any, sample: Sample) -> str:
    """The program at a point; empty if there is none."""
    texts = call.functions.programs()
    body = next((text for start, text in texts.laws.items() if law.startswith(start)), "")
    source = _source(call.given)
    if not body or not source:
        return ""
    subject, dtype = OperationSubject(ad, sample), sample.operation.dtype
    results = call(*subject.primals)
    kinds = [ad.dtype_of(x) for x in results]
    outputs = [path for path, kind in zip(call.paths, kinds, strict=True) if kind.startswith(("float", "bfloat"))]
    # Of complex outputs, laws weigh both parts.
    if any(kind.startswith("complex") for kind in kinds):
        return ""
    shapes = [tuple(x.shape) for x, kind in zip(results, kinds, strict=True) if "float" in kind]
    weights = [sample.cotangent(number, shape) for number, shape in enumerate(shapes)]
    if "expanded" in law:
        weights = [w[..., :1] + 0 * w if w.ndim else w for w in weights]
    tolerance = next((x for name, x in TOLERANCES.items() if name in law or name == dtype), 1e-5)
    head = texts.head.format(
        values=[x.tolist() for x in sample.differentiated],
        first=_rounded(sample.directions(0)),
        second=_rounded(sample.directions(1)),
        cotangents=_rounded(weights),
        dtype=dtype or "float64",
        functions=_functions(call, texts.seed, outputs),
        step=1e-2 if dtype else 1e-5,
    )
    tail = texts.tail.format(rtol=tolerance, atol=tolerance / 10)
    return f"{source}\n{head}{body}{tail}"


def _functions(call: OwnCall, seed: str, outputs: Sequence[str]) -> str:
    leaves = _leaves(call)
    arguments, options = call.tree
    positional = [_as_source(x, leaves) for x in arguments]
    named = [f"{name}={_as_source(x, leaves)}" for name, x in options.items()]
    return FUNCTIONS.format(
        names=", ".join(f"x{at}" for at in range(len(call.values))),
        seed=f"{seed}\n    " if call.seeded and seed else "",
        call=f"function({', '.join([*positional, *named])})",
        outputs=f"[{', '.join(outputs)}]",
    )


def _rounded(arrays: Sequence[NumPyArray]) -> list[Any]:
    return [x.round(2).tolist() for x in arrays]


def _source(function: Any) -> str:
    """The function as source: an import, or its text in the main program; empty where there is neither."""
    owner = getattr(function, "__self__", None)
    named = owner if isinstance(owner, type) else function
    name, module = getattr(named, "__qualname__", ""), getattr(named, "__module__", None)
    access = f"{name}.{function.__name__}" if named is owner else name
    if not name or not module or "<" in name:
        return ""
    if module != "__main__":
        return f"from {module} import {name.partition('.')[0]}\n\nfunction = {access}"
    try:
        mro = owner.__mro__ if isinstance(owner, type) else (named,)
        kinds = [kind for kind in reversed(mro) if kind.__module__ == module]
        texts = [textwrap.dedent(inspect.getsource(kind)) for kind in kinds]
    except (OSError, TypeError):
        return ""
    used = {name: x for name, x in vars(sys.modules[module]).items() if any(name in text for text in texts)}
    imports = [_import(name, x) for name, x in used.items()]
    return "\n".join([*filter(None, imports), *texts, f"function = {access}"])


def _import(name: str, value: Any) -> str:
    """The line that imports a module, or a name of a module, as the main program calls it."""
    if inspect.ismodule(value):
        return f"import {value.__name__} as {name}" if value.__name__ != name else f"import {name}"
    module = getattr(value, "__module__", None)
    known = module and module != "__main__" and hasattr(value, "__name__")
    return f"from {module} import {value.__name__} as {name}" if known else ""


def _leaves(call: OwnCall) -> Iterator[str]:
    """The leaves of the arguments as source."""
    names = iter(f"x{at}" for at in range(len(call.values)))
    at = dict(zip(call.at, call.complex, strict=True))
    for number, (_, value) in enumerate(call.leaves):
        if number in at:
            yield call.functions.joined_source(next(names), next(names)) if at[number] else next(names)
        else:
            yield call.functions.source(value) if call.functions.is_array(value) else repr(value)


def _as_source(tree: Tree, leaves: Iterator[str]) -> str:
    if isinstance(tree, Mapping):
        return "{" + ", ".join(f"{key!r}: {_as_source(branch, leaves)}" for key, branch in tree.items()) + "}"
    if isinstance(tree, (list, tuple)):
        inner = ", ".join(_as_source(branch, leaves) for branch in tree)
        return f"[{inner}]" if isinstance(tree, list) else f"({inner},)"
    return next(leaves)
