"""Records of the suite that are a file per chapter, such as `conformance/mutants/accumulation.json`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def write_files(folder: Path, texts: Mapping[str, str]) -> list[str]:
    """Write the files that change, and delete those of chapters that are gone. Returns their paths in the checkout."""
    present = {path.name: path for path in folder.glob("*.json")}
    changed = [name for name, text in texts.items() if name not in present or present[name].read_text("utf-8") != text]
    for name in changed:
        (folder / name).write_text(texts[name], "utf-8")
    gone = sorted(set(present) - set(texts))
    for name in gone:
        present[name].unlink()
    return [f"conformance/{folder.name}/{name}" for name in changed + gone]
