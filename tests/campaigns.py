"""Campaigns with programs of the zoo: `python -m tests.campaigns programs ...` is the command line with these."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from conformance.results import PROGRAMS, ResultsFile
from conformance.results_file import file_name, read
from conformance.running import options
from conformance.tallies import join_tallies
from tests.support import ROOT, Call, forked, from_here

BATCHES = "tests.zoo.batches"


def try_programs(output: Path, *arguments: object, **environment: str) -> Call:
    """Call the command line, and wait for its end."""
    # Elsewhere there is no fork.
    if os.name == "posix":
        return forked(_words(output, *arguments), from_here(**environment), output, batches=BATCHES)
    call = command(output, *arguments)
    done = subprocess.run(call, cwd=ROOT, env=from_here(**environment), capture_output=True, text=True, check=False)
    return Call(done.returncode, done.stdout, done.stderr, output, "")


def command(output: Path, *arguments: object) -> list[str]:
    """The call in a fresh process, for those that are interrupted."""
    return [sys.executable, "-m", "tests.campaigns", *_words(output, *arguments)]


def _words(output: Path, *arguments: object) -> list[str]:
    """Of a campaign on the reference engine, unless the arguments name another."""
    engine = () if "-e" in arguments else ("-e", "reference")
    return list(map(str, ["programs", *engine, "-o", output, *arguments]))


def results(output: Path, engine: str = "reference") -> Path:
    """The results file of a finished campaign."""
    return output / "results" / file_name(engine, PROGRAMS)


def campaign(output: Path, engine: str = "reference") -> ResultsFile:
    """The finished campaign, in which neighbouring ranges are joined."""
    campaign = read(results(output, engine))
    assert campaign.tallies == join_tallies(campaign.tallies)
    return campaign


if __name__ == "__main__":
    options.BATCHES = BATCHES
    from autograd_conformance.__main__ import main

    main()
