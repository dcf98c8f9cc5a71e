"""The text of an issue for an engine's tracker: a departure from its documentation."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from autograd_conformance.derived import show_script
from autograd_conformance.options import BadInput
from conformance import sources
from conformance.behaviour import Behaviour, Citation
from conformance.evidence import evidence_of, sentence_in
from conformance.known_causes import Cause
from conformance.known_failures import file_of, installed_version, read, script_of
from conformance.verdicts import CauseKind

# Seconds for a native program, which imports the engine first.
LIMIT_S = 120
# A page of prose is no object, and has no docstring.
READER = """
import contextlib, json, pkgutil, sys
texts = {}
for name in sys.argv[1:]:
    with contextlib.suppress(Exception), contextlib.redirect_stdout(sys.stderr):
        texts[name] = str(pkgutil.resolve_name(name).__doc__ or "")
print(json.dumps(texts))
"""


def issue_text(declared: Behaviour, cell: str, engine: str, chapters: Path | None) -> str:
    """The issue, as Markdown. Raises BadInput if there is nothing to report, and KnownFailureError."""
    file = file_of(engine)
    entries = read(file) if file.exists() else []
    its = (entry for entry in entries if entry.part == "behaviours" and entry.is_of(engine) and entry.concerns(cell))
    installed = installed_version(file.stem)
    # Where the engine is not installed, an entry of any version is taken.
    cause = next((entry.cause for entry in its if not installed or entry.applies_to(installed)), None)
    if cause and cause.kind is CauseKind.CONVENTION:
        raise BadInput(f"{cell} on {engine} is as the engine documents it: there is nothing to report ({cause.title})")
    if cause and (native := script_of(cause.name, file)).is_file():
        script, seen = native.read_text("utf-8").rstrip(), _seen(native)
    else:
        script, seen = _derived(cell, engine, chapters)
    parts = [f"# {cause.title if cause else declared.statement}", _versions(file.stem, cause)]
    parts += [f"```python\n{script}\n```", f"**Seen**: {seen}", cause.reason if cause else ""]
    # A page on which the claim is not stated cannot be held against the engine.
    cited = [at for at in declared.citations if at.source.partition("_")[0] == file.stem and not at.unstated]
    pages = _docstrings({name for citation in cited for name in (citation.page, citation.section)})
    promises = "\n".join(_promise(declared, citation, pages) for citation in cited)
    parts += [f"**{'Documented' if cited else 'Expected'}**: {declared.statement}", promises]
    return "\n\n".join(part for part in parts if part)


def _versions(library: str, cause: Cause | None) -> str:
    """The installed version, and those in which the cause was seen."""
    installed = installed_version(library)
    here = f"{library} {installed}, Python {sys.version.split()[0]}, {sys.platform}" if installed else ""
    live = f"live in {', '.join(cause.live_in)}" if cause and cause.live_in else ""
    fixed = f"fixed in {cause.fixed_in}" if cause and cause.fixed_in else ""
    known = f"reported: {', '.join(cause.issues)}" if cause and cause.issues else ""
    return "**Versions**: " + "; ".join(part for part in (here, live, fixed, known) if part)


def _seen(script: Path) -> str:
    """Run a native program in a fresh interpreter; its last line, or the signal.

    JAX is configured to end with the error, and not with a remark on its traceback.
    """
    try:
        done = subprocess.run(
            [sys.executable, "-I", str(script)],  # isolated: without this folder and PYTHONPATH, as for its reader
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
            check=False,
            env={**os.environ, "JAX_TRACEBACK_FILTERING": "off"},
        )
    except subprocess.TimeoutExpired:
        return f"it took longer than {LIMIT_S} s"
    last = done.stderr.strip().rpartition("\n")[2]  # of a traceback that is the error itself
    # Before the status, which without the engine is that of a live cause, too.
    if last.startswith("ModuleNotFoundError"):
        return "not run: the engine is not installed here"
    if done.returncode < 0:
        return f"the process was ended by signal {-done.returncode}"
    return f"`{last}`" if done.returncode else "no error with the version that is installed here"


def _derived(cell: str, engine: str, chapters: Path | None) -> tuple[str, str]:
    """The cell's program in the engine's own API, without its heading, and its outcome."""
    heading, _, program = show_script(cell, engine, chapters).partition("\n\n")
    seen = heading.rpartition("seen: ")[2].replace("\n# ", " ")
    if seen.startswith("pass"):
        raise BadInput(f"{cell} on {engine} passes: there is nothing to report")
    return program.rstrip(), seen


def _promise(declared: Behaviour, citation: Citation, pages: Mapping[str, str]) -> str:
    """A page with the sentences that carry the claim: whole where the installed docstring has them."""
    title = sources.title(citation.source, citation.page)
    place = f"{title}, {citation.section}" if citation.section else title
    text = "\n".join(pages.get(name, "") for name in (citation.section, citation.page))
    quoted = (sentence_in(its, text) or f"{its.words} ..." for its in evidence_of(declared, citation))
    return f"- [{place}]({sources.address(citation.source, citation.page)})" + "".join(f" “{text}”" for text in quoted)


def _docstrings(names: Iterable[str]) -> dict[str, str]:
    """Docstrings of installed objects, by name, read in a fresh interpreter: no sentence of others is stored here."""
    command = [sys.executable, "-I", "-W", "ignore", "-c", READER, *sorted(filter(None, names))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    texts: dict[str, str] = json.loads(done.stdout) if done.returncode == 0 else {}
    return texts
