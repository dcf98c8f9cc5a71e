"""A new adapter's files, filled from templates and from the protocol itself: no verb is written down twice."""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import packages_distributions, version
from importlib.util import find_spec
from pathlib import Path

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined

from autograd_conformance.starting.groups import Part, parts
from autograd_conformance.starting.refused import StartingError
from conformance.engines import installed

__all__ = ["Plan", "SkeletonRecord", "write"]

# A verb that the skeleton writes, so that it runs at once, on NumPy arrays until the engine's own take their place.
BODIES = {
    "array": "return numpy.array(value, dtype=dtype)",
    "to_numpy": "return numpy.asarray(x)",
    "dtype_of": "return str(x.dtype)",
    "np.exp": "return numpy.exp(x)",
}


@dataclass(frozen=True)
class Plan:
    """What was asked for: the engine's name in the matrix, what is imported to speak to it, and its family."""

    name: str
    module: str
    like: str

    @property
    def package(self) -> str:
        """The adapter's own package. Never the engine's name: it would be imported in the engine's place."""
        return f"with_{self.name}"

    @property
    def kind(self) -> str:
        """The adapter's class."""
        return "".join(word.capitalize() for word in self.name.split("_")) + "Adapter"

    @property
    def distribution(self) -> str:
        """What is installed to get the module, if that is known here; empty if not."""
        return next(iter(packages_distributions().get(self.module.partition(".")[0], [])), "")

    @property
    def requirement(self) -> str:
        """The distribution, pinned to the version that is here; a guess where nothing is known."""
        known = self.distribution
        return f"{known}=={version(known)}" if known else self.module.partition(".")[0]


class SkeletonRecord(msgspec.Struct):
    """What was written where; the adapter as `--engine` takes it in that folder; whether its engine is installed."""

    folder: str
    package: str
    engine: str
    module: str
    installed: bool
    files: list[str]


def write(plan: Plan, folder: Path) -> SkeletonRecord:
    """Write the files into a folder, and return what was written. Raises StartingError."""
    for complaint in _complaints(plan):
        raise StartingError(f"new-adapter {plan.name!r}: {complaint}")
    contents = dict(_contents(plan))
    try:
        for taken in (folder / name for name in contents if (folder / name).exists()):
            raise StartingError(f"{taken}: is there already, and nothing is overwritten; give another --output")
        for name, text in contents.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
    except OSError as error:
        raise StartingError(f"{folder}: cannot be written: {error.strerror}; give another --output") from error
    engine = f"{plan.package}:{plan.kind}"
    return SkeletonRecord(str(folder), plan.package, engine, plan.module, not _missing(plan), sorted(contents))


def _complaints(plan: Plan) -> Iterator[str]:
    """What is wrong with a plan, each as the end of a sentence."""
    if keyword.iskeyword(plan.name):
        yield "is a word of Python's: choose another name"
    if not re.fullmatch(r"[a-z][a-z0-9_]*", plan.name):
        yield "is no name for an engine: use lower-case letters, digits and underscores, a letter first"
    if plan.name in installed():
        yield "is taken by an engine that is installed: choose another name"
    if plan.module and not all(part.isidentifier() and not keyword.iskeyword(part) for part in plan.module.split(".")):
        yield f"--module {plan.module!r} is nothing that can be imported: give a name such as 'autograd'"


def _missing(plan: Plan) -> bool:
    """Whether the engine is not installed here, found out without importing it."""
    return bool(plan.module) and find_spec(plan.module.partition(".")[0]) is None


def _contents(plan: Plan) -> Iterator[tuple[str, str]]:
    """Every file of the skeleton, by its path in the folder."""
    environment = _environment()
    ordered = sorted(parts(), key=lambda part: part.rank(plan.like))
    given = {"plan": plan, "parts": ordered, "bodies": BODIES, "groups": [g for part in ordered for g in part.groups]}
    for name, target in {
        "README.md": "README.md",
        "pyproject.toml": "pyproject.toml",
        "test_adapter.py": f"test_{plan.package}.py",
        "known.toml": f"{plan.package}/known.toml",
        "adapter.py": f"{plan.package}/__init__.py",
        "absences.py": f"{plan.package}/absences.py",
    }.items():
        yield target, environment.get_template(f"{name}.j2").render(given)
    for part in ordered:
        yield f"{plan.package}/{part.file}.py", environment.get_template("verbs.py.j2").render(given, part=_used(part))


def _used(part: Part) -> dict[str, object]:
    """A part for the template, with the imports and names of types that its verbs need."""
    text = "\n".join(verb.header for group in part.groups for verb in group.verbs)
    names = set(re.findall(r"\w+", text))
    aliases = [node for node in part.aliases if ast.unparse(node.targets[0]) in names]
    names |= {word for node in aliases for word in re.findall(r"\w+", ast.unparse(node.value))}
    verbs = {verb.name for group in part.groups for verb in group.verbs}
    bases = {base for group in part.groups for base in group.bases} | {
        (kind, file) for group in part.groups for _, kind, file in group.namespaces
    }
    return {
        "part": part,
        "imports": list(_imports(part, names)),
        "aliases": [ast.unparse(node) for node in aliases],
        "numpy": not verbs.isdisjoint(BODIES),
        "unwritten": not verbs <= set(BODIES),
        "bases": sorted((kind, file) for kind, file in bases if file != part.file),
    }


def _imports(part: Part, names: set[str]) -> Iterator[str]:
    """The lines that import these names; `ClassVar` is for namespaces, which the protocol has as properties."""
    namespaces = any(group.namespaces for group in part.groups)
    for node in part.imports:
        kept = {alias.name for alias in node.names} & names
        kept |= {"ClassVar"} if namespaces and node.module == "typing" else set()
        if kept:
            yield f"from {node.module} import {', '.join(sorted(kept))}"


def _environment() -> Environment:
    # Python and TOML are written, not HTML: there is nothing to escape, as names are identifiers.
    loader = PackageLoader("autograd_conformance.starting")
    return Environment(
        loader=loader, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    )
