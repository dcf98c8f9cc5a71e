"""Generated files are those that `python -m workshop refresh` would write now."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from workshop.refresh import generated

GENERATED = generated()


@pytest.mark.parametrize("path", GENERATED, ids=lambda path: path.name)
def test_a_generated_file_is_current(path: Path) -> None:
    """Byte by byte."""
    assert path.read_text("utf-8") == GENERATED[path], "run: python -m workshop refresh"


@pytest.mark.parametrize("path", [path for path in GENERATED if path.suffix == ".json"], ids=lambda path: path.name)
def test_a_generated_schema_is_a_schema(path: Path) -> None:
    """Of the draft that it names."""
    jsonschema.Draft202012Validator.check_schema(json.loads(path.read_text("utf-8")))
