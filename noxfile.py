# /// script
# dependencies = ["nox>=2026.8.10"]
# ///
"""The sessions; `nox -l` lists them. Each engine has an environment, as two in the same could change each other.

All sessions of an engine run in it: `environment` makes it, and nox runs that first (`requires`). `--reuse-venv never`
makes it anew once in a call of nox.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial, update_wrapper
from pathlib import Path
from typing import Any

import nox

nox.needs_version = ">=2026.8.10"
# pip, not uv: it finds the CPU builds that a machine without a network keeps.
nox.options.default_venv_backend = "virtualenv"
nox.options.sessions = ["lint", "typing", "tests", "mutants", "matrix"]
nox.options.reuse_existing_virtualenvs = True
nox.options.error_on_missing_interpreters = True

# Sessions start thousands of interpreters. With it each compiles what it imports: torch in 4 s instead of 1.6.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

PYTHONS = ["3.10", "3.11", "3.12", "3.13"]
GROUPS = nox.project.load_toml("pyproject.toml")
OUTPUT = Path("conformance-report")
# One worker more than cores: some tests wait for limits and signals. Each has whole files while there are any: what a
# file prepares is then mostly prepared once. The longest test takes about a third of the limit, in seconds.
SHARED = ("-n", str(min(os.cpu_count() or 1, 8) + 1), "--dist", "worksteal", "--timeout", "900")


@dataclass(frozen=True)
class Engine:
    """An engine in a version: what is installed for it, why it is in the table, and its columns of the matrix."""

    spec: str
    version: str
    reason: str
    columns: tuple[str, ...]
    python: str = "3.10"  # the oldest that it runs on
    extras: str = ""  # of its distribution
    beside: tuple[str, ...] = ()  # what its inventory imports
    pinned: bool = True
    sweep: tuple[str, ...] = ()  # what `operations` takes beside the columns

    @property
    def requirements(self) -> list[str]:
        """The requirements for pip; the reference engine comes with the suite."""
        return [f"{self.spec}{self.extras}=={self.version}", *self.beside] if self.spec != "reference" else []

    def folder(self, of: str) -> Path:
        """The output folder of its sessions `engine` (of "engines"), `operations` or `programs`."""
        return OUTPUT / of / str(self)

    def arguments(self, posargs: Sequence[str]) -> list[str]:
        """The arguments of a command: the columns of the table, unless there are others, and the rest."""
        columns = [argument for column in self.columns for argument in ("--engine", column)]
        return [*posargs] if "--engine" in posargs else [*columns, *posargs]

    @property
    def interpreter(self) -> str | None:
        """The Python of its environment; None is that which runs nox."""
        return self.python if sys.version_info[:2] < tuple(map(int, self.python.split("."))) else None

    def __str__(self) -> str:
        return f"{self.spec}-{self.version}"


TORCH, JAX = ("torch", "torch_func"), ("jax", "jax:jit")
# All that laws compare is compiled at once: of some operations half a minute, and of all an hour (`-- --share 1`).
COMPILED = ("--limit", "120", "--share", "40")
# Packages that PyTorch's inventory imports.
INVENTORY = tuple(GROUPS["project"]["optional-dependencies"]["inventory"])
WRITTEN = "the release that the specification was written against"
# Of PyTorch and JAX also the newest release that was run; `matrix` and CI run what is pinned.
ENGINES = [
    Engine("torch", "2.13.0", WRITTEN, TORCH, beside=INVENTORY),
    Engine("torch", "2.15.0", "the newest; several GB of CUDA", TORCH, "3.11", beside=INVENTORY, pinned=False),
    Engine("jax", "0.10.2", WRITTEN, JAX, python="3.11", sweep=COMPILED),
    Engine("jax", "0.12.0.1", "the newest", JAX, python="3.12", pinned=False, sweep=COMPILED),
    Engine("reference", "here", "part of the suite", ("reference",)),
    Engine("autograd", "1.9.1", "the worked example of docs/adding-an-engine.md", ("hips_autograd",), extras="[scipy]"),
]
PINNED = [engine for engine in ENGINES if engine.pinned]
# For tests and mutants, each of which imports a single engine in a process.
ALL = [requirement for engine in PINNED for requirement in engine.requirements]


WRITE = "import pathlib, sys; pathlib.Path(sys.argv[1]).write_text(sys.argv[2], 'utf-8')"
# Folders of the programs of environments, by the id of `environment`.
PROGRAMS: dict[str, Path] = {}


def _of_each(engines: Sequence[Engine]) -> Callable[[Callable[..., None]], None]:
    """Declare a session for each of these engines, which runs in the environment of the engine."""

    def declare(function: Callable[..., None]) -> None:
        for it in engines:
            # Not by `nox.parametrize`: what a session requires cannot depend on a parameter.
            called = update_wrapper(partial(function, engine=it), function)
            name = f"{function.__name__}({it})"
            nox.session(called, name=name, python=False, default=False, requires=[f"environment({it})"])

    return declare


def _run(session: nox.Session, of: object, program: str, *arguments: str, **options: Any) -> None:
    """Run a program of an environment, by its id."""
    folder = PROGRAMS[str(of)]
    path = os.pathsep.join((str(folder), os.environ["PATH"]))
    session.run(str(folder / program), *arguments, external=True, env={"PATH": path}, **options)


def _install(session: nox.Session, *requirements: str, group: str = "") -> None:
    """Install the suite and these, unless that was done in this environment: pip takes seconds to see that."""
    wanted = ("-e", ".", *(nox.project.dependency_groups(GROUPS, group) if group else ()), *requirements)
    made_of = " ".join((*wanted, hashlib.sha256(Path("pyproject.toml").read_bytes()).hexdigest()))
    # It goes with its environment, so `--reuse-venv never` installs again.
    stamp = Path(session.virtualenv.location, "installed.txt")
    if not stamp.exists() or stamp.read_text("utf-8") != made_of:
        session.install(*wanted)
        # By the session: with `--no-install` nothing was installed, and this does nothing either.
        session.run_install("python", "-c", WRITE, str(stamp), made_of, log=False)


@nox.session(default=False)
@nox.parametrize(
    "engine,python",
    [*(nox.param(it, it.interpreter, id=str(it)) for it in ENGINES), nox.param(None, None, id="all")],
)
def environment(session: nox.Session, engine: Engine | None) -> None:
    """Install the suite and an engine, for the engine's sessions; `all`: the pinned engines, for tests and mutants."""
    _install(session, *(engine.requirements if engine else ALL), group="" if engine else "test")
    PROGRAMS[str(engine or "all")] = Path(session.bin)


