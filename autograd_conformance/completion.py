"""Shell completion of behaviours and engines, without importing any.

Chapters are read as text: importing them takes most of a second, and Tab is to answer at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click
from click.shell_completion import CompletionItem

# As conformance.engines.GROUP, whose import would take too long.
GROUP = "autograd_conformance.adapters"
# As conformance.collection.CHAPTERS: both packages are in one wheel.
CHAPTERS = Path(__file__).parents[1] / "conformance" / "chapters"

# The function at the left margin that follows the decorator.
_BEHAVIOUR = re.compile(r"^@behaviour\(.*?^def (\w+)\(", re.MULTILINE | re.DOTALL)


def behaviours(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Chapters, or the behaviours of the chapter that is meant; of the folder of --chapters, if passed."""
    folder = Path(ctx.params.get("chapters") or CHAPTERS)
    chapter, dot, _ = incomplete.partition(".")
    names = [] if dot else [name for name in _chapter_names(folder) if name.startswith(incomplete)]
    # Of the only chapter that fits, its behaviours too: else Tab would stop at its name.
    if dot or len(names) == 1:
        only = chapter if dot else names[0]
        names += [f"{only}.{name}" for name in _functions(folder, only)]
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]


def engines(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The adapters that installed distributions register."""
    from importlib.metadata import entry_points

    return [CompletionItem(name) for name in sorted(entry_points(group=GROUP).names) if name.startswith(incomplete)]


def _chapter_names(folder: Path) -> list[str]:
    return sorted({path.stem for path in folder.glob("*") if not path.name.startswith(("_", "."))})


def _functions(folder: Path, chapter: str) -> Iterator[str]:
    """The behaviours of a chapter, which is a file or a folder."""
    for path in [folder / f"{chapter}.py", *sorted((folder / chapter).rglob("*.py"))]:
        if path.is_file():
            # A chapter in another encoding is to be completed too: Tab must not print a traceback.
            yield from _BEHAVIOUR.findall(path.read_text("utf-8", errors="replace"))
