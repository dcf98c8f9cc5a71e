"""Nothing is wired by the order of imports: every module can be imported first, and nothing is written as text."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.support import ROOT
from tests.systems import posix
from tests.test_layers import files_of, imports, name_of

PACKAGES = ["adapters", "autograd_conformance", "conformance", "reference_engine", "reports", "workshop"]
# The one place that attaches methods to a class: the table of operations.
ATTACHES = {"reference_engine/operations.py"}

# What takes long to import is imported once, and every module in a new fork. The reference engine's `__init__`
# is not run: it imports everything, and so would put all in order before the module under test comes.
IMPORTER = """
import importlib, os, sys, traceback, types
for name in sys.argv[1].split(","):
    importlib.import_module(name)
for name in sys.argv[2:]:
    pid = os.fork()
    if not pid:
        if name.startswith("reference_engine."):
            sys.modules["reference_engine"] = package = types.ModuleType("reference_engine")
            package.__path__ = ["reference_engine"]
        try:
            importlib.import_module(name)
        except BaseException:
            print("cannot import", name, "first", traceback.format_exc(), flush=True)
        os._exit(0)
    os.waitpid(pid, 0)
"""
# Other packages of ours as well: each is first in its own run, and takes most of the time of a module that is above it.
LIBRARIES = {
    "adapters": ["numpy", "torch", "jax", "autograd", "conformance.protocol", "conformance.operations"],
    "autograd_conformance": ["numpy", "msgspec", "click", "rich.table", "jinja2"],
    "conformance": ["numpy.random", "msgspec", "pytest", "difflib", "importlib.metadata", "tomllib"],
    "workshop": ["conformance.collection", "conformance.operations", "reference_engine", "reports.write"],
}


# Of Python on Windows; and the bench, whose figures only POSIX has.
LACKING = "fcntl,grp,pty,pwd,resource,termios"
FORKING = ("workshop.bench.",)
# psutil comes first: it has another module for each system, and that of this one needs what is taken away.
ELSEWHERE = """
import importlib, os, psutil, sys
sys.modules |= dict.fromkeys(sys.argv[1].split(","))
del os.fork
for name in sys.argv[2:]:
    importlib.import_module(name)
"""


def sources() -> list[Path]:
    return [path for package in PACKAGES for path in files_of(package)]


def modules(package: str) -> list[str]:
    """The modules of a package but those that run when they are imported, and adapters whose engine is not here.

    Of those in a folder that import the same, such as chapters, the first: when it is imported first, the same is
    loaded before it.
    """
    first: dict[tuple[Path, frozenset[str]], str] = {}
    for path in files_of(package):
        if path.stem != "__main__":
            first.setdefault((path.parent, frozenset(imports(path))), name_of(path))
    engines = {"torch": "torch", "jax": "jax", "hips": "autograd"}
    missing = [word for word, engine in engines.items() if find_spec(engine) is None]
    return [name for name in first.values() if package != "adapters" or not any(word in name for word in missing)]


@posix
@pytest.mark.parametrize("package", PACKAGES)
def test_every_module_can_be_imported_first(package: str) -> None:
    """In a fresh process, with nothing of its package imported before it."""
    libraries = [name for name in LIBRARIES.get(package, ["numpy"]) if find_spec(name) is not None]
    command = [sys.executable, "-c", IMPORTER, ",".join(libraries), *modules(package)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


def test_the_product_can_be_imported_where_posix_is_not() -> None:
    """Without what Windows lacks: modules of the standard library, and `fork`."""
    names = [name for package in PACKAGES for name in modules(package) if not name.startswith(("adapters.", *FORKING))]
    command = [sys.executable, "-c", ELSEWHERE, LACKING, *names]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_no_code_is_written_as_text() -> None:
    """No `exec` and no `eval`, but for what a person writes behind `check --at`, and a derived program to compile."""
    called = {
        str(path.relative_to(ROOT)): node.func.id
        for path in sources()
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("exec", "eval")
    }
    assert called == {"autograd_conformance/own_worker.py": "eval", "conformance/compiled_trials.py": "exec"}


def test_attributes_are_attached_in_one_place() -> None:
    """No module sets attributes of what it imports when it is imported, by `setattr` or by assignment."""
    found = {str(path.relative_to(ROOT)) for path in sources() if any(_attaching(ast.parse(path.read_text("utf-8"))))}
    assert found - ATTACHES == set()


def _attaching(tree: ast.Module) -> list[ast.AST]:
    """Statements that run on import and give another object an attribute."""
    found: list[ast.AST] = []
    pending: list[ast.AST] = list(tree.body)
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            continue
        is_setattr = isinstance(node, ast.Call) and getattr(node.func, "id", "") == "setattr"
        assigns = isinstance(node, ast.Assign) and any(isinstance(t, ast.Attribute) for t in node.targets)
        if is_setattr or assigns:
            found.append(node)
        pending.extend(ast.iter_child_nodes(node))
    return found
