"""The kinds of programs: their steps, with weights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from conformance.programs.generator.draws import Weighted


@dataclass(frozen=True)
class ProgramKind:
    """A kind of programs. `weights` are those of its steps, `inside` those of the steps of a body.

    `needs` are verbs without which there is no such program. `written`: steps write in place. `tape`: its programs act
    on a tape, and return no value to be differentiated.
    """

    name: str
    meaning: str
    weights: Weighted
    inside: Weighted
    needs: tuple[str, ...]
    written: bool = False
    tape: bool = False


OPERATIONS = {"unary": 30, "binary": 20, "reduction": 8, "scan": 8, "shaping": 7, "joining": 4, "indexing": 6}
OPERATIONS |= {"product": 4}
TRANSFORMS = {"checkpoint": 3, "vmap": 5, "derivative": 5, "product_with": 5, "two_outputs": 2, "custom_vjp": 1}
TRACED = {"jit": 3, "linearize": 2, "custom_rules": 4, "branches": 4, "loop": 6, "scan_of_rows": 5}
MEMORY = {"write": 30, "view": 18}
RULES = {"own_rule": 10, "rule_with_hooks": 4, "doubled_in_place": 8, "custom_function": 4, "mask": 4}
RULES |= {"refused_write": 3}
TRACED_RULES = {"own_traced_rule": 10, "custom_rules": 5, "guard": 4, "mask": 4, "scan_of_rows": 12}
MODES = {"mode": 5, "unrecorded": 4, "hook": 8, "custom": 4, "flag": 3, "again": 3, "checkpoint": 2}


def _kind(
    name: str, meaning: str, *weights: Mapping[str, float], needs: str, inside: Mapping[str, float] | None = None
) -> ProgramKind:
    joined = {key: value for part in weights for key, value in part.items()}
    # Both follow from the steps, so that no kind can declare them wrongly.
    written, tape = "write" in joined, "hook" in joined
    return ProgramKind(name, meaning, Weighted(joined), Weighted(inside or joined), tuple(needs.split()), written, tape)


# The place of a kind is a part of the seed (`generate_program`): a new kind goes last.
KINDS: dict[str, ProgramKind] = {
    kind.name: kind
    for kind in (
        _kind(
            "function",
            "functions with transforms inside of one another",
            OPERATIONS,
            {"detach": 2},
            TRANSFORMS,
            needs="grad jvp vjp vmap",
        ),
        _kind(
            "writes",
            "functions that write in place, and through views",
            OPERATIONS,
            {"detach": 2, "checkpoint": 2, "custom_function": 3},
            MEMORY,
            # Not checkpoint and custom function: these are at the top alone.
            inside=OPERATIONS | MEMORY,
            needs="grad jvp operate_ view_by",
        ),
        _kind(
            "mapped_writes",
            "the same under transforms",
            OPERATIONS,
            MEMORY,
            TRANSFORMS,
            {"custom_function": 5},
            inside=OPERATIONS | MEMORY | {"custom_function": 5},
            needs="grad jvp vjp vmap operate_ view_by",
        ),
        _kind(
            "traced",
            "functions with control flow, custom rules and compilation",
            OPERATIONS,
            TRANSFORMS,
            TRACED,
            needs="grad jvp vjp vmap jit scan cond linearize new_reference",
        ),
        _kind(
            "tape",
            "leaves, hooks, grad modes, writes and backward passes on a tape",
            OPERATIONS,
            {"alias": 3},
            MEMORY,
            MODES,
            # Modes nest; hooks and backward passes stay at the top, where their order is observed.
            inside=OPERATIONS | MEMORY | {"mode": 8},
            needs="leaf backward register_hook no_grad operate_ view_by",
        ),
        _kind(
            "rules",
            "custom rules that are not derivatives, that write in place, or whose saved values hooks change",
            OPERATIONS,
            {"checkpoint": 4},
            MEMORY,
            RULES,
            needs="grad jvp custom_vjp custom_function saved_tensors_hooks mark_dirty_ operate_ view_by",
        ),
        _kind(
            "traced_rules",
            "custom rules that are not derivatives in control flow and under transforms, and guards of a domain",
            OPERATIONS,
            {"checkpoint": 3, "vmap": 8, "derivative": 4, "product_with": 3, "jit": 3},
            TRACED_RULES,
            # Few operations: a rule of a user within a transform is what the kind is about.
            inside={"unary": 8, "binary": 6, "vmap": 2, "derivative": 2} | TRACED_RULES | {"own_traced_rule": 20},
            needs="grad jvp vjp vmap jit scan cond custom_vjp custom_jvp",
        ),
    )
}
