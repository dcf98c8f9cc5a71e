"""Campaigns of generated programs, made by hand: one known signature, and one that is new and has a program."""

from __future__ import annotations

import msgspec

from conformance.programs.program import Body, Input, Program, Step
from conformance.programs.source.graph import graph_of
from conformance.programs.source.report import ShownProgram
from conformance.programs.source.writer import listing
from reports.model import Known, MatrixEngine, Suite
from reports.programs_model import PROGRAMS_SCHEMA, CampaignRow, Programs, SignatureRow
from tests.browser.sample import sample

__all__ = ["NEW", "SQUARE", "campaigns"]

NEW = "forward_is_reverse: numbers: checkpoint write.multiply:itself"
RAISES = "raises RuntimeError: <b>no rule</b> for *"
INNER = Body(1, (Step("clone", (1,)), Step("write.multiply", (2, 2)), Step("view.select", (3,), (0, 1))), (4,))
SQUARE = Program("writes", (Input((2,), (2.0, 1.0)),), Body(1, (Step("checkpoint", (0,), (), (INNER,)),), (1,)))


def campaigns() -> Programs:
    """What a page is made of."""
    suite: Suite = sample().suite
    engine: MatrixEngine = msgspec.structs.replace(sample().engines[0], column="torch", spec="torch")
    shown = ShownProgram(
        name="writes:17",
        engine="torch",
        signature=NEW,
        listing=listing(SQUARE.body),
        native="import torch\n\nassert False\n",
        graph=graph_of(SQUARE),
    )
    reason = Known("It is <i>known</i>.", "https://example.org/1", "", title="No rule", kind="engine bug")
    new = SignatureRow("torch", NEW, {"writes": 3}, None, "forward_is_reverse", "writes", 17, "got 18, expected 12")
    rows = [
        SignatureRow(**{**{name: getattr(new, name) for name in new.__struct_fields__}, "shown": shown}),
        SignatureRow("torch", RAISES, {"tape": 1}, reason),
    ]
    tried = [CampaignRow("torch", kind, "abc", [(0, 1000)], 1000, 990, 10, 5.0) for kind in ("tape", "writes")]
    return Programs(PROGRAMS_SCHEMA, suite, [engine], tried, rows)