@nox.session(python=False)
def matrix(session: nox.Session) -> None:
    """The main job: every pinned engine in an environment, then the report; behind `--`: for the sweep of JAX."""
    for results in OUTPUT.rglob("results/*.jsonl"):  # scripts stay: they are derived anew where a cell has changed
        results.unlink()
    # Sessions that are notified do not bring what they require.
    for name in ("environment", "engine", "operations"):
        for engine in PINNED:
            given = session.posargs if name == "operations" and engine.sweep else ()
            session.notify(f"{name}({engine})", given)
    session.notify("report", ())


@_of_each(ENGINES)
def engine(session: nox.Session, engine: Engine) -> None:
    """Run the columns of an engine in a version; behind `--`: what `run` takes, such as `--engine torch:compile`."""
    # Status 1: a cell is unexpected. `report` ends with it, too, when all engines are in.
    run = ("autograd-conformance", "run", *engine.arguments(()), "--scripts", "--output", str(engine.folder("engines")))
    _run(session, engine, *run, *session.posargs, success_codes=[0, 1])


@nox.session(default=False, python=False, requires=[f"environment({PINNED[0]})"])
def compilers(session: nox.Session) -> None:
    """PyTorch's compilers, on two workers; behind `--`: other columns, `--engine torch:compile,backend=eager`."""
    columns = session.posargs or ("--engine", "torch:compile", "--engine", "torch:functionalize")
    command = ("autograd-conformance", "run", "-n", "2", *columns, "--output", str(OUTPUT / "compilers"))
    _run(session, PINNED[0], *command)


@_of_each(ENGINES)
def operations(session: nox.Session, engine: Engine) -> None:
    """Try the laws on operations, on the columns of an engine; what is behind `--` goes to the command."""
    command = ("autograd-conformance", "operations", "--output", str(engine.folder("operations")), *engine.sweep)
    # The compiler's column first: the eager column of the same engine uses what that has compiled.
    columns = sorted(engine.columns, key=lambda name: ":" not in name)
    apart = [("--engine", column, *session.posargs) for column in columns if "--engine" not in session.posargs]
    for arguments in (engine.sweep and apart) or [engine.arguments(session.posargs)]:
        _run(session, engine, *command, *arguments, success_codes=[0, 1])


@_of_each(ENGINES)
def programs(session: nox.Session, engine: Engine) -> None:
    """Try generated programs on the columns of an engine; behind `--`: what `programs` takes, such as `--kind`."""
    seeds = [] if "--seeds" in session.posargs else ["--seeds", "0:1000"]
    campaign = ("autograd-conformance", "programs", *seeds, *engine.arguments(session.posargs))
    _run(session, engine, *campaign, "--output", str(engine.folder("programs")), success_codes=[0, 1])


@_of_each(ENGINES)
def scripts(session: nox.Session, engine: Engine) -> None:
    """Try the script of every cell of an engine's columns in a fresh interpreter; needs the results of `engine`."""
    folder = engine.folder("engines")
    if not (results := sorted(map(str, folder.rglob("*.jsonl")))):
        session.error(f"{folder} has no results: run `nox -s 'engine({engine})'` first")
    command = ("python", "-m", "workshop", "scripts", *results, "--folder", str(folder / "tried"))
    _run(session, engine, *command, *session.posargs)


