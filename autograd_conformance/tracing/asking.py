"""Asks an installed library about itself, in a process of its own: no two frameworks share one."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable

import msgspec

from autograd_conformance.tracing.library import Answer, Question
from autograd_conformance.tracing.scope import Library, ScopeError

__all__ = ["ask"]


def ask(library: Library, names: Iterable[str] = ()) -> Answer:
    """What the library says of its public names, and of these. Raises ScopeError if it is not installed here."""
    question = Question(library.namespaces, sorted(names))
    # The names include deprecated ones; that they are is no news here.
    command = [sys.executable, "-W", "ignore", "-m", "autograd_conformance.tracing.library", library.name]
    done = subprocess.run(command, input=msgspec.json.encode(question), capture_output=True, check=False)
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines()[-1:] or [f"status {done.returncode}"]
        raise ScopeError(
            f"library {library.name!r} cannot be asked: {said[0]}; run this where it is installed: "
            "`python -m nox -l` lists sessions `citations(...)`"
        )
    return msgspec.json.decode(done.stdout, type=Answer)
