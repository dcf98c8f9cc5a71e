"""A matrix of any size, made up but like a real matrix: shares of verdicts, lengths of messages and of native scripts.

The same arguments give the same matrix.
"""

from __future__ import annotations

import random

from conformance.results import CitationRecord, KnownRecord, SuiteRecord
from conformance.verdicts import Verdict
from reports.model import SCHEMA, Matrix, MatrixBehaviour, MatrixCell, MatrixEngine

PROSE = """gradient leaf tape backward forward tangent cotangent view write hook mode saved tensor version complex real
maximum tie kink batch axis sum product linear inverse dtype shape scalar vector output input function graph node"""
WORDS = PROSE.split()
LEVELS = ("must", "must", "must", "should", "may")
# A third absent and a tenth off: as torch, jax and the reference engine have it.
VERDICTS = {
    Verdict.PASS: 58,
    Verdict.ABSENT: 32,
    Verdict.DIFFERS: 5,
    Verdict.FAIL: 4,
    Verdict.CRASH: 0.5,
    Verdict.ERROR: 0.5,
}
# The greater part of a native script is the same in all of them.
JUDGING = [
    f"def judge_{n}(got, expected):\n" + f"    return got[{n}] == expected[{n}] and judge_more\n" * 3 for n in range(24)
]
CALLS = "leaf backward gradient_of set_item detach grad_of array jvp vjp vmap hook no_grad"
VERBS = CALLS.split()


def synthetic(behaviours: int, engines: int, chapters: int = 60) -> Matrix:
    """A matrix of this many rows and columns, every cell run."""
    chance = random.Random(0)
    columns = [_engine(number) for number in range(engines)]
    rows = [_behaviour(number, number * chapters // behaviours, chance) for number in range(behaviours)]
    cells = [_cell(row, column, chance) for row in rows for column in columns]
    return Matrix(SCHEMA, SuiteRecord("0.1.0", "0123456789ab"), columns, rows, cells)


def _engine(number: int) -> MatrixEngine:
    spec = f"engine_{number:02}"
    platform = {"sources": {"torch": "2.13"}, "platform": "Linux x86_64", "python": "3.11.7", "complete": True}
    return MatrixEngine(
        spec,
        spec,
        f"2.{number}",
        {},
        column=spec,
        **platform,
        started="2026-11-20T12:00:00+00:00",
        duration_s=9.0,
        seed=0,
        stale=[],
    )


def _sentence(chance: random.Random, words: int) -> str:
    return " ".join(chance.choices(WORDS, k=words)).capitalize() + "."


def _behaviour(number: int, chapter: int, chance: random.Random) -> MatrixBehaviour:
    name = f"{WORDS[chapter % len(WORDS)]}_{chapter}"
    page = f"torch.{chance.choice(WORDS)}.{chance.choice(WORDS)}"
    blank = dict.fromkeys(("since", "until", "raises", "warns", "says"), "")
    cited = CitationRecord("torch", page, "Notes", page, f"https://example.org/{page}.html", **blank, convention=None)
    statement = _sentence(chance, 15)
    check = f'@behaviour(MUST, torch("{page}"))\ndef claim_{number}(ad):\n    """{statement}"""\n' + "".join(
        f"    x = ad.{chance.choice(VERBS)}([{chance.random():.3f}, {chance.random():.3f}])\n" for _ in range(6)
    )
    return MatrixBehaviour(f"{name}.claim_{number}", name, chance.choice(LEVELS), statement, [cited], [], check)  # type: ignore[arg-type]


def _cell(row: MatrixBehaviour, engine: MatrixEngine, chance: random.Random) -> MatrixCell:
    verdict = chance.choices(list(VERDICTS), list(VERDICTS.values()))[0]
    known = KnownRecord(_sentence(chance, 12), "https://example.org/issues/1", "2027-06-01")
    return MatrixCell(
        behaviour=row.id,
        engine=engine.column,
        verdict=verdict,
        convention=None,
        message=_message(verdict, engine, chance),
        duration_s=chance.random() / 20,
        known=known if verdict is Verdict.FAIL and chance.random() < 0.5 else None,
        script="" if verdict in (Verdict.ABSENT, Verdict.ERROR) else _script(row, engine, chance),
    )


def _message(verdict: Verdict, engine: MatrixEngine, chance: random.Random) -> str:
    if verdict is Verdict.PASS:
        return ""
    if verdict is Verdict.ABSENT:  # a reason for each feature, not for each cell
        return f"no {chance.choice(WORDS)} in {engine.name}, by design; probe: {chance.choice(WORDS)} gives another"
    numbers = " ".join(f"{chance.random():.4f}" for _ in range(6))
    return f"got [{numbers}], expected [{numbers[::-1]}] in grad({chance.choice(WORDS)})([{numbers[:20]}])"


def _script(row: MatrixBehaviour, engine: MatrixEngine, chance: random.Random) -> str:
    """Over four kilobytes: imports, the verbs of this engine, a body, and assertions."""
    verbs = [
        f"def {verb}(x, *others):\n    found = {engine.name}.{verb}(x, keep=True)\n    return found.{verb}(*others)"
        for verb in sorted(chance.sample(VERBS, 4))
    ]
    body = "\n".join(
        f"x{line} = {chance.choice(VERBS)}({engine.name}.array([{chance.random():.3f}, 2.0]), {line})"
        for line in range(8)
    )
    head = f"import numpy as np\nimport {engine.name}"
    tail = f"print('expected', [0.5, 1.0])\nprint('got', x7)  # {row.id}"
    return "\n\n".join([head, *verbs, body, *JUDGING, tail]) + "\n"
