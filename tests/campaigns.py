"""Campaigns with programs of the zoo: `python -m tests.campaigns programs ...` is the command line with these."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from conformance.results import PROGRAMS, ResultsFile
from conformance.results_file import file_name, read
from conformance.running import options
from conformance.tallies import join_tallies
from tests.support import ROOT, Call, from_here

BATCHES = "tests.zoo.batches"


def try_programs(output: Path, *arguments: object, timeout: float = 120.0, **environment: str) -> Call:
    """Call the command line, and wait for its end."""
    done = subprocess.run(
        command(output, *arguments),
        cwd=ROOT,
        env=from_here(**environment),
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    return Call(done.returncode, done.stdout, done.stderr, output, "")


def command(output: Path, *arguments: object) -> list[str]:
    """The call, on the reference engine unless the arguments name another."""
    engine = () if "-e" in arguments else ("-e", "reference")
    call = [sys.executable, "-m", "tests.campaigns", "programs", *engine, "-o", output, *arguments]
    return list(map(str, call))


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
