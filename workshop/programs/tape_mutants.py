"""Mutants of what a tape has, as a table: hooks, retained gradients, modes, versions, backward passes.

PyTorch's verbs are wrong, and the reference engine gives the expected outcome.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from workshop.programs import call_faults as f
from workshop.programs import tape_faults as t
from workshop.programs.call_faults import Where
from workshop.programs.program_mutant import ProgramMutant, of_verbs
from workshop.wrong_adapter import WrongCall, WrongVerbs

# Family, what is wrong, verbs, the calls that are wrong, and what they do instead.
Row = tuple[str, str, str, Where, Callable[[WrongCall], Any]]


def mutants() -> list[ProgramMutant]:
    """The mutants of all tables."""
    return [
        of_verbs(f"tape:{what}", "torch", what, family, kind, WrongVerbs(tuple(verbs.split()), where, instead))
        for kind, rows in (("tape", HOOKS + PASSES + MEMORY), ("writes", CHECKPOINTS))
        for family, what, verbs, where, instead in rows
    ]


HOOKS: tuple[Row, ...] = (
    ("hooks", "a hook of a leaf is lost", "register_hook", f.of_leaf, f.nothing),
    ("hooks", "a hook of a view is lost", "register_hook", f.of_a_view, f.nothing),
    ("hooks", "a hook of a view is one of its base", "register_hook", t.view_of_result, t.on_the_base),
    ("hooks", "a hook of an array that was written is lost", "register_hook", f.of_written, f.nothing),
    ("hooks", "a hook is called twice", "register_hook", f.always, t.called_twice),
    ("hooks", "a hook is called in the first pass alone", "register_hook", f.of_leaf, t.called_once),
    ("hooks", "the result of a hook is ignored", "register_hook", f.always, t.ignored),
    ("hooks", "the result of a hook of a leaf is ignored", "register_hook", f.of_leaf, t.ignored),
    ("hooks", "the result of a hook is handed to it again", "register_hook", f.of_result, t.doubled_again),
    ("hooks", "a hook is hung on a copy", "register_hook", f.of_result, t.on_a_copy),
    ("hooks", "a hook of a node is lost", "register_node_hook", f.always, f.nothing),
    ("hooks", "a hook of a node is called twice", "register_node_hook", f.always, t.called_twice),
    ("hooks", "a hook of the node of a view is lost", "register_node_hook", f.of_a_view, f.nothing),
    ("hooks", "a hook after accumulation is lost", "register_post_accumulate_hook", f.always, f.nothing),
    ("hooks", "a hook after accumulation runs twice", "register_post_accumulate_hook", f.always, t.called_twice),
    ("hooks", "a hook after accumulation runs once", "register_post_accumulate_hook", f.always, t.called_once),
    ("retain_grad", "retain_grad does nothing", "retain_gradient_", f.of_result, f.nothing),
    ("retain_grad", "retain_grad of a view does nothing", "retain_gradient_", f.of_a_view, f.nothing),
    ("retain_grad", "retain_grad of a written array does nothing", "retain_gradient_", f.of_written, f.nothing),
)
PASSES: tuple[Row, ...] = (
    ("passes", "backward forgets earlier gradients", "backward", f.always, t.overwritten),
    ("passes", "backward ignores inputs", "backward", t.has_inputs, t.to_all),
    (
        "passes",
        "retain_graph is ignored",
        "backward",
        t.option("retain_graph", True),
        f.in_turn(("retain_graph", False)),
    ),
    ("passes", "backward runs twice", "backward", t.kept, f.twice),
    (
        "passes",
        "create_graph is ignored",
        "grad_of",
        t.option("create_graph", True),
        f.in_turn(("create_graph", False)),
    ),
    (
        "passes",
        "create_graph is always on",
        "grad_of",
        t.option("create_graph", False),
        f.in_turn(("create_graph", True)),
    ),
    ("passes", "grad adds into gradients of leaves", "grad_of", f.always, t.accumulated),
    ("modes", "no_grad records", "no_grad", f.always, t.recording),
    ("modes", "no_grad in a checkpoint records", "no_grad", f.within("checkpoint"), t.recording),
    ("modes", "enable_grad does nothing", "enable_grad", f.always, t.no_mode),
    ("modes", "no_grad is left with recording on", "no_grad", f.always, t.never_left),
)
MEMORY: tuple[Row, ...] = (
    ("detach", "detach keeps the history", "detach", t.is_tracked, lambda c: c.args[0].view_as(c.args[0])),
    ("detach", "detach copies", "detach", f.always, t.copied),
    ("detach", "detach of a view keeps the history", "detach", f.of_a_view, lambda c: c.args[0].view_as(c.args[0])),
    ("detach", "detach_ does nothing", "detach_", f.of_result, f.nothing),
    ("detach", "detach_ of a view does nothing", "detach_", f.of_a_view, f.nothing),
    ("detach", "clone has no history", "clone", f.always, t.then(lambda x: x.detach())),
    ("detach", "clone shares memory", "clone", f.always, lambda c: c.args[0].view_as(c.args[0])),
    ("versions", "an in-place operation is not counted", "operate_", f.always, t.unseen),
    ("versions", "an in-place operation on a view is not counted", "operate_", f.of_a_view, t.unseen),
    ("versions", "copy_ is not counted", "copy_", f.always, t.unseen),
    ("versions", "copy_ is counted twice", "copy_", f.always, t.counted_twice),
    ("versions", "an assignment to a row is not counted", "set_item_", f.always, t.unseen),
    ("versions", "zero_ is not counted", "inplace_", f.always, t.unseen),
    ("versions", "an operation in no_grad is not counted", "mul_ copy_", f.always, t.unseen),
    ("versions", "a write by .data is counted", "data_of", f.always, lambda c: c.args[0].detach()),
    ("writes", "an in-place operation on a view is not recorded", "operate_", f.of_a_view, t.with_data),
    ("writes", "an in-place operation with an alias is not recorded", "operate_ copy_", f.aliased, t.with_data),
    ("writes", "copy_ is not recorded", "copy_", f.always, t.with_data),
    ("writes", "an assignment to a row is not recorded", "set_item_", f.always, t.with_data),
    ("writes", "zero_ is not recorded", "inplace_", f.always, t.with_data),
    ("writes", "+= makes another array", "augment_", f.always, lambda c: c.args[0] + c.args[1]),
    ("writes", "an in-place operation makes another array", "operate_", f.always, t.out_of_place),
    ("writes", "views are copies", "view_by", f.always, t.copied),
    ("writes", "views of views are copies", "view_by", f.of_a_view, t.copied),
    ("writes", "diagonals are copies", "view_by", lambda c: c.args[1] == "diagonal", t.copied),
    ("custom rules", "mark_non_differentiable is ignored", "mark_non_differentiable_", f.always, lambda c: None),
    ("passes", "an unused leaf has the gradient zero", "gradient_of", f.of_leaf, t.zeros_for_none),
    ("writes", "requires_grad_ does nothing", "require_grad_", f.always, f.nothing),
)
CHECKPOINTS: tuple[Row, ...] = (
    ("checkpoints", "a checkpoint loses its gradient", "checkpoint", f.always, t.checkpoint_without),
    (
        "checkpoints",
        "a checkpoint that returns what was written has no gradient",
        "checkpoint",
        f.always,
        t.checkpoint_of_writes,
    ),
    (
        "writes",
        "an in-place activation raises an error in forward mode",
        "operate_",
        f.within("jvp"),
        t.internal_error,
    ),
    ("checkpoints", "operations in a checkpoint have half a derivative", "np.*", f.within("checkpoint"), f.scaled(0.5)),
    ("checkpoints", "writes in a checkpoint lose an operand", "operate_ copy_", f.within("checkpoint"), f.first_alone),
    ("checkpoints", "a detached array in a checkpoint keeps its history", "detach", f.within("checkpoint"), f.nothing),
    (
        "custom rules",
        "a custom function's backward is doubled",
        "custom_function",
        f.always,
        t.doubled_backward,
    ),
    ("custom rules", "a custom function's jvp is doubled", "custom_function", f.always, t.doubled_jvp),
)