@nox.session(default=False, python=False, requires=["environment(reference-here)"])
def report(session: nox.Session) -> None:
    """Merge the engines' results into report.html, beside the pages of findings; fails if a cell is unexpected."""
    # In the order of the table, so that columns that people compare come first.
    folders = (engine.folder(of) for engine in ENGINES for of in ("engines", "operations", "programs"))
    results = [str(path) for folder in folders for path in sorted(folder.rglob("results/*.jsonl"))]
    _run(session, "reference-here", "python", "-m", "workshop", "findings", str(OUTPUT / "findings"))
    _run(session, "reference-here", "autograd-conformance", "report", *results, "--output", str(OUTPUT))


@_of_each([engine for engine in ENGINES if engine.spec in ("torch", "jax")])
def sources(session: nox.Session, engine: Engine) -> None:
    """Look for the cited sentences in an engine's docstrings; behind `--`: --names, --pages FOLDER."""
    _run(session, engine, "python", "-m", "workshop", "sources", engine.spec, *session.posargs)


@nox.session(python=False, requires=["environment(all)"])
def tests(session: nox.Session) -> None:
    """The suite's own tests, with the engines that they compare; behind `--`: what pytest takes, and `--on-request`."""
    _run(session, "all", "pytest", *SHARED, *session.posargs)


@nox.session(default=False)
def interruptions(session: nox.Session) -> None:
    """Kill and interrupt a hundred runs at random moments, and resume each to the same matrix (`-- --kill-seed N`)."""
    _install(session, group="test")
    files = ("tests/test_resume.py", "tests/test_signals.py", "tests/test_harm.py", "tests/test_campaigns.py")
    chosen = ("-k", "random_moment or third_cell", "--kills", "100", "-rA")
    session.run("pytest", "-n", "2", *files, *chosen, *session.posargs)


@nox.session(python=False, requires=["environment(all)"])
def mutants(session: nox.Session) -> None:
    """Run behaviours on engines that have a single mistake, and name the survivors; `-- --help`."""
    _run(session, "all", "python", "-m", "workshop", "mutants", *session.posargs)


@nox.session(python=PYTHONS, default=False)
def pythons(session: nox.Session) -> None:
    """The reference column and the tests that need no other engine, on each Python that is at hand."""
    _install(session, group="test")
    session.run("autograd-conformance", "run", "--engine", "reference", "--output", session.create_tmp())
    session.run("pytest", *SHARED, *session.posargs)


@nox.session
def lint(session: nox.Session) -> None:
    """Style of the code, of the workflows and of the action."""
    session.install(*nox.project.dependency_groups(GROUPS, "lint"))
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    workflows = [*map(str, Path(".github/workflows").glob("*.yml"))]
    forms = map(str, Path(".github/ISSUE_TEMPLATE").glob("*.yml"))
    for kind, files in {"workflows": workflows, "actions": ["action.yml"], "issue-forms": forms}.items():
        session.run("check-jsonschema", "--builtin-schema", f"vendor.github-{kind}", *files)
    session.run("zizmor", "--offline", "--quiet", "action.yml", *workflows)


@nox.session
def typing(session: nox.Session) -> None:
    """Types, strictly, over our packages; engines are looked at where they are installed, and need not be."""
    _install(session, group="typing")
    session.run("mypy", *session.posargs)


@nox.session(default=False, python=False, requires=["environment(all)"])
def bench(session: nox.Session) -> None:
    """Figures, beside a peer in the same run: the suite, and the reference engine (`-- engine` for these only)."""
    _run(session, "all", "python", "-m", "workshop", "bench", *session.posargs)


@nox.session(default=False)
def browser(session: nox.Session) -> None:
    """The report in Chromium; behind `--`: `--measure`, or `--pictures FOLDER REPORT...`, or what pytest takes."""
    _install(session, group="browser")
    apart = session.posargs[:1] in (["--measure"], ["--pictures"])
    command = ("python", "-m", "tests.browser") if apart else ("pytest", "-n", "2", "tests/browser")
    # Elsewhere these tests are skipped where there is no browser; here that would be a failure.
    session.run(*command, *session.posargs, env={"CONFORMANCE_BROWSER": "required"})


@nox.session(default=False)
def wheel(session: nox.Session) -> None:
    """Build a release into `dist`, and run the reference column of its wheel elsewhere; behind `--`: its tag."""
    version, built = GROUPS["project"]["version"], Path("dist").resolve()
    if session.posargs not in ([], [f"v{version}"]) or f"## {version}" not in Path("CHANGELOG.md").read_text("utf-8"):
        session.error(f"version {version} of pyproject.toml is to be the tag's, with a section in CHANGELOG.md")
    session.install("build", "twine")
    shutil.rmtree(built, ignore_errors=True)
    session.run("python", "-m", "build", "--outdir", str(built), silent=True)
    session.run("twine", "check", "--strict", *map(str, built.iterdir()))
    session.install("--force-reinstall", *map(str, built.glob("*.whl")))
    session.chdir(session.create_tmp())
    session.run("autograd-conformance", "run", "--engine", "reference", "--output", "out")
