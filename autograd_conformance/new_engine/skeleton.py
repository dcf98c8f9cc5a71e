"""A new adapter: three files, filled from templates, never written over what is there."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from importlib.util import find_spec
from pathlib import Path
from string import Template

from autograd_conformance import terminal
from autograd_conformance.new_engine.records import SkeletonRecord
from autograd_conformance.options import BadInput, OutputForm, Verbosity
from conformance.engines import installed

TEMPLATES = Path(__file__).parent / "templates"


def new(name: str, module: str, folder: Path, form: OutputForm) -> None:
    """Write the files, and print the next step; with --quiet, the folder alone. Raises BadInput."""
    record = _write(name, module, folder)
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


def _write(name: str, module: str, folder: Path) -> SkeletonRecord:
    for complaint in _complaints(name, module):
        raise BadInput(f"adapter new {name!r}: {complaint}")
    values = _values(name, module)
    file, engine = values["file"], f"{values['file']}:{values['kind']}"
    texts = {
        target: Template((TEMPLATES / f"{template}.in").read_text("utf-8")).substitute(values)
        for template, target in (("adapter.py", f"{file}.py"), ("known.toml", f"{file}.toml"), ("pyproject.toml",) * 2)
    }
    try:
        for taken in (folder / target for target in texts if (folder / target).exists()):
            raise BadInput(f"{taken}: is there already, and nothing is overwritten; give another --output")
        folder.mkdir(parents=True, exist_ok=True)
        for target, text in texts.items():
            (folder / target).write_text(text, "utf-8")
    except OSError as error:
        raise BadInput(f"{folder}: cannot be written: {error.strerror}; give another --output") from error
    here = not module or find_spec(module.partition(".")[0]) is not None  # looked up without importing it
    return SkeletonRecord(str(folder), engine, module, here, sorted(texts))


def _values(name: str, module: str) -> dict[str, str]:
    """The values of the templates' placeholders."""
    top = module.partition(".")[0]
    providers = packages_distributions().get(top, [])
    # Of several, such as `mlx` and `mlx-cpu`, the main one.
    known = top if top in providers else next(iter(providers), "")
    unused = "  # noqa: F401 - your engine, in NumPy's place" if known else ""
    imports = [*([f"import {module}{unused}"] if module else []), "import numpy"]
    own = f'str(getattr({module}, "__version__", "0"))' if module else '"0"'
    return {
        "name": name,
        "dashed": name.replace("_", "-"),
        "file": f"{name}_conformance",  # never the engine's name: it would be imported in the engine's place
        "kind": "".join(word.capitalize() for word in name.split("_")) + "Adapter",
        "requirements": ", ".join(f'"{name}"' for name in ("autograd-conformance", "numpy>=2.0", known or top) if name),
        "imports": "\n".join(sorted(imports, key=lambda line: line.split()[1])),
        "from_metadata": "from importlib.metadata import version\n" if known else "",
        "version": f'version("{known}")' if known else own,
    }


def _complaints(name: str, module: str) -> Iterator[str]:
    """Complaints about the names, each as the end of a sentence."""
    if keyword.iskeyword(name):
        yield "is a word of Python's: choose another name"
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        yield "is no name for an engine: use lower-case letters, digits and underscores, a letter first"
    if name in installed():
        yield "is taken by an engine that is installed: choose another name"
    if module and any(not part.isidentifier() or keyword.iskeyword(part) for part in module.split(".")):
        yield f"--module {module!r} is nothing that can be imported: give a name such as 'autograd'"
