"""Imports point inwards: the three rings of docs/architecture.md, read from the code's own imports.

The specification is `conformance`, `adapters`, `reports` and `autograd_conformance`; the reference engine is a ring by
itself; the workshop is `workshop` and `tests`, which may import everything and which nothing else imports.
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
OURS = {"adapters", "autograd_conformance", "conformance", "reference_engine", "reports", "tests", "workshop"}

# package of the product: which of our packages it may import, and which third-party modules; the workshop is in none
ALLOWED = {
    "reference_engine": ({"reference_engine"}, {"numpy"}),
    "conformance": (
        {"conformance"},
        {
            "distributed",
            "filelock",
            "mpmath",
            "numpy",
            "msgspec",
            "packaging",
            "platformdirs",
            "psutil",
            "tomli",
            "tomllib",
        },
    ),
    "reports": ({"reports", "conformance"}, {"jinja2", "markupsafe", "msgspec"}),
    "adapters": ({"adapters", "conformance", "reference_engine"}, {"autograd", "jax", "numpy", "torch"}),
    "autograd_conformance": (
        {"autograd_conformance", "conformance", "reports"},
        {"click", "jinja2", "msgspec", "numpy", "packaging", "psutil", "pytest", "rich"},
    ),
}
# Of `conformance`, reports know the models of results and curves and the record of mutants, adapters the protocol (and
# the version).
RESULTS = {
    "conformance.results",
    "conformance.results_file",
    "conformance.tallies",
    "conformance.verdicts",
}
SHOWN = {"conformance.plots.model", "conformance.programs.source.report"}
PARTS = {
    "reports": {"conformance.messages", "conformance.mutants", *RESULTS, *SHOWN},
    "adapters": {"conformance", "conformance.protocol", "conformance.protocol.types"},
}
# One of two would have to be installed to test the other, and could change its state.
ENGINES = {"autograd", "torch", "jax", "reference_engine"}


def files_of(package: str) -> list[Path]:
    """The modules of a package: a program that shows a cause of known failures is none, and needs its engine."""
    return [path for path in sorted((ROOT / package).rglob("*.py")) if (ROOT / "conformance/known") not in path.parents]


def imports(path: Path) -> set[str]:
    """The modules that a file imports, dotted."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            names.add(_absolute(path, node))
    return names


def _absolute(path: Path, node: ast.ImportFrom) -> str:
    """The module that `from ... import` names, relative or not."""
    if not node.level:
        return str(node.module)
    parts = path.relative_to(ROOT).parts[: -node.level]
    return ".".join([*parts, node.module] if node.module else parts)


@pytest.mark.parametrize("package", ALLOWED)
def test_a_package_imports_only_what_lies_below_it(package: str) -> None:
    """Every import is the standard library, a package below, or a library that the package may use."""
    ours, third_party = ALLOWED[package]
    for path in files_of(package):
        for name in imports(path):
            top = name.partition(".")[0]
            fine = top in sys.stdlib_module_names or top in third_party or top in ours
            assert fine, f"{path.relative_to(ROOT)} imports {name}"
            # Two packages may know parts of the specification only.
            if top == "conformance" and package in PARTS:
                assert name in PARTS[package], f"{path.relative_to(ROOT)} imports {name}"


def test_running_is_a_leaf_of_the_specification() -> None:
    """Behaviours and verdicts work without pytest: only `trial` takes something of `running`, the process's state."""
    outside = [path for path in files_of("conformance") if (ROOT / "conformance/running") not in path.parents]
    pairs = {(path.name, name) for path in outside for name in imports(path) if name.startswith("conformance.running")}
    assert pairs == {("trial.py", "conformance.running.process_state")}


def test_an_adapter_knows_one_engine() -> None:
    """No two engines meet in one adapter module."""
    for path in files_of("adapters"):
        engines = {name.partition(".")[0] for name in imports(path)} & ENGINES
        assert len(engines) <= 1, f"{path.relative_to(ROOT)} imports {engines}"


@pytest.mark.parametrize("package", [*ALLOWED, "workshop"])
def test_no_module_imports_itself_in_a_circle(package: str) -> None:
    """The import graph of each package has no cycle, imports inside functions included."""
    graph = {name_of(path): _local(path, package) for path in files_of(package)}
    finished: set[str] = set()
    for start in graph:
        _walk(start, graph, [], finished)


def _walk(module: str, graph: dict[str, set[str]], trail: list[str], finished: set[str]) -> None:
    assert module not in trail, " -> ".join([*trail[trail.index(module) :], module])
    if module in finished:
        return
    for target in sorted(graph.get(module, ())):
        _walk(target, graph, [*trail, module], finished)
    finished.add(module)


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _local(path: Path, package: str) -> set[str]:
    """The modules of this project that a file imports; `from package import name` may name a module."""
    targets: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and (source := _absolute(path, node)).partition(".")[0] == package:
            submodules = {f"{source}.{alias.name}" for alias in node.names if _is_module(source, alias.name)}
            rest = any(not _is_module(source, alias.name) for alias in node.names)
            targets |= submodules | ({source} if rest else set())
        elif isinstance(node, ast.Import):
            targets |= {alias.name for alias in node.names if alias.name.partition(".")[0] == package}
    return targets - {name_of(path)}


def _is_module(package: str, name: str) -> bool:
    place = ROOT.joinpath(*package.split("."))
    return (place / f"{name}.py").exists() or (place / name / "__init__.py").exists()


def test_the_command_line_starts_light() -> None:
    """`--help` imports neither NumPy nor an engine, nor the libraries for tables and templates."""
    import subprocess

    code = (
        "import sys\nfrom autograd_conformance.cli import cli\n"
        "cli.main(['--help'], standalone_mode=False)\n"
        "heavy = {'numpy', 'torch', 'jax', 'reference_engine', 'jinja2', 'pytest'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_class_names_are_unique() -> None:
    """A name is a single class, outside tests: a name in a message or a traceback needs no module to be understood."""
    places = defaultdict(list)
    for path in [ROOT / "noxfile.py", *(path for package in OURS - {"tests"} for path in files_of(package))]:
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef):
                places[node.name].append(str(path.relative_to(ROOT)))
    assert {name: modules for name, modules in places.items() if len(modules) > 1} == {}


def test_no_module_is_named_after_an_engine() -> None:
    """A module called torch.py or jax.py would be imported in the engine's place when it is run as a script."""
    names = {path.stem for package in ALLOWED for path in files_of(package)}
    assert not names & {"torch", "jax", "numpy"}
