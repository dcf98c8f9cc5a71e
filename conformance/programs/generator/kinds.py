"""The kinds of programs: their steps, with weights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from conformance.programs.generator.draws import Weighted


@dataclass(frozen=True)
class ProgramKind:
    """A kind of programs. `weights` are those of its steps, `inside` those of the steps of a body.

    `needs` are verbs without which there is no such program.
    """

    weights: Weighted
    inside: Weighted
    needs: tuple[str, ...]

    @property
    def written(self) -> bool:
        """Whether steps write in place."""
        return "write" in self.weights.choices

    @property
    def tape(self) -> bool:
        """Whether its programs act on a tape, and return no value to be differentiated."""
        return "hook" in self.weights.choices


OPERATIONS = {"unary": 30, "binary": 20, "reduction": 8, "scan": 8, "shaping": 7, "joining": 4, "indexing": 6}
OPERATIONS |= {"product": 4}
TRANSFORMS = {"checkpoint": 3, "vmap": 5, "derivative": 5, "product_with": 5, "two_outputs": 2, "custom_vjp": 1}
TRACED = {"jit": 3, "linearize": 2, "custom_rules": 4, "branches": 4, "loop": 6, "scan_of_rows": 5}
MEMORY = {"write": 30, "view": 18}
RULES = {"own_rule": 10, "rule_with_hooks": 4, "doubled_in_place": 8, "custom_function": 4, "mask": 4}
RULES |= {"refused_write": 3}
TRACED_RULES = {"own_traced_rule": 10, "custom_rules": 5, "guard": 4, "mask": 4, "scan_of_rows": 12}
MODES = {"mode": 5, "unrecorded": 4, "hook": 8, "custom": 4, "flag": 3, "again": 3, "checkpoint": 2}


def _kind(needs: str, weights: Mapping[str, float], inside: Mapping[str, float] | None = None) -> ProgramKind:
    return ProgramKind(Weighted(weights), Weighted(inside or weights), tuple(needs.split()))


# The place of a kind is a part of the seed (`generate_program`): a new kind goes last.
KINDS: dict[str, ProgramKind] = {
    # Functions with transforms inside of one another.
    "function": _kind("grad jvp vjp vmap", OPERATIONS | {"detach": 2} | TRANSFORMS),
    # Functions that write in place, and through views. Checkpoint and custom function are at the top alone.
    "writes": _kind(
        "grad jvp operate_ view_by",
        OPERATIONS | {"detach": 2, "checkpoint": 2, "custom_function": 3} | MEMORY,
        inside=OPERATIONS | MEMORY,
    ),
    # The same under transforms.
    "mapped_writes": _kind(
        "grad jvp vjp vmap operate_ view_by",
        OPERATIONS | MEMORY | TRANSFORMS | {"custom_function": 5},
        inside=OPERATIONS | MEMORY | {"custom_function": 5},
    ),
    # Functions with control flow, custom rules and compilation.
    "traced": _kind("grad jvp vjp vmap jit scan cond linearize new_reference", OPERATIONS | TRANSFORMS | TRACED),
    # Leaves, hooks, grad modes, writes and backward passes. Modes nest; hooks stay at the top, where their order shows.
    "tape": _kind(
        "leaf backward register_hook no_grad operate_ view_by",
        OPERATIONS | {"alias": 3} | MEMORY | MODES,
        inside=OPERATIONS | MEMORY | {"mode": 8},
    ),
    # Custom rules that are not derivatives, that write in place, or whose saved values hooks change.
    "rules": _kind(
        "grad jvp custom_vjp custom_function saved_tensors_hooks mark_dirty_ operate_ view_by",
        OPERATIONS | {"checkpoint": 4} | MEMORY | RULES,
    ),
    # Custom rules that are not derivatives in control flow and under transforms, and guards of a domain. In a body
    # there are few operations: a rule of a user within a transform is what the kind is about.
    "traced_rules": _kind(
        "grad jvp vjp vmap jit scan cond custom_vjp custom_jvp",
        OPERATIONS | {"checkpoint": 3, "vmap": 8, "derivative": 4, "product_with": 3, "jit": 3} | TRACED_RULES,
        inside={"unary": 8, "binary": 6, "vmap": 2, "derivative": 2} | TRACED_RULES | {"own_traced_rule": 20},
    ),
}
