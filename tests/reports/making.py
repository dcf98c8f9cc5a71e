"""Small results files and matrices, made by hand."""

from __future__ import annotations

import base64
import json
import os
import re
import zlib
from pathlib import Path
from typing import Any

import msgspec

from conformance.plots.model import Curve, CurvePlace, ModeCurve
from conformance.results import (
    SCHEMA,
    BehaviourRecord,
    CitationRecord,
    EngineRecord,
    Footer,
    Header,
    KnownRecord,
    ResultRecord,
    ResultsFile,
    SuiteRecord,
)
from conformance.verdicts import Verdict
from reports.beside import Curves
from reports.model import Matrix, MatrixCell, MatrixEngine
from tests.matrices import merge

GOLD = Path(__file__).parent / "gold"

VECTOR = BehaviourRecord(
    "gradients.a_vector_output_needs_a_gradient",
    "gradients",
    "must",
    "Backward from an output of more than one element raises an error unless a gradient is given.",
    [
        CitationRecord(
            "torch",
            "torch.Tensor.backward",
            "Parameters",
            "torch.Tensor.backward",
            "https://docs.pytorch.org/docs/2.13/generated/torch.Tensor.backward.html",
            raises="RuntimeError",
            says="scalar outputs",
        ),
        CitationRecord("document", "000", "", "Pitfalls of autograd (article)", "000.txt", until="2.1"),
    ],
    [],
)
CONJUGATE = BehaviourRecord(
    "complex.a_real_loss",
    "complex",
    "may",
    "The gradient of |z|^2 points uphill, or along the conjugate of z.",
    [
        CitationRecord("torch", "notes/autograd", "Complex", "Notes", "https://example.org/notes", convention="uphill"),
        CitationRecord("jax", "cookbook", "Complex", "Cookbook", "https://example.org/jax", convention="its_conjugate"),
    ],
    ["uphill", "its_conjugate"],
)
TIES = BehaviourRecord(
    "kinks_and_ties.ties_share",
    "kinks_and_ties",
    "should",
    "Elements tied for the maximum receive equal shares.",
    [CitationRecord("torch", "torch.amax", "", "torch.amax", "https://example.org/amax", since="1.7")],
    [],
)
RECORDS = [VECTOR, CONJUGATE, TIES]
KNOWN = KnownRecord("The first tie takes all.", "https://example.org/issues/1", "2026-06-01")
PASS, FAIL, DIFFERS = Verdict.PASS, Verdict.FAIL, Verdict.DIFFERS


def result(id: str, verdict: Verdict = PASS, message: str = "", **more: Any) -> ResultRecord:
    """A result line, by default of a behaviour that passes."""
    return ResultRecord(id, verdict, more.pop("convention", None), message, 0.25, **more)


def results_file(
    spec: str, results: list[ResultRecord], records: list[BehaviourRecord] = RECORDS, **changes: Any
) -> ResultsFile:
    """A complete results file; `changes` go to its header, or are `version`, `stale` or `path`."""
    # Not fields of the header, to which all other changes go.
    path, version, stale = changes.pop("path", f"{spec}.jsonl"), changes.pop("version", "2.0"), changes.pop("stale", [])
    engine = EngineRecord(spec, spec.partition(":")[0], version, {}, {"torch": "2.13"}, "Linux x86_64", "3.11.7")
    given: dict[str, Any] = {
        "schema": SCHEMA,
        "suite": SuiteRecord("0.1.0", "9f2c1b7a"),
        "engine": engine,
        "command": ["run"],
        "seed": 0,
        "selected": len(results),
        "complete": True,
        # Never the current date: reviews are due by this day, and gold files have it.
        "started": "2025-11-20T12:00:00+00:00",
    }
    return ResultsFile(path, Header(**{**given, **changes}), records, results, Footer(1.5, stale))


def written(file: ResultsFile) -> bytes:
    """The lines of a results file."""
    lines = [file.header, *file.behaviours, *file.results, file.footer]
    return b"".join(msgspec.json.encode(line) + b"\n" for line in lines)


