# /// script
# dependencies = ["nox>=2025.2.9"]
# ///
"""The sessions; `nox -l` lists them. Each engine has an environment, as two in the same could change each other."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import nox

nox.needs_version = ">=2025.2.9"
# pip, not uv: it finds the CPU builds that a machine without a network keeps.
nox.options.default_venv_backend = "virtualenv"
nox.options.sessions = ["lint", "typing", "tests", "mutants", "matrix"]
nox.options.reuse_existing_virtualenvs = True

# Sessions start thousands of interpreters. With it each compiles what it imports: torch in 4 s instead of 1.6.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

PYTHONS = ["3.10", "3.11", "3.12", "3.13"]
GROUPS = nox.project.load_toml("pyproject.toml")
OUTPUT = Path("conformance-report")
# One worker more than cores: some tests wait for limits and signals. Each has whole files while there are any: what a
# file prepares is then mostly prepared once. The longest test takes about a third of the limit, in seconds.
SHARED = ("-n", str(min(os.cpu_count() or 1, 8) + 1), "--dist", "worksteal", "--timeout", "900")


@cache
def _runs(python: str) -> bool:
    """Whether this Python runs: pyenv has a command on the path for each that it knows, installed or not."""
    try:
        return subprocess.run([f"python{python}", "--version"], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


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
    def fits(self) -> bool:
        """Whether it runs on this Python."""
        return sys.version_info[:2] >= tuple(map(int, self.python.split(".")))

    @property
    def interpreter(self) -> str | None:
        """The Python of its environment; None is that which runs nox."""
        return self.python if not self.fits and _runs(self.python) else None

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


def _parametrize(engines: list[Engine]) -> Any:
    """Parametrize a session by these engines, each with the interpreter that it needs."""
    return nox.parametrize("engine,python", [nox.param(it, it.interpreter, id=str(it)) for it in engines])


def _install(session: nox.Session, *requirements: str, group: str = "") -> None:
    """Install the suite and these, unless that was done in this environment: pip takes seconds to see that."""
    wanted = ("-e", ".", *(nox.project.dependency_groups(GROUPS, group) if group else ()), *requirements)
    made_of = " ".join((*wanted, hashlib.sha256(Path("pyproject.toml").read_bytes()).hexdigest()))
    # It goes with its environment, so `--reuse-venv never` installs again.
    stamp = Path(session.virtualenv.location, "installed.txt")
    if not stamp.exists() or stamp.read_text("utf-8") != made_of:
        session.install(*wanted)
        # By the session: with `--no-install` nothing was installed, and this does nothing either.
        write = "import pathlib, sys; pathlib.Path(sys.argv[1]).write_text(sys.argv[2], 'utf-8')"
        session.run_install("python", "-c", write, str(stamp), made_of, log=False)


def _install_engine(session: nox.Session, engine: Engine) -> None:
    """Install the suite and this engine, or say which version of the table this Python can run."""
    if not engine.fits and engine.interpreter is None:
        fitting = [str(other) for other in ENGINES if other.spec == engine.spec and other.fits]
        shutil.rmtree(session.virtualenv.location)  # nox would reuse it, with this Python
        instead = f"the newest for this one is {fitting[-1]}" if fitting else "no version of the table fits this one"
        session.error(f"{engine} needs Python {engine.python}, and `python{engine.python}` does not run; {instead}")
    _install(session, *engine.requirements)


@nox.session
def matrix(session: nox.Session) -> None:
    """The main job: every pinned engine in its own environment, then the report; behind `--`: for the sweep of JAX."""
    for results in OUTPUT.rglob("results/*.jsonl"):  # scripts stay: they are derived anew where a cell has changed
        results.unlink()
    for name in ("engine", "operations"):
        for engine in PINNED:
            given = session.posargs if name == "operations" and engine.sweep else ()
            session.notify(f"{name}({engine})", given)
    session.notify("report", ())


@nox.session(default=False)
@_parametrize(ENGINES)
def engine(session: nox.Session, engine: Engine) -> None:
    """Run the columns of an engine in a version; behind `--`: what `run` takes, such as `--engine torch:compile`."""
    _install_engine(session, engine)
    # Status 1: a cell is unexpected. `report` ends with it, too, when all engines are in.
    run = ("autograd-conformance", "run", *engine.arguments(()), "--scripts", "--output", str(engine.folder("engines")))
    session.run(*run, *session.posargs, success_codes=[0, 1])


@nox.session(default=False)
def compilers(session: nox.Session) -> None:
    """PyTorch's compilers, on two workers; behind `--`: other columns, `--engine torch:compile,backend=eager`."""
    _install_engine(session, PINNED[0])
    columns = session.posargs or ("--engine", "torch:compile", "--engine", "torch:functionalize")
    session.run("autograd-conformance", "run", "-n", "2", *columns, "--output", str(OUTPUT / "compilers"))


