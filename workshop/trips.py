"""`python -m workshop trips`: the modules on the way of a behaviour, a law and a generated program to the page.

A command of each kind runs with a profile function in all of its processes. It notes the modules of which a function is
called, other than by an import. Modules of content (chapters, forms, families of operations, protocol, adapters, the
reference engine) do not count: the trips share them, or not, by what they are about.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import click

__all__ = ["modules_of", "trips"]

ROOT = Path(__file__).parents[1]
# What has a known failure, so that it gets as far as the page.
TRIPS = {
    "behaviour": ("run", "--engine", "reference", "accumulation", "higher_order"),
    "law": ("operations", "--engine", "reference", "exp", "cumprod", "sort"),
    "program": ("programs", "--engine", "reference", "--kind", "writes", "--seeds", "0:20"),
}
PACKAGES = ("autograd_conformance/", "conformance/", "reports/")
CONTENT = ("chapters/", "conformance/protocol/", "conformance/operations/families/", "/forms/", "conformance/known/")
# Appended line by line, as workers leave by os._exit. A list of Python's own: site imports this before anything else.
TRACE = """
import os, sys, threading
root, target = os.environ["TRIPS_ROOT"], os.environ["TRIPS_TARGET"]
seen = set()
def at_import(frame):
    while frame is not None:
        if frame.f_code.co_name == "<module>" and frame.f_globals.get("__name__") != "__main__":
            return True
        frame = frame.f_back
    return False
def note(frame, event, argument):
    name = frame.f_code.co_filename
    if event == "call" and name not in seen and frame.f_code.co_name != "<module>":
        if not name.startswith(root):
            seen.add(name)
        elif not at_import(frame):
            seen.add(name)
            with open(target, "a") as stream:
                stream.write(name[len(root):] + chr(10))
sys.setprofile(note)
threading.setprofile(note)
"""


def modules_of(command: Sequence[str], root: Path = ROOT) -> set[str]:
    """The modules of the checkout at `root` that a command of its command line enters, as paths."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "sitecustomize.py").write_text(TRACE)
        target = Path(folder, "modules.txt")
        environment = os.environ | {
            "PYTHONPATH": os.pathsep.join([folder, str(root)]),
            "TRIPS_ROOT": f"{root}{os.sep}",
            "TRIPS_TARGET": str(target),
        }
        # From another folder: `-m` puts the current one first, and `root` may be another checkout.
        call = [sys.executable, "-m", "autograd_conformance", *command, "--output", str(Path(folder, "out"))]
        done = subprocess.run(call, cwd=folder, env=environment, capture_output=True, text=True, check=False)
        # Status 1 is something unexpected in the results, which get to the page all the same.
        if done.returncode not in (0, 1):
            raise click.ClickException(done.stderr)
        entered = {Path(line).as_posix() for line in target.read_text().splitlines()}
    modules = {name for name in entered if name.endswith(".py") and name.startswith(PACKAGES)}
    return {name for name in modules if not any(part in name for part in CONTENT)}


@click.command()
@click.option("--root", type=click.Path(path_type=Path, exists=True), default=ROOT, help="Of another checkout.")
def trips(root: Path) -> None:
    """Print the modules on each trip, and how many of them a behaviour passes, too."""
    entered = {kind: modules_of(command, root.resolve()) for kind, command in TRIPS.items()}
    for kind, modules in entered.items():
        lines = sum(len((root / name).read_text("utf-8").splitlines()) for name in modules)
        shared = len(modules & entered["behaviour"])
        click.echo(f"{kind}: {len(modules)} modules, {lines} lines, {shared} shared with a behaviour")
    for kind, modules in entered.items():
        click.echo(f"\n{kind} alone:" + "".join(f"\n  {name}" for name in sorted(modules - entered["behaviour"])))
    click.echo("\nshared by all:" + "".join(f"\n  {name}" for name in sorted(set.intersection(*entered.values()))))
