"""Reasons by name: why no behaviour kills a mutant, why no mutant shows that a behaviour can fail."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from conformance.sources import tomllib


@dataclass(frozen=True)
class Exemptions:
    """The tables of exempt.toml. In the names of mutants a star is anything."""

    mutants: Mapping[str, str]
    behaviours: Mapping[str, str]

    def of(self, mutant: str) -> list[str]:
        """The names under which a mutant is exempt."""
        return [name for name in self.mutants if _pattern(name).fullmatch(mutant)]


@cache
def _pattern(name: str) -> re.Pattern[str]:
    # Names have brackets and braces of code in them: only the star is special.
    return re.compile(".*".join(map(re.escape, name.split("*"))))


@cache
def exemptions() -> Exemptions:
    """The content of exempt.toml."""
    return Exemptions(**tomllib.loads(Path(__file__).with_name("exempt.toml").read_text("utf-8")))