@nox.session(default=False)
@_parametrize(ENGINES)
def operations(session: nox.Session, engine: Engine) -> None:
    """Try the laws on operations, on the columns of an engine; what is behind `--` goes to the command."""
    _install_engine(session, engine)
    command = ("autograd-conformance", "operations", "--output", str(engine.folder("operations")), *engine.sweep)
    # The compiler's column first: the eager column of the same engine uses what that has compiled.
    columns = sorted(engine.columns, key=lambda name: ":" not in name)
    apart = [("--engine", column, *session.posargs) for column in columns if "--engine" not in session.posargs]
    for arguments in (engine.sweep and apart) or [engine.arguments(session.posargs)]:
        session.run(*command, *arguments, success_codes=[0, 1])


@nox.session(default=False)
@_parametrize(ENGINES)
def programs(session: nox.Session, engine: Engine) -> None:
    """Try generated programs on the columns of an engine; behind `--`: what `programs` takes, such as `--kind`."""
    _install_engine(session, engine)
    seeds = [] if "--seeds" in session.posargs else ["--seeds", "0:1000"]
    campaign = ("autograd-conformance", "programs", *seeds, *engine.arguments(session.posargs))
    session.run(*campaign, "--output", str(engine.folder("programs")), success_codes=[0, 1])


@nox.session(default=False)
@_parametrize(ENGINES)
def scripts(session: nox.Session, engine: Engine) -> None:
    """Try the script of every cell of an engine's columns in a fresh interpreter; needs the results of `engine`."""
    _install_engine(session, engine)
    folder = engine.folder("engines")
    if not (results := sorted(map(str, folder.rglob("*.jsonl")))):
        session.error(f"{folder} has no results: run `nox -s 'engine({engine})'` first")
    session.run("python", "-m", "workshop", "scripts", *results, "--folder", str(folder / "tried"), *session.posargs)


@nox.session(default=False)
def report(session: nox.Session) -> None:
    """Merge the engines' results into report.html, beside the pages of findings; fails if a cell is unexpected."""
    _install(session)
    # In the order of the table, so that columns that people compare come first.
    folders = (engine.folder(of) for engine in ENGINES for of in ("engines", "operations", "programs"))
    results = [str(path) for folder in folders for path in sorted(folder.rglob("results/*.jsonl"))]
    session.run("python", "-m", "workshop", "findings", str(OUTPUT / "findings"))
    session.run("autograd-conformance", "report", *results, "--output", str(OUTPUT))


@nox.session(default=False)
@_parametrize([engine for engine in ENGINES if engine.spec in ("torch", "jax")])
def sources(session: nox.Session, engine: Engine) -> None:
    """Look for the cited sentences in an engine's docstrings; behind `--`: --names, --pages FOLDER."""
    _install_engine(session, engine)
    session.run("python", "-m", "workshop", "sources", engine.spec, *session.posargs)


@nox.session
def tests(session: nox.Session) -> None:
    """The suite's own tests, with the engines that they compare; behind `--`: what pytest takes, and `--on-request`."""
    _install(session, *ALL, group="test")
    session.run("pytest", *SHARED, *session.posargs)


@nox.session(default=False)
def interruptions(session: nox.Session) -> None:
    """Kill and interrupt a hundred runs at random moments, and resume each to the same matrix (`-- --kill-seed N`)."""
    _install(session, group="test")
    files = ("tests/test_resume.py", "tests/test_signals.py", "tests/test_harm.py", "tests/test_campaigns.py")
    chosen = ("-k", "random_moment or third_cell", "--kills", "100", "-rA")
    session.run("pytest", "-n", "2", *files, *chosen, *session.posargs)


@nox.session
def mutants(session: nox.Session) -> None:
    """Run behaviours on engines that have a single mistake, and name the survivors; `-- --help`."""
    _install(session, *ALL)
    session.run("python", "-m", "workshop", "mutants", *session.posargs)


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
    workflows = [str(path) for path in sorted(Path(".github/workflows").glob("*.yml"))]
    session.run("check-jsonschema", "--builtin-schema", "vendor.github-workflows", *workflows)
    session.run("check-jsonschema", "--builtin-schema", "vendor.github-actions", "action.yml")
    session.run("zizmor", "--offline", "--quiet", "action.yml", *workflows)


@nox.session
def typing(session: nox.Session) -> None:
    """Types, strictly, over our packages; engines are looked at where they are installed, and need not be."""
    _install(session, group="typing")
    session.run("mypy", *session.posargs)


@nox.session(default=False)
def bench(session: nox.Session) -> None:
    """Figures, beside a peer in the same run: the suite, and the reference engine (`-- engine` for these only)."""
    _install(session, *ALL, group="bench")
    session.run("python", "-m", "workshop", "bench", *session.posargs)


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
    """Build the wheel, install it into this empty environment, and run the reference column outside the checkout."""
    session.install("build")
    built = Path(session.create_tmp()).resolve()
    session.run("python", "-m", "build", "--wheel", "--outdir", str(built), silent=True)
    newest = max(built.glob("*.whl"), key=lambda path: path.stat().st_mtime)
    session.install("--force-reinstall", str(newest))
    session.chdir(built)
    session.run("autograd-conformance", "run", "--engine", "reference", "--output", "out")


if __name__ == "__main__":
    nox.main()