def six_files() -> list[ResultsFile]:
    """Three behaviours on two engines."""
    ids = [record.id for record in RECORDS]
    return [
        results_file(
            "torch",
            [
                result(ids[0]),
                result(ids[1], convention="uphill"),
                result(ids[2], FAIL, "got [1. 0.], expected [0.5 0.5] in grad(amax)([2, 2])", known=KNOWN),
            ],
        ),
        results_file(
            "jax:jit",
            [
                result(ids[0], Verdict.ABSENT, "no tape; probe: grad(f) needs no backward"),
                result(ids[1], convention="its_conjugate"),
                result(ids[2], DIFFERS, "got [0. 1.], expected [0.5 0.5]"),
            ],
            stale=["known/jax.toml: 'views.x' passes; delete its entry"],
        ),
    ]


def six_cells() -> Matrix:
    """The matrix of the six files."""
    return merge(six_files())


def one_cell(**changes: Any) -> Matrix:
    """A matrix of a single cell, changed."""
    matrix = merge([results_file("torch", [result(VECTOR.id, FAIL)], [VECTOR])])
    return with_cell(matrix, **changes)


def with_cell(matrix: Matrix, **changes: Any) -> Matrix:
    """The matrix with its first cell changed."""
    cell: MatrixCell = msgspec.structs.replace(matrix.cells[0], **changes)
    return msgspec.structs.replace(matrix, cells=[cell, *matrix.cells[1:]])


def with_engine(matrix: Matrix, **changes: Any) -> Matrix:
    """The matrix with its first engine changed."""
    engine: MatrixEngine = msgspec.structs.replace(matrix.engines[0], **changes)
    return msgspec.structs.replace(matrix, engines=[engine, *matrix.engines[1:]])


def without_assets(page: str) -> str:
    """A page without its style sheet, scripts, blocks and hashes: a gold file is about the matrix."""
    page = re.sub(r"<(style|script)([^>]*)>.*?</\1>", r"<\1\2>...</\1>", page, flags=re.DOTALL)
    return re.sub(r"sha256-[\w+/=]+", "sha256-...", page)


def block(page: str, name: str) -> Any:
    """The data that the script of a page reads: a block of JSON, inflated."""
    element = re.search(rf'<script type="text/plain" id="{name}">([\w+/=]+)</script>', page)
    assert element is not None
    # Negative: raw deflate, without zlib's header, as the page's script inflates it.
    return json.loads(zlib.decompress(base64.b64decode(element[1]), -zlib.MAX_WBITS))


def hostile_citation(text: str) -> CitationRecord:
    """A citation in which every text is the same."""
    sentence = {"kind": text, "words": text, "count": 1, "digest": text}
    fields = dict.fromkeys(CitationRecord.__struct_fields__, text)
    return msgspec.convert({**fields, "evidence": [sentence]}, CitationRecord)


def assert_gold(name: str, text: str) -> None:
    """Compare with a committed file; with UPDATE_GOLD=1 in the environment, write it."""
    path = GOLD / name
    if os.environ.get("UPDATE_GOLD"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8"), f"{name} changed: look at it, then UPDATE_GOLD=1"


def curve_file(got: str = "2.0", column: str = "one", values: list[float] | None = None) -> dict[str, Curves]:
    """The curve of a made-up engine whose forward mode is wrong at the point alone: x^2 at 1."""
    # Without zero: at the point itself a curve has `got` and `expected`.
    ts = [k / 10 for k in range(-10, 11) if k]
    true: list[float | None] = [2 * (1 + t) for t in ts]
    place = CurvePlace("square", 1, "one")
    modes = [ModeCurve("reverse", True, "2.0"), ModeCurve("forward", False, got, values=[*(values or true)])]
    curve = Curve(place, "square(1.0)", ["2.0"], modes, True, 1.0, ts, [(1 + t) ** 2 for t in ts], 1.0, true)
    return {column: Curves("", [curve])}
