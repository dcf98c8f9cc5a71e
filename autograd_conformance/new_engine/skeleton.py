"""A new adapter: three files, filled from templates, never written over what is there."""

from __future__ import annotations

import json
import keyword
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import packages_distributions
from importlib.util import find_spec
from pathlib import Path
from string import Template

from autograd_conformance import terminal
from autograd_conformance.new_engine.records import SkeletonRecord
from autograd_conformance.options import BadInput, OutputForm, Verbosity
from conformance.engines import installed

__all__ = ["new"]

TEMPLATES = Path(__file__).parent / "templates"


@dataclass(frozen=True)
class Names:
    """What the skeleton's parts are called: the engine's name in the matrix, and what is imported to speak to it."""

    name: str
    module: str

    @property
    def file(self) -> str:
        """The adapter's module. Never the engine's name: it would be imported in the engine's place."""
        return f"{self.name}_conformance"

    @property
    def kind(self) -> str:
        """The adapter's class."""
        return "".join(word.capitalize() for word in self.name.split("_")) + "Adapter"

    @property
    def distribution(self) -> str:
        """What is installed to get the module, if that is known here; empty if not."""
        top = self.module.partition(".")[0]
        found = packages_distributions().get(top, [])
        return top if top in found else next(iter(found), "")  # of several, such as `mlx` and `mlx-cpu`, the main one

    def values(self) -> dict[str, str]:
        """What the templates' placeholders become."""
        known = self.distribution
        own = f'str(getattr({self.module}, "__version__", "0"))' if self.module else '"0"'
        needed = ["autograd-conformance", "numpy>=2.0", known or self.module.partition(".")[0]]
        unused = "  # noqa: F401 - your engine, in NumPy's place" if known else ""
        imports = [*([f"import {self.module}{unused}"] if self.module else []), "import numpy"]
        return {
            "name": self.name,
            "dashed": self.name.replace("_", "-"),
            "file": self.file,
            "kind": self.kind,
            "requirements": ", ".join(json.dumps(name) for name in needed if name),
            "imports": "\n".join(sorted(imports, key=lambda line: line.split()[1])),
            "from_metadata": "from importlib.metadata import version\n" if known else "",
            "version": f'version("{known}")' if known else own,
        }


def new(name: str, module: str, folder: Path, form: OutputForm) -> None:
    """Write the files, and say what is to be done next: quietly, the folder alone. Raises BadInput."""
    record = _write(Names(name, module), folder)
    if form.as_json:
        terminal.print_json(record)
        return
    console = terminal.console()
    if form.verbosity is Verbosity.QUIET:
        console.print(terminal.text(record.folder))
        return
    console.print(terminal.text(f"wrote {record.folder}: {', '.join(record.files)}"))
    if not record.installed:
        console.print(terminal.text(f"{module} is not installed here: install it first", "yellow"))
    console.print(terminal.text(f"next: cd {record.folder} && autograd-conformance adapter check {record.engine}"))


def _write(names: Names, folder: Path) -> SkeletonRecord:
    for complaint in _complaints(names):
        raise BadInput(f"adapter new {names.name!r}: {complaint}")
    targets = {"adapter.py": f"{names.file}.py", "known.toml": f"{names.file}.toml", "pyproject.toml": "pyproject.toml"}
    values = names.values()
    try:
        for taken in (folder / name for name in targets.values() if (folder / name).exists()):
            raise BadInput(f"{taken}: is there already, and nothing is overwritten; give another --output")
        folder.mkdir(parents=True, exist_ok=True)
        for template, name in targets.items():
            text = Template((TEMPLATES / f"{template}.in").read_text("utf-8")).substitute(values)
            (folder / name).write_text(text, "utf-8")
    except OSError as error:
        raise BadInput(f"{folder}: cannot be written: {error.strerror}; give another --output") from error
    here = not names.module or find_spec(names.module.partition(".")[0]) is not None  # found without importing it
    return SkeletonRecord(str(folder), f"{names.file}:{names.kind}", names.module, here, sorted(targets.values()))


def _complaints(names: Names) -> Iterator[str]:
    """What is wrong with the names, each as the end of a sentence."""
    if keyword.iskeyword(names.name):
        yield "is a word of Python's: choose another name"
    if not re.fullmatch(r"[a-z][a-z0-9_]*", names.name):
        yield "is no name for an engine: use lower-case letters, digits and underscores, a letter first"
    if names.name in installed():
        yield "is taken by an engine that is installed: choose another name"
    module = names.module.split(".") if names.module else []
    if any(not part.isidentifier() or keyword.iskeyword(part) for part in module):
        yield f"--module {names.module!r} is nothing that can be imported: give a name such as 'autograd'"
