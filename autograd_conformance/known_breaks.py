"""Known breaks of laws by people's functions: a TOML file with a table for each function, of laws and reasons.

```toml
[MyFunction]                             # the name of the class or function, as reports have it
"cotangents.an_expanded_cotangent_changes_no_gradient" = "the kernel reads contiguous memory, issue 7"
```
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

Known: TypeAlias = Mapping[str, str] | str | Path


def known_of(known: Known, title: str) -> Mapping[str, str]:
    """The reasons of a function by law, from a file or as they are. Raises UnusableInput."""
    if not isinstance(known, (str, Path)):
        return known
    from conformance.own.arguments import UnusableInput
    from conformance.sources import tomllib

    try:
        tables = tomllib.loads(Path(known).read_text("utf-8")) if known else {}
    except (OSError, ValueError) as error:
        raise UnusableInput(f"known breaks in {str(known)!r} cannot be read: {error}") from error
    table = tables.get(title, {})
    if not isinstance(table, dict) or not all(isinstance(reason, str) and reason for reason in table.values()):
        raise UnusableInput(f'{known}: [{title}] has to be lines of "law" = "reason"')
    return table
