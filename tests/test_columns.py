"""Engines that run at once do not meet: each has its file, and its verdicts stay in its column."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.support import ROOT, ZOO, conform, from_here

ADAPTER = "from tests.zoo.adapters import {base}\nclass {name}({base}): ...\n"


def test_engines_with_similar_names_share_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Four that differ in what file names cannot show: each has the verdict of its adapter."""
    (tmp_path / "x.py").write_text(ADAPTER.format(base="BreaksItsPromise", name="y_Z"))
    (tmp_path / "x_y.py").write_text(
        ADAPTER.format(base="LacksDetaching", name="Z") + ADAPTER.format(base="Healthy", name="z")
    )
    # In a folder apart, as a system may take X.py and x.py for one file.
    (tmp_path / "upper").mkdir()
    (tmp_path / "upper" / "X.py").write_text(ADAPTER.format(base="HasABug", name="y_Z"))
    expected = {"x:y_Z": "fail", "x_y:Z": "absent", "x_y:z": "pass", "X:y_Z": "error"}
    path = os.pathsep.join([str(tmp_path / "upper"), str(ROOT)])
    for name, value in from_here(PYTHONPATH=path).items():
        monkeypatch.setenv(name, value)
    engines = [argument for spec in expected for argument in ("-e", spec)]
    arguments = ("run", *engines, "--chapters", ZOO, "-o", tmp_path / "out")
    call = conform(*arguments, output=tmp_path / "out", cwd=tmp_path)
    found = {
        cell["engine"]: cell["verdict"]
        for cell in call.matrix["cells"]
        if cell["behaviour"] == "errands.detaching_keeps_the_numbers"
    }
    assert (call.status, found) == (1, expected), call.err
    # In lower case, as names that differ in case alone are one file on some systems.
    assert len({path.name.lower() for path in (tmp_path / "out" / "results").glob("*.jsonl")}) == len(expected)
