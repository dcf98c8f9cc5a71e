"""Completion in the shell: of commands and options by click, of behaviours and engines without importing any.

Chapters are read as text: to import them takes most of a second, and Tab is to answer at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

import click
from click.shell_completion import CompletionItem, get_completion_class

__all__ = ["PROGRAM", "VARIABLE", "behaviours", "completion", "engines"]

PROGRAM = "autograd-conformance"
VARIABLE = "_AUTOGRAD_CONFORMANCE_COMPLETE"

# As conformance.engines.GROUP, which cannot be asked without importing what it needs.
GROUP = "autograd_conformance.adapters"

# The function at the left margin that follows the decorator, whatever stands between.
_BEHAVIOUR = re.compile(r"^@behaviour\(.*?^def (\w+)\(", re.MULTILINE | re.DOTALL)


def behaviours(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Chapters, or the behaviours of the one that is meant; of the folder that --chapters names, if it does."""
    folder = ctx.params.get("chapters") or _chapters()
    chapter, dot, _ = incomplete.partition(".")
    if dot:
        names = [f"{chapter}.{name}" for name in _functions(Path(folder), chapter)]
    else:
        names = [name for name in _names(Path(folder)) if name.startswith(incomplete)]
        if len(names) == 1:
            names += [f"{names[0]}.{name}" for name in _functions(Path(folder), names[0])]
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]


def engines(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The adapters that installed distributions register."""
    return [CompletionItem(name) for name in sorted(entry_points(group=GROUP).names) if name.startswith(incomplete)]


def _chapters() -> Path:
    spec = find_spec("conformance")
    places = list(spec.submodule_search_locations or []) if spec else []
    return Path(places[0], "chapters") if places else Path("chapters")


def _names(folder: Path) -> list[str]:
    return sorted({path.stem for path in folder.glob("*") if not path.name.startswith(("_", "."))})


def _functions(folder: Path, chapter: str) -> Iterator[str]:
    """The behaviours of a chapter, which is a file or a folder."""
    files = [folder / f"{chapter}.py", *sorted((folder / chapter).rglob("*.py"))]
    for path in files:
        if path.is_file():
            yield from _BEHAVIOUR.findall(path.read_text("utf-8", errors="replace"))


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the script that completes words with Tab.

    It knows commands, options, behaviours and engines.

    bash: eval "$(autograd-conformance completion bash)" in ~/.bashrc; zsh: the same in ~/.zshrc;
    fish: autograd-conformance completion fish > ~/.config/fish/completions/autograd-conformance.fish

    Example: autograd-conformance completion bash
    """
    kind = get_completion_class(shell)
    if kind is None:  # not in any version of click that was seen
        raise click.UsageError(f"click knows no completion for {shell!r}")
    script = kind(ctx.find_root().command, {}, PROGRAM, VARIABLE)
    # Not `source()`: for bash it also starts one to ask for its version.
    click.echo(script.source_template % script.source_vars())
