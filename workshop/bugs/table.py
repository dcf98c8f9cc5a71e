"""The tables of bugs: what is written of each, and the shared catalogue that they are from."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["CATALOGUE", "Shown", "catalogue", "present"]

# Beside the checkout; the product does not read it.
CATALOGUE = Path(__file__).parents[3] / "shared" / "catalogue"


@dataclass(frozen=True)
class Shown:
    """A bug that is present: the cell of an engine that shows it, or the reason why there is none."""

    bug: str
    engine: str = ""
    cell: str = ""
    says: str = ""
    reason: str = ""

    def is_shown_by(self, message: str) -> bool:
        """Whether the message of the failing cell is about this bug."""
        return bool(message) and re.search(self.says, message) is not None


def present() -> dict[str, Shown]:
    """The bugs that are present, by their ids in the catalogue."""
    table = tomllib.loads(Path(__file__).with_name("present.toml").read_text())
    return {bug: Shown(bug, **entry) for bug, entry in table.items()}


def catalogue(folder: Path = CATALOGUE) -> Mapping[str, Mapping[str, Any]]:
    """The entries of the shared catalogue by id; none where it is not there."""
    import yaml  # of maintainers

    path = folder / "bugs.yaml"
    return {entry["id"]: entry for entry in yaml.safe_load(path.read_text())} if path.is_file() else {}
